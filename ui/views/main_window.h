#pragma once

#include "ui/actions/action_set.h"
#include "ui/tasks/store_session.h"
#include "ui/theme/theme.h"

#include <QMainWindow>

#include <functional>
#include <memory>

class QDockWidget;
class QListWidget;
class QMenu;
class QStackedWidget;
class QTimer;

namespace reprise::ui {

class EvidencePane;
class InDoubtPage;
class IntegrityPage;
class RunPage;
class RunsPage;
class StorePage;
class StoreStatusBar;
class SuspectsPage;
class TimelineView;
class WelcomePage;

/// The inspector: navigates between pages and owns nothing that they know themselves.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    enum class Page { Suspects, Runs, InDoubt, Integrity, Run, Welcome };

    /// `clock` is not owned and outlives the window.
    explicit MainWindow(Clock &clock, QWidget *parent = nullptr);
    ~MainWindow() override;

    void openStore(const QString &path);
    [[nodiscard]] StoreSession *session() const { return m_session.get(); }
    void showPage(Page page);
    [[nodiscard]] Page page() const { return m_page; }
    /// `seq` -1: the first action of the run.
    void showRun(const QString &runId, qint64 seq);
    /// The same in a window of its own.
    void showRunInWindow(const QString &runId, qint64 seq);
    void showSuspect(const QString &id);
    /// The runs that match, in the Runs page.
    void showRunsFor(const QString &filter);

    [[nodiscard]] RunsPage *runsPage() const { return m_runs; }
    [[nodiscard]] RunPage *runPage() const { return m_run; }
    [[nodiscard]] SuspectsPage *suspectsPage() const { return m_suspects; }
    [[nodiscard]] InDoubtPage *inDoubtPage() const { return m_inDoubt; }
    [[nodiscard]] IntegrityPage *integrityPage() const { return m_integrity; }
    [[nodiscard]] WelcomePage *welcomePage() const { return m_welcome; }
    [[nodiscard]] EvidencePane *evidencePane() const { return m_evidence; }
    void setEvidenceVisible(bool visible);
    [[nodiscard]] QWidget *banner() const { return m_banner; }
    /// Every command of the window; what the palette lists.
    [[nodiscard]] const QList<QAction *> &commands() const { return m_actions.all(); }
    /// How a store is chosen; tests answer here instead of a file dialog.
    void setStoreChooser(std::function<QString()> chooser) { m_chooser = std::move(chooser); }
    /// Nothing is being read for the window.
    [[nodiscard]] bool isIdle() const;

public Q_SLOTS:
    void openPalette();
    void simulateSelected();
    void exportReport();
    void copyEvidence();

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    struct Place
    {
        Page page = Page::Welcome;
        QString runId;
        qint64 seq = -1;
    };

    void makeCentre();
    QWidget *makeBanner();
    void makeDocks();
    // main_window_actions.cpp
    void makeActions();
    void makeFileMenu();
    void makeGoMenu();
    void makeViewMenu();
    void makeActionMenu();
    void makeHelpMenu();

    [[nodiscard]] StorePage *pageOf(Page page) const;
    [[nodiscard]] StorePage *currentPage() const { return pageOf(m_page); }
    void chooseStore();
    void rebuildForSession();
    void makePages();
    void storeOpened();
    void storeFailed(const Error &error);
    void storeChecked();
    void land();
    void refreshNavigation();
    void refreshEvidence();
    void setTheme(ThemeSetting setting);
    void toggleZone();
    void goBack(int direction);
    void cyclePanes(int direction);
    void escape();
    void findKey(const QString &start);
    void findRun(const QString &text);
    /// The suspect with that `field` (payee or order), else the runs.
    void findBusiness(const QString &field, const QString &text);
    void rememberRecent(const QString &path);

    Clock &m_clock;
    std::unique_ptr<StoreSession> m_session;
    TaskChannel m_finding;
    ActionSet m_actions;
    std::function<QString()> m_chooser;
    Page m_page = Page::Welcome;
    bool m_landed = false;
    QList<Place> m_history;
    qsizetype m_historyAt = -1;
    bool m_travelling = false;
    QTimer *m_watch = nullptr;

    QListWidget *m_nav = nullptr;
    QStackedWidget *m_stack = nullptr;
    QWidget *m_banner = nullptr;
    WelcomePage *m_welcome = nullptr;
    RunsPage *m_runs = nullptr;
    RunPage *m_run = nullptr;
    SuspectsPage *m_suspects = nullptr;
    InDoubtPage *m_inDoubt = nullptr;
    IntegrityPage *m_integrity = nullptr;
    QDockWidget *m_timelineDock = nullptr;
    TimelineView *m_timeline = nullptr;
    QDockWidget *m_evidenceDock = nullptr;
    EvidencePane *m_evidence = nullptr;
    StoreStatusBar *m_status = nullptr;
    QMenu *m_recentMenu = nullptr;
};

} // namespace reprise::ui
