#pragma once

#include "ui/models/tables.h"
#include "ui/tasks/store_session.h"
#include "ui/views/store_page.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTimer;

namespace reprise::ui {

class DataTable;

/// All runs: filter, sort, page by page, with totals of what matches. Works without the main
/// window.
class RunsPage : public StorePage
{
    Q_OBJECT
public:
    explicit RunsPage(StoreSession &session, QWidget *parent = nullptr);

    [[nodiscard]] DataTable *table() const { return m_table; }
    [[nodiscard]] QWidget *mainView() const override;
    [[nodiscard]] QList<QWidget *> panes() const override;
    [[nodiscard]] Facts facts() const override;
    void retranslateTimes() override;
    [[nodiscard]] QString filter() const;
    void setFilter(const QString &filter);
    void focusFilter();
    /// Without its filters the list shows everything; they stay in the field.
    void setFiltersSuspended(bool suspended);
    [[nodiscard]] bool filtersSuspended() const { return m_suspended; }
    [[nodiscard]] QString selectedRun() const;
    void reload();
    [[nodiscard]] bool isBusy() const { return m_paging.isBusy() || m_totalling.isBusy(); }

Q_SIGNALS:
    void runActivated(const QString &runId);
    /// "37 of 12,480 runs"
    void countChanged(const QString &text);

private:
    void ask(const std::string &after);
    void showPage(const Result<RunPage> &page, bool first);
    /// Totals, and where nothing matches the token that is to blame.
    struct Counted
    {
        RunTotals totals;
        QString culprit; ///< a token without which there are runs
        std::int64_t withoutIt = 0;
    };
    [[nodiscard]] static Result<Counted> count(StoreReader &reader, const QString &filter);
    void showTotals(const Counted &counted);
    void sortBy(int column, Qt::SortOrder order);

    StoreSession &m_session;
    TaskChannel m_paging;
    TaskChannel m_totalling;
    RunQuery m_query;
    bool m_suspended = false;
    bool m_fitted = false;
    RunsModel *m_model = nullptr;
    DataTable *m_table = nullptr;
    QLineEdit *m_filter = nullptr;
    QLabel *m_problem = nullptr;
    QLabel *m_totals = nullptr;
    QLabel *m_empty = nullptr;
    QString m_culprit;
    QPushButton *m_removeFilter = nullptr;
    QStackedWidget *m_stack = nullptr;
    QTimer *m_debounce = nullptr;
};

} // namespace reprise::ui
