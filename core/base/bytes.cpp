#include "core/base/bytes.h"

#include <algorithm>
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

struct Range
{
    std::uint32_t first;
    std::uint32_t last;
};

/// What does not show, or changes how its neighbours show: controls, format characters of
/// direction, joiners and blanks without width, fillers, separators of lines, and tag characters.
/// Variation selectors are left out: they stand after ordinary emoji.
constexpr std::array kHidden {Range {0x0000, 0x001F}, Range {0x007F, 0x009F},
    Range {0x00AD, 0x00AD}, Range {0x034F, 0x034F}, Range {0x061C, 0x061C}, Range {0x115F, 0x1160},
    Range {0x17B4, 0x17B5}, Range {0x180B, 0x180E}, Range {0x200B, 0x200F}, Range {0x2028, 0x202E},
    Range {0x2060, 0x206F}, Range {0x3164, 0x3164}, Range {0xFEFF, 0xFEFF}, Range {0xFFA0, 0xFFA0},
    Range {0xFFF9, 0xFFFB}, Range {0x1D173, 0x1D17A}, Range {0xE0000, 0xE007F}};

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
        // Bits that no byte takes must be zero, or two texts would stand for the same bytes.
        if (padding > 0 && (group & (padding == 1 ? 0xFFU : 0xFFFFU)) != 0)
            return std::nullopt;
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

CodePoint decodeUtf8(std::string_view bytes, std::size_t at)
{
    const std::uint8_t lead = byteAt(bytes, at);
    if (lead < 0x80)
        return {lead, 1};
    std::size_t length = 0;
    std::uint32_t code = 0;
    std::uint32_t lowest = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
        code = lead & 0x1FU;
        lowest = 0x80;
    } else if ((lead & 0xF0U) == 0xE0) {
        length = 3;
        code = lead & 0x0FU;
        lowest = 0x800;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        code = lead & 0x07U;
        lowest = 0x10000;
    }
    if (length == 0 || at + length > bytes.size())
        return {};
    for (std::size_t i = 1; i < length; ++i) {
        const std::uint8_t next = byteAt(bytes, at + i);
        if ((next & 0xC0U) != 0x80)
            return {};
        code = code << 6 | (next & 0x3FU);
    }
    if (code < lowest || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return {};
    return {code, length};
}

bool isValidUtf8(std::string_view bytes)
{
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = decodeUtf8(bytes, i).length;
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

bool isHiddenCharacter(std::uint32_t code)
{
    return std::any_of(kHidden.begin(), kHidden.end(),
        [&](const Range &range) { return code >= range.first && code <= range.last; });
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

std::string printable(std::string_view text, std::size_t bytesMax)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto [code, length] = decodeUtf8(text, i);
        std::string piece(text.substr(i, std::max<std::size_t>(length, 1)));
        char escaped[16];
        if (length == 0 || (length == 1 && isHiddenCharacter(code))) {
            std::snprintf(
                escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(byteAt(text, i)));
            piece = escaped;
        } else if (isHiddenCharacter(code)) {
            std::snprintf(escaped, sizeof escaped, "\\u{%04x}", static_cast<unsigned>(code));
            piece = escaped;
        }
        if (out.size() + piece.size() > bytesMax)
            return out + "…";
        out += piece;
        i += std::max<std::size_t>(length, 1);
    }
    return out;
}

} // namespace reprise
