#include "ui/models/tables.h"

#include <QCoreApplication>

namespace reprise::ui {

namespace {

constexpr Qt::Alignment kRight = Qt::AlignRight | Qt::AlignVCenter;
constexpr Qt::Alignment kLeft = Qt::AlignLeft | Qt::AlignVCenter;
constexpr int kRunIdChars = 28;

QString tr(const char *text)
{
    return QCoreApplication::translate("Tables", text);
}

template <typename Row, typename Get> ModelColumn<Row> number(const QString &title, Get get)
{
    return {title, [get](const Row &row) { return countText(get(row)); }, kRight};
}

template <typename Row, typename Get> ModelColumn<Row> badge(const QString &title, Get get)
{
    ModelColumn<Row> column;
    column.title = title;
    column.text = [get](const Row &row) { return get(row).text(); };
    column.tone = [get](const Row &row) { return get(row).tone; };
    return column;
}

template <typename Row>
ModelColumn<Row> text(
    const QString &title, std::function<QString(const Row &)> get, bool fixedPitch = false)
{
    return {title, std::move(get), kLeft, fixedPitch};
}

std::vector<ModelColumn<ActionRow>> actionColumns()
{
    using C = ModelColumn<ActionRow>;
    std::vector<C> columns;
    columns.push_back({tr("#"), [](const ActionRow &r) { return QString::number(r.seq); }, kRight});
    columns.push_back(
        text<ActionRow>(tr("Tool"), [](const ActionRow &r) { return visible(r.tool); }));
    columns.push_back(
        badge<ActionRow>(tr("State"), [](const ActionRow &r) { return badgeFor(r); }));
    C key = text<ActionRow>(
        tr("Key"), [](const ActionRow &r) { return shortHex(r.key.digest); }, true);
    key.tip = [](const ActionRow &r) -> QString {
        return QString::fromStdString(r.key.hex())
            + (r.keyDerivedAtImport ? tr(" (derived at import, not planned)") : QString());
    };
    columns.push_back(key);
    C fingerprint = text<ActionRow>(
        tr("Fingerprint"), [](const ActionRow &r) { return shortHex(r.fingerprint); }, true);
    fingerprint.tip
        = [](const ActionRow &r) { return QString::fromStdString(r.fingerprint.hex()); };
    columns.push_back(fingerprint);
    columns.push_back(
        {tr("Amount"), [](const ActionRow &r) { return amountText(r.business.amount); }, kRight});
    columns.push_back(text<ActionRow>(tr("Currency"), [](const ActionRow &r) {
        return r.business.amount ? QString::fromStdString(r.business.amount->currency) : dash();
    }));
    columns.push_back(text<ActionRow>(
        tr("Payee"), [](const ActionRow &r) { return visibleOrDash(r.business.payee); }));
    columns.push_back(text<ActionRow>(
        tr("Order ref"), [](const ActionRow &r) { return visibleOrDash(r.business.order); }));
    columns.push_back(
        number<ActionRow>(tr("Attempts"), [](const ActionRow &r) { return r.attempts; }));
    columns.push_back(
        number<ActionRow>(tr("Replays"), [](const ActionRow &r) { return r.replayed; }));
    columns.push_back(text<ActionRow>(
        tr("First dispatched"), [](const ActionRow &r) { return timeText(r.firstAt); }));
    columns.push_back(text<ActionRow>(
        tr("Outcome at"), [](const ActionRow &r) { return timeText(r.outcomeAt); }));
    columns.push_back(text<ActionRow>(
        tr("Provider ref"), [](const ActionRow &r) { return visibleOrDash(r.reference); }, true));
    return columns;
}

QString agreement(const AttemptRow &row)
{
    if (!row.sameAsOriginal)
        return QStringLiteral("–");
    return *row.sameAsOriginal ? QStringLiteral("=") : QStringLiteral("≠");
}

QString latency(const AttemptRow &row)
{
    if (!row.startedAt || !row.endedAt)
        return dash();
    return durationText(row.endedAt->us - row.startedAt->us);
}

QString noteOf(const AttemptRow &row)
{
    QStringList parts;
    for (const std::string &part : {row.reason, row.note})
        if (!part.empty())
            parts.append(visible(part));
    if (!row.locator.empty())
        parts.append(QStringLiteral("[%1]").arg(visible(row.locator)));
    return parts.isEmpty() ? dash() : parts.join(QStringLiteral("; "));
}

} // namespace

std::optional<RunSort> sortOf(RunColumn column)
{
    switch (column) {
    case RunColumn::RunId:
        return RunSort::RunId;
    case RunColumn::Started:
        return RunSort::Started;
    case RunColumn::Seqs:
        return RunSort::Actions;
    case RunColumn::Executed:
        return RunSort::Executed;
    case RunColumn::Replayed:
        return RunSort::Replayed;
    case RunColumn::Again:
        return RunSort::Again;
    case RunColumn::InDoubt:
        return RunSort::InDoubt;
    case RunColumn::Conflicts:
        return RunSort::Conflicts;
    case RunColumn::State:
    case RunColumn::Label:
    case RunColumn::Duration:
    case RunColumn::Suspects:
    case RunColumn::Worst:
        return std::nullopt;
    }
    return std::nullopt;
}

RunsModel *makeRunsModel(const SuspectSearch &suspects, QObject *parent)
{
    std::vector<ModelColumn<RunRow>> columns;
    columns.push_back(badge<RunRow>(tr("State"), [](const RunRow &r) { return badgeFor(r); }));
    ModelColumn<RunRow> id = text<RunRow>(
        tr("Run ID"),
        [](const RunRow &r) { return middleElided(visible(r.run.runId), kRunIdChars); }, true);
    id.tip = [](const RunRow &r) { return visible(r.run.runId); };
    columns.push_back(id);
    columns.push_back(text<RunRow>(
        tr("Agent / plan"), [](const RunRow &r) { return visibleOrDash(r.run.label); }));
    columns.push_back(
        text<RunRow>(tr("Started (UTC)"), [](const RunRow &r) { return timeText(r.firstAt); }));
    columns.push_back({tr("Duration"),
        [](const RunRow &r) {
            return r.firstAt && r.lastAt ? durationText(r.lastAt->us - r.firstAt->us) : dash();
        },
        kRight});
    columns.push_back(number<RunRow>(tr("Seqs"), [](const RunRow &r) { return r.actions; }));
    columns.push_back(number<RunRow>(tr("Executed"), [](const RunRow &r) { return r.executed; }));
    columns.push_back(number<RunRow>(tr("Replayed"), [](const RunRow &r) { return r.replayed; }));
    columns.push_back(number<RunRow>(tr("Again"), [](const RunRow &r) { return r.executedAgain; }));
    columns.push_back(number<RunRow>(tr("In doubt"), [](const RunRow &r) { return r.inDoubt; }));
    columns.push_back(number<RunRow>(tr("Conflicts"), [](const RunRow &r) { return r.conflicts; }));
    columns.push_back(number<RunRow>(
        tr("Suspects"), [&suspects](const RunRow &r) { return suspects.of(r.run.runId).count; }));
    const auto worst = [&suspects](const RunRow &r) {
        const RunSuspects found = suspects.of(r.run.runId);
        return found.count > 0 ? badgeFor(found.worst)
                               : Badge {{}, QStringLiteral("–"), Tone::Muted};
    };
    columns.push_back(badge<RunRow>(tr("Worst severity"), worst));
    return new RunsModel(std::move(columns), parent);
}

SeqsModel *makeSeqsModel(QObject *parent)
{
    return new SeqsModel(actionColumns(), parent);
}

SeqsModel *makeInDoubtModel(QObject *parent)
{
    auto columns = actionColumns();
    columns.insert(columns.begin(),
        text<ActionRow>(
            tr("Run"), [](const ActionRow &r) { return visible(r.runId); }, true));
    columns.push_back(
        text<ActionRow>(tr("Reason"), [](const ActionRow &r) { return visibleOrDash(r.reason); }));
    return new SeqsModel(std::move(columns), parent);
}

AttemptsModel *makeAttemptsModel(QObject *parent)
{
    std::vector<ModelColumn<AttemptRow>> columns;
    columns.push_back({tr("n"), [](const AttemptRow &r) { return QString::number(r.n); }, kRight});
    columns.push_back(
        badge<AttemptRow>(tr("Kind"), [](const AttemptRow &r) { return badgeFor(r.kind); }));
    columns.push_back(
        text<AttemptRow>(tr("Started"), [](const AttemptRow &r) { return timeText(r.startedAt); }));
    columns.push_back({tr("Latency"), latency, kRight});
    columns.push_back(text<AttemptRow>(tr("Outcome"),
        [](const AttemptRow &r) { return r.outcome ? outcomeWord(*r.outcome) : dash(); }));
    columns.push_back(text<AttemptRow>(tr("Status"),
        [](const AttemptRow &r) { return r.result ? visibleOrDash(r.result->status) : dash(); }));
    ModelColumn<AttemptRow> hash = text<AttemptRow>(
        tr("Result hash"),
        [](const AttemptRow &r) {
            return r.result && r.result->body ? shortHex(*r.result->body) : dash();
        },
        true);
    hash.tip = [](const AttemptRow &r) {
        return r.result && r.result->body ? QString::fromStdString(r.result->body->hex()) : dash();
    };
    columns.push_back(hash);
    columns.push_back({tr("Same"), agreement, Qt::AlignCenter});
    columns.push_back(text<AttemptRow>(
        tr("Provider ref"),
        [](const AttemptRow &r) { return r.result ? visibleOrDash(r.result->reference) : dash(); },
        true));
    columns.push_back(
        text<AttemptRow>(tr("Worker"), [](const AttemptRow &r) { return visibleOrDash(r.owner); }));
    columns.push_back(text<AttemptRow>(tr("Note"), noteOf));
    return new AttemptsModel(std::move(columns), parent);
}

SuspectsModel *makeSuspectsModel(QObject *parent)
{
    const auto first = [](const Cluster &c) -> const Effect & { return c.members.front().effect; };
    std::vector<ModelColumn<Cluster>> columns;
    columns.push_back(
        badge<Cluster>(tr("Severity"), [](const Cluster &c) { return badgeFor(c.severity); }));
    columns.push_back(
        {tr("Score"), [](const Cluster &c) { return QString::number(c.score); }, kRight});
    columns.push_back(text<Cluster>(
        tr("Cluster ID"), [](const Cluster &c) { return QString::fromStdString(c.id); }, true));
    columns.push_back(text<Cluster>(tr("Customer / payee"),
        [first](const Cluster &c) { return visibleOrDash(first(c).business.payee); }));
    columns.push_back({tr("Amount × count"),
        [first](const Cluster &c) -> QString {
            const auto &amount = first(c).business.amount;
            return (amount ? moneyText(*amount) : dash())
                + QStringLiteral(" × %1").arg(c.members.size());
        },
        kRight});
    columns.push_back({tr("At risk"),
        [](const Cluster &c) { return c.atRisk.empty() ? dash() : moneyText(c.atRisk); }, kRight});
    columns.push_back(text<Cluster>(tr("Why"), [](const Cluster &c) {
        return c.rules.empty() ? dash() : QString::fromStdString(c.rules.front().title);
    }));
    columns.push_back(text<Cluster>(tr("Rules"), [](const Cluster &c) {
        QStringList ids;
        for (const RuleHit &hit : c.rules)
            if (!ids.contains(QString::fromStdString(hit.rule)))
                ids.append(QString::fromStdString(hit.rule));
        return ids.join(QLatin1Char(' '));
    }));
    columns.push_back(text<Cluster>(
        tr("First effect"), [first](const Cluster &c) { return timeText(first(c).startedAt); }));
    columns.push_back({tr("Gap"), [](const Cluster &c) { return durationText(c.gapUs); }, kRight});
    columns.push_back({tr("Proof"),
        [](const Cluster &c) { return QString(QLatin1Char(letter(c.proof))); }, Qt::AlignCenter});
    columns.push_back(text<Cluster>(
        tr("Run"), [first](const Cluster &c) { return visible(first(c).runId); }, true));
    return new SuspectsModel(std::move(columns), parent);
}

} // namespace reprise::ui
