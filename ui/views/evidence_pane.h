#pragma once

#include "ui/format/facts.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableWidget;

namespace reprise::ui {

/// Everything that is recorded of the selected row, value by value and in full, ready for copying.
/// Shows facts; asks nothing of a store. GUI thread.
class EvidencePane : public QWidget
{
    Q_OBJECT
public:
    explicit EvidencePane(QWidget *parent = nullptr);

    void setFacts(Facts facts);
    [[nodiscard]] const Facts &facts() const { return m_facts; }
    /// Puts the facts on the clipboard as text; false where there are none.
    bool copyBlock() const;
    [[nodiscard]] QWidget *mainView() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    void fill();

    Facts m_facts;
    QLabel *m_title = nullptr;
    QTableWidget *m_table = nullptr;
    QPushButton *m_copy = nullptr;
};

} // namespace reprise::ui
