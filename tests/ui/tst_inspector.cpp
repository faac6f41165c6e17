#include "core/import/import.h"
#include "core/key/key.h"
#include "core/store/sqlite_store.h"
#include "tests/support/demo_store.h"
#include "tests/support/quoted.h"
#include "tests/support/scripted_runner.h"
#include "ui/theme/theme.h"
#include "ui/views/command_palette.h"
#include "ui/views/compare_view.h"
#include "ui/views/data_table.h"
#include "ui/views/evidence_card.h"
#include "ui/views/evidence_pane.h"
#include "ui/views/export_dialog.h"
#include "ui/views/in_doubt_page.h"
#include "ui/views/integrity_page.h"
#include "ui/views/main_window.h"
#include "ui/views/run_page.h"
#include "ui/views/runs_page.h"
#include "ui/views/sandbox_window.h"
#include "ui/views/suspects_page.h"
#include "ui/views/welcome_page.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTest>

#include <algorithm>

using namespace reprise;
using namespace reprise::test;
using namespace reprise::ui;
using Page = MainWindow::Page;

namespace {

struct Snapshot
{
    std::vector<EvidenceFile> files;
    QStringList listing;
    friend bool operator==(const Snapshot &, const Snapshot &) = default;
};

Snapshot snapshot(const QString &path)
{
    return {*evidenceState(path.toStdString(), true),
        QFileInfo(path).dir().entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)};
}

QString nameOf(const QWidget *widget)
{
    return QStringLiteral("%1 \"%2\"")
        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
}

} // namespace

