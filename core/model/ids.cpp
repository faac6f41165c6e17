#include "core/model/ids.h"

#include <charconv>

namespace reprise {

Result<RunId> RunId::parse(std::string_view bytes)
{
    const auto refuse = [&](const std::string &why) {
        return fail(ErrorCode::InvalidInput, why, "run id \"" + printable(bytes, 60) + "\"",
            "a run id is 1 to 255 bytes of UTF-8 without control characters");
    };
    if (bytes.empty())
        return refuse("is empty");
    if (bytes.size() > kBytesMax)
        return refuse("is " + std::to_string(bytes.size()) + " bytes long");
    if (!isValidUtf8(bytes))
        return refuse("is not valid UTF-8");
    if (hasControlCharacter(bytes))
        return refuse("holds a control character");
    return RunId(std::string(bytes));
}

Result<Seq> Seq::parse(std::string_view decimal)
{
    std::int64_t value = 0;
    const auto [end, error]
        = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
    const bool plain = !decimal.empty() && decimal[0] >= '0' && decimal[0] <= '9'
        && (decimal.size() == 1 || decimal[0] != '0');
    if (!plain || error != std::errc() || end != decimal.data() + decimal.size())
        return fail(ErrorCode::InvalidInput, "is not a sequence number",
            "seq \"" + printable(decimal, 60) + "\"",
            "a seq is a whole number from 0 to 9223372036854775807");
    return Seq(value);
}

Result<Seq> Seq::of(std::int64_t value)
{
    return parse(std::to_string(value));
}

Result<Key> Key::parse(std::string_view hex)
{
    const auto digest = Digest::fromHex(hex);
    if (!digest)
        return fail(ErrorCode::InvalidInput, "is not a key", "key \"" + printable(hex, 80) + "\"",
            "a key is 64 hex digits");
    return Key {*digest};
}

} // namespace reprise
