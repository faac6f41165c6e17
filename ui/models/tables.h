#pragma once

#include "core/inspect/store_reader.h"
#include "core/suspects/suspects.h"
#include "ui/models/columns_model.h"
#include "ui/tasks/suspect_search.h"

namespace reprise::ui {

using RunsModel = ColumnsModel<RunRow>;
/// An action of a run, with what its neighbours and attempts say about it.
struct SeqRow
{
    ActionRow action;
    std::optional<std::int64_t> gapUs; ///< since the action before was dispatched
    std::optional<bool> sameAnswers; ///< were all later answers the recorded one? absent: no later
};

/// Puts the actions of a run, in their order, together with their attempts.
[[nodiscard]] std::vector<SeqRow> seqRows(
    const std::vector<ActionRow> &actions, const std::vector<std::vector<AttemptRow>> &attempts);

using SeqsModel = ColumnsModel<SeqRow>;
using InDoubtModel = ColumnsModel<ActionRow>;
using AttemptsModel = ColumnsModel<AttemptRow>;
using SuspectsModel = ColumnsModel<Cluster>;

/// Columns of the Runs table, in their order.
enum class RunColumn {
    State,
    RunId,
    Label,
    Started,
    Duration,
    Seqs,
    Executed,
    Replayed,
    Again,
    InDoubt,
    Conflicts,
    Suspects,
    Worst,
    Ended,
    Revision,
    Source,
};

/// Columns of the Seqs table that change with the suspects.
inline constexpr int kSeqSuspectColumn = 15;

/// `suspects` is asked while painting; it outlives the model.
[[nodiscard]] RunsModel *makeRunsModel(const SuspectSearch &suspects, QObject *parent);
[[nodiscard]] SeqsModel *makeSeqsModel(const SuspectSearch &suspects, QObject *parent);
/// Ages are counted to `clock`, which outlives the model.
[[nodiscard]] InDoubtModel *makeInDoubtModel(
    const SuspectSearch &suspects, Clock &clock, QObject *parent);
[[nodiscard]] AttemptsModel *makeAttemptsModel(QObject *parent);
[[nodiscard]] SuspectsModel *makeSuspectsModel(QObject *parent);

/// The sort that a column of the Runs table stands for, if it stands for one.
[[nodiscard]] std::optional<RunSort> sortOf(RunColumn column);

} // namespace reprise::ui
