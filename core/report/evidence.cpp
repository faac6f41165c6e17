#include "core/report/evidence.h"

#include "core/base/bytes.h"
#include "core/inspect/show_json.h"
#include "core/inspect/text_table.h"
#include "core/report/visible_text.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_set>

namespace reprise {

namespace {

constexpr std::int64_t kPage = 1000;

/// Finds an action's key in a journal payload without parsing it: the scan reads every entry of the
/// store, and a report cites few of them. Payloads are canonical JSON, so the spelling is fixed.
std::string_view keyIn(std::string_view payload)
{
    constexpr std::string_view mark = "\"key\":\"";
    const std::size_t at = payload.find(mark);
    return at == std::string_view::npos ? std::string_view() : payload.substr(at + mark.size(), 64);
}

/// Sums by currency: currencies are never mixed.
std::vector<Money> atRiskOf(const std::vector<Cluster> &clusters)
{
    std::map<std::string, std::int64_t> sums;
    for (const Cluster &cluster : clusters) {
        for (const Money &money : cluster.atRisk) {
            std::int64_t &sum = sums[money.currency];
            if (__builtin_add_overflow(sum, money.minor, &sum))
                sum = INT64_MAX; // no store holds so much; a wrapped sum would look harmless
        }
    }
    std::vector<Money> amounts;
    amounts.reserve(sums.size());
    for (const auto &[currency, minor] : sums)
        amounts.push_back({currency, minor});
    return amounts;
}

class Gatherer
{
public:
    Gatherer(StoreReader &reader, const ReportRequest &request, SuspectReport suspects)
        : m_reader(reader)
        , m_request(request)
    {
        m_out.suspects = std::move(suspects);
    }

    Result<ReportEvidence> gather()
    {
        ASSIGN_OR_RETURN(m_out.store, m_reader.info());
        m_out.storeName = std::filesystem::path(m_reader.path()).filename().string();
        m_out.access = m_reader.access();
        ASSIGN_OR_RETURN(m_out.totals, m_reader.totals({}));
        RETURN_IF_ERROR(readScope());
        RETURN_IF_ERROR(readActions());
        RETURN_IF_ERROR(readBodies());
        RETURN_IF_ERROR(readJournal());
        return std::move(m_out);
    }

private:
    [[nodiscard]] Result<void> stopIfAsked() const
    {
        if (m_request.stop != nullptr && *m_request.stop)
            return fail(ErrorCode::Cancelled, "stopped; no report was written");
        return {};
    }

    /// Narrows the suspects to the scope and collects the keys that the report cites.
    Result<void> readScope()
    {
        m_out.suspectsInStore = static_cast<std::int64_t>(m_out.suspects.clusters.size());
        if (m_request.scope.suspectId)
            return readSuspectScope(*m_request.scope.suspectId);
        if (m_request.scope.runId)
            return readRunScope(*m_request.scope.runId);
        RunQuery newest;
        newest.limit = kRunsMax;
        ASSIGN_OR_RETURN(RunPage page, m_reader.runs(newest));
        m_out.runs = std::move(page.rows);
        noteCut("runs", static_cast<std::int64_t>(m_out.runs.size()), m_out.totals.runs);
        keepSuspects([](const Cluster &) { return true; });
        ASSIGN_OR_RETURN(m_out.inDoubt, m_reader.actionsInDoubt(kInDoubtMax));
        noteCut("actions in doubt", static_cast<std::int64_t>(m_out.inDoubt.size()),
            m_out.totals.inDoubt);
        citeInDoubt();
        return {};
    }

    Result<void> readSuspectScope(const std::string &id)
    {
        keepSuspects([&](const Cluster &cluster) { return cluster.id == id; });
        if (m_out.suspects.clusters.empty())
            return fail(ErrorCode::NotFound, "no such suspect in this store",
                "suspect " + printable(id, 80), "`reprise suspects` lists them");
        for (const auto &[run, seq, key] : m_cited) {
            ASSIGN_OR_RETURN(const auto detail, m_reader.action(key));
            if (detail
                && (detail->row.state == ActionState::InDoubt
                    || detail->row.state == ActionState::InFlight))
                m_out.inDoubt.push_back(detail->row);
        }
        return {};
    }

