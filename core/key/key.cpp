#include "core/key/key.h"

#include "core/base/sha256.h"

namespace reprise {

namespace {
constexpr std::size_t kShortBytes = 16; // the first 128 bits
}

Key deriveKey(const RunId &run, Seq seq)
{
    return Key {Sha256::of("reprise-key-v1:" + std::to_string(run.bytes().size()) + ":"
        + run.bytes() + ":" + std::to_string(seq.value()))};
}

std::string formatKey(const Key &key, KeyForm form)
{
    const std::string_view shortKey = key.digest.view().substr(0, kShortBytes);
    switch (form) {
    case KeyForm::Hex64:
        return key.hex();
    case KeyForm::Hex32:
        return toHex(shortKey);
    case KeyForm::Base32:
        return toBase32(shortKey);
    case KeyForm::Uuid: {
        // RFC 4122: version 4 in the high half of byte 6, variant 10 in the top bits of byte 8.
        std::string raw(shortKey);
        raw[6] = static_cast<char>((static_cast<unsigned char>(raw[6]) & 0x0F) | 0x40);
        raw[8] = static_cast<char>((static_cast<unsigned char>(raw[8]) & 0x3F) | 0x80);
        std::string text = toHex(raw);
        for (const std::size_t dash : {20u, 16u, 12u, 8u})
            text.insert(dash, "-");
        return text;
    }
    }
    return {};
}

std::string canonicalArgs(const Json &args, const std::vector<std::string> &ignore)
{
    if (ignore.empty())
        return args.canonical();
    return args.without(ignore).canonical();
}

Digest fingerprint(const FingerprintInput &input, const Json &args)
{
    Sha256 hash;
    hash.addPrefixed("reprise-fingerprint-v1");
    hash.addPrefixed(input.tool);
    hash.addPrefixed(input.contractVersion);
    hash.addPrefixed(input.environment);
    hash.addPrefixed(input.account);
    hash.addPrefixed(input.dryRun ? "dry-run" : "");
    hash.addPrefixed(canonicalArgs(args, input.ignore));
    return hash.finish();
}

} // namespace reprise
