#include "core/suspects/explain.h"

#include "core/suspects/effect_set.h"

#include <algorithm>
#include <functional>

namespace reprise {

namespace {

void compareFields(Cluster &cluster)
{
    const auto field
        = [&](const std::string &name, const std::function<std::string(const Effect &)> &value) {
              bool equal = true;
              bool any = false;
              std::optional<std::string> first;
              for (const Member &member : cluster.members) {
                  if (member.standsBeside)
                      continue;
                  const std::string own = value(member.effect);
                  any = any || !own.empty();
                  equal = equal && own == first.value_or(own);
                  if (!first)
                      first = own;
              }
              if (any)
                  (equal ? cluster.same : cluster.different).push_back(name);
          };
    field("tool", [](const Effect &e) { return e.tool; });
    field("payee", [](const Effect &e) { return e.business.payee; });
    field("amount", [](const Effect &e) {
        return e.business.amount ? e.business.amount->withCode() : std::string();
    });
    field("order", [](const Effect &e) { return e.business.order; });
    field("arguments", [](const Effect &e) { return e.fingerprint.hex(); });
    field("run", [](const Effect &e) { return e.runId; });
    field("key", [](const Effect &e) { return e.key.hex(); });
    field("provider reference", [](const Effect &e) { return e.reference; });
}

void argueAgainst(Cluster &cluster, std::size_t most)
{
    for (std::size_t i = 0; i < std::min(most, cluster.members.size()); ++i) {
        const Member &member = cluster.members[i];
        if (!member.undoneBy.empty()) {
            std::string how = " was undone afterwards (";
            if (member.live)
                how = member.refundedMinor > 0
                    ? " was refunded in part afterwards: "
                        + Money {member.effect.business.amount->currency, member.refundedMinor}
                              .withCode()
                        + " ("
                    : " was refunded afterwards by an amount that cannot be compared (";
            cluster.against.push_back(nameOf(member.effect) + how + member.undoneBy + ")");
        }
        if (member.countedBefore)
            cluster.against.push_back(nameOf(member.effect)
                + " was answered with the reference of an earlier effect and is counted once");
    }
    if (cluster.offset)
        cluster.against.emplace_back("offset: what was made more than once has been undone");
}

/// What keeps a compensated double from being settled; empty where nothing does.
std::string effectsBeside(const Cluster &cluster)
{
    std::string names;
    int found = 0;
    for (const Member &member : cluster.members)
        if (member.standsBeside) {
            names += (names.empty() ? "" : "; ") + nameOf(member.effect);
            ++found;
        }
    if (found == 0)
        return {};
    const bool third = found == 1 && cluster.members.size() == 3;
    return std::string("; what was undone does not settle it: ")
        + (third            ? "a third effect of the same tool for the same "
                : found > 1 ? "further effects of the same tool for the same "
                            : "a further effect of the same tool for the same ")
        + (cluster.members.front().effect.business.payee.empty() ? "order" : "payee")
        + (found > 1 ? " stand: " : " stands: ") + names;
}

/// "USD 49.00", where all members have one amount.
std::string commonAmount(const Cluster &cluster)
{
    const auto &amount = cluster.members.front().effect.business.amount;
    const bool equal = std::all_of(cluster.members.begin(), cluster.members.end(),
        [&](const Member &member) { return member.effect.business.amount == amount; });
    return amount && equal ? amount->withCode() : std::string();
}

/// The time in which the provider may have carried the members out. A call in doubt may land until
/// its time limit, even where its caller gave up before.
std::string windowText(const Cluster &cluster)
{
    std::optional<Time> from;
    std::optional<Time> to;
    for (const Member &member : cluster.members) {
        const Effect &effect = member.effect;
        if (!effect.startedAt)
            continue;
        Time end = effect.endedAt.value_or(*effect.startedAt);
        Time limit;
        const bool fits = !__builtin_mul_overflow(effect.timeoutMs, std::int64_t {1000}, &limit.us)
            && !__builtin_add_overflow(limit.us, effect.startedAt->us, &limit.us);
        if (fits && (effect.inDoubt || !effect.endedAt))
            end = std::max(end, limit);
        from = from ? std::min(*from, *effect.startedAt) : *effect.startedAt;
        to = to ? std::max(*to, end) : end;
    }
    if (!from)
        return "at any time (the record has none)";
    return "between " + from->rfc3339() + " and " + to->rfc3339();
}

std::string nameOfMany(BusinessKind kind)
{
    switch (kind) {
    case BusinessKind::Charge:
        return "charges";
    case BusinessKind::Refund:
        return "refunds";
    case BusinessKind::Authorisation:
        return "authorisations";
    case BusinessKind::Capture:
        return "captures";
    case BusinessKind::Booking:
        return "bookings";
    case BusinessKind::Cancellation:
        return "cancellations";
    case BusinessKind::Message:
        return "messages";
    case BusinessKind::Other:
        return "effects";
    }
    return "effects";
}

void nameMissing(Cluster &cluster, std::size_t most)
{
    std::string doubtful;
    std::size_t doubts = 0;
    std::int64_t counted = 0;
    for (const Member &member : cluster.members) {
        counted += member.countedBefore ? 0 : 1;
        if (member.effect.inDoubt && ++doubts <= most)
            doubtful += (doubtful.empty() ? "" : "; ") + nameOf(member.effect);
    }
    if (doubts > most)
        doubtful += "; and " + std::to_string(doubts - most) + " more";
    if (!doubtful.empty())
        cluster.missing.push_back("the outcome of " + doubtful);
    const Business &business = cluster.members.front().effect.business;
    std::string subject;
    if (!business.order.empty())
        subject = "order " + printable(business.order, 60);
    if (!business.payee.empty())
        subject += (subject.empty() ? "payee " : ", payee ") + printable(business.payee, 60);
    if (subject.empty())
        subject = "these calls";
    if (const std::string amount = commonAmount(cluster); !amount.empty())
        subject += ", " + amount;
    cluster.missing.push_back("the provider's lines for " + subject + ", " + windowText(cluster)
        + ": " + std::to_string(counted) + " " + nameOfMany(business.kind)
        + " show that each was carried out, 1 that one was");
    if (!business.amount)
        cluster.missing.emplace_back("the amount: no field of the arguments is known to hold it");
}

} // namespace

void explainCluster(Cluster &cluster, std::size_t most)
{
    compareFields(cluster);
    cluster.rules.front().why += effectsBeside(cluster);
    argueAgainst(cluster, most);
    nameMissing(cluster, most);
}

} // namespace reprise
