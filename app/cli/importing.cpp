#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/support.h"
#include "core/base/file.h"
#include "core/import/import.h"
#include "core/inspect/text_table.h"
#include "core/store/sqlite_store.h"

#include <filesystem>
#include <iostream>

namespace reprise::cli {

namespace {

Result<ImportMapping> mappingFor(const ImportOptions &options)
{
    if (options.mapping.empty())
        return ImportMapping::builtIn();
    ASSIGN_OR_RETURN(const std::string text, readFile(options.mapping));
    return ImportMapping::parse(text, options.mapping);
}

/// Every file is read before anything is written: a bad one leaves the store as it was.
Result<std::vector<ImportFile>> readAll(const ImportOptions &options, const ImportMapping &mapping)
{
    std::vector<ImportFile> files;
    for (const std::string &path : options.files) {
        ASSIGN_OR_RETURN(const std::string bytes, readFile(path));
        ASSIGN_OR_RETURN(ImportBatch batch, readRecords(bytes, path, options.format, mapping));
        files.push_back({std::filesystem::path(path).filename().string(), std::move(batch)});
    }
    return files;
}

Result<ImportSummary> importAll(const ImportOptions &options)
{
    ASSIGN_OR_RETURN(const ImportMapping mapping, mappingFor(options));
    ASSIGN_OR_RETURN(auto files, readAll(options, mapping));
    const bool isNew = !std::filesystem::exists(options.into);
    auto store = isNew
        ? SqliteStore::create(options.into, StoreKind::Live, {systemClock(), systemRandom()})
        : openLiveStore(options.into);
    if (!store)
        return tl::unexpected(store.error());
    auto summary = writeImport(**store, systemClock(), std::move(files), mapping);
    if (!summary && isNew) {
        // A store that this command made does not stay behind empty.
        store->reset();
        for (const char *suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(options.into + suffix);
    }
    return summary;
}

} // namespace

int importCommand(const ImportOptions &options)
{
    const auto summary = importAll(options);
    if (!summary)
        return report(summary.error());
    for (const std::string &warning : summary->warnings)
        std::cerr << "reprise: note: " << printable(warning, 500) << '\n';
    if (options.json) {
        Json warnings = Json::array();
        for (const std::string &warning : summary->warnings)
            warnings.push(warning);
        print(Json()
                  .set("into", options.into)
                  .set("format", summary->format)
                  .set("runs", summary->runs)
                  .set("actions", summary->actions)
                  .set("attempts", summary->attempts)
                  .set("warnings", std::move(warnings)));
    } else {
        std::cout << "imported (" << summary->format
                  << "): " << counted(summary->runs, "run", "runs") << ", "
                  << counted(summary->actions, "action", "actions") << ", "
                  << counted(summary->attempts, "attempt", "attempts") << "\n"
                  << "Keys were derived at import; no planner assigned them.\n";
    }
    return kDone;
}

} // namespace reprise::cli
