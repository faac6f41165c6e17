#include "ui/format/facts.h"

#include "ui/format/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace reprise::ui {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Facts", text);
}

QString hex(const Digest &digest)
{
    return QString::fromStdString(digest.hex());
}

QString yesNo(bool value)
{
    return value ? tr("yes") : tr("no");
}

QString amount(const Business &business)
{
    return business.amount ? moneyText(*business.amount) : dash();
}

void addAction(Facts &facts, const ActionRow &row)
{
    auto &lines = facts.lines;
    lines.emplace_back(tr("Run"), visible(row.runId));
    lines.emplace_back(tr("Seq"), QString::number(row.seq));
    lines.emplace_back(tr("Tool"), visible(row.tool));
    lines.emplace_back(tr("State"), badgeFor(row).word);
    if (!row.reason.empty())
        lines.emplace_back(tr("Reason"), visible(row.reason));
    lines.emplace_back(tr("Key"), QString::fromStdString(row.key.hex()));
    lines.emplace_back(
        tr("Key made by"), row.keyDerivedAtImport ? tr("the import") : tr("the plan"));
    lines.emplace_back(tr("Fingerprint"), hex(row.fingerprint));
    lines.emplace_back(tr("Args, SHA-256"), hex(row.args));
    lines.emplace_back(tr("Amount"), amount(row.business));
    lines.emplace_back(tr("Payee"), visibleOrDash(row.business.payee));
    lines.emplace_back(tr("Order"), visibleOrDash(row.business.order));
    if (!row.business.undoes.empty())
        lines.emplace_back(tr("Undoes"), visible(row.business.undoes));
    lines.emplace_back(tr("First dispatched"), timeText(row.firstAt));
    lines.emplace_back(tr("Outcome at"), timeText(row.outcomeAt));
    lines.emplace_back(tr("Provider reference"), visibleOrDash(row.reference));
    lines.emplace_back(tr("Row in the store"), QString::number(row.id));
}

void addResult(Facts &facts, const RecordedResult &result)
{
    auto &lines = facts.lines;
    lines.emplace_back(tr("Result status"), visibleOrDash(result.status));
    lines.emplace_back(tr("Content type"), visibleOrDash(result.contentType));
    lines.emplace_back(tr("Complete"), yesNo(result.complete));
    lines.emplace_back(tr("Result, SHA-256"), result.body ? hex(*result.body) : dash());
    lines.emplace_back(tr("Result size"),
        result.body ? bytesText(static_cast<std::uint64_t>(result.bodyBytes)) : dash());
    lines.emplace_back(tr("Recorded at"), timeText(result.recordedAt));
    lines.emplace_back(tr("Recorded from"), sourceWord(result.source));
}

} // namespace

Facts factsOf(const RunRow &row)
{
    Facts facts;
    facts.title = tr("Run %1").arg(visible(row.run.runId));
    auto &lines = facts.lines;
    lines.emplace_back(tr("Run ID"), visible(row.run.runId));
    lines.emplace_back(tr("Agent / plan"), visibleOrDash(row.run.label));
    lines.emplace_back(tr("Plan revision"), QString::number(row.run.revision));
    lines.emplace_back(
        tr("Largest seq"), row.run.seqMax < 0 ? dash() : QString::number(row.run.seqMax));
    lines.emplace_back(tr("Environment"), visibleOrDash(row.run.environment));
    lines.emplace_back(tr("Account"), visibleOrDash(row.run.account));
    lines.emplace_back(tr("Dry run"), yesNo(row.run.dryRun));
    lines.emplace_back(tr("In order"), yesNo(row.run.ordered));
    lines.emplace_back(tr("Closed"), yesNo(row.run.closed));
    lines.emplace_back(tr("Imported"), row.run.imported ? visibleOrDash(row.source) : yesNo(false));
    lines.emplace_back(tr("First attempt"), timeText(row.firstAt));
    lines.emplace_back(tr("Last attempt"), timeText(row.lastAt));
    lines.emplace_back(tr("Actions"), countText(row.actions));
    lines.emplace_back(tr("Executed"), countText(row.executed));
    lines.emplace_back(tr("Replayed"), countText(row.replayed));
    lines.emplace_back(tr("Executed again"), countText(row.executedAgain));
    lines.emplace_back(tr("In doubt"), countText(row.inDoubt));
    lines.emplace_back(tr("Conflicts"), countText(row.conflicts));
    lines.emplace_back(tr("Failed"), countText(row.failed));
    return facts;
}

