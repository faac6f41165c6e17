#include "core/import/import.h"
#include "core/inspect/store_reader.h"
#include "core/journal/verify.h"
#include "core/store/sqlite_store.h"
#include "tests/speed/goals.h"
#include "tests/speed/raw_store.h"
#include "tests/speed/workload.h"

#include <chrono>
#include <filesystem>

namespace reprise::speed {

namespace {

constexpr double kBytesPerKb = 1000;

/// Repeats a piece of work that answers how many operations it did; only what `work` does is timed.
Case pieces(std::function<double()> work, std::function<void()> prepare = {})
{
    return [work = std::move(work), prepare = std::move(prepare)](double seconds) {
        using Clock = std::chrono::steady_clock;
        Slice slice;
        do {
            if (prepare)
                prepare();
            const auto start = Clock::now();
            slice.operations += work();
            const std::chrono::duration<double> took = Clock::now() - start;
            slice.seconds += took.count();
        } while (slice.seconds < seconds);
        return slice;
    };
}

Row withoutLatencies(Row row)
{
    row.more.clear();
    return row;
}

constexpr std::int64_t kImportActions = 5000;

/// Records in Reprise's own format, 800 bytes of args and result in each.
std::string importText()
{
    constexpr std::size_t kHalfBytes = 400;
    std::string text;
    for (std::int64_t seq = 1; seq <= kImportActions; ++seq)
        text += R"({"run_id":"bulk-)" + std::to_string(1 + seq / 1000) + R"(","seq":)"
            + std::to_string(seq) + R"(,"tool":"charge_card","args":)" + rawPayload(seq, kHalfBytes)
            + R"(,"state":"ok","result":)" + rawPayload(-seq, kHalfBytes)
            + R"(,"started_at":"2026-11-30T14:03:22.418Z","ended_at":"2026-11-30T14:03:22.618Z"})"
            + "\n";
    return text;
}

double fileBytes(const std::string &path)
{
    return static_cast<double>(std::filesystem::file_size(path));
}

/// A store that is made anew for every piece of work.
struct FreshStore
{
    SystemClock clock {};
    SystemRandom random {};
    std::string path {};
    std::unique_ptr<Store> store {};

    void make()
    {
        drop();
        path = newPath("import");
        store = must(SqliteStore::create(path, StoreKind::Live, {clock, random}));
    }
    void drop()
    {
        store.reset();
        if (!path.empty())
            std::filesystem::remove(path);
    }
};

} // namespace

std::vector<Row> measureVerify(const Settings &settings)
{
    constexpr std::int64_t kActions = 20'000;
    const std::string path = largeStore(kActions);
    const auto reader = must(StoreReader::open(path));
    const std::string storeId = must(reader->info()).storeId;
    const auto series = interleaved(settings.effort,
        {pieces([&] {
             const Verification found = must(verifyStore(*reader, {}));
             if (!found.ok)
                 stopFor(
                     {ErrorCode::StoreDamaged, "a store made for measuring is damaged", path, {}});
             return static_cast<double>(found.entries);
         }),
            pieces([&] { return static_cast<double>(rawScanAndHash(path, storeId)); })});
    Row row = withoutLatencies(
        ratesRow("entries verified / scanned and hashed by hand", series[0], series[1], 0.5));
    row.more = {{"actions", static_cast<double>(kActions)}};
    return {row};
}

std::vector<Row> measureImport(const Settings &settings)
{
    const std::string text = importText();
    const ImportMapping mapping = ImportMapping::builtIn();
    const std::string fileName = "records.jsonl";
    const auto read = [&] { return must(readRecords(text, fileName, "jsonl", mapping)); };
    const ImportBatch batch = read();
    FreshStore fresh;
    const auto write = [&](const ImportBatch &records) {
        const ImportSummary summary
            = must(writeImport(*fresh.store, fresh.clock, records, fileName, mapping));
        return static_cast<double>(summary.actions);
    };
    std::string rawPath;
    const auto series = interleaved(settings.effort,
        {pieces([&] { return write(batch); }, [&] { fresh.make(); }),
            pieces([&] { return write(read()); }, [&] { fresh.make(); }),
            pieces(
                [&] {
                    rawBulkInsert(rawPath, kImportActions);
                    return static_cast<double>(kImportActions);
                },
                [&] {
                    if (!rawPath.empty())
                        std::filesystem::remove(rawPath);
                    rawPath = newPath("raw");
                })});
    std::vector<Row> rows;
    rows.push_back(withoutLatencies(
        ratesRow("actions written / inserted by hand", series[0], series[2], 0.6)));
    rows.push_back(withoutLatencies(
        ratesRow("actions read from a file and written", series[1], series[2], 0)));
    rows.back().bound = Row::Wanted::Nothing;

    fresh.make();
    fresh.store.reset();
    const double empty = fileBytes(fresh.path);
    fresh.make();
    (void)write(batch);
    fresh.store.reset(); // the log goes into the file
    Row size;
    size.name = "file an action of 800 bytes";
    size.unit = "kB";
    size.reprise = (fileBytes(fresh.path) - empty) / kImportActions / kBytesPerKb;
    size.floor = fileBytes(rawPath) / kImportActions / kBytesPerKb;
    size.ratio.median = size.ratio.low = size.ratio.high = size.reprise;
    size.wanted = 1.15;
    size.bound = Row::Wanted::AtMost;
    rows.push_back(size);
    fresh.drop();
    return rows;
}

} // namespace reprise::speed
