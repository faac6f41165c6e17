#include "ui/views/main_window.h"

#include "ui/format/format.h"
#include "ui/views/command_palette.h"
#include "ui/views/compare_view.h"
#include "ui/views/data_table.h"
#include "ui/views/export_dialog.h"
#include "ui/views/in_doubt_page.h"
#include "ui/views/integrity_page.h"
#include "ui/views/run_page.h"
#include "ui/views/runs_page.h"
#include "ui/views/sandbox_window.h"
#include "ui/views/suspects_page.h"
#include "ui/views/timeline_view.h"
#include "ui/views/welcome_page.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

constexpr int kRecentMax = 10;
constexpr int kWatchMs = 5'000;
const QString kRecentSetting = QStringLiteral("recent");
const QString kThemeSettingName = QStringLiteral("theme");
const QString kGeometrySetting = QStringLiteral("geometry");

/// Where the demonstration store is looked for (README).
QString sampleStore()
{
    return QStandardPaths::locate(
        QStandardPaths::GenericDataLocation, QStringLiteral("reprise/demo/payments.db"));
}

} // namespace

MainWindow::MainWindow(Clock &clock, QWidget *parent)
    : QMainWindow(parent)
    , m_clock(clock)
    , m_chooser([this] {
        return QFileDialog::getOpenFileName(
            this, tr("Open store"), QString(), tr("Reprise stores (*.db);;All files (*)"));
    })
{
    setWindowTitle(tr("Reprise"));
    setAcceptDrops(true);
    resize(1280, 800);
    makePages();
    makeStatusBar();
    rebuildForSession();
    showPage(Page::Welcome);
    m_watch = new QTimer(this);
    m_watch->setInterval(kWatchMs);
    connect(m_watch, &QTimer::timeout, this, [this] {
        if (m_session)
            m_session->recheck(false);
    });
    if (const QByteArray geometry = QSettings().value(kGeometrySetting).toByteArray();
        !geometry.isEmpty())
        restoreGeometry(geometry);
}

MainWindow::~MainWindow() = default;

void MainWindow::makePages()
{
    auto *centre = new QWidget;
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_banner = new QWidget;
    auto *bannerRow = new QHBoxLayout(m_banner);
    auto *bannerText
        = new QLabel(tr("The store changed on disk. What is shown is the snapshot from before."));
    bannerText->setTextFormat(Qt::PlainText);
    auto *reload = new QPushButton(tr("&Reload (new snapshot)"));
    auto *keep = new QPushButton(tr("&Keep this snapshot"));
    bannerRow->addWidget(bannerText, 1);
    bannerRow->addWidget(reload);
    bannerRow->addWidget(keep);
    connect(reload, &QPushButton::clicked, this, [this] {
        if (m_session)
            openStore(m_session->path());
    });
    connect(keep, &QPushButton::clicked, this, [this] {
        m_banner->hide();
        m_watch->stop();
    });
    m_banner->hide();
    column->addWidget(m_banner);

    auto *splitter = new QSplitter(Qt::Horizontal);
    m_nav = new QListWidget;
    m_nav->setAccessibleName(tr("Views"));
    m_nav->setMaximumWidth(180);
    m_nav->setMinimumWidth(110);
    for (const QString &title : {tr("Suspects"), tr("Runs"), tr("In doubt"), tr("Integrity")})
        m_nav->addItem(title);
    connect(m_nav, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && m_session)
            showPage(static_cast<Page>(row));
    });
    splitter->addWidget(m_nav);
    m_stack = new QStackedWidget;
    splitter->addWidget(m_stack);
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    constexpr int kNavWidth = 132;
    splitter->setSizes({kNavWidth, width() - kNavWidth});
    column->addWidget(splitter, 1);
    setCentralWidget(centre);

    m_welcome = new WelcomePage;
    m_welcome->setRecent(QSettings().value(kRecentSetting).toStringList());
    m_welcome->setSample(sampleStore());
    connect(m_welcome, &WelcomePage::storeChosen, this, &MainWindow::openStore);
    connect(m_welcome, &WelcomePage::openRequested, this, [this] {
        if (const QString path = m_chooser(); !path.isEmpty())
            openStore(path);
    });
    m_stack->addWidget(m_welcome);

    m_timelineDock = new QDockWidget(tr("Timeline"));
    m_timelineDock->setObjectName(QStringLiteral("timeline"));
    m_timeline = new TimelineView;
    m_timelineDock->setWidget(m_timeline);
    addDockWidget(Qt::BottomDockWidgetArea, m_timelineDock);
    constexpr int kTimelineHeight = 150;
    resizeDocks({m_timelineDock}, {kTimelineHeight}, Qt::Vertical);
    connect(m_timeline, &TimelineView::seqActivated, this, [this](qint64 seq) {
        if (m_run != nullptr)
            m_run->selectSeq(seq);
    });
}

