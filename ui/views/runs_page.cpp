#include "ui/views/runs_page.h"

#include "ui/format/format.h"
#include "ui/views/data_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {
constexpr int kDebounceMs = 250;
constexpr std::int64_t kPageRows = 200;
} // namespace

RunsPage::RunsPage(StoreSession &session, QWidget *parent)
    : StorePage(parent)
    , m_session(session)
{
    m_query.limit = kPageRows;
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);

    auto *bar = new QHBoxLayout;
    m_filter = new QLineEdit;
    m_filter->setAccessibleName(tr("Filter of runs"));
    m_filter->setPlaceholderText(tr("Filter: text, state:in_doubt, payee:…, order:…, cur:EUR, "
                                    "tool:…, key:…, after:2026-11-01"));
    m_filter->setClearButtonEnabled(true);
    bar->addWidget(m_filter, 1);
    for (const auto &[title, filter] : {std::pair {tr("A&ll"), QString()},
             std::pair {tr("I&n doubt"), QStringLiteral("state:in_doubt")},
             std::pair {tr("Called a&gain"), QStringLiteral("state:again")},
             std::pair {tr("&Conflicts"), QStringLiteral("state:conflict")}}) {
        auto *quick = new QPushButton(title);
        quick->setAutoDefault(false);
        connect(quick, &QPushButton::clicked, this, [this, filter = filter] { setFilter(filter); });
        bar->addWidget(quick);
    }
    layout->addLayout(bar);
    m_problem = new QLabel;
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    layout->addWidget(m_problem);

    m_model = makeRunsModel(session.suspects(), this);
    m_table = new DataTable(tr("Runs"));
    m_table->useModel(m_model, QStringLiteral("runs"));
    connect(m_table, &DataTable::rowActivatedInWindow, this,
        [this] { Q_EMIT windowWanted(selectedRun(), -1); });
    m_table->horizontalHeader()->setSortIndicatorShown(true);
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->horizontalHeader()->setSortIndicator(
        static_cast<int>(RunColumn::Started), Qt::DescendingOrder);
    connect(
        m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &RunsPage::sortBy);
    connect(m_table, &DataTable::rowChanged, this, &StorePage::factsChanged);
    connect(m_table, &DataTable::rowActivated, this, [this](int row) {
        if (const RunRow *run = m_model->row(row); run != nullptr)
            Q_EMIT runActivated(QString::fromStdString(run->run.runId));
    });

    auto *emptyPage = new QWidget;
    auto *emptyLayout = new QVBoxLayout(emptyPage);
    m_empty = new QLabel;
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_removeFilter = new QPushButton(tr("&Remove the filter"));
    connect(m_removeFilter, &QPushButton::clicked, this, [this] {
        QStringList tokens = filterTokens(filter());
        if (m_culprit.isEmpty())
            tokens.clear();
        tokens.removeOne(m_culprit);
        setFilter(tokens.join(QLatin1Char(' ')));
    });
    emptyLayout->addStretch(1);
    emptyLayout->addWidget(m_empty);
    emptyLayout->addWidget(m_removeFilter, 0, Qt::AlignCenter);
    emptyLayout->addStretch(1);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_table);
    m_stack->addWidget(emptyPage);
    layout->addWidget(m_stack, 1);
    m_totals = new QLabel;
    m_totals->setTextFormat(Qt::PlainText);
    m_totals->setAccessibleName(tr("Totals of the filtered runs"));
    layout->addWidget(m_totals);

    m_debounce = new QTimer(this);
    m_debounce->setSingleShot(true);
    m_debounce->setInterval(kDebounceMs);
    connect(m_debounce, &QTimer::timeout, this, &RunsPage::reload);
    connect(m_filter, &QLineEdit::textChanged, this, [this] { m_debounce->start(); });
    connect(m_filter, &QLineEdit::returnPressed, this, [this] {
        m_debounce->stop();
        reload();
        m_table->setFocus();
    });
    connect(&session.suspects(), &SuspectSearch::changed, this, [this] {
        m_model->columnChanged(static_cast<int>(RunColumn::Suspects));
        m_model->columnChanged(static_cast<int>(RunColumn::Worst));
    });
}

QWidget *RunsPage::mainView() const
{
    return m_table;
}

QList<QWidget *> RunsPage::panes() const
{
    return {m_filter, m_table};
}

Facts RunsPage::facts() const
{
    const RunRow *run = m_model->row(m_table->currentRow());
    return run == nullptr ? Facts {} : factsOf(*run);
}

void RunsPage::retranslateTimes()
{
    m_table->fitColumns();
}

QString RunsPage::filter() const
{
    return filterTokens(m_filter->text()).join(QLatin1Char(' '));
}

void RunsPage::setFilter(const QString &filter)
{
    m_filter->setText(filter);
    m_debounce->stop();
    reload();
}

