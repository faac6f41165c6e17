#include "ui/views/suspects_page.h"

#include "core/suspects/rules_file.h"
#include "ui/format/format.h"
#include "ui/views/data_table.h"
#include "ui/views/evidence_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace reprise::ui {

SuspectsPage::SuspectsPage(StoreSession &session, QWidget *parent)
    : StorePage(parent)
    , m_session(session)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    auto *top = new QHBoxLayout;
    m_status = new QLabel;
    m_status->setTextFormat(Qt::PlainText);
    m_status->setWordWrap(true);
    m_status->setAccessibleName(tr("State of the search"));
    top->addWidget(m_status, 1);
    m_stop = new QPushButton(tr("&Stop the search"));
    connect(m_stop, &QPushButton::clicked, &session.suspects(), &SuspectSearch::stop);
    top->addWidget(m_stop);
    layout->addLayout(top);

    m_model = makeSuspectsModel(this);
    m_table = new DataTable(tr("Suspects"));
    m_table->useModel(m_model, QStringLiteral("suspects"));
    connect(m_table, &DataTable::filterWanted, this, &StorePage::filterWanted);
    connect(m_table, &DataTable::rowActivatedInWindow, this, [this] {
        if (const auto action = selectedAction(); action)
            Q_EMIT windowWanted(action->runId, action->seq);
    });
    connect(m_table, &DataTable::rowChanged, this, &SuspectsPage::showSelected);
    connect(m_table, &DataTable::rowActivated, this, [this](int row) {
        if (const Cluster *cluster = m_model->row(row); cluster != nullptr)
            Q_EMIT memberActivated(QString::fromStdString(cluster->members.front().effect.runId),
                cluster->members.front().effect.seq);
    });
    m_card = new EvidenceCard;
    connect(m_card, &EvidenceCard::memberActivated, this, &SuspectsPage::memberActivated);
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_table);
    splitter->addWidget(m_card);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    m_empty = new QLabel;
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_stack = new QStackedWidget;
    m_stack->addWidget(splitter);
    m_stack->addWidget(m_empty);
    layout->addWidget(m_stack, 1);
    connect(&session.suspects(), &SuspectSearch::changed, this, &SuspectsPage::refresh);
    connect(&session.suspects(), &SuspectSearch::progressed, this, [this](double part) {
        m_status->setText(tr("Looking for suspects: %1 %").arg(static_cast<int>(part * 100)));
    });
    refresh();
}

QWidget *SuspectsPage::mainView() const
{
    return m_table;
}

QList<QWidget *> SuspectsPage::panes() const
{
    return {m_table, m_card->membersTable()};
}

std::optional<SelectedAction> SuspectsPage::selectedAction() const
{
    const Cluster *cluster = m_model->row(m_table->currentRow());
    if (cluster == nullptr)
        return std::nullopt;
    const Effect &effect = cluster->members.front().effect;
    return SelectedAction {QString::fromStdString(effect.runId), effect.seq};
}

ReportScope SuspectsPage::reportScope() const
{
    const QString id = selectedCluster();
    return id.isEmpty() ? ReportScope {} : ReportScope {{}, id.toStdString()};
}

Facts SuspectsPage::facts() const
{
    const Cluster *cluster = m_model->row(m_table->currentRow());
    return cluster == nullptr ? Facts {} : factsOf(*cluster);
}

void SuspectsPage::retranslateTimes()
{
    m_table->fitColumns();
    showSelected(m_table->currentRow());
}

QString SuspectsPage::selectedCluster() const
{
    const Cluster *cluster = m_model->row(m_table->currentRow());
    return cluster == nullptr ? QString() : QString::fromStdString(cluster->id);
}

void SuspectsPage::selectCluster(const QString &start)
{
    const auto &rows = m_model->rows();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Cluster &cluster) {
        return QString::fromStdString(cluster.id).startsWith(start, Qt::CaseInsensitive);
    });
    if (found != rows.end())
        m_table->selectRow(static_cast<int>(found - rows.begin()));
}

