#include "ui/gallery.h"

#include "core/base/file.h"
#include "core/inspect/store_reader.h"
#include "ui/theme/theme.h"
#include "ui/views/compare_view.h"
#include "ui/views/data_table.h"
#include "ui/views/export_dialog.h"
#include "ui/views/in_doubt_page.h"
#include "ui/views/integrity_page.h"
#include "ui/views/main_window.h"
#include "ui/views/run_page.h"
#include "ui/views/runs_page.h"
#include "ui/views/sandbox_window.h"
#include "ui/views/suspects_page.h"
#include "ui/views/welcome_page.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <functional>

namespace reprise::ui {

namespace {

/// Lets the window work until `done`, or the time is over.
bool waitUntil(const std::function<bool()> &done, int msMax)
{
    QEventLoop loop;
    QTimer tick;
    QElapsedTimer since;
    since.start();
    QObject::connect(&tick, &QTimer::timeout, &loop, [&] {
        if (done() || since.elapsed() > msMax)
            loop.quit();
    });
    constexpr int kTickMs = 20;
    tick.start(kTickMs);
    loop.exec();
    return done();
}

class Gallery
{
public:
    Gallery(QString store, QString folder, Clock &clock, int waitMsMax)
        : m_store(std::move(store))
        , m_folder(std::move(folder))
        , m_clock(clock)
        , m_waitMsMax(waitMsMax)
    {
    }

    Result<QStringList> write()
    {
        RETURN_IF_ERROR(makeFolder(m_folder.toStdString()));
        for (const ThemeSetting theme : {ThemeSetting::Light, ThemeSetting::Dark}) {
            applyTheme(*qApp, theme);
            m_theme = name(theme);
            RETURN_IF_ERROR(views());
        }
        return m_files;
    }

private:
    Result<void> take(QWidget &widget, const QString &view)
    {
        // One more turn, so that what was just set has been laid out.
        waitUntil([] { return false; }, 60);
        const QString file
            = QDir(m_folder).filePath(view + QLatin1Char('-') + m_theme + QStringLiteral(".png"));
        if (!widget.grab().save(file))
            return fail(ErrorCode::Io, "cannot write the picture", file.toStdString());
        m_files.append(file);
        return {};
    }

    Result<void> views()
    {
        constexpr QSize kSize(1280, 800);
        MainWindow window(m_clock);
        window.resize(kSize);
        window.show();
        RETURN_IF_ERROR(take(window, QStringLiteral("welcome")));
        window.openStore(m_store);
        const auto settled = [&] {
            return window.session() != nullptr && window.isIdle() && window.session()->isHashed();
        };
        if (!waitUntil(settled, m_waitMsMax))
            return fail(ErrorCode::StoreBusy, "the store could not be shown in time",
                m_store.toStdString(), window.welcomePage()->isVisible() ? "is it a store?" : "");
        window.session()->recheck(true);
        waitUntil(settled, m_waitMsMax);

        // The suspect with the highest score has most to show.
        const auto &clusters = window.session()->suspects().report().clusters;
        const auto best = std::max_element(clusters.begin(), clusters.end(),
            [](const Cluster &a, const Cluster &b) { return a.score < b.score; });
        window.showPage(MainWindow::Page::Suspects);
        if (best != clusters.end())
            window.suspectsPage()->selectCluster(QString::fromStdString(best->id));
        RETURN_IF_ERROR(take(window, QStringLiteral("suspects")));
        window.showPage(MainWindow::Page::Runs);
        RETURN_IF_ERROR(take(window, QStringLiteral("runs")));
        QString run = window.runsPage()->selectedRun();
        qint64 seq = -1;
        if (best != clusters.end()) {
            run = QString::fromStdString(best->members.back().effect.runId);
            seq = best->members.back().effect.seq;
        }
        ASSIGN_OR_RETURN(const auto reader, StoreReader::open(m_store.toStdString()));
        ASSIGN_OR_RETURN(const auto answered, answeredAgain(*reader));
        window.showRun(answered ? QString::fromStdString(answered->runId) : run,
            answered ? answered->seq : seq);
        waitUntil(settled, m_waitMsMax);
        RETURN_IF_ERROR(take(window, QStringLiteral("run")));
        window.runPage()->showCompare();
        RETURN_IF_ERROR(take(window, QStringLiteral("compare")));
        window.setEvidenceVisible(true);
        RETURN_IF_ERROR(take(window, QStringLiteral("evidence")));
        window.setEvidenceVisible(false);
        window.showPage(MainWindow::Page::InDoubt);
        waitUntil(settled, m_waitMsMax);
        ASSIGN_OR_RETURN(const auto open, toBeSettled(*reader));
        if (open)
            window.inDoubtPage()->selectAction(QString::fromStdString(open->runId), open->seq);
        waitUntil(settled, m_waitMsMax);
        RETURN_IF_ERROR(take(window, QStringLiteral("in-doubt")));
        window.showPage(MainWindow::Page::Integrity);
        window.integrityPage()->verify();
        waitUntil([&] { return !window.integrityPage()->isBusy(); }, m_waitMsMax);
        RETURN_IF_ERROR(take(window, QStringLiteral("integrity")));

        auto *sandbox = new SandboxWindow(m_store, run, seq < 0 ? 1 : seq);
        sandbox->show();
        sandbox->runOne();
        waitUntil([&] { return !sandbox->isBusy(); }, m_waitMsMax);
        RETURN_IF_ERROR(take(*sandbox, QStringLiteral("sandbox")));
        sandbox->runMatrix();
        waitUntil([&] { return !sandbox->isBusy(); }, m_waitMsMax);
        RETURN_IF_ERROR(take(*sandbox, QStringLiteral("sandbox-matrix")));
        sandbox->close();

        ExportDialog dialog(
            m_store, best == clusters.end() ? ReportScope {} : ReportScope {{}, best->id});
        dialog.show();
        RETURN_IF_ERROR(take(dialog, QStringLiteral("export")));
        return {};
    }

    /// An action with an original and a later answer, if the store has one among its newest runs.
    static Result<std::optional<ActionRow>> answeredAgain(StoreReader &reader)
    {
        RunQuery query;
        query.filter = "state:replayed";
        ASSIGN_OR_RETURN(const auto page, reader.runs(query));
        for (const RunRow &row : page.rows) {
            ASSIGN_OR_RETURN(const RunId id, RunId::parse(row.run.runId));
            ASSIGN_OR_RETURN(const auto actions, reader.actions(id, -1, query.limit));
            for (const ActionRow &action : actions)
                if (action.replayed > 0 && action.executed > 0
                    && action.attempts == action.executed + action.replayed
                    && !action.reference.empty())
                    return std::optional(action);
        }
        return std::optional<ActionRow>();
    }

    /// An action in doubt on which an operator decides in the store.
    static Result<std::optional<ActionRow>> toBeSettled(StoreReader &reader)
    {
        constexpr std::int64_t kLimit = 100;
        ASSIGN_OR_RETURN(const auto actions, reader.actionsInDoubt(kLimit));
        for (const ActionRow &action : actions)
            if (!action.keyDerivedAtImport)
                return std::optional(action);
        return std::optional<ActionRow>();
    }

    QString m_store;
    QString m_folder;
    Clock &m_clock;
    int m_waitMsMax;
    QString m_theme;
    QStringList m_files;
};

} // namespace

Result<QStringList> writeGallery(
    const QString &storePath, const QString &folder, Clock &clock, int waitMsMax)
{
    return Gallery(storePath, folder, clock, waitMsMax).write();
}

} // namespace reprise::ui