Facts factsOf(const ActionRow &row)
{
    Facts facts;
    facts.title = tr("Seq %1 of %2").arg(row.seq).arg(visible(row.runId));
    addAction(facts, row);
    return facts;
}

Facts factsOf(const ActionDetail &detail)
{
    Facts facts = factsOf(detail.row);
    auto &lines = facts.lines;
    QStringList sent;
    for (const AttemptRow &attempt : detail.attempts)
        if (const QString key = visible(attempt.sentKey); !key.isEmpty() && !sent.contains(key))
            sent.append(key);
    lines.emplace_back(
        tr("Sent downstream"), sent.isEmpty() ? dash() : sent.join(QStringLiteral(", ")));
    lines.emplace_back(tr("Tool calls"), countText(detail.calls));
    if (detail.result)
        addResult(facts, *detail.result);
    lines.emplace_back(tr("Recorded by"), visibleOrDash(detail.recordedBy));
    lines.emplace_back(tr("Environment"), visibleOrDash(detail.environment));
    lines.emplace_back(tr("Account"), visibleOrDash(detail.account));
    lines.emplace_back(tr("Contract"),
        tr("%1, version %2").arg(visible(detail.contract.name), visible(detail.contract.version)));
    lines.emplace_back(tr("Contract, SHA-256"), hex(detail.contract.digest()));
    QStringList ignored;
    for (const std::string &pointer : detail.contract.ignore)
        ignored.append(visible(pointer));
    lines.emplace_back(tr("Left out of the fingerprint"),
        ignored.isEmpty() ? tr("nothing") : ignored.join(QStringLiteral(", ")));
    lines.emplace_back(tr("State entry, hash"), hex(detail.stateHash));
    return facts;
}

Facts factsOf(const Cluster &cluster)
{
    Facts facts;
    facts.title = tr("Suspect %1").arg(QString::fromStdString(cluster.id));
    auto &lines = facts.lines;
    lines.emplace_back(tr("Severity"), badgeFor(cluster.severity).word);
    lines.emplace_back(tr("Score"), tr("%1 of 99").arg(cluster.score));
    lines.emplace_back(tr("Proof level"), QString(QLatin1Char(letter(cluster.proof))));
    lines.emplace_back(tr("At risk"), moneyText(cluster.atRisk));
    for (const RuleHit &hit : cluster.rules)
        lines.emplace_back(QString::fromStdString(hit.rule), visible(hit.why));
    int number = 0;
    for (const Member &member : cluster.members) {
        const Effect &effect = member.effect;
        const QString name = tr("Effect %1").arg(++number);
        lines.emplace_back(name,
            tr("%1 seq %2, attempt %3: %4 %5")
                .arg(visible(effect.runId))
                .arg(effect.seq)
                .arg(effect.attempt)
                .arg(badgeFor(effect.kind).word, amount(effect.business)));
        lines.emplace_back(tr("%1, time").arg(name), timeText(effect.startedAt));
        lines.emplace_back(tr("%1, key").arg(name), QString::fromStdString(effect.key.hex()));
        lines.emplace_back(tr("%1, fingerprint").arg(name), hex(effect.fingerprint));
        lines.emplace_back(tr("%1, provider reference").arg(name), visibleOrDash(effect.reference));
        if (!member.live)
            lines.emplace_back(tr("%1, undone by").arg(name), visible(member.undoneBy));
    }
    return facts;
}

QString evidenceBlock(const Facts &facts)
{
    QString text = facts.title + QLatin1Char('\n');
    for (const auto &[name, value] : facts.lines)
        text += name + QStringLiteral(": ") + value + QLatin1Char('\n');
    return text;
}

} // namespace reprise::ui
