#include "core/base/sha256.h"

#include <openssl/evp.h>

#include <cstdlib>

namespace reprise {

namespace {

/// Fetched once: a fetch at every digest costs more than hashing a short record.
const EVP_MD *sha256Method()
{
    static EVP_MD *const method = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return method;
}

void require(bool ok)
{
    // Without a working digest no key can be derived: going on would be worse than stopping.
    if (!ok)
        std::abort();
}

} // namespace

struct Sha256::Context
{
    EVP_MD_CTX *handle = EVP_MD_CTX_new();
    Context() = default;
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;
    ~Context() { EVP_MD_CTX_free(handle); }
};

Sha256::Sha256()
    : m_context(std::make_unique<Context>())
{
    require(EVP_DigestInit_ex2(m_context->handle, sha256Method(), nullptr) == 1);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256 &&) noexcept = default;
Sha256 &Sha256::operator=(Sha256 &&) noexcept = default;

void Sha256::add(std::string_view bytes)
{
    require(EVP_DigestUpdate(m_context->handle, bytes.data(), bytes.size()) == 1);
}

void Sha256::addNumber(std::uint64_t value)
{
    char raw[8];
    for (int i = 7; i >= 0; --i) {
        raw[i] = static_cast<char>(value & 255);
        value >>= 8;
    }
    add({raw, sizeof raw});
}

void Sha256::addPrefixed(std::string_view bytes)
{
    addNumber(bytes.size());
    add(bytes);
}

Digest Sha256::finish()
{
    Digest digest;
    unsigned length = 0;
    require(EVP_DigestFinal_ex(m_context->handle, digest.bytes.data(), &length) == 1
        && length == digest.bytes.size());
    require(EVP_DigestInit_ex2(m_context->handle, sha256Method(), nullptr) == 1);
    return digest;
}

Digest Sha256::of(std::string_view bytes)
{
    thread_local Sha256 hasher;
    hasher.add(bytes);
    return hasher.finish();
}

} // namespace reprise
