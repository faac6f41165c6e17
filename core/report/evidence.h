#pragma once

#include "core/base/result.h"
#include "core/inspect/store_reader.h"
#include "core/journal/verify.h"
#include "core/report/report.h"
#include "core/suspects/suspects.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What a report is made of, read from the store once. The document is then composed from these
/// values alone (compose.h).
namespace reprise {

/// An operator's or a probe's decision on an action in doubt, from the journal.
struct DecisionRow
{
    std::string runId;
    std::int64_t seq = 0;
    Time at;
    Settled settled;
};

/// Bytes that a cited action refers to.
struct CitedBody
{
    Digest sha256;
    std::int64_t size = 0;
    std::optional<std::string> bytes; ///< nothing: pruned, or beyond the bound
    std::vector<std::string> usedAs; ///< "args of run-1 seq 5"
    std::string leftOut; ///< why there are no bytes
};

/// When an action was planned, from the journal.
struct PlannedAt
{
    std::int64_t entry = 0;
    Time at;
};

struct ReportEvidence
{
    StoreInfo store;
    std::string storeName; ///< base name of the store's file
    std::string access;
    std::vector<EvidenceFile> files; ///< as found before anything was read
    bool filesUnchanged = true; ///< the same after the report's data had been read
    Verification chain;
    RunTotals totals; ///< of the whole store
    SuspectReport suspects; ///< clusters of the scope only
    std::int64_t suspectsInScope = 0; ///< also where not all of them are listed
    std::int64_t suspectsInStore = 0;
    std::vector<Money> atRisk; ///< of all suspects of the scope, one a currency
    std::optional<RunRow> run; ///< for a report about one run
    std::vector<RunRow> runs; ///< for a report about the store: the newest, at most kRunsMax
    std::vector<ActionRow> inDoubt; ///< of the scope, now in doubt or in flight
    std::vector<ActionDetail> actions; ///< cited actions: run and seq order, at most kActionsMax
    std::map<Key, std::size_t> actionAt; ///< position in `actions`
    std::vector<Json> actionJson; ///< as `show --json` prints them, in the order of `actions`
    std::vector<CitedBody> bodies;
    std::vector<DecisionRow> decisions;
    std::vector<JournalRow> journal; ///< entries of cited actions and their runs
    std::map<Key, PlannedAt> planned;
    std::vector<std::string> leftOut; ///< what a bound cut off, in words

    [[nodiscard]] const ActionDetail *find(const Key &key) const
    {
        const auto found = actionAt.find(key);
        return found == actionAt.end() ? nullptr : &actions[found->second];
    }
};

/// Bounds of one report. What they cut off is named in the report.
inline constexpr std::int64_t kRunsMax = 1000;
inline constexpr std::size_t kSuspectsMax = 200;
inline constexpr std::size_t kActionsMax = 2000;
inline constexpr std::int64_t kInDoubtMax = 500;
inline constexpr std::size_t kDecisionsMax = 1000;
inline constexpr std::size_t kJournalRowsMax = 20'000;
inline constexpr std::int64_t kBodyBytesMax = 4'194'304; ///< of one body
inline constexpr std::int64_t kBodiesBytesMax = 67'108'864; ///< of all bodies together

/// Reads what the scope needs, given the suspects of the whole store. Leaves `files` and `chain` to
/// the caller. NotFound for a run or suspect that is not there; Cancelled.
[[nodiscard]] Result<ReportEvidence> gatherEvidence(
    StoreReader &reader, const ReportRequest &request, SuspectReport suspects);

} // namespace reprise
