#pragma once

#include "core/inspect/store_reader.h"
#include "core/suspects/suspects.h"
#include "ui/models/columns_model.h"
#include "ui/tasks/suspect_search.h"

namespace reprise::ui {

using RunsModel = ColumnsModel<RunRow>;
using SeqsModel = ColumnsModel<ActionRow>;
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
};

/// `suspects` is asked while painting; it outlives the model.
[[nodiscard]] RunsModel *makeRunsModel(const SuspectSearch &suspects, QObject *parent);
[[nodiscard]] SeqsModel *makeSeqsModel(QObject *parent);
/// The same rows with the run in front, for lists over many runs.
[[nodiscard]] SeqsModel *makeInDoubtModel(QObject *parent);
[[nodiscard]] AttemptsModel *makeAttemptsModel(QObject *parent);
[[nodiscard]] SuspectsModel *makeSuspectsModel(QObject *parent);

/// The sort that a column of the Runs table stands for, if it stands for one.
[[nodiscard]] std::optional<RunSort> sortOf(RunColumn column);

} // namespace reprise::ui