void MainWindow::makeStatusBar()
{
    m_storeLabel = new QLabel;
    m_hashLabel = new QLabel;
    m_countLabel = new QLabel;
    m_taskLabel = new QLabel;
    m_cancel = new QPushButton(tr("Cancel"));
    m_cancel->hide();
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_session)
            m_session->runner().stopTitled();
    });
    for (QLabel *label : {m_storeLabel, m_hashLabel, m_countLabel, m_taskLabel})
        label->setTextFormat(Qt::PlainText);
    statusBar()->addWidget(m_storeLabel);
    statusBar()->addWidget(m_hashLabel);
    statusBar()->addWidget(m_countLabel, 1);
    statusBar()->addPermanentWidget(m_taskLabel);
    statusBar()->addPermanentWidget(m_cancel);
    statusBar()->addPermanentWidget(new QLabel(tr("UTC")));
}

QAction *MainWindow::command(const QString &title, const QKeySequence &keys, const QString &tip,
    const std::function<void()> &run)
{
    auto *action = new QAction(title, this);
    action->setShortcut(keys);
    action->setStatusTip(tip);
    connect(action, &QAction::triggered, this, run);
    m_commands.append(action);
    return action;
}

QAction *MainWindow::tableCommand(const QString &title, const QKeySequence &keys,
    const QString &tip, const QList<QWidget *> &tables, const std::function<void()> &run)
{
    QAction *action = command(title, keys, tip, run);
    action->setShortcutContext(Qt::WidgetShortcut);
    for (QWidget *table : tables)
        table->addAction(action);
    return action;
}

