#include "core/suspects/effect_set.h"
#include "core/suspects/suspects.h"

#include <algorithm>
#include <utility>

namespace reprise {

namespace {

Json texts(const std::vector<std::string> &list)
{
    Json json = Json::array();
    for (const std::string &text : list)
        json.push(text);
    return json;
}

Json memberToJson(const Member &member)
{
    const Effect &effect = member.effect;
    Json json;
    json.set("run_id", effect.runId).set("seq", effect.seq).set("key", effect.key.hex());
    json.set("attempt", effect.attempt).set("tool", effect.tool);
    json.set("amount", effect.business.amount ? moneyToJson(*effect.business.amount) : Json());
    json.set("payee", effect.business.payee).set("order", effect.business.order);
    json.set("provider_ref", effect.reference);
    json.set("at", effect.startedAt ? Json(effect.startedAt->rfc3339()) : Json());
    json.set("effect", member.live && !member.countedBefore).set("in_doubt", effect.inDoubt);
    json.set("undone_by", member.undoneBy).set("stands_beside", member.standsBeside);
    json.set("locator", effect.locator);
    return json;
}

Json clusterToJson(const Cluster &cluster)
{
    Json json;
    json.set("id", cluster.id).set("severity", std::string(name(cluster.severity)));
    json.set("score", cluster.score).set("proof", std::string(1, letter(cluster.proof)));
    json.set("status", cluster.offset ? "offset" : "open");
    Json rules = Json::array();
    for (const RuleHit &hit : cluster.rules)
        rules.push(
            Json()
                .set("id", hit.rule)
                .set("title", hit.title)
                .set("explanation", hit.explanation)
                .set("weight", Json::number(canonicalDecimal(std::to_string(hit.weight) + "e-2")))
                .set("why", hit.why));
    json.set("rules", std::move(rules));
    json.set("same", texts(cluster.same)).set("different", texts(cluster.different));
    json.set("against", texts(cluster.against)).set("missing", texts(cluster.missing));
    Json members = Json::array();
    for (const Member &member : cluster.members)
        members.push(memberToJson(member));
    json.set("members", std::move(members));
    Json risk = Json::array();
    for (const Money &money : cluster.atRisk)
        risk.push(moneyToJson(money));
    json.set("at_risk", std::move(risk));
    json.set("effects", cluster.effects).set("excess", cluster.excess);
    json.set("gap_us", cluster.gapUs);
    return json;
}

/// Rounded down: a search that was stopped never looks complete.
std::int64_t tenThousandths(double share)
{
    return static_cast<std::int64_t>(share * 10'000);
}

std::string percent(double share)
{
    return std::to_string(tenThousandths(share) / 100) + " %";
}

/// 0 to 1 with at most four decimals, as JSON.
Json shareToJson(double share)
{
    return Json::number(canonicalDecimal(std::to_string(tenThousandths(share)) + "e-4"));
}

std::string counted(std::int64_t number, const char *one, const char *many)
{
    return std::to_string(number) + " " + (number == 1 ? one : many);
}

void appendLines(std::string &out, const char *label, const std::vector<std::string> &lines)
{
    for (const std::string &line : lines)
        out += std::string("  ") + label + line + "\n";
}

std::string joined(const std::vector<std::string> &list)
{
    std::string out;
    for (const std::string &text : list)
        out += (out.empty() ? "" : ", ") + text;
    return out.empty() ? "nothing" : out;
}

std::string memberLine(const Member &member)
{
    const Effect &effect = member.effect;
    std::string line = "    " + nameOf(effect) + "  " + printable(effect.tool, 60);
    if (effect.business.amount)
        line += "  " + effect.business.amount->withCode();
    if (effect.startedAt)
        line += "  " + effect.startedAt->rfc3339();
    if (effect.inDoubt)
        line += "  IN DOUBT";
    if (!member.undoneBy.empty())
        line += (member.live ? "  refunded in part by " : "  undone by ") + member.undoneBy;
    if (member.countedBefore)
        line += "  same reference: counted once";
    if (member.standsBeside)
        line += "  stands beside them";
    if (!effect.locator.empty())
        line += "  [" + printable(effect.locator, 80) + "]";
    return line + "\n";
}

std::string clusterText(const Cluster &cluster)
{
    std::string out = cluster.id + "  " + std::string(name(cluster.severity)) + "  score "
        + std::to_string(cluster.score) + "  proof " + letter(cluster.proof) + "  "
        + counted(cluster.effects, "effect", "effects") + ", excess "
        + std::to_string(cluster.excess);
    for (const Money &money : cluster.atRisk)
        out += "  at risk " + money.withCode();
    if (cluster.offset)
        out += "  offset";
    out += "\n";
    for (const RuleHit &hit : cluster.rules)
        out += "  " + hit.rule + " " + hit.title + ": " + hit.why + "\n";
    out += "  same: " + joined(cluster.same) + "; different: " + joined(cluster.different) + "\n";
    appendLines(out, "against: ", cluster.against);
    appendLines(out, "to prove: ", cluster.missing);
    for (const Member &member : cluster.members)
        out += memberLine(member);
    return out;
}

/// One line for each reason.
std::string rulesNotRunText(const std::vector<RuleNotRun> &rules)
{
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const RuleNotRun &rule : rules) {
        const auto known = std::find_if(reasons.begin(), reasons.end(),
            [&](const auto &reason) { return reason.first == rule.why; });
        if (known == reasons.end())
            reasons.emplace_back(rule.why, rule.rule);
        else
            known->second += ", " + rule.rule;
    }
    std::string out;
    for (const auto &[why, ids] : reasons)
        out.append("rules not run: ").append(ids).append(": ").append(why).append("\n");
    return out;
}

} // namespace

std::string_view name(Severity severity)
{
    switch (severity) {
    case Severity::Critical:
        return "critical";
    case Severity::High:
        return "high";
    case Severity::Medium:
        return "medium";
    case Severity::Low:
        return "low";
    case Severity::Info:
        return "info";
    }
    return "?";
}

char letter(Proof proof)
{
    return proof == Proof::A ? 'A' : proof == Proof::B ? 'B' : 'C';
}

Json suspectsToJson(const SuspectReport &report)
{
    Json clusters = Json::array();
    for (const Cluster &cluster : report.clusters)
        clusters.push(clusterToJson(cluster));
    Json notRun = Json::array();
    for (const RuleNotRun &rule : report.rulesNotRun)
        notRun.push(Json().set("id", rule.rule).set("why", rule.why));
    return Json()
        .set("clusters", std::move(clusters))
        .set("rules_not_run", std::move(notRun))
        .set("rules_version", report.rulesVersion)
        .set("runs_checked", report.runsChecked)
        .set("effects_checked", report.effectsChecked)
        .set("coverage", shareToJson(report.coverage));
}

std::string suspectsText(const SuspectReport &report)
{
    std::string out;
    for (const Cluster &cluster : report.clusters)
        out += clusterText(cluster) + "\n";
    out += counted(static_cast<std::int64_t>(report.clusters.size()), "suspect", "suspects") + "; "
        + counted(report.runsChecked, "run", "runs") + " and "
        + counted(report.effectsChecked, "effect", "effects") + " checked";
    if (report.coverage < 1)
        out += "; stopped at " + percent(report.coverage) + ": results are partial";
    out += "\n" + rulesNotRunText(report.rulesNotRun);
    return out;
}

} // namespace reprise
