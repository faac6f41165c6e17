#include "ui/format/format.h"
#include "ui/views/command_palette.h"
#include "ui/views/main_window.h"
#include "ui/views/suspects_page.h"

/// Ctrl+K: runs, keys, customers and suspects by what somebody remembers of them.
namespace reprise::ui {

void MainWindow::openPalette()
{
    auto *palette = new CommandPalette(m_actions.all(), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    connect(palette, &CommandPalette::runWanted, this, &MainWindow::findRun);
    connect(palette, &CommandPalette::keyWanted, this, &MainWindow::findKey);
    connect(palette, &CommandPalette::payeeWanted, this,
        [this](const QString &payee) { findBusiness(QStringLiteral("payee"), payee); });
    connect(palette, &CommandPalette::orderWanted, this,
        [this](const QString &order) { findBusiness(QStringLiteral("order"), order); });
    connect(palette, &CommandPalette::suspectWanted, this, [this](const QString &id) {
        if (m_session)
            showSuspect(id);
    });
    // Without it the keys of the window are dead where no window manager gives the focus back.
    connect(palette, &QDialog::finished, this, &QWidget::activateWindow);
    palette->open();
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
            showRunsFor(QStringLiteral("run:%1").arg(text));
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
                showRunsFor(QStringLiteral("key:%1").arg(start));
        });
}

void MainWindow::findBusiness(const QString &field, const QString &text)
{
    if (!m_session || text.isEmpty())
        return;
    if (m_suspects->selectBusiness(field, text))
        showPage(Page::Suspects);
    else
        showRunsFor(filterToken(field, text));
}

} // namespace reprise::ui