void MainWindow::makeActions()
{
    menuBar()->clear();
    qDeleteAll(m_commands);
    m_commands.clear();
    const bool open = m_session != nullptr;

    QMenu *file = menuBar()->addMenu(tr("&File"));
    file->addAction(command(
        tr("&Open store …"), QKeySequence::Open, tr("Open a store; it is only read"), [this] {
            if (const QString path = m_chooser(); !path.isEmpty())
                openStore(path);
        }));
    QAction *exportAction = command(tr("&Export report …"), QKeySequence(Qt::CTRL | Qt::Key_E),
        tr("Write a report of what is selected"), [this] { exportReport(); });
    exportAction->setEnabled(open);
    file->addAction(exportAction);
    file->addSeparator();
    file->addAction(
        command(tr("&Quit"), QKeySequence::Quit, tr("Close the window"), [this] { close(); }));

    QMenu *go = menuBar()->addMenu(tr("&Go"));
    int number = 1;
    for (const auto &[title, page] : {std::pair {tr("&Suspects"), Page::Suspects},
             std::pair {tr("&Runs"), Page::Runs}, std::pair {tr("In &doubt"), Page::InDoubt},
             std::pair {tr("&Integrity"), Page::Integrity}}) {
        QAction *action
            = command(title, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number)),
                tr("Show this view"), [this, page = page] { showPage(page); });
        action->setEnabled(open);
        go->addAction(action);
        ++number;
    }
    go->addSeparator();
    go->addAction(command(tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left), tr("The view before"),
        [this] { goBack(-1); }));
    go->addAction(command(tr("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right),
        tr("The view after"), [this] { goBack(1); }));
    go->addAction(command(tr("&Next pane"), QKeySequence(Qt::Key_F6), tr("Move to the next pane"),
        [this] { cyclePanes(1); }));
    go->addAction(command(tr("Pre&vious pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6),
        tr("Move to the pane before"), [this] { cyclePanes(-1); }));
    go->addAction(command(tr("Search or &command …"), QKeySequence(Qt::CTRL | Qt::Key_K),
        tr("Find a run, key, customer, suspect or command"), [this] { openPalette(); }));

    QMenu *view = menuBar()->addMenu(tr("&View"));
    for (const auto &[title, setting] : {std::pair {tr("&System theme"), ThemeSetting::System},
             std::pair {tr("&Light theme"), ThemeSetting::Light},
             std::pair {tr("&Dark theme"), ThemeSetting::Dark}})
        view->addAction(command(title, {}, tr("Colours of the window"),
            [this, setting = setting] { setTheme(setting); }));
    view->addAction(m_timelineDock->toggleViewAction());

    QMenu *help = menuBar()->addMenu(tr("&Help"));
    help->addAction(command(tr("&Keyboard shortcuts"), QKeySequence(Qt::CTRL | Qt::Key_Slash),
        tr("All shortcuts"), [this] { openPalette(); }));
    if (!open)
        return;

    view->addSeparator();
    view->addAction(
        command(tr("&Filter"), QKeySequence::Find, tr("Go to the filter of runs"), [this] {
            showPage(Page::Runs);
            m_runs->focusFilter();
        }));
    view->addAction(command(tr("Sus&pend filters"), QKeySequence(Qt::Key_F8),
        tr("Show all runs, and the filtered ones again"), [this] {
            showPage(Page::Runs);
            m_runs->setFiltersSuspended(!m_runs->filtersSuspended());
        }));
    view->addAction(command(tr("&Re-check the store on disk"), QKeySequence(Qt::Key_F5),
        tr("Compare the files with what they were"), [this] { m_session->recheck(true); }));

    QMenu *actionMenu = menuBar()->addMenu(tr("&Action"));
    const QList<QWidget *> runTables {m_run->table(), m_run->attemptsTable()};
    actionMenu->addAction(tableCommand(tr("&Simulate a retry"), QKeySequence(Qt::Key_R),
        tr("Retry the selected action in a sandbox"),
        {m_run->table(), m_run->attemptsTable(), m_suspects->table(), m_inDoubt->table()},
        [this] { simulateSelected(); }));
    actionMenu->addAction(tableCommand(tr("&Compare results"), QKeySequence(Qt::Key_D),
        tr("Original and later result side by side"), runTables, [this] { m_run->showCompare(); }));
    actionMenu->addAction(tableCommand(tr("&Next difference"), QKeySequence(Qt::Key_BracketRight),
        tr("Go to the next difference"), runTables, [this] { m_run->nextDifference(); }));
    actionMenu->addAction(
        tableCommand(tr("&Previous difference"), QKeySequence(Qt::Key_BracketLeft),
            tr("Go to the difference before"), runTables, [this] { m_run->previousDifference(); }));
    actionMenu->addAction(
        command(tr("&Verify the journal"), {}, tr("Check the chain of the store"), [this] {
            showPage(Page::Integrity);
            m_integrity->verify();
        }));
}

/// Pages belong to a session: a new store gets new ones.
void MainWindow::rebuildForSession()
{
    for (QWidget *page : {static_cast<QWidget *>(m_runs), static_cast<QWidget *>(m_run),
             static_cast<QWidget *>(m_suspects), static_cast<QWidget *>(m_inDoubt),
             static_cast<QWidget *>(m_integrity)})
        delete page;
    m_runs = nullptr;
    m_run = nullptr;
    m_suspects = nullptr;
    m_inDoubt = nullptr;
    m_integrity = nullptr;
    m_timeline->clear();
    m_history.clear();
    m_historyAt = -1;
    m_nav->setEnabled(m_session != nullptr);
    m_timelineDock->setVisible(false);
    if (m_session) {
        m_runs = new RunsPage(*m_session);
        m_run = new RunPage(*m_session);
        m_suspects = new SuspectsPage(*m_session);
        m_inDoubt = new InDoubtPage(*m_session);
        m_integrity = new IntegrityPage(*m_session);
        for (QWidget *page : {static_cast<QWidget *>(m_runs), static_cast<QWidget *>(m_run),
                 static_cast<QWidget *>(m_suspects), static_cast<QWidget *>(m_inDoubt),
                 static_cast<QWidget *>(m_integrity)})
            m_stack->addWidget(page);
        connect(m_runs, &RunsPage::runActivated, this,
            [this](const QString &run) { showRun(run, -1); });
        connect(m_runs, &RunsPage::countChanged, m_countLabel, &QLabel::setText);
        connect(m_suspects, &SuspectsPage::memberActivated, this, &MainWindow::showRun);
        connect(m_inDoubt, &InDoubtPage::seqActivated, this, &MainWindow::showRun);
        connect(m_run, &RunPage::seqSelected, m_timeline, &TimelineView::setSelectedSeq);
        connect(m_run, &RunPage::runLoaded, m_timeline, &TimelineView::setRun);
    }
    makeActions();
}

void MainWindow::openStore(const QString &path)
{
    m_banner->hide();
    m_watch->stop();
    m_finding.abandon();
    auto session = std::make_unique<StoreSession>(QFileInfo(path).absoluteFilePath(), m_clock);
    connect(session.get(), &StoreSession::opened, this, &MainWindow::storeOpened);
    connect(session.get(), &StoreSession::failed, this, &MainWindow::storeFailed);
    connect(session.get(), &StoreSession::factsChanged, this, &MainWindow::refreshStatus);
    connect(session.get(), &StoreSession::checked, this, [this] {
        m_banner->setVisible(m_session && m_session->hasChanged());
        refreshStatus();
    });
    connect(&session->suspects(), &SuspectSearch::changed, this, [this] {
        land();
        refreshStatus();
    });
    connect(&session->runner(), &TaskRunner::activeTasksChanged, this, &MainWindow::refreshStatus);
    // The pages of the old session go first; they hold references to it.
    auto old = std::move(m_session);
    rebuildForSession();
    old.reset();
    m_session = std::move(session);
    m_landed = false;
    rebuildForSession();
    setWindowTitle(tr("%1 [EVIDENCE, read only] — Reprise").arg(m_session->name()));
    m_session->open();
    refreshStatus();
}

void MainWindow::storeOpened()
{
    m_welcome->setProblem({});
    rememberRecent(m_session->path());
    m_runs->reload();
    m_inDoubt->reload();
    m_integrity->refresh();
    showPage(Page::Runs);
    m_watch->start();
    refreshStatus();
}

void MainWindow::storeFailed(const Error &error)
{
    m_welcome->setProblem(visible(error.text()));
    auto failed = std::move(m_session);
    rebuildForSession();
    setWindowTitle(tr("Reprise"));
    showPage(Page::Welcome);
    m_storeLabel->clear();
    m_hashLabel->clear();
    m_countLabel->clear();
    failed.release()->deleteLater(); // it is the sender of this signal
}

/// Open suspects first, then doubt, then runs; once for each store, and never under a working user.
void MainWindow::land()
{
    using State = SuspectSearch::State;
    const State state = m_session->suspects().state();
    if (m_landed || (state != State::Done && state != State::Stopped))
        return;
    m_landed = true;
    if (m_page != Page::Runs || !m_runs->filter().isEmpty())
        return;
    if (m_session->suspects().open() > 0)
        showPage(Page::Suspects);
    else if (m_session->totals() && m_session->totals()->inDoubt > 0)
        showPage(Page::InDoubt);
}

void MainWindow::showPage(Page page)
{
    // Hiding a page moves the focus, and a list that gets the focus selects a row by itself.
    const QSignalBlocker quiet(m_nav);
    QWidget *widget = m_welcome;
    QWidget *focus = m_welcome;
    if (m_session && page != Page::Welcome) {
        switch (page) {
        case Page::Suspects:
            widget = m_suspects;
            focus = m_suspects->table();
            break;
        case Page::Runs:
            widget = m_runs;
            focus = m_runs->table();
            break;
        case Page::InDoubt:
            widget = m_inDoubt;
            focus = m_inDoubt->table();
            break;
        case Page::Integrity:
            widget = m_integrity;
            focus = m_integrity->table();
            break;
        case Page::Run:
            widget = m_run;
            focus = m_run->table();
            break;
        case Page::Welcome:
            break;
        }
    }
    m_page = widget == m_welcome ? Page::Welcome : page;
    m_stack->setCurrentWidget(widget);
    m_timelineDock->setVisible(m_page == Page::Run);
    const Page listed = m_page == Page::Run ? Page::Runs : m_page;
    m_nav->setCurrentRow(listed == Page::Welcome ? -1 : static_cast<int>(listed));
    focus->setFocus();
    if (!m_travelling && m_session) {
        m_history.resize(m_historyAt + 1);
        m_history.append(Place {m_page, m_run->runId(), m_run->selectedSeq()});
        m_historyAt = m_history.size() - 1;
    }
}

void MainWindow::showRun(const QString &runId, qint64 seq)
{
    m_run->showRun(runId, seq);
    showPage(Page::Run);
    if (!m_travelling && m_historyAt >= 0)
        m_history[m_historyAt] = Place {Page::Run, runId, seq};
}

void MainWindow::goBack(int direction)
{
    const qsizetype to = m_historyAt + direction;
    if (to < 0 || to >= m_history.size())
        return;
    m_historyAt = to;
    m_travelling = true;
    const Place place = m_history[to];
    if (place.page == Page::Run)
        showRun(place.runId, place.seq);
    else
        showPage(place.page);
    m_travelling = false;
}

void MainWindow::cyclePanes(int direction)
{
    QList<QWidget *> panes {m_nav};
    if (m_session) {
        if (m_page == Page::Runs)
            panes.append(m_runs->table());
        if (m_page == Page::Suspects)
            panes.append({m_suspects->table(),
                m_suspects->findChild<QAbstractItemView *>(
                    QString(), Qt::FindChildrenRecursively)});
        if (m_page == Page::InDoubt)
            panes.append(m_inDoubt->table());
        if (m_page == Page::Integrity)
            panes.append(m_integrity->table());
        if (m_page == Page::Run)
            panes.append({m_run->table(), m_run->attemptsTable(), m_timeline});
    }
    qsizetype at = 0;
    for (qsizetype i = 0; i < panes.size(); ++i)
        if (panes[i] == focusWidget())
            at = i;
    panes[(at + direction + panes.size()) % panes.size()]->setFocus();
}

void MainWindow::refreshStatus()
{
    if (!m_session)
        return;
    m_storeLabel->setText(m_session->name());
    QString state = tr("SHA-256 …");
    if (m_session->isHashed() && !m_session->files().empty()) {
        state = tr("SHA-256 %1").arg(abbreviated(m_session->files().front().sha256));
        state += m_session->hasChanged() ? tr(" · changed ✖")
            : m_session->checkedAt()
            ? tr(" · unchanged ✔ %1").arg(clockText(*m_session->checkedAt()))
            : QString();
    }
    m_hashLabel->setText(state);
    const auto &tasks = m_session->runner().activeTasks();
    m_cancel->setVisible(!tasks.empty());
    m_taskLabel->setText(tasks.empty()    ? QString()
            : tasks.front().progress >= 0 ? tr("%1 %2 %")
                                                .arg(tasks.front().title)
                                                .arg(static_cast<int>(tasks.front().progress * 100))
                                          : tasks.front().title);
    const auto open = m_session->suspects().open();
    m_nav->item(0)->setText(open > 0 ? tr("Suspects %1").arg(countText(open)) : tr("Suspects"));
    const auto doubts = m_session->totals() ? m_session->totals()->inDoubt : 0;
    m_nav->item(2)->setText(doubts > 0 ? tr("In doubt %1").arg(countText(doubts)) : tr("In doubt"));
}

void MainWindow::openPalette()
{
    CommandPalette palette(m_commands, this);
    connect(&palette, &CommandPalette::runWanted, this, &MainWindow::findRun);
    connect(&palette, &CommandPalette::keyWanted, this, &MainWindow::findKey);
    connect(&palette, &CommandPalette::payeeWanted, this, [this](const QString &payee) {
        if (!m_session)
            return;
        if (m_suspects->selectPayee(payee)) {
            showPage(Page::Suspects);
        } else {
            m_runs->setFilter(QStringLiteral("payee:%1").arg(payee));
            showPage(Page::Runs);
        }
    });
    connect(&palette, &CommandPalette::suspectWanted, this, [this](const QString &id) {
        if (!m_session)
            return;
        m_suspects->selectCluster(id);
        showPage(Page::Suspects);
    });
    palette.exec();
}

void MainWindow::findRun(const QString &text)
{
    if (!m_session)
        return;
    RunQuery query;
    query.filter = "run:" + text.toStdString();
    query.limit = 2;
    m_finding.run<reprise::RunPage>(
        m_session->runner(), Lane::Quick, QString(),
        [query](TaskContext &context) -> Result<reprise::RunPage> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            return reader->runs(query);
        },
        [this, text](Result<reprise::RunPage> found) {
            if (found && found->rows.size() == 1) {
                showRun(QString::fromStdString(found->rows[0].run.runId), -1);
                return;
            }
            m_runs->setFilter(QStringLiteral("run:%1").arg(text));
            showPage(Page::Runs);
        });
}

