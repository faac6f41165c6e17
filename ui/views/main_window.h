#pragma once

#include "ui/tasks/store_session.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <memory>

class QDockWidget;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace reprise::ui {

class InDoubtPage;
class IntegrityPage;
class RunPage;
class RunsPage;
class SandboxWindow;
class SuspectsPage;
class TimelineView;
class WelcomePage;

/// The inspector: navigates between pages and owns nothing that they know themselves.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    enum class Page { Suspects, Runs, InDoubt, Integrity, Run, Welcome };

    explicit MainWindow(Clock &clock, QWidget *parent = nullptr);
    ~MainWindow() override;

    void openStore(const QString &path);
    [[nodiscard]] StoreSession *session() const { return m_session.get(); }
    void showPage(Page page);
    [[nodiscard]] Page page() const { return m_page; }
    void showRun(const QString &runId, qint64 seq);

    [[nodiscard]] RunsPage *runsPage() const { return m_runs; }
    [[nodiscard]] RunPage *runPage() const { return m_run; }
    [[nodiscard]] SuspectsPage *suspectsPage() const { return m_suspects; }
    [[nodiscard]] InDoubtPage *inDoubtPage() const { return m_inDoubt; }
    [[nodiscard]] IntegrityPage *integrityPage() const { return m_integrity; }
    [[nodiscard]] WelcomePage *welcomePage() const { return m_welcome; }
    /// Every command of the window; what the palette lists.
    [[nodiscard]] QList<QAction *> commands() const { return m_commands; }
    /// How a store is chosen; tests answer here instead of a file dialog.
    void setStoreChooser(std::function<QString()> chooser) { m_chooser = std::move(chooser); }
    /// Nothing is being read for the window.
    [[nodiscard]] bool isIdle() const;

public Q_SLOTS:
    void openPalette();
    void simulateSelected();
    void exportReport();

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void makePages();
    void makeActions();
    void makeStatusBar();
    QAction *command(const QString &title, const QKeySequence &keys, const QString &tip,
        const std::function<void()> &run);
    /// Single letters live only while one of these tables has the focus.
    QAction *tableCommand(const QString &title, const QKeySequence &keys, const QString &tip,
        const QList<QWidget *> &tables, const std::function<void()> &run);
    void rebuildForSession();
    void storeOpened();
    void storeFailed(const Error &error);
    void land();
    void refreshStatus();
    void setTheme(ThemeSetting setting);
    void goBack(int direction);
    void cyclePanes(int direction);
    void findKey(const QString &start);
    void findRun(const QString &text);
    void rememberRecent(const QString &path);

    Clock &m_clock;
    std::unique_ptr<StoreSession> m_session;
    TaskChannel m_finding;
    std::function<QString()> m_chooser;
    Page m_page = Page::Welcome;
    bool m_landed = false;
    struct Place
    {
        Page page = Page::Welcome;
        QString runId;
        qint64 seq = -1;
    };
    QList<Place> m_history;
    qsizetype m_historyAt = -1;
    bool m_travelling = false;

    QList<QAction *> m_commands;
    QListWidget *m_nav = nullptr;
    QStackedWidget *m_stack = nullptr;
    WelcomePage *m_welcome = nullptr;
    RunsPage *m_runs = nullptr;
    RunPage *m_run = nullptr;
    SuspectsPage *m_suspects = nullptr;
    InDoubtPage *m_inDoubt = nullptr;
    IntegrityPage *m_integrity = nullptr;
    QDockWidget *m_timelineDock = nullptr;
    TimelineView *m_timeline = nullptr;
    QWidget *m_banner = nullptr;
    QLabel *m_storeLabel = nullptr;
    QLabel *m_hashLabel = nullptr;
    QLabel *m_countLabel = nullptr;
    QLabel *m_taskLabel = nullptr;
    QPushButton *m_cancel = nullptr;
    QTimer *m_watch = nullptr;
};

} // namespace reprise::ui
