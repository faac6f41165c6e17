#include "core/inspect/show_text.h"
#include "core/inspect/text_table.h"
#include "core/report/parts.h"

#include <algorithm>

namespace reprise {

namespace {

/// Rows that are compared column by column; longer clusters are patterns and read better as rows.
constexpr std::size_t kSideBySideMax = 6;

std::string capitalised(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::vector<std::string> sentences(std::vector<std::string> texts)
{
    std::transform(texts.begin(), texts.end(), texts.begin(), capitalised);
    return texts;
}

std::string proofText(Proof proof)
{
    switch (proof) {
    case Proof::A:
        return "A: a provider statement confirms the number of effects.";
    case Proof::B:
        return "B: the store's records show it; not confirmed by the provider.";
    case Proof::C:
        return "C: an inference; at least one outcome is missing.";
    }
    return {};
}

/// The answer of the evidence card: how many effects, or that it cannot be told.
ReportNotice answerOf(const Cluster &cluster)
{
    std::int64_t open = 0;
    for (const Member &member : cluster.members)
        open += member.live && member.effect.inDoubt ? 1 : 0;
    const std::int64_t known = cluster.effects - open;
    const std::string atRisk
        = cluster.atRisk.empty() ? std::string() : " At risk: " + amountsText(cluster.atRisk) + ".";
    if (open > 0 && known < 2)
        return {Tone::Warn, "Cannot tell",
            counted(known, "effect is", "effects are") + " recorded and " + humanCount(open)
                + " in doubt: "
                + (open == 1 ? "it may or may not have happened."
                             : "they may or may not have "
                               "happened.")
                + atRisk};
    if (known >= 2)
        return {Tone::Danger, known == 2 ? "Two effects" : humanCount(known) + " effects",
            "Recorded for what may be one intention"
                + (open > 0 ? ", and " + humanCount(open) + " more in doubt." : std::string("."))
                + atRisk};
    return {Tone::Ok, "One effect",
        "What was done more than once was undone, or never took effect." + atRisk};
}

std::string changesVerdict(const Cluster &cluster)
{
    const auto first = std::find_if(cluster.members.begin(), cluster.members.end(),
        [](const Member &member) { return member.effect.startedAt.has_value(); });
    std::string span;
    if (first != cluster.members.end()) {
        Time from = *first->effect.startedAt;
        Time to = from;
        for (const Member &member : cluster.members) {
            if (!member.effect.startedAt)
                continue;
            from = std::min(from, *member.effect.startedAt);
            to = std::max(to, member.effect.endedAt.value_or(*member.effect.startedAt));
        }
        span = " between " + humanTime(from) + " and " + humanTime(to);
    }
    if (cluster.proof == Proof::A)
        return "A refund or a reversal on a later provider statement.";
    return "The provider's lines for these effects" + span + ": one line means one effect, "
        + std::to_string(std::max<std::int64_t>(cluster.effects, 2))
        + " mean a double. Either raises "
          "the proof to level A.";
}

ReportTable effectsTable(const Cluster &cluster)
{
    ReportTable table;
    table.id = "effects";
    table.title = "Effects";
    table.subject = cluster.id;
    if (cluster.members.size() <= kSideBySideMax) {
        table.title = "Effects side by side";
        table.layout = TableLayout::SideBySide;
    }
    table.columns = {{"at", "Time", ColumnKind::Time}, {"amount", "Amount", ColumnKind::Money},
        {"payee", "Payee", ColumnKind::Text}, {"order", "Order", ColumnKind::Text},
        {"provider_ref", "Provider reference", ColumnKind::Code},
        {"run_id", "Run", ColumnKind::Code}, {"seq", "Seq", ColumnKind::Number},
        {"attempt", "Attempt", ColumnKind::Number}, {"tool", "Tool", ColumnKind::Code},
        {"kind", "What was done", ColumnKind::Word},
        {"state", "State of the action", ColumnKind::Word}, {"key", "Key", ColumnKind::Code},
        {"key_origin", "Key assigned", ColumnKind::Text},
        {"fingerprint", "Fingerprint", ColumnKind::Code},
        {"standing", "Standing", ColumnKind::Text}};
    for (const Member &member : cluster.members) {
        const Effect &effect = member.effect;
        const std::string standing = member.live
            ? (effect.inDoubt ? "in doubt: may have happened" : "stands")
            : "undone" + (member.undoneBy.empty() ? std::string() : " by " + member.undoneBy);
        table.rows.push_back({timeCell(effect.startedAt), moneyCell(effect.business.amount),
            textCell(effect.business.payee), textCell(effect.business.order),
            textCell(effect.reference), textCell(effect.runId), effect.seq, effect.attempt,
            textCell(effect.tool), words(effect.kind), words(effect.actionState), effect.key.hex(),
            std::string(effect.keyDerivedAtImport ? "derived at import" : "when planned"),
            effect.fingerprint.hex(), textCell(standing)});
    }
    return table;
}

ReportTable rulesTable(const Cluster &cluster)
{
    ReportTable table;
    table.id = "suspect_rules";
    table.title = "Why: rules that hit";
    table.subject = cluster.id;
    table.whenEmpty = "no rule.";
    table.columns = {{"rule", "Rule", ColumnKind::Code}, {"title", "Meaning", ColumnKind::Text},
        {"weight", "Weight of 100", ColumnKind::Number}, {"why", "Here", ColumnKind::Text}};
    for (const RuleHit &hit : cluster.rules)
        table.rows.push_back(
            {hit.rule, textCell(hit.title), std::int64_t {hit.weight}, textCell(hit.why)});
    return table;
}

std::vector<const ActionDetail *> actionsOf(const ReportEvidence &evidence, const Cluster &cluster)
{
    std::vector<const ActionDetail *> actions;
    for (const Member &member : cluster.members) {
        const ActionDetail *detail = evidence.find(member.effect.key);
        if (detail != nullptr && std::find(actions.begin(), actions.end(), detail) == actions.end())
            actions.push_back(detail);
    }
    return actions;
}

/// "S-0a1b2c3d · critical · EUR 49.00 × 2 · cus_8841": what the members share, in one line.
std::string titleOf(const Cluster &cluster)
{
    std::string title = cluster.id + " · " + std::string(name(cluster.severity));
    if (cluster.members.empty())
        return title;
    const Business &first = cluster.members.front().effect.business;
    const auto allHave = [&](auto Business::*field) {
        return std::all_of(cluster.members.begin(), cluster.members.end(),
            [&](const Member &member) { return member.effect.business.*field == first.*field; });
    };
    if (first.amount && allHave(&Business::amount))
        title += " · " + first.amount->withCode() + " × " + std::to_string(cluster.members.size());
    if (!first.payee.empty() && allHave(&Business::payee))
        title += " · " + first.payee;
    return title;
}

ReportSection caseOf(const ReportEvidence &evidence, const Cluster &cluster)
{
    ReportSection section;
    section.title = titleOf(cluster);
    section.anchor = cluster.id;
    const ReportNotice answer = answerOf(cluster);
    section.tone = answer.tone;
    section.blocks.emplace_back(answer);

    ReportFacts facts;
    facts.facts = {{"Severity and score",
                       capitalised(std::string(name(cluster.severity))) + ", "
                           + std::to_string(cluster.score) + " of at most 99"},
        {"Effects",
            humanCount(cluster.effects) + ", those in doubt included; " + humanCount(cluster.excess)
                + " more than the one that was meant"},
        {"Proof level", proofText(cluster.proof)},
        {"Would change the verdict", changesVerdict(cluster)}};
    if (cluster.gapUs)
        facts.facts.emplace_back("Between the first two", humanDuration(*cluster.gapUs));
    section.blocks.emplace_back(std::move(facts));
    section.blocks.emplace_back(effectsTable(cluster));
    section.blocks.emplace_back(rulesTable(cluster));
    section.blocks.emplace_back(ReportList {"What argues against a double",
        cluster.against.empty() ? std::vector<std::string> {"Nothing was found."}
                                : sentences(cluster.against)});
    if (!cluster.missing.empty())
        section.blocks.emplace_back(
            ReportList {"Evidence that is missing", sentences(cluster.missing)});
    const auto actions = actionsOf(evidence, cluster);
    section.blocks.emplace_back(timelineTable(evidence, actions, "suspect_timeline", cluster.id));
    section.blocks.emplace_back(attemptsTable(actions, "suspect_attempts", cluster.id));
    return section;
}

} // namespace

ReportSection suspectsSection(const ReportEvidence &evidence)
{
    ReportSection section;
    section.title = "Suspected doubles";
    if (evidence.suspects.clusters.empty()) {
        section.blocks.emplace_back(ReportParagraph {"No suspect in this scope."});
        return section;
    }
    section.blocks.emplace_back(ReportParagraph {
        "A suspect is a group of effects that may be one intention carried out more than once. It "
        "is not a verdict: each case shows what speaks for a double, what speaks against it, and "
        "what would prove it."});
    for (const Cluster &cluster : evidence.suspects.clusters)
        section.sections.push_back(caseOf(evidence, cluster));
    return section;
}

} // namespace reprise