void RunsPage::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

void RunsPage::setFiltersSuspended(bool suspended)
{
    m_suspended = suspended;
    reload();
}

QString RunsPage::selectedRun() const
{
    const RunRow *run = m_model->row(m_table->currentRow());
    return run == nullptr ? QString() : QString::fromStdString(run->run.runId);
}

void RunsPage::sortBy(int column, Qt::SortOrder order)
{
    const auto sort = sortOf(static_cast<RunColumn>(column));
    if (!sort)
        return;
    m_query.sort = *sort;
    m_query.descending = order == Qt::DescendingOrder;
    reload();
}

void RunsPage::reload()
{
    m_query.filter = m_suspended ? std::string() : filter().toStdString();
    ask({});
    m_totalling.run<Counted>(
        m_session.runner(), Lane::Quick, QString(),
        [filter = QString::fromStdString(m_query.filter)](TaskContext &context) -> Result<Counted> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            return count(*reader, filter);
        },
        [this](Result<Counted> counted) {
            if (counted)
                showTotals(*counted);
        });
}

Result<RunsPage::Counted> RunsPage::count(StoreReader &reader, const QString &filter)
{
    Counted counted;
    ASSIGN_OR_RETURN(counted.totals, reader.totals(filter.toStdString()));
    if (counted.totals.runs > 0)
        return counted;
    const QStringList tokens = filterTokens(filter);
    for (const QString &token : tokens) {
        QStringList others = tokens;
        others.removeOne(token);
        ASSIGN_OR_RETURN(
            const RunTotals without, reader.totals(others.join(QLatin1Char(' ')).toStdString()));
        if (without.runs > counted.withoutIt) {
            counted.culprit = token;
            counted.withoutIt = without.runs;
        }
    }
    return counted;
}

void RunsPage::ask(const std::string &after)
{
    RunQuery query = m_query;
    query.after = after;
    m_paging.run<RunPage>(
        m_session.runner(), Lane::Quick, QString(),
        [query](TaskContext &context) -> Result<RunPage> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            return reader->runs(query);
        },
        [this, first = after.empty()](Result<RunPage> page) { showPage(page, first); });
}

void RunsPage::showPage(const Result<RunPage> &page, bool first)
{
    // A filter that cannot be read leaves the old rows where they are.
    m_problem->setVisible(!page);
    if (!page) {
        m_problem->setText(visible(page.error().text()));
        return;
    }
    if (first) {
        const QString selected = selectedRun();
        m_model->setMore({});
        m_model->setRows(page->rows);
        m_stack->setCurrentIndex(page->rows.empty() ? 1 : 0);
        if (!m_fitted && !page->rows.empty()) {
            m_table->fitColumns();
            m_fitted = true;
        }
        int row = 0;
        for (int i = 0; i < m_model->rowCount(); ++i)
            if (QString::fromStdString(m_model->row(i)->run.runId) == selected)
                row = i;
        m_table->selectRow(row);
    } else {
        m_model->append(page->rows);
    }
    if (!page->next.empty())
        m_model->setMore([this, next = page->next] { ask(next); });
}

void RunsPage::showTotals(const Counted &counted)
{
    const RunTotals &totals = counted.totals;
    m_totals->setText(
        tr("Totals (filtered): %1 runs · %2 actions · %3 executed · %4 replayed · %5 again · %6 in "
           "doubt · "
           "%7 conflicts")
            .arg(countText(totals.runs), countText(totals.actions), countText(totals.executed),
                countText(totals.replayed), countText(totals.executedAgain),
                countText(totals.inDoubt), countText(totals.conflicts)));
    Q_EMIT countChanged(
        tr("%1 of %2 runs").arg(countText(totals.runs), countText(totals.runsInStore)));
    if (totals.runs > 0)
        return;
    const bool filtered = !m_query.filter.empty();
    m_culprit = counted.culprit;
    m_removeFilter->setVisible(filtered);
    m_removeFilter->setText(
        m_culprit.isEmpty() ? tr("&Remove all filters") : tr("&Remove that filter"));
    if (!filtered)
        m_empty->setText(tr("This store has 0 runs. Schema v%1, 0 rows in runs.\n%2")
                             .arg(m_session.info().schemaVersion)
                             .arg(m_session.path()));
    else if (m_culprit.isEmpty())
        m_empty->setText(tr("0 of %1 runs. `%2` matches no run.")
                             .arg(countText(totals.runsInStore), visible(m_query.filter)));
    else
        m_empty->setText(tr("0 of %1 runs. `%2` matches no run; without it: %3.")
                             .arg(countText(totals.runsInStore), visible(m_culprit.toStdString()),
                                 countText(counted.withoutIt)));
}

} // namespace reprise::ui
