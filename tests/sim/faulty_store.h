#pragma once

#include "core/store/store.h"
#include "tests/sim/oracle.h"

#include <functional>
#include <memory>
#include <string>

namespace reprise::sim {

/// One process's view of the shared store, with trouble: writes that fail before they are on disk
/// and after, for one time or for a while, reads that fail, deaths around a commit. What got to the
/// disk is told to the oracle at that moment; between any two calls others may act.
class FaultyStore final : public Store
{
public:
    struct Surroundings
    {
        Oracle &oracle;
        Reached &reached;
        SeededRandom &random;
        std::function<Actor &()> actor; ///< who is calling
        std::function<void()> others; ///< others may act
        std::function<void(Branch)> die; ///< the caller's process is killed; does not come back
    };

    FaultyStore(std::unique_ptr<Store> inner, Surroundings surroundings, bool faults)
        : m_inner(std::move(inner))
        , m_around(std::move(surroundings))
        , m_faults(faults)
    {
    }

    [[nodiscard]] Store &inner() { return *m_inner; }
    /// No faults from now on.
    void calm() { m_faults = false; }

    [[nodiscard]] StoreInfo info() override { return m_inner->info(); }
    Result<AppendReceipt> append(std::span<const Event> events, std::span<const Body> bodies,
        std::span<const Precondition> preconditions, Durability durability) override;
    [[nodiscard]] Result<std::optional<ActionRecord>> find(const Key &key) override;
    [[nodiscard]] Result<std::int64_t> stateEntryOf(const Key &key) override;
    [[nodiscard]] Result<Time> latestTime() override;
    [[nodiscard]] Result<std::optional<RunRecord>> findRun(const RunId &run) override;
    [[nodiscard]] Result<std::optional<Digest>> planContent(
        const RunId &run, std::int64_t revision) override;
    [[nodiscard]] Result<std::vector<std::int64_t>> seqsOf(
        const RunId &run, std::int64_t revision) override;
    [[nodiscard]] Result<std::optional<std::string>> body(const Digest &digest) override;
    [[nodiscard]] std::string ownersFolder() const override { return m_inner->ownersFolder(); }

private:
    [[nodiscard]] bool chance(std::uint64_t thousandths);
    [[nodiscard]] tl::unexpected<Error> fault(ErrorCode code, bool writing);
    void sortsOfFailure(std::span<const Event> events, ErrorCode code, bool onDisk);
    /// Before a read: others act, and it may fail.
    Result<void> beforeRead();

    std::unique_ptr<Store> m_inner;
    Surroundings m_around;
    bool m_faults;
    ErrorCode m_trouble = ErrorCode::StoreBusy;
    std::int64_t m_troubleWrites = 0; ///< how many writes the trouble lasts
};

} // namespace reprise::sim
