#pragma once

#include <cstdint>
#include <string>

namespace reprise {

/// Where randomness comes from. Not for secrets. One thread at a time.
class Random
{
public:
    virtual ~Random() = default;
    [[nodiscard]] virtual std::uint64_t next() = 0;

    /// Evenly in [0, bound); bound must be above 0.
    [[nodiscard]] std::uint64_t below(std::uint64_t bound);
    /// 32 lower-case hex digits, for names of stores and owners.
    [[nodiscard]] std::string hex128();
};

/// The operating system's generator.
class SystemRandom final : public Random
{
public:
    [[nodiscard]] std::uint64_t next() override;
};

/// SplitMix64 (public domain, Sebastiano Vigna): the same seed gives the same numbers everywhere.
class SeededRandom final : public Random
{
public:
    explicit SeededRandom(std::uint64_t seed)
        : m_state(seed)
    {
    }
    [[nodiscard]] std::uint64_t next() override;

private:
    std::uint64_t m_state;
};

} // namespace reprise