    Result<void> readRunScope(const std::string &id)
    {
        ASSIGN_OR_RETURN(const RunId run, RunId::parse(id));
        ASSIGN_OR_RETURN(m_out.run, m_reader.run(run));
        if (!m_out.run)
            return fail(ErrorCode::NotFound, "no such run in this store",
                "run " + printable(id, 80), "`reprise ls` lists the runs");
        for (std::int64_t after = -1; m_cited.size() < kActionsMax;) {
            RETURN_IF_ERROR(stopIfAsked());
            const auto left = static_cast<std::int64_t>(kActionsMax - m_cited.size());
            const std::int64_t limit = std::min(kPage, left);
            ASSIGN_OR_RETURN(const auto page, m_reader.actions(run, after, limit));
            for (const ActionRow &row : page) {
                m_cited.emplace(row.runId, row.seq, row.key);
                if (row.state == ActionState::InDoubt || row.state == ActionState::InFlight)
                    m_out.inDoubt.push_back(row);
                after = row.seq;
            }
            if (static_cast<std::int64_t>(page.size()) < limit)
                break;
        }
        noteCut(
            "actions of the run", static_cast<std::int64_t>(m_cited.size()), m_out.run->actions);
        keepSuspects([&](const Cluster &cluster) {
            return std::any_of(cluster.members.begin(), cluster.members.end(),
                [&](const Member &member) { return member.effect.runId == id; });
        });
        return {};
    }

    template <typename Keep> void keepSuspects(Keep keep)
    {
        std::vector<Cluster> &clusters = m_out.suspects.clusters;
        clusters.erase(std::remove_if(clusters.begin(), clusters.end(),
                           [&](const Cluster &cluster) { return !keep(cluster); }),
            clusters.end());
        m_out.suspectsInScope = static_cast<std::int64_t>(clusters.size());
        m_out.atRisk = atRiskOf(clusters);
        if (clusters.size() > kSuspectsMax) {
            noteCut("suspects, the highest ranked", kSuspectsMax, m_out.suspectsInScope);
            clusters.resize(kSuspectsMax);
        }
        for (const Cluster &cluster : clusters)
            for (const Member &member : cluster.members)
                m_cited.emplace(member.effect.runId, member.effect.seq, member.effect.key);
    }

    void citeInDoubt()
    {
        for (const ActionRow &row : m_out.inDoubt)
            m_cited.emplace(row.runId, row.seq, row.key);
    }

    void noteCut(const std::string &what, std::int64_t shown, std::int64_t all)
    {
        if (shown < all)
            m_out.leftOut.push_back(
                humanCount(shown) + " of " + humanCount(all) + " " + what + " are listed.");
    }

    Result<void> readActions()
    {
        noteCut("cited actions", static_cast<std::int64_t>(std::min(m_cited.size(), kActionsMax)),
            static_cast<std::int64_t>(m_cited.size()));
        for (const auto &[run, seq, key] : m_cited) {
            if (m_out.actions.size() >= kActionsMax)
                break;
            RETURN_IF_ERROR(stopIfAsked());
            ASSIGN_OR_RETURN(auto detail, m_reader.action(key));
            if (!detail)
                return fail(
                    ErrorCode::StoreDamaged, "an effect has no action record", "key " + key.hex());
            ASSIGN_OR_RETURN(Json json, showActionJson(m_reader, *detail));
            m_out.actionAt[key] = m_out.actions.size();
            m_out.actions.push_back(std::move(*detail));
            m_out.actionJson.push_back(std::move(json));
        }
        return {};
    }

    Result<void> readBodies()
    {
        for (const ActionDetail &detail : m_out.actions) {
            const std::string of
                = " of " + visibleText(detail.row.runId) + " seq " + std::to_string(detail.row.seq);
            RETURN_IF_ERROR(cite(detail.row.args, "args" + of));
            if (detail.result)
                RETURN_IF_ERROR(cite(detail.result->body, "recorded result" + of));
            RETURN_IF_ERROR(cite(detail.acceptance, "acceptance check" + of));
            for (const AttemptRow &attempt : detail.attempts) {
                const std::string here = of + ", attempt " + std::to_string(attempt.n);
                if (attempt.result)
                    RETURN_IF_ERROR(cite(attempt.result->body, "answer" + here));
                RETURN_IF_ERROR(cite(attempt.args, "refused args" + here));
                RETURN_IF_ERROR(cite(attempt.toolLog, "tool output" + here));
            }
        }
        return {};
    }

