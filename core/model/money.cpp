#include "core/model/money.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace reprise {

namespace {

std::string upperCode(std::string_view code)
{
    std::string upper(code);
    for (char &c : upper)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    return upper;
}

/// ISO 4217 list one, active codes of 2026, grouped by the number of decimals.
constexpr std::array kZeroDecimals {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG",
    "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"};
constexpr std::array kThreeDecimals {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"};
constexpr std::array kFourDecimals {"CLF", "UYW"};
constexpr std::array kTwoDecimals {"AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG",
    "AZN", "BAM", "BBD", "BDT", "BGN", "BMD", "BND", "BOB", "BOV", "BRL", "BSD", "BTN", "BWP",
    "BYN", "BZD", "CAD", "CDF", "CHE", "CHF", "CHW", "CNY", "COP", "COU", "CRC", "CUP", "CVE",
    "CZK", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS",
    "GIP", "GMD", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IRR", "JMD",
    "KES", "KGS", "KHR", "KPW", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "MAD", "MDL",
    "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN",
    "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "QAR",
    "RON", "RSD", "RUB", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD",
    "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TOP", "TRY", "TTD", "TWD", "TZS",
    "UAH", "USD", "USN", "UYU", "UZS", "VED", "VES", "WST", "XCD", "XCG", "YER", "ZAR", "ZMW",
    "ZWG"};

Result<Money> fromDecimal(std::string_view decimal, std::string_view currency, bool major)
{
    const std::string where = "amount \"" + printable(decimal, 60) + "\"";
    const auto exponent = currencyExponent(currency);
    if (!exponent)
        return fail(ErrorCode::InvalidInput, "unknown currency \"" + printable(currency, 20) + "\"",
            where, "use an ISO 4217 code such as EUR");
    const auto number = Json::parse(decimal);
    if (!number || !number->isNumber())
        return fail(ErrorCode::InvalidInput, "is not a decimal number", where);
    // Shifting the exponent in the text keeps the value exact at any size.
    std::string text = canonicalDecimal(number->text());
    if (major && *exponent > 0) {
        const std::size_t mark = text.find('e');
        const std::int64_t power
            = mark == std::string::npos ? 0 : std::stoll(text.substr(mark + 1));
        text = text.substr(0, mark) + "e" + std::to_string(power + *exponent);
    }
    const auto minor = Json::number(text).integer();
    if (!minor)
        return fail(ErrorCode::InvalidInput,
            "is not a whole number of minor units of " + upperCode(currency), where);
    return Money {upperCode(currency), *minor};
}

} // namespace

std::optional<int> currencyExponent(std::string_view code)
{
    const std::string upper = upperCode(code);
    const auto in = [&](const auto &list) {
        return std::find(list.begin(), list.end(), upper) != list.end();
    };
    if (in(kTwoDecimals))
        return 2;
    if (in(kZeroDecimals))
        return 0;
    if (in(kThreeDecimals))
        return 3;
    if (in(kFourDecimals))
        return 4;
    return std::nullopt;
}

std::string Money::text() const
{
    const auto exponent = static_cast<std::size_t>(currencyExponent(currency).value_or(0));
    // The magnitude as unsigned: the lowest int64 has no positive twin.
    const std::uint64_t magnitude
        = minor < 0 ? ~static_cast<std::uint64_t>(minor) + 1 : static_cast<std::uint64_t>(minor);
    std::string digits = std::to_string(magnitude);
    if (digits.size() <= exponent)
        digits.insert(0, exponent + 1 - digits.size(), '0');
    if (exponent > 0)
        digits.insert(digits.size() - exponent, ".");
    return minor < 0 ? "-" + digits : digits;
}

std::string Money::withCode() const
{
    return currency + " " + text();
}

Result<Money> Money::fromMajor(std::string_view decimal, std::string_view currency)
{
    return fromDecimal(decimal, currency, true);
}

Result<Money> Money::fromMinor(std::string_view decimal, std::string_view currency)
{
    return fromDecimal(decimal, currency, false);
}

Json moneyToJson(const Money &money)
{
    return Json()
        .set("currency", money.currency)
        .set("minor", money.minor)
        .set("text", money.text());
}

} // namespace reprise
