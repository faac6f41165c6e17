#include "ui/views/main_window.h"

#include "ui/format/format.h"
#include "ui/views/compare_view.h"
#include "ui/views/data_table.h"
#include "ui/views/evidence_pane.h"
#include "ui/views/export_dialog.h"
#include "ui/views/in_doubt_page.h"
#include "ui/views/integrity_page.h"
#include "ui/views/run_page.h"
#include "ui/views/runs_page.h"
#include "ui/views/sandbox_window.h"
#include "ui/views/store_status_bar.h"
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
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

constexpr int kRecentMax = 10;
constexpr int kWatchMs = 5'000;
constexpr int kNavWidth = 132;
constexpr int kTimelineHeight = 150;
constexpr int kEvidenceWidth = 280;
/// Below this width the tables need the room more than the evidence pane.
constexpr int kEvidenceShownFrom = 1400;
/// Of the layout that `saveState` writes; goes up when the docks change.
constexpr int kStateVersion = 1;
const QString kRecentSetting = QStringLiteral("recent");
const QString kThemeSettingName = QStringLiteral("theme");
const QString kGeometrySetting = QStringLiteral("geometry");
const QString kStateSetting = QStringLiteral("state");

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
    m_status = new StoreStatusBar;
    setStatusBar(m_status);
    m_status->setZone(tr("UTC"));
    makeCentre();
    makeDocks();
    m_watch = new QTimer(this);
    m_watch->setInterval(kWatchMs);
    connect(m_watch, &QTimer::timeout, this, [this] {
        if (m_session)
            m_session->recheck(false);
    });
    const QSettings settings;
    restoreGeometry(settings.value(kGeometrySetting).toByteArray());
    restoreState(settings.value(kStateSetting).toByteArray(), kStateVersion);
    rebuildForSession();
    showPage(Page::Welcome);
}

MainWindow::~MainWindow() = default;

QWidget *MainWindow::makeBanner()
{
    auto *banner = new QWidget;
    auto *row = new QHBoxLayout(banner);
    auto *text
        = new QLabel(tr("The store changed on disk. What is shown is the snapshot from before."));
    text->setTextFormat(Qt::PlainText);
    auto *reload = new QPushButton(tr("&Reload (new snapshot)"));
    auto *keep = new QPushButton(tr("&Keep this snapshot"));
    row->addWidget(text, 1);
    row->addWidget(reload);
    row->addWidget(keep);
    connect(reload, &QPushButton::clicked, this, [this] {
        if (m_session)
            openStore(m_session->path());
    });
    connect(keep, &QPushButton::clicked, this, [this] {
        m_banner->hide();
        m_watch->stop();
    });
    banner->hide();
    return banner;
}

void MainWindow::makeCentre()
{
    auto *centre = new QWidget;
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_banner = makeBanner();
    column->addWidget(m_banner);

    auto *splitter = new QSplitter(Qt::Horizontal);
    m_nav = new QListWidget;
    m_nav->setAccessibleName(tr("Views"));
    m_nav->setMaximumWidth(180);
    m_nav->setMinimumWidth(110);
    constexpr int kItemPadding = 10;
    for (const QString &title : {tr("Suspects"), tr("Runs"), tr("In doubt"), tr("Integrity")}) {
        auto *item = new QListWidgetItem(title, m_nav);
        item->setSizeHint({0, m_nav->fontMetrics().height() + kItemPadding});
    }
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
    splitter->setSizes({kNavWidth, width() - kNavWidth});
    column->addWidget(splitter, 1);
    setCentralWidget(centre);

    m_welcome = new WelcomePage;
    m_welcome->setRecent(QSettings().value(kRecentSetting).toStringList());
    m_welcome->setSample(sampleStore());
    connect(m_welcome, &WelcomePage::storeChosen, this, &MainWindow::openStore);
    connect(m_welcome, &WelcomePage::openRequested, this, &MainWindow::chooseStore);
    m_stack->addWidget(m_welcome);
}

void MainWindow::makeDocks()
{
    m_timelineDock = new QDockWidget(tr("Timeline"));
    m_timelineDock->setObjectName(QStringLiteral("timeline"));
    m_timeline = new TimelineView;
    m_timelineDock->setWidget(m_timeline);
    addDockWidget(Qt::BottomDockWidgetArea, m_timelineDock);
    connect(m_timeline, &TimelineView::seqActivated, this, [this](qint64 seq) {
        if (m_run != nullptr)
            m_run->selectSeq(seq);
    });

    m_evidenceDock = new QDockWidget(tr("Evidence"));
    m_evidenceDock->setObjectName(QStringLiteral("evidence"));
    m_evidence = new EvidencePane;
    m_evidenceDock->setWidget(m_evidence);
    addDockWidget(Qt::RightDockWidgetArea, m_evidenceDock);
    m_evidenceDock->setVisible(width() >= kEvidenceShownFrom);
    // The evidence goes the whole height: values are many and short.
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    resizeDocks({m_timelineDock}, {kTimelineHeight}, Qt::Vertical);
    resizeDocks({m_evidenceDock}, {kEvidenceWidth}, Qt::Horizontal);
}