    Result<void> cite(const std::optional<Digest> &digest, const std::string &use)
    {
        if (!digest)
            return {};
        const auto [known, isNew] = m_bodyAt.emplace(*digest, m_out.bodies.size());
        if (!isNew) {
            m_out.bodies[known->second].usedAs.push_back(use);
            return {};
        }
        RETURN_IF_ERROR(stopIfAsked());
        CitedBody body;
        body.sha256 = *digest;
        body.usedAs = {use};
        auto bytes = m_reader.body(*digest);
        const bool damaged = !bytes && bytes.error().code == ErrorCode::StoreDamaged;
        if (!bytes && !damaged)
            return tl::unexpected(std::move(bytes).error());
        if (!damaged)
            body.bytes = std::move(*bytes);
        if (damaged) {
            body.leftOut = "left out: the bytes in the store are not the recorded ones";
        } else if (!body.bytes) {
            body.leftOut = "pruned: the store keeps the digest only";
        } else {
            body.size = static_cast<std::int64_t>(body.bytes->size());
            m_bodyBytes += body.size;
            if (body.size > kBodyBytesMax || m_bodyBytes > kBodiesBytesMax) {
                m_bodyBytes -= body.size;
                body.bytes.reset();
                body.leftOut = "left out for its size; `reprise show` prints it";
            }
        }
        m_out.bodies.push_back(std::move(body));
        return {};
    }

    /// One pass over the journal: the entries of cited actions as they stand, when each action was
    /// planned, and every decision of the scope.
    Result<void> readJournal()
    {
        std::unordered_set<std::string> keys;
        for (const ActionDetail &detail : m_out.actions)
            keys.insert(detail.row.key.hex());
        const bool wholeStore = !m_request.scope.runId && !m_request.scope.suspectId;
        std::size_t entriesOfScope = 0;
        for (std::int64_t after = 0;;) {
            RETURN_IF_ERROR(stopIfAsked());
            ASSIGN_OR_RETURN(const auto page, m_reader.journal(after, kPage));
            for (const JournalRow &row : page) {
                after = row.entry;
                const bool cited = keys.contains(std::string(keyIn(row.payload)));
                if (cited && ++entriesOfScope <= kJournalRowsMax)
                    m_out.journal.push_back(row);
                if (cited && row.kind == "action_planned")
                    notePlanned(row);
                if (row.kind == "settled" && (cited || wholeStore))
                    RETURN_IF_ERROR(noteDecision(row));
            }
            if (page.size() < static_cast<std::size_t>(kPage))
                break;
        }
        noteCut("journal entries of cited actions", static_cast<std::int64_t>(m_out.journal.size()),
            static_cast<std::int64_t>(entriesOfScope));
        noteCut("decisions", static_cast<std::int64_t>(m_out.decisions.size()), m_decisions);
        return {};
    }

    void notePlanned(const JournalRow &row)
    {
        if (const auto key = Key::parse(keyIn(row.payload)))
            m_out.planned[*key] = {row.entry, row.at};
    }

    Result<void> noteDecision(const JournalRow &row)
    {
        const auto event = Event::decode(row.kind, row.at, row.payload);
        // A payload that cannot be read is a finding of the chain check, not the end of the report.
        if (!event || ++m_decisions > static_cast<std::int64_t>(kDecisionsMax))
            return {};
        DecisionRow decision;
        decision.at = row.at;
        decision.settled = std::get<Settled>(event->body);
        ASSIGN_OR_RETURN(const auto action, m_reader.action(decision.settled.key));
        if (action) {
            decision.runId = action->row.runId;
            decision.seq = action->row.seq;
        }
        m_out.decisions.push_back(std::move(decision));
        return {};
    }

    StoreReader &m_reader;
    const ReportRequest &m_request;
    ReportEvidence m_out;
    std::set<std::tuple<std::string, std::int64_t, Key>> m_cited;
    std::map<Digest, std::size_t> m_bodyAt;
    std::int64_t m_bodyBytes = 0;
    std::int64_t m_decisions = 0;
};

} // namespace

Result<ReportEvidence> gatherEvidence(
    StoreReader &reader, const ReportRequest &request, SuspectReport suspects)
{
    return Gatherer(reader, request, std::move(suspects)).gather();
}

} // namespace reprise
