#include "tests/speed/counting_vfs.h"
#include "tests/speed/goals.h"
#include "tests/speed/raw_store.h"
#include "tests/speed/workload.h"

namespace reprise::speed {

namespace {

constexpr std::int64_t kActions = 5000;

/// The same keys in the same order as `Workload::replay`.
std::int64_t seqOf(std::uint64_t turn)
{
    constexpr std::uint64_t kStep = 7919;
    return static_cast<std::int64_t>(turn * kStep % kActions) + 1;
}

} // namespace

std::vector<Row> measureReplay(const Settings &settings)
{
    Workload workload(newPath("store"));
    RawStore raw(newPath("raw"), RawSync::Normal);
    {
        const FlushingScope fast(false);
        workload.stock(kActions);
        while (workload.executeNext()) { }
        for (std::int64_t seq = 1; seq <= kActions; ++seq)
            raw.execute("run-1", seq);
    }
    std::uint64_t turn = 0;
    const auto cases = [&](const std::function<void()> &ours, const std::function<void()> &floor) {
        const auto repeated = [](const std::function<void()> &once) -> Case {
            return [once](double seconds) {
                return repeat(seconds, [&] {
                    once();
                    return true;
                });
            };
        };
        return interleaved(settings.effort, {repeated(ours), repeated(floor)});
    };
    const auto noted = [&] {
        return cases([&] { workload.replay(++turn, kActions); },
            [&] { raw.replay(raw.key("run-1", seqOf(++turn))); });
    };
    std::vector<Row> rows;
    const auto durable = noted();
    rows.push_back(
        ratesRow("with its journal row / read and NORMAL by hand", durable[0], durable[1], 0.6));
    {
        const FlushingScope fast(false);
        const auto processor = noted();
        rows.push_back(
            ratesRow("with its journal row, synchronous=OFF", processor[0], processor[1], 0.6));
    }
    const auto alone = cases([&] { workload.lookUp(++turn, kActions); },
        [&] { (void)raw.lookUp(raw.key("run-1", seqOf(++turn))); });
    rows.push_back(ratesRow("look-up alone", alone[0], alone[1], 0.4));
    return rows;
}

} // namespace reprise::speed