void MainWindow::chooseStore()
{
    if (const QString path = m_chooser(); !path.isEmpty())
        openStore(path);
}

StorePage *MainWindow::pageOf(Page page) const
{
    switch (page) {
    case Page::Suspects:
        return m_suspects;
    case Page::Runs:
        return m_runs;
    case Page::InDoubt:
        return m_inDoubt;
    case Page::Integrity:
        return m_integrity;
    case Page::Run:
        return m_run;
    case Page::Welcome:
        break;
    }
    return nullptr;
}

/// Pages belong to a session: a new store gets new ones.
void MainWindow::rebuildForSession()
{
    qDeleteAll(findChildren<StorePage *>()); // those in windows of their own, too
    m_runs = nullptr;
    m_run = nullptr;
    m_suspects = nullptr;
    m_inDoubt = nullptr;
    m_integrity = nullptr;
    m_page = Page::Welcome;
    m_timeline->clear();
    m_evidence->setFacts({});
    m_history.clear();
    m_historyAt = -1;
    m_nav->setEnabled(m_session != nullptr);
    m_timelineDock->hide();
    m_status->setSession(m_session.get());
    if (m_session)
        makePages();
    makeActions();
    refreshNavigation();
}

void MainWindow::makePages()
{
    m_runs = new RunsPage(*m_session);
    m_run = new RunPage(*m_session);
    m_suspects = new SuspectsPage(*m_session);
    m_inDoubt = new InDoubtPage(*m_session);
    m_integrity = new IntegrityPage(*m_session);
    for (StorePage *page : {static_cast<StorePage *>(m_runs), static_cast<StorePage *>(m_run),
             static_cast<StorePage *>(m_suspects), static_cast<StorePage *>(m_inDoubt),
             static_cast<StorePage *>(m_integrity)}) {
        m_stack->addWidget(page);
        connect(page, &StorePage::factsChanged, this, [this, page] {
            if (page == currentPage())
                refreshEvidence();
        });
        connect(page, &StorePage::filterWanted, this, &MainWindow::showRunsFor);
        connect(page, &StorePage::suspectWanted, this, &MainWindow::showSuspect);
        connect(page, &StorePage::windowWanted, this, &MainWindow::showRunInWindow);
    }
    connect(
        m_runs, &RunsPage::runActivated, this, [this](const QString &run) { showRun(run, -1); });
    connect(m_runs, &RunsPage::countChanged, m_status, &StoreStatusBar::setCount);
    connect(m_suspects, &SuspectsPage::memberActivated, this, &MainWindow::showRun);
    connect(m_inDoubt, &InDoubtPage::seqActivated, this, &MainWindow::showRun);
    connect(m_run, &RunPage::seqSelected, m_timeline, &TimelineView::setSelectedSeq);
    connect(m_run, &RunPage::runLoaded, m_timeline, &TimelineView::setRun);
}

void MainWindow::openStore(const QString &path)
{
    m_banner->hide();
    m_watch->stop();
    m_finding.abandon();
    auto session = std::make_unique<StoreSession>(QFileInfo(path).absoluteFilePath(), m_clock);
    connect(session.get(), &StoreSession::opened, this, &MainWindow::storeOpened);
    connect(session.get(), &StoreSession::failed, this, &MainWindow::storeFailed);
    connect(session.get(), &StoreSession::factsChanged, this, &MainWindow::refreshNavigation);
    connect(session.get(), &StoreSession::checked, this, &MainWindow::storeChecked);
    connect(&session->suspects(), &SuspectSearch::changed, this, [this] {
        land();
        refreshNavigation();
    });
    // The pages of the old session go first; they hold references to it.
    auto old = std::move(m_session);
    rebuildForSession();
    old.reset();
    m_session = std::move(session);
    m_landed = false;
    rebuildForSession();
    setWindowTitle(tr("%1 [EVIDENCE, read only] — Reprise").arg(m_session->name()));
    m_session->open();
}

void MainWindow::storeOpened()
{
    m_welcome->clearProblem();
    rememberRecent(m_session->path());
    m_runs->reload();
    m_inDoubt->reload();
    m_integrity->refresh();
    showPage(Page::Runs);
    m_watch->start();
    m_status->refresh();
}

void MainWindow::storeFailed(const Error &error)
{
    m_welcome->setProblem(error);
    auto failed = std::move(m_session);
    rebuildForSession();
    setWindowTitle(tr("Reprise"));
    showPage(Page::Welcome);
    failed.release()->deleteLater(); // it is the sender of this signal
}

