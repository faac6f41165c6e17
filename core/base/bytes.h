#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace reprise {

/// A SHA-256 value; compares by bytes.
struct Digest
{
    std::array<std::uint8_t, 32> bytes {};

    /// 64 lower-case hex digits.
    [[nodiscard]] std::string hex() const;
    /// Accepts exactly 64 hex digits of either case.
    [[nodiscard]] static std::optional<Digest> fromHex(std::string_view text);
    /// Accepts exactly 32 bytes.
    [[nodiscard]] static std::optional<Digest> fromBytes(std::string_view raw);
    [[nodiscard]] std::string_view view() const
    {
        return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
    }
    friend auto operator<=>(const Digest &, const Digest &) = default;
};

/// An ASCII digit, whatever the locale.
[[nodiscard]] constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Lower-case hex of any bytes.
[[nodiscard]] std::string toHex(std::string_view bytes);
[[nodiscard]] std::optional<std::string> fromHex(std::string_view text);
/// RFC 4648 with padding.
[[nodiscard]] std::string toBase64(std::string_view bytes);
/// Reads exactly what toBase64 writes: no white space, no other alphabet, no second spelling.
[[nodiscard]] std::optional<std::string> fromBase64(std::string_view text);
/// RFC 4648 alphabet in lower case, without padding (the key form `base32`).
[[nodiscard]] std::string toBase32(std::string_view bytes);
/// A code point and its length in bytes; length 0 where no valid sequence starts.
struct CodePoint
{
    std::uint32_t code = 0;
    std::size_t length = 0;
};
/// Reads the strict UTF-8 sequence that starts at `at`, which must lie within `bytes`.
[[nodiscard]] CodePoint decodeUtf8(std::string_view bytes, std::size_t at);
/// True for what does not show by itself or changes how its neighbours show: controls, characters
/// of direction and without width, separators of lines, tags.
[[nodiscard]] bool isHiddenCharacter(std::uint32_t code);
/// Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool isValidUtf8(std::string_view bytes);
/// True where the text holds a C0 or C1 control character or DEL. The input must be valid UTF-8.
[[nodiscard]] bool hasControlCharacter(std::string_view utf8);
/// `text` for one line of an error or a table, in which it cannot look like another text: ASCII
/// controls and bytes that are not UTF-8 as `\xNN`, other hidden characters as `\u{202e}`; at most
/// `bytesMax` bytes, and "…" where more followed.
[[nodiscard]] std::string printable(std::string_view text, std::size_t bytesMax = 120);

} // namespace reprise
