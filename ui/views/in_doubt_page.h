#pragma once

#include "ui/models/tables.h"
#include "ui/tasks/store_session.h"
#include "ui/views/store_page.h"

class QLabel;
class QStackedWidget;

namespace reprise::ui {

class DataTable;

/// Actions whose outcome is not known, oldest first: what is known, and what can settle each.
/// Decisions on a live store are taken with `reprise settle`, never here.
class InDoubtPage : public StorePage
{
    Q_OBJECT
public:
    explicit InDoubtPage(StoreSession &session, QWidget *parent = nullptr);
    [[nodiscard]] DataTable *table() const { return m_table; }
    [[nodiscard]] QWidget *mainView() const override;
    [[nodiscard]] std::optional<SelectedAction> selectedAction() const override;
    [[nodiscard]] ReportScope reportScope() const override;
    [[nodiscard]] Facts facts() const override;
    void retranslateTimes() override;
    void reload();
    /// Selects that action where it is listed.
    void selectAction(const QString &runId, qint64 seq);
    [[nodiscard]] bool isBusy() const { return m_loading.isBusy() || m_detailing.isBusy(); }

Q_SIGNALS:
    void seqActivated(const QString &runId, qint64 seq);

private:
    void showSelected(int row);
    void showDetail(const ActionDetail &detail);

    StoreSession &m_session;
    TaskChannel m_loading;
    TaskChannel m_detailing;
    std::optional<ActionDetail> m_shown;
    InDoubtModel *m_model = nullptr;
    DataTable *m_table = nullptr;
    QLabel *m_detail = nullptr;
    QLabel *m_empty = nullptr;
    QStackedWidget *m_stack = nullptr;
};

} // namespace reprise::ui
