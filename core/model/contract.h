#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/action.h"
#include "core/model/ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace reprise {

/// The form in which a key is sent downstream (design section 2).
enum class KeyForm { Hex64, Uuid, Hex32, Base32 };

[[nodiscard]] std::string_view name(KeyForm form);
[[nodiscard]] std::optional<KeyForm> keyFormFrom(std::string_view name);

/// Where the business meaning of an action stands in its args: JSON pointers, empty where not
/// declared. Source: cli.md, "Tools file" and "A mapping file".
struct BusinessMapping
{
    BusinessKind kind = BusinessKind::Other;
    std::string amount;
    bool minorUnits = true;
    std::string currency;
    std::string fixedCurrency; ///< used where `currency` is empty
    std::string payee;
    std::string order;
    std::string undoes; ///< provider reference of what this action reverses

    /// What the args say. A field that is absent or not of its form is left out.
    [[nodiscard]] Business read(const Json &args) const;
};

/// The provider honours a forwarded key for a time: the same string may be sent again.
struct ForwardingRule
{
    std::int64_t retentionUs = 0;
    std::int64_t attemptsMax = 0; ///< calls in all, the first one included
};

/// What a tool declares about itself (design section 1, cli.md "Tools file").
struct ToolContract
{
    std::string name;
    std::string version = "1";
    std::vector<std::string> command; ///< program and arguments; empty: not a program
    bool sideEffect = true;
    KeyForm keyForm = KeyForm::Uuid;
    std::string keyEnv = "IDEMPOTENCY_KEY"; ///< empty: the key is not sent
    std::int64_t timeoutMs = 30'000;
    std::map<int, OutcomeClass> exitStatus {{0, OutcomeClass::Succeeded}};
    std::string contentType;
    std::vector<std::string>
        required; ///< pointers that must be present for a result to be complete
    std::string reference; ///< pointer to the provider's reference in the result
    std::optional<ForwardingRule> forwarding;
    std::vector<std::string> probe; ///< look-up program and arguments; empty: none
    bool repeatable = false;
    std::vector<std::string> ignore; ///< pointers left out of the fingerprint
    BusinessMapping business;

    /// The contract as one JSON object, with every default written out.
    [[nodiscard]] Json toJson() const;
    [[nodiscard]] static Result<ToolContract> fromJson(const Json &json, const std::string &where);
    /// SHA-256 of the canonical form of toJson().
    [[nodiscard]] Digest digest() const;
    /// The contract of a tool of which nothing was declared.
    [[nodiscard]] static ToolContract undeclared(const std::string &tool);
};

/// A tools file: contracts by tool name.
struct ToolSet
{
    std::map<std::string, ToolContract> tools;

    /// Relative programs are taken from the folder of the file.
    [[nodiscard]] static Result<ToolSet> readFile(const std::string &path);
    [[nodiscard]] static Result<ToolSet> parse(
        std::string_view text, const std::string &where, const std::string &folder);
    /// nullptr where the file does not name the tool.
    [[nodiscard]] const ToolContract *find(const std::string &tool) const;
};

/// `0s`, `30m`, `24h`, `90d` as microseconds.
[[nodiscard]] std::optional<std::int64_t> parseDurationUs(std::string_view text);
[[nodiscard]] std::string durationText(std::int64_t us);

} // namespace reprise