void MainWindow::storeChecked()
{
    m_banner->setVisible(m_session && m_session->hasChanged());
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
    StorePage *shown = m_session ? pageOf(page) : nullptr;
    m_page = shown == nullptr ? Page::Welcome : page;
    m_stack->setCurrentWidget(shown == nullptr ? static_cast<QWidget *>(m_welcome) : shown);
    m_timelineDock->setVisible(m_page == Page::Run);
    const Page listed = m_page == Page::Run ? Page::Runs : m_page;
    m_nav->setCurrentRow(listed == Page::Welcome ? -1 : static_cast<int>(listed));
    (shown == nullptr ? m_welcome : shown->mainView())->setFocus();
    refreshEvidence();
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

void MainWindow::showRunInWindow(const QString &runId, qint64 seq)
{
    auto *page = new RunPage(*m_session, this);
    page->setWindowFlag(Qt::Window);
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->setWindowTitle(tr("%1 — run %2").arg(m_session->name(), visible(runId.toStdString())));
    page->resize(size() * 3 / 4);
    connect(page, &StorePage::filterWanted, this, &MainWindow::showRunsFor);
    connect(page, &StorePage::suspectWanted, this, &MainWindow::showSuspect);
    page->showRun(runId, seq);
    page->show();
}

void MainWindow::showSuspect(const QString &id)
{
    m_suspects->selectCluster(id);
    showPage(Page::Suspects);
}

void MainWindow::showRunsFor(const QString &filter)
{
    m_runs->setFilter(filter);
    showPage(Page::Runs);
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
    if (const StorePage *page = currentPage(); page != nullptr)
        panes.append(page->panes());
    if (m_timelineDock->isVisible())
        panes.append(m_timeline);
    if (m_evidenceDock->isVisible())
        panes.append(m_evidence->mainView());
    panes.removeIf([](const QWidget *pane) { return !pane->isVisible(); });
    qsizetype at = 0;
    for (qsizetype i = 0; i < panes.size(); ++i)
        if (panes[i] == focusWidget())
            at = i;
    if (!panes.isEmpty())
        panes[(at + direction + panes.size()) % panes.size()]->setFocus();
}

/// One thing at a time: the work in the background, then the filter.
void MainWindow::escape()
{
    if (!m_session)
        return;
    if (!m_session->runner().activeTasks().empty())
        m_session->runner().stopTitled();
    else if (m_page == Page::Runs && !m_runs->filter().isEmpty())
        m_runs->setFilter({});
}

void MainWindow::refreshNavigation()
{
    const auto open = m_session ? m_session->suspects().open() : 0;
    m_nav->item(0)->setText(open > 0 ? tr("Suspects %1").arg(countText(open)) : tr("Suspects"));
    const auto doubts = m_session && m_session->totals() ? m_session->totals()->inDoubt : 0;
    m_nav->item(2)->setText(doubts > 0 ? tr("In doubt %1").arg(countText(doubts)) : tr("In doubt"));
}

void MainWindow::refreshEvidence()
{
    const StorePage *page = currentPage();
    m_evidence->setFacts(page == nullptr ? Facts {} : page->facts());
}

void MainWindow::simulateSelected()
{
    const StorePage *page = currentPage();
    const auto selected = page == nullptr ? std::nullopt : page->selectedAction();
    if (!selected)
        return;
    auto *window = new SandboxWindow(m_session->path(), selected->runId, selected->seq, this);
    window->show();
}

void MainWindow::exportReport()
{
    const StorePage *page = currentPage();
    if (page == nullptr)
        return;
    auto *dialog = new ExportDialog(m_session->path(), page->reportScope(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::copyEvidence()
{
    if (m_evidence->copyBlock())
        statusBar()->showMessage(tr("Copied: %1").arg(m_evidence->facts().title), 4000);
}

void MainWindow::setTheme(ThemeSetting setting)
{
    QSettings().setValue(kThemeSettingName, ui::name(setting));
    applyTheme(*qApp, setting);
}

void MainWindow::setEvidenceVisible(bool visible)
{
    m_evidenceDock->setVisible(visible);
}

void MainWindow::toggleZone()
{
    setZone(zone() == Zone::Utc ? Zone::UtcAndLocal : Zone::Utc);
    m_status->setZone(zone() == Zone::Utc ? tr("UTC") : tr("UTC + local"));
    for (StorePage *page : findChildren<StorePage *>())
        page->retranslateTimes();
    refreshEvidence();
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
    QSettings settings;
    settings.setValue(kGeometrySetting, saveGeometry());
    settings.setValue(kStateSetting, saveState(kStateVersion));
    QMainWindow::closeEvent(event);
}

} // namespace reprise::ui
