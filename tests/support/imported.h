#pragma once

#include "core/import/import.h"
#include "core/inspect/store_reader.h"
#include "core/store/sqlite_store.h"
#include "tests/support/scripted_runner.h"

#include <QFile>
#include <QTemporaryDir>

#include <memory>
#include <string>

namespace reprise::test {

/// Records of another system in a store on disk, and a reader of that store.
struct Imported
{
    QTemporaryDir folder;
    FakeClock clock;
    SeededRandom random {11};
    std::string storePath = folder.filePath(QStringLiteral("s.db")).toStdString();
    Result<ImportSummary> summary = fail(ErrorCode::Internal, "nothing was imported");
    std::unique_ptr<StoreReader> reader;

    Imported(const std::string &bytes, const std::string &fileName, const std::string &format = {})
    {
        {
            auto store = SqliteStore::create(storePath, StoreKind::Live, {clock, random});
            summary = read(**store, bytes, fileName, format);
        }
        reader = std::move(*StoreReader::open(storePath));
    }
    Result<ImportSummary> read(Store &store, const std::string &bytes, const std::string &fileName,
        const std::string &format)
    {
        const ImportMapping mapping = ImportMapping::builtIn();
        ASSIGN_OR_RETURN(const auto batch, readRecords(bytes, fileName, format, mapping));
        return writeImport(store, clock, batch, fileName, mapping);
    }
    std::vector<std::string> runIds() const
    {
        std::vector<std::string> ids;
        RunQuery query;
        query.sort = RunSort::RunId;
        query.descending = false;
        const auto page = reader->runs(query);
        for (const RunRow &row : page->rows)
            ids.push_back(row.run.runId);
        return ids;
    }
    ActionDetail action(const std::string &run, std::int64_t seq) const
    {
        const auto key = reader->keyOf(*RunId::parse(run), *Seq::of(seq));
        return key && *key ? reader->action(**key)->value_or(ActionDetail {}) : ActionDetail {};
    }
    std::string body(const std::optional<Digest> &digest) const
    {
        return digest ? reader->body(*digest)->value_or("") : std::string();
    }
};

/// All bytes of a file; empty where there is none.
inline std::string bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace reprise::test