void MainWindow::findKey(const QString &start)
{
    if (!m_session)
        return;
    m_finding.run<std::optional<ActionDetail>>(
        m_session->runner(), Lane::Quick, QString(),
        [start = start.toStdString()](TaskContext &context) -> Result<std::optional<ActionDetail>> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            ASSIGN_OR_RETURN(const auto keys, reader->keysLike(start, 2));
            return keys.size() == 1 ? reader->action(keys[0])
                                    : Result<std::optional<ActionDetail>>(std::nullopt);
        },
        [this, start](Result<std::optional<ActionDetail>> found) {
            if (found && *found)
                showRun(QString::fromStdString((*found)->row.runId), (*found)->row.seq);
            else
                statusBar()->showMessage(
                    tr("No single action has a key that starts with %1").arg(start), 5000);
        });
}

void MainWindow::simulateSelected()
{
    if (!m_session)
        return;
    QString run = m_run->runId();
    qint64 seq = m_run->selectedSeq();
    if (m_page == Page::Suspects) {
        for (const Cluster &cluster : m_session->suspects().report().clusters)
            if (QString::fromStdString(cluster.id) == m_suspects->selectedCluster()) {
                run = QString::fromStdString(cluster.members.front().effect.runId);
                seq = cluster.members.front().effect.seq;
            }
    }
    if (run.isEmpty() || seq < 0)
        return;
    auto *window = new SandboxWindow(m_session->path(), run, seq, this);
    window->show();
}

