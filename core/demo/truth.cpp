#include "core/demo/truth.h"

#include "core/model/money.h"

#include <algorithm>
#include <map>

namespace reprise {

namespace {

Json memberToJson(const ActionName &action)
{
    return Json().set("run_id", action.runId).set("seq", action.seq);
}

Json membersToJson(const std::vector<ActionName> &members)
{
    Json list = Json::array();
    for (const ActionName &member : members)
        list.push(memberToJson(member));
    return list;
}

using Effects = std::map<ActionName, std::vector<const LedgerLine *>>;

Result<std::optional<Double>> doubleOf(const Intention &intention, const Effects &effects)
{
    Double found {intention.cause, {}, {}, {}};
    const LedgerLine *first = nullptr;
    for (const ActionName &member : intention.members) {
        const auto lines = effects.find(member);
        if (lines == effects.end())
            continue;
        found.members.push_back(member);
        for (const LedgerLine *line : lines->second) {
            found.references.push_back(line->reference);
            if (first == nullptr) {
                first = line;
                found.excess = {line->amount->currency, 0};
                continue;
            }
            if (line->amount->currency != found.excess.currency)
                return fail(
                    ErrorCode::Internal, "one intention in two currencies", intention.cause);
            found.excess.minor += line->amount->minor;
        }
    }
    return found.references.size() > 1 ? std::optional(std::move(found)) : std::nullopt;
}

} // namespace

Result<Truth> findTruth(const std::vector<LedgerLine> &ledger, std::vector<Intention> intentions,
    std::vector<LookAlike> lookAlikes, const std::vector<ActionName> &inDoubt)
{
    // A double is about money: a mail that went out twice costs nobody anything.
    Effects effects;
    std::map<ActionName, bool> landed;
    for (const LedgerLine &line : ledger) {
        landed[{line.runId, line.seq}] = true;
        if (line.amount)
            effects[{line.runId, line.seq}].push_back(&line);
    }
    for (const auto &[action, lines] : effects) {
        const bool named = std::any_of(
            intentions.begin(), intentions.end(), [&, name = &action](const Intention &intention) {
                return std::find(intention.members.begin(), intention.members.end(), *name)
                    != intention.members.end();
            });
        if (!named && lines.size() > 1)
            intentions.push_back({"one seq was carried out more than once", {action}});
    }

    Truth truth;
    std::map<std::string, std::int64_t> excess;
    for (const Intention &intention : intentions) {
        ASSIGN_OR_RETURN(auto found, doubleOf(intention, effects));
        if (!found)
            continue;
        excess[found->excess.currency] += found->excess.minor;
        truth.doubles.push_back(std::move(*found));
    }
    for (const auto &[currency, minor] : excess)
        truth.atRisk.push_back({currency, minor});
    for (const ActionName &action : inDoubt)
        truth.inDoubt.push_back({action, landed.contains(action)});
    for (const LookAlike &alike : lookAlikes) {
        for (const Double &real : truth.doubles) {
            const auto inReal = [&](const ActionName &member) {
                return std::find(real.members.begin(), real.members.end(), member)
                    != real.members.end();
            };
            if (std::any_of(alike.members.begin(), alike.members.end(), inReal))
                return fail(ErrorCode::Internal, "a look-alike is a double: " + alike.why,
                    alike.members.front().runId);
        }
    }
    truth.lookAlikes = std::move(lookAlikes);
    return truth;
}

Json Truth::toJson(std::uint64_t seed) const
{
    Json json;
    json.set("seed", Json::number(std::to_string(seed)));
    Json list = Json::array();
    for (const Double &one : doubles) {
        Json references = Json::array();
        for (const std::string &reference : one.references)
            references.push(reference);
        list.push(Json()
                      .set("cause", one.cause)
                      .set("members", membersToJson(one.members))
                      .set("provider_refs", std::move(references))
                      .set("excess", moneyToJson(one.excess)));
    }
    json.set("doubles", std::move(list));
    list = Json::array();
    for (const Open &open : inDoubt)
        list.push(memberToJson(open.action).set("landed", open.landed));
    json.set("in_doubt", std::move(list));
    list = Json::array();
    for (const LookAlike &alike : lookAlikes)
        list.push(Json().set("why", alike.why).set("members", membersToJson(alike.members)));
    json.set("look_alikes", std::move(list));
    list = Json::array();
    for (const Money &money : atRisk)
        list.push(moneyToJson(money));
    json.set("at_risk", std::move(list));
    return json;
}

} // namespace reprise
