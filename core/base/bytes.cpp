#include "core/base/bytes.h"

#include <cstdio>

namespace reprise {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";
constexpr char kBase64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kBase32[] = "abcdefghijklmnopqrstuvwxyz234567";

int hexValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

std::uint8_t byteAt(std::string_view text, std::size_t i)
{
    return static_cast<std::uint8_t>(text[i]);
}

/// Length of the valid UTF-8 sequence that starts at `i`, or 0.
std::size_t sequenceLength(std::string_view text, std::size_t i)
{
    const std::uint8_t lead = byteAt(text, i);
    if (lead < 0x80)
        return 1;
    const auto continuation = [&](std::size_t at, std::uint8_t low, std::uint8_t high) {
        return at < text.size() && byteAt(text, at) >= low && byteAt(text, at) <= high;
    };
    if (lead >= 0xC2 && lead <= 0xDF)
        return continuation(i + 1, 0x80, 0xBF) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const std::uint8_t low = lead == 0xE0 ? 0xA0 : 0x80;
        const std::uint8_t high = lead == 0xED ? 0x9F : 0xBF;
        return continuation(i + 1, low, high) && continuation(i + 2, 0x80, 0xBF) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const std::uint8_t low = lead == 0xF0 ? 0x90 : 0x80;
        const std::uint8_t high = lead == 0xF4 ? 0x8F : 0xBF;
        return continuation(i + 1, low, high) && continuation(i + 2, 0x80, 0xBF)
                && continuation(i + 3, 0x80, 0xBF)
            ? 4
            : 0;
    }
    return 0;
}

} // namespace

std::string toHex(std::string_view bytes)
{
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto value = static_cast<std::uint8_t>(c);
        out += kHexDigits[value >> 4];
        out += kHexDigits[value & 15];
    }
    return out;
}

std::optional<std::string> fromHex(std::string_view text)
{
    if (text.size() % 2 != 0)
        return std::nullopt;
    std::string out;
    out.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = hexValue(text[i]);
        const int low = hexValue(text[i + 1]);
        if (high < 0 || low < 0)
            return std::nullopt;
        out += static_cast<char>(high * 16 + low);
    }
    return out;
}

std::string Digest::hex() const
{
    return toHex(view());
}

std::optional<Digest> Digest::fromBytes(std::string_view raw)
{
    Digest digest;
    if (raw.size() != digest.bytes.size())
        return std::nullopt;
    for (std::size_t i = 0; i < raw.size(); ++i)
        digest.bytes[i] = byteAt(raw, i);
    return digest;
}

std::optional<Digest> Digest::fromHex(std::string_view text)
{
    const auto raw = reprise::fromHex(text);
    return raw ? fromBytes(*raw) : std::nullopt;
}

std::string toBase64(std::string_view bytes)
{
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = bytes.size() - i;
        std::uint32_t group = static_cast<std::uint32_t>(byteAt(bytes, i)) << 16;
        if (left > 1)
            group |= static_cast<std::uint32_t>(byteAt(bytes, i + 1)) << 8;
        if (left > 2)
            group |= byteAt(bytes, i + 2);
        out += kBase64[group >> 18 & 63];
        out += kBase64[group >> 12 & 63];
        out += left > 1 ? kBase64[group >> 6 & 63] : '=';
        out += left > 2 ? kBase64[group & 63] : '=';
    }
    return out;
}

std::optional<std::string> fromBase64(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    std::string out;
    out.reserve(text.size() / 4 * 3);
    const std::string_view alphabet {kBase64, 64};
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::uint32_t group = 0;
        int padding = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            const char c = text[i + j];
            if (c == '=' && i + 4 == text.size() && j >= 2) {
                ++padding;
                group <<= 6;
                continue;
            }
            const auto value = alphabet.find(c);
            if (value == std::string_view::npos || padding > 0)
                return std::nullopt;
            group = group << 6 | static_cast<std::uint32_t>(value);
        }
        out += static_cast<char>(group >> 16 & 255);
        if (padding < 2)
            out += static_cast<char>(group >> 8 & 255);
        if (padding < 1)
            out += static_cast<char>(group & 255);
    }
    return out;
}

std::string toBase32(std::string_view bytes)
{
    std::string out;
    std::uint32_t buffer = 0;
    int bits = 0;
    for (const char c : bytes) {
        buffer = buffer << 8 | static_cast<std::uint8_t>(c);
        bits += 8;
        while (bits >= 5) {
            bits -= 5;
            out += kBase32[buffer >> bits & 31];
        }
    }
    if (bits > 0)
        out += kBase32[buffer << (5 - bits) & 31];
    return out;
}

bool isValidUtf8(std::string_view bytes)
{
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = sequenceLength(bytes, i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

bool hasControlCharacter(std::string_view utf8)
{
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const std::uint8_t c = byteAt(utf8, i);
        if (c < 0x20 || c == 0x7F)
            return true;
        if (c == 0xC2 && i + 1 < utf8.size() && byteAt(utf8, i + 1) < 0xA0)
            return true;
    }
    return false;
}

std::string printable(std::string_view text, std::size_t charsMax)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (out.size() >= charsMax)
            return out + "…";
        const std::size_t length = sequenceLength(text, i);
        const std::string_view piece = text.substr(i, length == 0 ? 1 : length);
        if (length == 0 || hasControlCharacter(piece)) {
            for (const char c : piece) {
                char escaped[5];
                std::snprintf(escaped, sizeof escaped, "\\x%02x",
                    static_cast<unsigned>(static_cast<std::uint8_t>(c)));
                out += escaped;
            }
        } else {
            out += piece;
        }
        i += piece.size();
    }
    return out;
}

} // namespace reprise
