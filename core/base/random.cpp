#include "core/base/random.h"

#include <openssl/rand.h>

#include <cstdio>
#include <cstdlib>

namespace reprise {

std::uint64_t Random::below(std::uint64_t bound)
{
    // Values above the largest multiple of `bound` are thrown away, so that no value is favoured.
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    std::uint64_t value = next();
    while (value >= limit)
        value = next();
    return value % bound;
}

std::string Random::hex128()
{
    // One after the other: the order in which arguments are evaluated is the compiler's choice.
    const auto low = static_cast<unsigned long long>(next());
    const auto high = static_cast<unsigned long long>(next());
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", high, low);
    return text;
}

std::uint64_t SystemRandom::next()
{
    std::uint64_t value = 0;
    if (RAND_bytes(reinterpret_cast<unsigned char *>(&value), sizeof value) != 1)
        std::abort();
    return value;
}

std::uint64_t SeededRandom::next()
{
    m_state += 0x9E3779B97F4A7C15u;
    std::uint64_t z = m_state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

} // namespace reprise
