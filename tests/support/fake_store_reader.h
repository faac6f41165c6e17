#pragma once

#include "core/base/sha256.h"
#include "core/inspect/store_reader.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace reprise::test {

/// A store that is given as rows: for tests of what is made of answers, not of how they are found.
/// Filters are not evaluated: every run matches.
class FakeStoreReader : public StoreReader
{
public:
    std::string storePath = "payments.db";
    StoreInfo storeInfo;
    std::vector<RunRow> runRows;
    std::vector<ActionDetail> details; ///< runs and seqs ascending
    std::vector<Effect> effects;
    std::vector<JournalRow> journalRows;
    std::map<Digest, std::optional<std::string>> bodies; ///< nothing: pruned

    /// Keeps the bytes and answers their digest.
    Digest put(const std::string &bytes)
    {
        const Digest digest = Sha256::of(bytes);
        bodies[digest] = bytes;
        return digest;
    }
    ActionDetail &detailOf(const Key &key)
    {
        return *std::find_if(details.begin(), details.end(),
            [&](const ActionDetail &detail) { return detail.row.key == key; });
    }

    [[nodiscard]] const std::string &path() const override { return storePath; }
    [[nodiscard]] Result<StoreInfo> info() override { return storeInfo; }
    [[nodiscard]] std::string access() const override { return "immutable"; }
    [[nodiscard]] Result<RunPage> runs(const RunQuery &query) override
    {
        RunPage page;
        for (const RunRow &row : runRows)
            if (static_cast<std::int64_t>(page.rows.size()) < query.limit)
                page.rows.push_back(row);
        return page;
    }
    [[nodiscard]] Result<RunTotals> totals(const std::string & /*filter*/) override
    {
        RunTotals totals;
        for (const RunRow &row : runRows) {
            ++totals.runs;
            ++totals.runsInStore;
            totals.actions += row.actions;
            totals.executed += row.executed;
            totals.replayed += row.replayed;
            totals.executedAgain += row.executedAgain;
            totals.inDoubt += row.inDoubt;
            totals.conflicts += row.conflicts;
        }
        return totals;
    }
    [[nodiscard]] Result<std::optional<RunRow>> run(const RunId &run) override
    {
        for (const RunRow &row : runRows)
            if (row.run.runId == run.bytes())
                return std::optional<RunRow>(row);
        return std::optional<RunRow>();
    }
    [[nodiscard]] Result<std::vector<ActionRow>> actions(
        const RunId &run, std::int64_t afterSeq, std::int64_t limit) override
    {
        std::vector<ActionRow> rows;
        for (const ActionDetail &detail : details)
            if (detail.row.runId == run.bytes() && detail.row.seq > afterSeq
                && static_cast<std::int64_t>(rows.size()) < limit)
                rows.push_back(detail.row);
        return rows;
    }
    [[nodiscard]] Result<std::vector<ActionRow>> actionsInDoubt(std::int64_t limit) override
    {
        std::vector<ActionRow> rows;
        for (const ActionDetail &detail : details) {
            const ActionState state = detail.row.state;
            if ((state == ActionState::InDoubt || state == ActionState::InFlight)
                && static_cast<std::int64_t>(rows.size()) < limit)
                rows.push_back(detail.row);
        }
        return rows;
    }
    [[nodiscard]] Result<std::optional<ActionDetail>> action(const Key &key) override
    {
        for (const ActionDetail &detail : details)
            if (detail.row.key == key)
                return std::optional<ActionDetail>(detail);
        return std::optional<ActionDetail>();
    }
    [[nodiscard]] Result<std::optional<Key>> keyOf(const RunId &run, Seq seq) override
    {
        for (const ActionDetail &detail : details)
            if (detail.row.runId == run.bytes() && detail.row.seq == seq.value())
                return std::optional<Key>(detail.row.key);
        return std::optional<Key>();
    }
    [[nodiscard]] Result<std::vector<Key>> keysLike(
        const std::string &prefix, std::int64_t limit) override
    {
        std::vector<Key> keys;
        for (const ActionDetail &detail : details)
            if (detail.row.key.hex().starts_with(prefix)
                && static_cast<std::int64_t>(keys.size()) < limit)
                keys.push_back(detail.row.key);
        return keys;
    }
    [[nodiscard]] Result<std::optional<std::string>> body(const Digest &digest) override
    {
        const auto found = bodies.find(digest);
        if (found == bodies.end())
            return fail(ErrorCode::NotFound, "no such body", digest.hex());
        return found->second;
    }
    Result<void> forEachEffect(const std::function<bool(const Effect &)> &use) override
    {
        for (const Effect &effect : effects)
            if (!use(effect))
                break;
        return {};
    }
    [[nodiscard]] Result<std::vector<JournalRow>> journal(
        std::int64_t afterEntry, std::int64_t limit) override
    {
        std::vector<JournalRow> rows;
        for (const JournalRow &row : journalRows)
            if (row.entry > afterEntry && static_cast<std::int64_t>(rows.size()) < limit)
                rows.push_back(row);
        return rows;
    }
    [[nodiscard]] Result<bool> changedOnDisk() override { return false; }
    void interrupt() override { }
};

} // namespace reprise::test
