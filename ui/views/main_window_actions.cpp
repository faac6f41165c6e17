#include "ui/format/format.h"
#include "ui/views/compare_view.h"
#include "ui/views/data_table.h"
#include "ui/views/evidence_pane.h"
#include "ui/views/in_doubt_page.h"
#include "ui/views/integrity_page.h"
#include "ui/views/main_window.h"
#include "ui/views/run_page.h"
#include "ui/views/runs_page.h"
#include "ui/views/suspects_page.h"

#include <QCursor>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>

/// The commands of the main window: every menu, key and tip in one place.
namespace reprise::ui {

void MainWindow::makeActions()
{
    menuBar()->clear();
    m_actions.clear();
    makeFileMenu();
    makeGoMenu();
    makeViewMenu();
    if (m_session)
        makeActionMenu();
    makeHelpMenu();
}

void MainWindow::makeFileMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(m_actions.add(tr("&Open store …"), QKeySequence::Open,
        tr("Open a store; it is only read"), [this] { chooseStore(); }));
    m_recentMenu = new QMenu(tr("Open &recent"), menu);
    const QStringList recent = QSettings().value(QStringLiteral("recent")).toStringList();
    for (const QString &path : recent)
        m_recentMenu->addAction(path, this, [this, path] { openStore(path); });
    m_recentMenu->setEnabled(!recent.isEmpty());
    menu->addMenu(m_recentMenu);
    menu->addAction(m_actions.add(tr("Show recent stores"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), tr("Choose among the stores opened last"),
        [this] { m_recentMenu->popup(mapToGlobal(rect().center())); }));
    menu->addSeparator();
    QAction *report = m_actions.add(tr("&Export report …"), QKeySequence(Qt::CTRL | Qt::Key_E),
        tr("Write a report of what is selected"), [this] { exportReport(); });
    report->setEnabled(m_session != nullptr);
    menu->addAction(report);
    QAction *copy
        = m_actions.add(tr("&Copy evidence"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
            tr("Copy what is recorded of the selected row as text"), [this] { copyEvidence(); });
    copy->setEnabled(m_session != nullptr);
    menu->addAction(copy);
    menu->addSeparator();
    menu->addAction(m_actions.add(
        tr("&Quit"), QKeySequence::Quit, tr("Close the window"), [this] { close(); }));
}

void MainWindow::makeGoMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&Go"));
    int key = Qt::Key_1;
    for (const auto &[title, page] : {std::pair {tr("&Suspects"), Page::Suspects},
             std::pair {tr("&Runs"), Page::Runs}, std::pair {tr("In &doubt"), Page::InDoubt},
             std::pair {tr("&Integrity"), Page::Integrity}}) {
        QAction *action = m_actions.add(title, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(key++)),
            tr("Show this view"), [this, page = page] { showPage(page); });
        action->setEnabled(m_session != nullptr);
        menu->addAction(action);
    }
    menu->addSeparator();
    menu->addAction(m_actions.add(tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left),
        tr("The view before"), [this] { goBack(-1); }));
    menu->addAction(m_actions.add(tr("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right),
        tr("The view after"), [this] { goBack(1); }));
    menu->addAction(m_actions.add(tr("&Next pane"), QKeySequence(Qt::Key_F6),
        tr("Move to the next pane"), [this] { cyclePanes(1); }));
    menu->addAction(m_actions.add(tr("Pre&vious pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6),
        tr("Move to the pane before"), [this] { cyclePanes(-1); }));
    menu->addAction(m_actions.add(tr("Sto&p or leave"), QKeySequence(Qt::Key_Escape),
        tr("Stop the work in the background, or clear the filter"), [this] { escape(); }));
    menu->addSeparator();
    menu->addAction(m_actions.add(tr("Search or &command …"), QKeySequence(Qt::CTRL | Qt::Key_K),
        tr("Find a run, key, customer, suspect or command"), [this] { openPalette(); }));
}

void MainWindow::makeViewMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&View"));
    if (m_session) {
        menu->addAction(m_actions.add(
            tr("&Filter"), QKeySequence::Find, tr("Go to the filter of runs"), [this] {
                showPage(Page::Runs);
                m_runs->focusFilter();
            }));
        menu->addAction(m_actions.add(tr("Sus&pend filters"), QKeySequence(Qt::Key_F8),
            tr("Show all runs, and the filtered ones again"), [this] {
                showPage(Page::Runs);
                m_runs->setFiltersSuspended(!m_runs->filtersSuspended());
            }));
        menu->addAction(m_actions.add(tr("&Re-check the store on disk"), QKeySequence(Qt::Key_F5),
            tr("Compare the files with what they were"), [this] { m_session->recheck(true); }));
        menu->addAction(m_actions.addFor({m_runs->table(), m_run->table(), m_run->attemptsTable(),
                                             m_suspects->table(), m_inDoubt->table()},
            tr("Show local &times"), QKeySequence(Qt::Key_T),
            tr("Show the local time after each time in UTC, or UTC alone"),
            [this] { toggleZone(); }));
        menu->addSeparator();
    }
    for (const auto &[title, setting] : {std::pair {tr("&System theme"), ThemeSetting::System},
             std::pair {tr("&Light theme"), ThemeSetting::Light},
             std::pair {tr("&Dark theme"), ThemeSetting::Dark}})
        menu->addAction(m_actions.add(title, {}, tr("Colours of the window"),
            [this, setting = setting] { setTheme(setting); }));
    menu->addSeparator();
    menu->addAction(m_evidenceDock->toggleViewAction());
    menu->addAction(m_timelineDock->toggleViewAction());
}

void MainWindow::makeActionMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&Action"));
    const QList<QWidget *> runTables {m_run->table(), m_run->attemptsTable()};
    menu->addAction(m_actions.addFor(
        {m_run->table(), m_run->attemptsTable(), m_suspects->table(), m_inDoubt->table()},
        tr("&Simulate a retry"), QKeySequence(Qt::Key_R),
        tr("Retry the selected action in a sandbox"), [this] { simulateSelected(); }));
    menu->addAction(
        m_actions.addFor({m_run->table()}, tr("Show &attempts"), QKeySequence(Qt::Key_Space),
            tr("Go to the attempts of the selected action"), [this] { m_run->showAttempts(); }));
    menu->addAction(m_actions.addFor(runTables, tr("&Compare results"), QKeySequence(Qt::Key_D),
        tr("Original and later result side by side"), [this] { m_run->showCompare(); }));
    menu->addAction(
        m_actions.addFor(runTables, tr("&Next difference"), QKeySequence(Qt::Key_BracketRight),
            tr("Go to the next difference"), [this] { m_run->nextDifference(); }));
    menu->addAction(
        m_actions.addFor(runTables, tr("&Previous difference"), QKeySequence(Qt::Key_BracketLeft),
            tr("Go to the difference before"), [this] { m_run->previousDifference(); }));
    menu->addSeparator();
    menu->addAction(
        m_actions.add(tr("&Verify the journal"), {}, tr("Check the chain of the store"), [this] {
            showPage(Page::Integrity);
            m_integrity->verify();
        }));
}

void MainWindow::makeHelpMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&Help"));
    QAction *keys = m_actions.add(tr("&Keyboard shortcuts"), {}, tr("All commands with their keys"),
        [this] { openPalette(); });
    keys->setShortcuts({QKeySequence(Qt::Key_F1), QKeySequence(Qt::CTRL | Qt::Key_Slash)});
    menu->addAction(keys);
}

} // namespace reprise::ui