void SuspectsPage::selectNewestWorst()
{
    const auto &rows = m_model->rows();
    const auto newer = [](const Cluster &a, const Cluster &b) {
        // Ranked by severity: a smaller value is worse.
        if (a.severity != b.severity)
            return a.severity > b.severity;
        return a.members.back().effect.startedAt < b.members.back().effect.startedAt;
    };
    const auto found = std::max_element(rows.begin(), rows.end(), newer);
    if (found != rows.end())
        m_table->selectRow(static_cast<int>(found - rows.begin()));
}

bool SuspectsPage::selectBusiness(const QString &field, const QString &text)
{
    // What is typed in whole comes before what is typed in part.
    for (const bool whole : {true, false})
        for (int row = 0; row < m_model->rowCount(); ++row)
            for (const Member &member : m_model->row(row)->members) {
                const Business &business = member.effect.business;
                const QString value = QString::fromStdString(
                    field == QStringLiteral("order") ? business.order : business.payee);
                if (whole ? value == text : value.contains(text, Qt::CaseInsensitive)) {
                    m_table->selectRow(row);
                    return true;
                }
            }
    return false;
}

void SuspectsPage::showSelected(int row)
{
    const Cluster *cluster = m_model->row(row);
    m_card->setCluster(cluster == nullptr ? std::nullopt : std::optional(*cluster));
    Q_EMIT factsChanged();
}

static QString notRunText(const SuspectReport &report)
{
    if (report.rulesNotRun.empty())
        return {};
    QStringList lines {SuspectsPage::tr("Rules not run:")};
    for (const RuleNotRun &rule : report.rulesNotRun)
        lines.append(QString::fromStdString(rule.rule + ": " + rule.why));
    return lines.join(QLatin1Char('\n'));
}

/// The ones that are not counted beside the page's name.
static QString infoText(const SuspectReport &report)
{
    const auto count = std::count_if(report.clusters.begin(), report.clusters.end(),
        [](const Cluster &cluster) { return cluster.severity == Severity::Info; });
    return count == 0 ? QString() : SuspectsPage::tr(", %1 of them for information").arg(count);
}

QString SuspectsPage::emptyText() const
{
    const SuspectReport &report = m_session.suspects().report();
    const RulesFile &rules = RulesFile::builtIn();
    const std::size_t known = rules.rules.size() + rules.notRun.size();
    const QString text = tr("No suspects under %1 rules, %2 runs checked.")
                             .arg(known - report.rulesNotRun.size())
                             .arg(countText(report.runsChecked));
    const QString notRun = notRunText(report);
    return notRun.isEmpty() ? text : text + QStringLiteral("\n\n") + notRun;
}

void SuspectsPage::refresh()
{
    using State = SuspectSearch::State;
    const SuspectSearch &search = m_session.suspects();
    const SuspectReport &report = search.report();
    m_stop->setVisible(search.state() == State::Running);
    const QString selected = selectedCluster();
    m_model->setRows(report.clusters);
    if (!report.clusters.empty()) {
        m_table->fitColumns();
        if (selected.isEmpty())
            selectNewestWorst();
        else
            selectCluster(selected);
    } else {
        m_card->setCluster(std::nullopt);
    }
    m_stack->setCurrentIndex(report.clusters.empty() ? 1 : 0);
    switch (search.state()) {
    case State::Waiting:
    case State::Running:
        m_status->setText(tr("Looking for suspects …"));
        m_empty->setText(tr("Looking for suspects …"));
        break;
    case State::Stopped:
        m_status->setText(tr("Stopped at %1 %: results are partial")
                              .arg(static_cast<int>(report.coverage * 100)));
        m_empty->setText(m_status->text());
        break;
    case State::Failed:
        m_status->setText(visible(search.error().text()));
        m_empty->setText(m_status->text());
        break;
    case State::Done:
        m_status->setText(
            tr("Ranked suspects: %1%2 · %3 runs and %4 effects checked · rules version %5 · %6")
                .arg(report.clusters.size())
                .arg(infoText(report), countText(report.runsChecked),
                    countText(report.effectsChecked))
                .arg(report.rulesVersion)
                .arg(tr("rules not run: %1").arg(report.rulesNotRun.size())));
        m_status->setToolTip(notRunText(report));
        m_empty->setText(emptyText());
        break;
    }
}

} // namespace reprise::ui