void MainWindow::exportReport()
{
    if (!m_session)
        return;
    ReportScope scope;
    if (m_page == Page::Suspects && !m_suspects->selectedCluster().isEmpty())
        scope.suspectId = m_suspects->selectedCluster().toStdString();
    else if (m_page == Page::Run && !m_run->runId().isEmpty())
        scope.runId = m_run->runId().toStdString();
    auto *dialog = new ExportDialog(m_session->path(), scope, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::setTheme(ThemeSetting setting)
{
    QSettings().setValue(kThemeSettingName, ui::name(setting));
    applyTheme(*qApp, setting);
}

void MainWindow::rememberRecent(const QString &path)
{
    QSettings settings;
    QStringList recent = settings.value(kRecentSetting).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    while (recent.size() > kRecentMax)
        recent.removeLast();
    settings.setValue(kRecentSetting, recent);
    m_welcome->setRecent(recent);
}

bool MainWindow::isIdle() const
{
    return !m_session || (m_session->runner().isIdle() && !m_run->compare()->isBusy());
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    // Whatever was dropped is looked at by its content; what is no store is refused with the
    // reason.
    openStore(event->mimeData()->urls().first().toLocalFile());
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    QSettings().setValue(kGeometrySetting, saveGeometry());
    QMainWindow::closeEvent(event);
}

} // namespace reprise::ui
