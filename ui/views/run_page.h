#pragma once

#include "ui/models/tables.h"
#include "ui/tasks/store_session.h"
#include "ui/views/store_page.h"

class QLabel;
class QListWidget;
class QListWidgetItem;
class QTabWidget;

namespace reprise::ui {

class CompareView;
class DataTable;
class RawView;

/// One run: a row for each seq, the attempts under it, original and later results side by side, the
/// exact bytes, and the chain key → attempts → string sent → provider reference. Works without the
/// main window.
class RunPage : public StorePage
{
    Q_OBJECT
public:
    explicit RunPage(StoreSession &session, QWidget *parent = nullptr);

    /// Shows a run; `seq` -1 selects its first action.
    void showRun(const QString &runId, qint64 seq = -1);
    [[nodiscard]] QString runId() const { return m_runId; }
    [[nodiscard]] qint64 selectedSeq() const;
    void selectSeq(qint64 seq);
    [[nodiscard]] DataTable *table() const { return m_seqs; }
    [[nodiscard]] DataTable *attemptsTable() const { return m_attempts; }
    [[nodiscard]] CompareView *compare() const { return m_compare; }
    [[nodiscard]] QWidget *mainView() const override;
    [[nodiscard]] QList<QWidget *> panes() const override;
    [[nodiscard]] std::optional<SelectedAction> selectedAction() const override;
    [[nodiscard]] ReportScope reportScope() const override;
    [[nodiscard]] Facts facts() const override;
    void retranslateTimes() override;
    void showAttempts();
    void showCompare();
    void nextDifference();
    void previousDifference();
    [[nodiscard]] QString chainText() const;
    [[nodiscard]] bool isBusy() const
    {
        return m_loading.isBusy() || m_detailing.isBusy() || m_bodies.isBusy();
    }

Q_SIGNALS:
    void seqSelected(qint64 seq);
    /// The attempts of every action of the run, for the timeline.
    void runLoaded(const std::vector<reprise::ActionRow> &actions,
        const std::vector<std::vector<reprise::AttemptRow>> &attempts);

private:
    struct Loaded
    {
        RunRow run;
        std::vector<ActionRow> actions;
        std::vector<std::vector<AttemptRow>> attempts;
        bool cut = false;
    };
    struct Bodies
    {
        std::optional<std::string> args;
        std::optional<std::string> original;
        std::optional<std::string> later;
        std::optional<std::string> acceptance;
    };
    void showLoaded(const Loaded &loaded);
    void loadDetail(int row);
    void showDetail(const ActionDetail &detail);
    void loadBodies(int attemptRow);
    void showBodies(const Bodies &bodies, int attemptRow);
    void showAttempt(int row);
    void fillLinks();
    void follow(const QListWidgetItem *link);

    StoreSession &m_session;
    TaskChannel m_loading;
    TaskChannel m_detailing;
    TaskChannel m_bodies;
    QString m_runId;
    qint64 m_wantedSeq = -1;
    std::optional<ActionDetail> m_detail;
    SeqsModel *m_seqsModel = nullptr;
    AttemptsModel *m_attemptsModel = nullptr;
    DataTable *m_seqs = nullptr;
    DataTable *m_attempts = nullptr;
    QLabel *m_header = nullptr;
    QLabel *m_chain = nullptr;
    QLabel *m_facts = nullptr;
    QTabWidget *m_tabs = nullptr;
    CompareView *m_compare = nullptr;
    RawView *m_raw = nullptr;
    RawView *m_args = nullptr;
    QListWidget *m_links = nullptr;
};

} // namespace reprise::ui