/// The window as a person uses it: real key presses, real stores, nothing shown but what is
/// recorded.
class TestInspector : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QSettings().clear();
        m_demo = std::make_unique<DemoStore>();
    }

    void init()
    {
        // The offscreen platform says that it has no size hints; everything else is a fault of
        // ours.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        m_window = std::make_unique<MainWindow>(m_clock);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() { m_window.reset(); }

    void open_store_landsOnTheSuspects_andChangesNothing()
    {
        const Snapshot before = snapshot(m_demo->path());
        open(m_demo->path());
        QCOMPARE(m_window->page(), Page::Suspects);
        QVERIFY(m_window->suspectsPage()->table()->model()->rowCount() > 0);
        // The newest of the worst is selected.
        const auto &clusters = m_window->session()->suspects().report().clusters;
        const auto selected = std::find_if(clusters.begin(), clusters.end(), [&](const Cluster &c) {
            return QString::fromStdString(c.id) == m_window->suspectsPage()->selectedCluster();
        });
        QVERIFY(selected != clusters.end());
        for (const Cluster &cluster : clusters) {
            QVERIFY(selected->severity <= cluster.severity);
            if (cluster.severity == selected->severity)
                QVERIFY(cluster.members.back().effect.startedAt
                    <= selected->members.back().effect.startedAt);
        }
        // A tour of all views.
        for (const Page page : {Page::Runs, Page::InDoubt, Page::Integrity, Page::Suspects}) {
            m_window->showPage(page);
            QTRY_VERIFY(m_window->isIdle());
        }
        m_window->integrityPage()->verify();
        QTRY_VERIFY(!m_window->integrityPage()->isBusy());
        QVERIFY(m_window->integrityPage()->verdict().startsWith(QStringLiteral("✔")));
        m_window->showRun(QStringLiteral("checkout-A-10431"), 2);
        QTRY_COMPARE(m_window->runPage()->selectedSeq(), 2);
        QTRY_VERIFY(m_window->isIdle());
        m_window->session()->recheck(true);
        QTRY_VERIFY(m_window->isIdle());
        QVERIFY(!m_window->session()->hasChanged());
        m_window.reset();
        QVERIFY(snapshot(m_demo->path()) == before);
    }

    void keyboard_fromStoreToComparedResults()
    {
        open(m_demo->path());
        // 1: the suspects have the focus; Enter opens the run of the selected one.
        QTRY_VERIFY(m_window->suspectsPage()->table()->hasFocus());
        press(Qt::Key_Return);
        QCOMPARE(m_window->page(), Page::Run);
        QTRY_VERIFY(m_window->runPage()->table()->model()->rowCount() > 0);
        QTRY_VERIFY(m_window->isIdle());
        // 2: D compares the results.
        QVERIFY(m_window->runPage()->table()->hasFocus());
        press(Qt::Key_D);
        QTRY_VERIFY(m_window->runPage()->compare()->isVisible());
        QTRY_VERIFY(m_window->isIdle());
        QVERIFY(!m_window->runPage()->compare()->headerText().isEmpty());
        QVERIFY(m_window->runPage()->chainText().contains(QStringLiteral("provider reference")));
        // Back with Alt+Left.
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_window->page(), Page::Suspects);
    }

    void keyboard_JAndK_visitEveryRowInOrder()
    {
        open(m_demo->path());
        m_window->showPage(Page::Runs);
        QTRY_VERIFY(m_window->isIdle());
        DataTable *table = m_window->runsPage()->table();
        table->selectRow(0);
        QStringList down;
        for (int i = 0; i < 5; ++i) {
            down.append(m_window->runsPage()->selectedRun());
            QTest::keyClick(table, Qt::Key_J);
        }
        for (int i = 4; i >= 0; --i) {
            QTest::keyClick(table, Qt::Key_K);
            QCOMPARE(m_window->runsPage()->selectedRun(), down[i]);
        }
        QCOMPARE(QSet<QString>(down.begin(), down.end()).size(), 5);
    }

    void runs_filter_asksTheStore_andABadTokenKeepsTheRows()
    {
        open(m_demo->path());
        RunsPage *runs = m_window->runsPage();
        const int all = runs->table()->model()->rowCount();
        runs->setFilter(QStringLiteral("state:in_doubt"));
        QTRY_VERIFY(!runs->isBusy());
        const int inDoubt = runs->table()->model()->rowCount();
        QVERIFY(inDoubt > 0 && inDoubt < all);
        runs->setFilter(QStringLiteral("state:in_doubt cur:XYZ"));
        QTRY_VERIFY(!runs->isBusy());
        QCOMPARE(runs->table()->model()->rowCount(), inDoubt);
        runs->setFilter(QStringLiteral("nothing-is-called-so"));
        QTRY_VERIFY(!runs->isBusy());
        QCOMPARE(runs->table()->model()->rowCount(), 0);
        runs->setFiltersSuspended(true);
        QTRY_COMPARE(runs->table()->model()->rowCount(), all);
    }

    void models_behaveAsModels()
    {
        open(m_demo->path());
        for (DataTable *table : {m_window->runsPage()->table(), m_window->suspectsPage()->table(),
                 m_window->inDoubtPage()->table(), m_window->runPage()->table(),
                 m_window->runPage()->attemptsTable()})
            new QAbstractItemModelTester(
                table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest, table);
        m_window->runsPage()->setFilter(QStringLiteral("checkout"));
        m_window->showRun(QStringLiteral("checkout-A-10431"), 4);
        QTRY_VERIFY(m_window->isIdle());
        m_window->runsPage()->setFilter({});
        QTRY_VERIFY(m_window->isIdle());
    }

    void simulate_fromTheRun_isMarkedAndLeavesTheEvidence()
    {
        const Snapshot before = snapshot(m_demo->path());
        open(m_demo->path());
        m_window->showRun(QStringLiteral("checkout-A-10431"), 4);
        QTRY_COMPARE(m_window->runPage()->selectedSeq(), 4);
        QTRY_VERIFY(m_window->isIdle());
        m_window->runPage()->table()->setFocus();
        press(Qt::Key_R);
        auto *sandbox = m_window->findChild<SandboxWindow *>();
        QVERIFY(sandbox != nullptr);
        QVERIFY(sandbox->windowTitle().startsWith(QStringLiteral("SANDBOX")));
        sandbox->runOne();
        QTRY_VERIFY(sandbox->shown().has_value());
        QCOMPARE(sandbox->shown()->fault, Fault::ResponseLost);
        QVERIFY(sandbox->shown()->verdict != SimulationVerdict::Double);
        sandbox->close();
        QVERIFY(snapshot(m_demo->path()) == before);
    }

    void export_suspect_writesABundleThatVerifies()
    {
        const QString folder = m_demo->folder() + QStringLiteral("/report");
        open(m_demo->path());
        m_window->showPage(Page::Suspects);
        const QString id = m_window->suspectsPage()->selectedCluster();
        m_window->exportReport();
        auto *dialog = m_window->findChild<ExportDialog *>();
        QVERIFY(dialog != nullptr);
        for (QLineEdit *edit : dialog->findChildren<QLineEdit *>())
            if (edit->accessibleName() == QStringLiteral("Folder"))
                edit->setText(folder);
        dialog->exportReport();
        QTRY_COMPARE_WITH_TIMEOUT(dialog->reportFolder(), folder, 30'000);
        const auto check = verifyReport(folder.toStdString());
        QVERIFY(check && check->ok);
        QFile html(folder + QStringLiteral("/report.html"));
        QVERIFY(html.open(QIODevice::ReadOnly));
        const QByteArray text = html.readAll();
        QVERIFY(text.contains(id.toUtf8()));
        const auto &clusters = m_window->session()->suspects().report().clusters;
        const auto exported = std::find_if(clusters.begin(), clusters.end(),
            [&](const Cluster &c) { return QString::fromStdString(c.id) == id; });
        QVERIFY(exported != clusters.end());
        for (const Member &member : exported->members)
            if (!member.effect.reference.empty())
                QVERIFY(text.contains(QByteArray::fromStdString(member.effect.reference)));
        dialog->close();
    }

    void palette_findsRunsCustomersAndCommands()
    {
        open(m_demo->path());
        answerPalette(QStringLiteral("r checkout-A-10431"));
        QTRY_COMPARE(m_window->page(), Page::Run);
        QCOMPARE(m_window->runPage()->runId(), QStringLiteral("checkout-A-10431"));
        const QString payee = QString::fromStdString(
            m_window->session()->suspects().report().clusters[1].members[0].effect.business.payee);
        answerPalette(QStringLiteral("c ") + payee);
        QCOMPARE(m_window->page(), Page::Suspects);
        answerPalette(QStringLiteral("integ"));
        QCOMPARE(m_window->page(), Page::Integrity);
    }

    void keyboard_paletteThenLettersOfTheRun()
    {
        open(m_demo->path());
        answerPalette(QStringLiteral("r checkout-A-10413"));
        QTRY_COMPARE(m_window->page(), Page::Run);
        QTRY_VERIFY(m_window->isIdle());
        QTRY_VERIFY(m_window->runPage()->table()->hasFocus());
        press(Qt::Key_J);
        QTRY_VERIFY(m_window->isIdle());
        QCOMPARE(m_window->runPage()->selectedSeq(), 2);
        press(Qt::Key_Space);
        QVERIFY(m_window->runPage()->attemptsTable()->hasFocus());
        QCOMPARE(m_window->runPage()->attemptsTable()->model()->rowCount(), 2);
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(m_window->page(), Page::Suspects);
    }

    void run_links_leadToSuspectsAndRuns()
    {
        open(m_demo->path());
        m_window->showRun(QStringLiteral("checkout-A-10431"), 2);
        QTRY_COMPARE(m_window->runPage()->selectedSeq(), 2);
        QTRY_VERIFY(m_window->isIdle());
        auto *links = m_window->runPage()->findChild<QListWidget *>();
        QVERIFY(links->count() >= 4);
        const QString suspect = links->item(0)->text();
        Q_EMIT links->itemActivated(links->item(0));
        QCOMPARE(m_window->page(), Page::Suspects);
        QVERIFY(suspect.contains(m_window->suspectsPage()->selectedCluster()));
        Q_EMIT links->itemActivated(links->item(1));
        QCOMPARE(m_window->page(), Page::Runs);
        QCOMPARE(m_window->runsPage()->filter(), QStringLiteral("order:A-10431"));
    }

    void runs_emptyFilter_namesTheTokenToBlame()
    {
        open(m_demo->path());
        m_window->showRunsFor(QStringLiteral("cur:EUR order:none-such"));
        QTRY_VERIFY(m_window->isIdle());
        QStringList texts;
        for (const QLabel *label : m_window->runsPage()->findChildren<QLabel *>())
            if (label->isVisible())
                texts.append(label->text());
        const QString text = texts.join(QLatin1Char('\n'));
        QVERIFY2(text.contains(QStringLiteral("`order:none-such` matches no run; without it: ")),
            qPrintable(text));
        for (QPushButton *button : m_window->runsPage()->findChildren<QPushButton *>())
            if (button->text().contains(QStringLiteral("Remove")))
                button->click();
        QCOMPARE(m_window->runsPage()->filter(), QStringLiteral("cur:EUR"));
    }

    void open_badStore_saysWhyOnTheWelcomePage_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("no database")
            << QByteArray("hello") << QStringLiteral("nor any SQLite file");
        QTest::newRow("empty") << QByteArray() << QStringLiteral("is empty");
    }
    void open_badStore_saysWhyOnTheWelcomePage()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const QString path = m_demo->folder() + QStringLiteral("/bad.db");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(bytes);
        file.close();
        m_window->openStore(path);
        QTRY_VERIFY(m_window->welcomePage()->problem().contains(says));
        QCOMPARE(m_window->page(), Page::Welcome);
        QVERIFY(m_window->session() == nullptr);
    }

    void hostileText_staysTextAndIsVisible()
    {
        const QString path = m_demo->folder() + QStringLiteral("/hostile.db");
        SeededRandom random(5);
        FakeClock clock;
        {
            auto store = std::move(
                *SqliteStore::create(path.toStdString(), StoreKind::Live, {clock, random}));
            const std::string line
                = quoted("{'run_id':'<b>run</b>','tool':'charge_card','seq':1,'state':'ok',"
                         "'args':{'customer':'<img src=x>\\u202egpj.exe','amount_minor':1,"
                         "'currency':'EUR'},'result':{'charge_id':'<script>alert(1)</script>'}}\n");
            const auto mapping = ImportMapping::builtIn();
            const auto batch = readRecords(line, "hostile.jsonl", "", mapping);
            QVERIFY(batch);
            QVERIFY(writeImport(*store, clock, *batch, "hostile.jsonl", mapping));
        }
        open(path);
        m_window->showRun(QStringLiteral("<b>run</b>"), 1);
        QTRY_VERIFY(m_window->isIdle());
        const auto *model = m_window->runPage()->table()->model();
        QStringList cells;
        for (int column = 0; column < model->columnCount(); ++column)
            cells.append(model->index(0, column).data().toString());
        const QString row = cells.join(QLatin1Char('|'));
        QVERIFY(row.contains(QStringLiteral("<img src=x>")));
        QVERIFY(row.contains(QStringLiteral("U+202E")));
        QVERIFY(!row.contains(QChar(0x202E)));
        QVERIFY(row.contains(QStringLiteral("<script>alert(1)</script>")));
        // Labels that hold data never take it for mark-up.
        for (const QLabel *label : m_window->findChildren<QLabel *>())
            if (label->text().contains(QLatin1Char('<')))
                QCOMPARE(label->textFormat(), Qt::PlainText);
    }

    void storeChangedOnDisk_raisesTheBanner()
    {
        const QString path = m_demo->folder() + QStringLiteral("/moving.db");
        QVERIFY(QFile::copy(m_demo->path(), path));
        open(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append));
        file.write("x");
        file.close();
        m_window->session()->recheck(false);
        QTRY_VERIFY(m_window->session()->hasChanged());
        QVERIFY(m_window->banner()->isVisible());
    }

    void simulate_fromInDoubt_takesTheSelectedAction()
    {
        open(m_demo->path());
        m_window->showPage(Page::InDoubt);
        QTRY_VERIFY(m_window->isIdle());
        DataTable *table = m_window->inDoubtPage()->table();
        table->selectRow(2);
        const auto selected = m_window->inDoubtPage()->selectedAction();
        QVERIFY(selected.has_value());
        QVERIFY(table->hasFocus());
        press(Qt::Key_R);
        auto *sandbox = m_window->findChild<SandboxWindow *>();
        QVERIFY(sandbox != nullptr);
        QString texts;
        for (const QLabel *label : sandbox->findChildren<QLabel *>())
            texts += label->text();
        QVERIFY(texts.contains(selected->runId));
        QTRY_VERIFY(!sandbox->isBusy());
        sandbox->close();
    }

    void evidence_followsTheSelection_andIsCopiedInFull()
    {
        open(m_demo->path());
        m_window->showRun(QStringLiteral("checkout-A-10431"), 2);
        QTRY_COMPARE(m_window->runPage()->selectedSeq(), 2);
        QTRY_VERIFY(m_window->isIdle());
        m_window->copyEvidence();
        const QString text = QGuiApplication::clipboard()->text();
        const auto key = deriveKey(*RunId::parse("checkout-A-10431"), *Seq::of(2));
        QVERIFY2(text.contains(QString::fromStdString(key.hex())), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("Fingerprint: ")));
        m_window->showPage(Page::Runs);
        QVERIFY(m_window->evidencePane()->facts().title.startsWith(QStringLiteral("Run ")));
    }

    void times_areUtc_withLocalOnesOnRequest()
    {
        open(m_demo->path());
        m_window->showPage(Page::Runs);
        QTRY_VERIFY(m_window->isIdle());
        const auto *model = m_window->runsPage()->table()->model();
        const auto cell = [&] {
            return model->index(0, static_cast<int>(RunColumn::Started)).data().toString();
        };
        QVERIFY2(cell().endsWith(QLatin1Char('Z')), qPrintable(cell()));
        const QString utc = cell();
        press(Qt::Key_T);
        QVERIFY(cell().startsWith(utc + QStringLiteral(" (")));
        press(Qt::Key_T);
        QCOMPARE(cell(), utc);
    }

    void escape_clearsTheFilter()
    {
        open(m_demo->path());
        m_window->showRunsFor(
            filterToken(QStringLiteral("payee"), QStringLiteral("Finca El Roble")));
        QTRY_VERIFY(m_window->isIdle());
        const int matching = m_window->runsPage()->table()->model()->rowCount();
        QVERIFY(matching > 0);
        QTest::keyClick(m_window->runsPage()->table(), Qt::Key_Escape);
        QVERIFY(m_window->runsPage()->filter().isEmpty());
        QTRY_VERIFY(m_window->isIdle());
        QVERIFY(m_window->runsPage()->table()->model()->rowCount() > matching);
    }

    void everyFocusableWidget_hasAName()
    {
        open(m_demo->path());
        SandboxWindow sandbox(m_demo->path(), QStringLiteral("checkout-A-10431"), 4);
        ExportDialog dialog(m_demo->path(), {});
        QStringList nameless;
        for (const QWidget *root : {static_cast<QWidget *>(m_window.get()),
                 static_cast<QWidget *>(&sandbox), static_cast<QWidget *>(&dialog)})
            for (QWidget *widget : root->findChildren<QWidget *>()) {
                if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isEnabledTo(root))
                    continue;
                QAccessibleInterface *face = QAccessible::queryAccessibleInterface(widget);
                const bool inner = widget->objectName().startsWith(QStringLiteral("qt_"))
                    || qobject_cast<QAbstractItemView *>(widget->parentWidget()) != nullptr
                    || qobject_cast<QComboBox *>(widget->parentWidget()) != nullptr
                    || (widget->parentWidget() != nullptr
                        && widget->parentWidget()->inherits("QAbstractSpinBox"));
                if (!inner && face != nullptr && face->text(QAccessible::Name).isEmpty()
                    && widget->accessibleName().isEmpty() && !widget->inherits("QTabWidget")
                    && !widget->inherits("QTabBar") && !widget->inherits("QSplitter"))
                    nameless.append(nameOf(widget));
            }
        QCOMPARE(nameless.join(QLatin1Char('\n')), QString());
    }

    void actions_haveUniqueShortcutsAndTips()
    {
        open(m_demo->path());
        QSet<QString> shortcuts;
        for (const QAction *action : m_window->commands()) {
            QVERIFY2(!action->statusTip().isEmpty(), qPrintable(action->text()));
            for (const QKeySequence &keys : action->shortcuts()) {
                const QString text = keys.toString();
                QVERIFY2(!shortcuts.contains(text), qPrintable(text));
                shortcuts.insert(text);
            }
        }
        QVERIFY(shortcuts.contains(QStringLiteral("Ctrl+K")));
    }

    void palettes_reachTheContrast()
    {
        for (const Tokens *tokens : {&lightTokens(), &darkTokens()}) {
            for (const QColor &ground : {tokens->base, tokens->alternate, tokens->window}) {
                for (const QColor &ink : {tokens->text, tokens->muted, tokens->placeholder,
                         tokens->link, tokens->ok, tokens->warn, tokens->danger})
                    QVERIFY2(contrast(ink, ground) >= 4.5, qPrintable(ink.name() + ground.name()));
                QVERIFY(contrast(tokens->border, ground) >= 3.0);
            }
            QVERIFY(contrast(tokens->selectionText, tokens->selection) >= 4.5);
            QVERIFY(contrast(tokens->sandboxText, tokens->sandbox) >= 4.5);
        }
    }

    void smallWindow_cutsNoButton()
    {
        open(m_demo->path());
        m_window->resize(1024, 640);
        for (const Page page : {Page::Suspects, Page::Runs, Page::InDoubt, Page::Integrity}) {
            m_window->showPage(page);
            QTRY_VERIFY(m_window->isIdle());
            QVERIFY(m_window->width() <= 1024);
            for (const QAbstractButton *button : m_window->findChildren<QAbstractButton *>())
                if (button->isVisible() && !button->text().isEmpty())
                    QVERIFY2(button->width() >= button->minimumSizeHint().width(),
                        qPrintable(button->text()));
        }
    }

private:
    void open(const QString &path)
    {
        m_window->openStore(path);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->session() != nullptr && m_window->session()->isHashed() && m_window->isIdle(),
            30'000);
    }
    /// Presses a key where the focus is.
    void press(Qt::Key key)
    {
        QVERIFY(QApplication::focusWidget() != nullptr);
        QTest::keyClick(QApplication::focusWidget(), key);
    }
    void answerPalette(const QString &text)
    {
        m_window->openPalette();
        auto *palette = qobject_cast<CommandPalette *>(QApplication::activeModalWidget());
        QVERIFY(palette != nullptr);
        QTest::keyClicks(palette->findChild<QLineEdit *>(), text);
        QTest::keyClick(palette->findChild<QLineEdit *>(), Qt::Key_Return);
    }

    SystemClock m_clock;
    std::unique_ptr<DemoStore> m_demo;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
