#include "core/demo/ledger.h"

#include "core/base/file.h"
#include "core/base/sha256.h"

#include <filesystem>

namespace reprise {

Json LedgerLine::toJson() const
{
    Json json;
    json.set("n", n).set("at", at.rfc3339()).set("verb", verb).set("reference", reference);
    json.set("amount_minor", amount ? Json(amount->minor) : Json())
        .set("currency", amount ? Json(amount->currency) : Json());
    json.set("payee", payee)
        .set("order", order)
        .set("description", description)
        .set("undoes", undoes)
        .set("key", key)
        .set("run_id", runId)
        .set("seq", seq);
    return json;
}

Result<LedgerLine> LedgerLine::parse(std::string_view text, const std::string &where)
{
    ASSIGN_OR_RETURN(const Json json, Json::parse(text, where));
    const auto at = Time::parse(json["at"].text());
    const auto n = json["n"].integer();
    const auto seq = json["seq"].integer();
    if (!at || !n || !seq)
        return fail(ErrorCode::InvalidInput, "is no line of a provider's ledger", where);
    LedgerLine line;
    line.n = *n;
    line.at = *at;
    line.verb = json["verb"].text();
    line.reference = json["reference"].text();
    if (!json["currency"].isNull()) {
        ASSIGN_OR_RETURN(
            line.amount, Money::fromMinor(json["amount_minor"].text(), json["currency"].text()));
    }
    line.payee = json["payee"].text();
    line.order = json["order"].text();
    line.description = json["description"].text();
    line.undoes = json["undoes"].text();
    line.key = json["key"].text();
    line.runId = json["run_id"].text();
    line.seq = *seq;
    return line;
}

Result<std::vector<LedgerLine>> readLedger(const std::string &path)
{
    std::vector<LedgerLine> lines;
    if (!std::filesystem::exists(path))
        return lines;
    ASSIGN_OR_RETURN(const std::string text, readFile(path));
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string where = path + ", line " + std::to_string(lines.size() + 1);
        ASSIGN_OR_RETURN(LedgerLine line,
            LedgerLine::parse(std::string_view(text).substr(start, end - start), where));
        lines.push_back(std::move(line));
        start = end + 1;
    }
    return lines;
}

std::string opaqueId(std::string_view prefix, std::string_view text)
{
    constexpr std::string_view kLetters
        = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    constexpr std::size_t kLength = 24;
    const Digest digest = Sha256::of(text);
    std::string id(prefix);
    for (std::size_t i = 0; i < kLength; ++i)
        id += kLetters[digest.bytes[i] % kLetters.size()];
    return id;
}

} // namespace reprise
