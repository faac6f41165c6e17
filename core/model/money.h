#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

/// Decimal places of a currency's minor unit by ISO 4217: 0 (JPY), 2 (EUR), 3 (KWD) or 4 (CLF).
/// `code` in either case; nothing for a code that ISO 4217 does not list.
[[nodiscard]] std::optional<int> currencyExponent(std::string_view code);

/// An exact amount: integer minor units of one currency. Never a double, never mixed.
struct Money
{
    std::string currency; ///< ISO 4217, upper case
    std::int64_t minor = 0;

    /// "49.00", "-3.5" never: always the currency's own number of decimals ("777" for JPY).
    [[nodiscard]] std::string text() const;
    /// "EUR 49.00": code first, as on screen and in reports.
    [[nodiscard]] std::string withCode() const;

    /// `decimal` is a JSON number or plain decimal text with a point ("49", "49.00", "1e2");
    /// refuses what is not exact in the currency ("49.001" EUR), unknown currencies and values
    /// beyond int64.
    [[nodiscard]] static Result<Money> fromMajor(
        std::string_view decimal, std::string_view currency);
    [[nodiscard]] static Result<Money> fromMinor(
        std::string_view decimal, std::string_view currency);
    friend auto operator<=>(const Money &, const Money &) = default;
};

/// {"currency":"EUR","minor":4900,"text":"49.00"}, as everywhere on the command line (cli.md).
[[nodiscard]] Json moneyToJson(const Money &money);

} // namespace reprise
