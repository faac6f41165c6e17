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

/// Columns that the tables of actions share; `action` takes the action out of a row.
template <typename Row> class ActionColumns
{
public:
    using Take = const ActionRow &(*)(const Row &);
    explicit ActionColumns(Take take)
        : m_take(take)
    {
    }
    [[nodiscard]] ModelColumn<Row> seq() const
    {
        return {tr("#"), [take = m_take](const Row &r) { return QString::number(take(r).seq); },
            kRight};
    }
    [[nodiscard]] ModelColumn<Row> tool() const
    {
        return filtered(
            text<Row>(tr("Tool"), [take = m_take](const Row &r) { return visible(take(r).tool); }),
            "tool", [](const ActionRow &r) { return r.tool; });
    }
    [[nodiscard]] ModelColumn<Row> state() const
    {
        return badge<Row>(tr("State"), [take = m_take](const Row &r) { return badgeFor(take(r)); });
    }
    [[nodiscard]] ModelColumn<Row> key() const
    {
        auto column = filtered(
            text<Row>(
                tr("Key"), [take = m_take](const Row &r) { return shortHex(take(r).key.digest); },
                true),
            "key", [](const ActionRow &r) { return r.key.hex(); });
        column.tip = [take = m_take](const Row &r) -> QString {
            const QString hex = QString::fromStdString(take(r).key.hex());
            return take(r).keyDerivedAtImport ? tr("%1 (derived at import, not planned)").arg(hex)
                                              : hex;
        };
        return column;
    }
    [[nodiscard]] ModelColumn<Row> fingerprint() const
    {
        auto column = text<Row>(
            tr("Fingerprint"),
            [take = m_take](const Row &r) { return shortHex(take(r).fingerprint); }, true);
        column.tip = [take = m_take](const Row &r) {
            return QString::fromStdString(take(r).fingerprint.hex());
        };
        return column;
    }
    [[nodiscard]] ModelColumn<Row> amount() const
    {
        return {tr("Amount"),
            [take = m_take](const Row &r) { return amountText(take(r).business.amount); }, kRight};
    }
    [[nodiscard]] ModelColumn<Row> currency() const
    {
        const auto code = [](const ActionRow &r) {
            return r.business.amount ? r.business.amount->currency : std::string();
        };
        return filtered(
            text<Row>(tr("Currency"),
                [take = m_take, code](const Row &r) { return visibleOrDash(code(take(r))); }),
            "cur", code);
    }
    [[nodiscard]] ModelColumn<Row> payee() const
    {
        auto column = filtered(
            text<Row>(tr("Payee"),
                [take = m_take](const Row &r) { return visibleOrDash(take(r).business.payee); }),
            "payee", [](const ActionRow &r) { return r.business.payee; });
        column.givesWay = true;
        return column;
    }
    [[nodiscard]] ModelColumn<Row> order() const
    {
        return filtered(
            text<Row>(tr("Order ref"),
                [take = m_take](const Row &r) { return visibleOrDash(take(r).business.order); }),
            "order", [](const ActionRow &r) { return r.business.order; });
    }
    [[nodiscard]] ModelColumn<Row> dispatched(const QString &title) const
    {
        return text<Row>(
            title, [take = m_take](const Row &r) { return timeText(take(r).firstAt); });
    }

private:
    ModelColumn<Row> filtered(
        ModelColumn<Row> column, const char *name, std::string (*value)(const ActionRow &)) const
    {
        column.filter = [take = m_take, name = QString::fromLatin1(name), value](const Row &r) {
            const std::string found = value(take(r));
            return found.empty() ? QString() : filterToken(name, QString::fromStdString(found));
        };
        return column;
    }

    Take m_take;
};

/// Signs of the suspects that an action belongs to.
Badge suspicion(const std::vector<const Cluster *> &clusters)
{
    if (clusters.empty())
        return {{}, QStringLiteral("–"), Tone::Muted};
    Badge found = badgeFor(clusters.front()->severity);
    found.word = QString::fromStdString(clusters.front()->id);
    return found;
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
    case RunColumn::Ended:
    case RunColumn::Revision:
    case RunColumn::Source:
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
    columns.back().givesWay = true;
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
    columns.push_back(
        text<RunRow>(tr("Ended"), [](const RunRow &r) { return timeText(r.lastAt); }));
    columns.push_back(
        number<RunRow>(tr("Revision"), [](const RunRow &r) { return r.run.revision; }));
    columns.push_back(
        text<RunRow>(tr("Source"), [](const RunRow &r) { return visibleOrDash(r.source); }));
    for (auto column = columns.end() - 3; column != columns.end(); ++column)
        column->hidden = true;
    return new RunsModel(std::move(columns), parent);
}

