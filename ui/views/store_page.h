#pragma once

#include "core/report/report.h"
#include "ui/format/facts.h"

#include <QList>
#include <QString>
#include <QWidget>

#include <optional>

namespace reprise::ui {

/// The action that a page has selected.
struct SelectedAction
{
    QString runId;
    qint64 seq = 0;
};

/// One view of a store. It works without the main window, which only asks it what is selected.
class StorePage : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// What gets the focus when the page is shown.
    [[nodiscard]] virtual QWidget *mainView() const = 0;
    /// The places that F6 goes through, in their order.
    [[nodiscard]] virtual QList<QWidget *> panes() const { return {mainView()}; }
    /// What a retry would be simulated of.
    [[nodiscard]] virtual std::optional<SelectedAction> selectedAction() const { return {}; }
    /// What a report would be about; the whole store where nothing narrower is selected.
    [[nodiscard]] virtual ReportScope reportScope() const { return {}; }
    /// What is recorded of the selected row, for the evidence pane.
    [[nodiscard]] virtual Facts facts() const { return {}; }
    /// The way of showing times changed: write all texts again.
    virtual void retranslateTimes() { }

Q_SIGNALS:
    /// `facts()` has another answer.
    void factsChanged();
    /// Somebody wants to see the runs that a filter finds, or one suspect.
    void filterWanted(const QString &filter);
    void suspectWanted(const QString &id);
    /// Somebody wants a run in a window of its own.
    void windowWanted(const QString &runId, qint64 seq);
};

} // namespace reprise::ui