std::vector<SeqRow> seqRows(
    const std::vector<ActionRow> &actions, const std::vector<std::vector<AttemptRow>> &attempts)
{
    std::vector<SeqRow> rows;
    rows.reserve(actions.size());
    for (std::size_t i = 0; i < actions.size(); ++i) {
        SeqRow row {actions[i], {}, {}};
        if (i > 0 && actions[i].firstAt && actions[i - 1].firstAt)
            row.gapUs = actions[i].firstAt->us - actions[i - 1].firstAt->us;
        if (i < attempts.size())
            for (const AttemptRow &attempt : attempts[i])
                if (attempt.sameAsOriginal)
                    row.sameAnswers = row.sameAnswers.value_or(true) && *attempt.sameAsOriginal;
        rows.push_back(std::move(row));
    }
    return rows;
}

SeqsModel *makeSeqsModel(const SuspectSearch &suspects, QObject *parent)
{
    const ActionColumns<SeqRow> of(
        [](const SeqRow &row) -> const ActionRow & { return row.action; });
    std::vector<ModelColumn<SeqRow>> columns {of.seq(), of.tool(), of.state(), of.key(),
        of.fingerprint(), of.amount(), of.currency(), of.payee(), of.order()};
    columns.push_back(
        number<SeqRow>(tr("Attempts"), [](const SeqRow &r) { return r.action.attempts; }));
    columns.push_back(
        number<SeqRow>(tr("Replays"), [](const SeqRow &r) { return r.action.replayed; }));
    columns.push_back(of.dispatched(tr("First dispatched")));
    columns.push_back(text<SeqRow>(
        tr("Outcome at"), [](const SeqRow &r) { return timeText(r.action.outcomeAt); }));
    columns.push_back(
        {tr("Gap to previous"), [](const SeqRow &r) { return durationText(r.gapUs); }, kRight});
    ModelColumn<SeqRow> diff {tr("Diff"),
        [](const SeqRow &r) {
            return r.sameAnswers ? *r.sameAnswers ? QStringLiteral("=") : QStringLiteral("≠")
                                 : QStringLiteral("–");
        },
        Qt::AlignCenter};
    diff.tip = [](const SeqRow &r) {
        return !r.sameAnswers ? tr("There was no later answer")
            : *r.sameAnswers  ? tr("Every later answer had the bytes of the recorded result")
                              : tr("A later answer had other bytes than the recorded result");
    };
    diff.tone = [](const SeqRow &r) {
        return r.sameAnswers && !*r.sameAnswers ? Tone::Danger : Tone::Plain;
    };
    columns.push_back(diff);
    columns.push_back(badge<SeqRow>(tr("Suspect"), [&suspects](const SeqRow &r) {
        return suspicion(suspects.of(r.action.runId, r.action.seq));
    }));
    columns.push_back(text<SeqRow>(
        tr("Provider ref"), [](const SeqRow &r) { return visibleOrDash(r.action.reference); },
        true));
    columns.back().givesWay = true;
    return new SeqsModel(std::move(columns), parent);
}

InDoubtModel *makeInDoubtModel(const SuspectSearch &suspects, Clock &clock, QObject *parent)
{
    const ActionColumns<ActionRow> of(
        [](const ActionRow &row) -> const ActionRow & { return row; });
    std::vector<ModelColumn<ActionRow>> columns;
    columns.push_back({tr("Age"),
        [&clock](const ActionRow &r) {
            return r.firstAt ? durationText(clock.now().us - r.firstAt->us) : dash();
        },
        kRight});
    columns.push_back(text<ActionRow>(
        tr("Run"), [](const ActionRow &r) { return visible(r.runId); }, true));
    for (auto &&column : {of.seq(), of.tool(), of.state(), of.key(), of.amount(), of.currency(),
             of.payee(), of.dispatched(tr("Dispatched"))})
        columns.push_back(column);
    columns.push_back(badge<ActionRow>(tr("Later same-intent action?"),
        [&suspects](const ActionRow &r) { return suspicion(suspects.of(r.runId, r.seq)); }));
    columns.push_back(
        text<ActionRow>(tr("Reason"), [](const ActionRow &r) { return visibleOrDash(r.reason); }));
    columns.back().givesWay = true;
    return new InDoubtModel(std::move(columns), parent);
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
    columns.back().givesWay = true;
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
    columns.back().givesWay = true;
    columns.back().filter = [first](const Cluster &c) {
        const std::string &payee = first(c).business.payee;
        return payee.empty() ? QString()
                             : filterToken(QStringLiteral("payee"), QString::fromStdString(payee));
    };
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
    columns.back().givesWay = true;
    return new SuspectsModel(std::move(columns), parent);
}

} // namespace reprise::ui
