#include "core/demo/statement.h"

#include <algorithm>
#include <map>
#include <optional>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerSecond = 1'000'000;

/// A charge object of the statement: a charge, or an authorisation with what became of it.
struct Row
{
    const LedgerLine *line = nullptr;
    bool refund = false;
    bool captured = true;
    std::int64_t capturedMinor = 0;
    std::int64_t refundedMinor = 0;
};

std::vector<Row> rowsOf(const std::vector<LedgerLine> &ledger)
{
    std::vector<Row> rows;
    std::map<std::string, std::size_t> chargeRow;
    for (const LedgerLine &line : ledger) {
        const auto charge = chargeRow.find(line.undoes);
        if (line.verb == "charge" || line.verb == "authorise") {
            chargeRow[line.reference] = rows.size();
            const bool captured = line.verb == "charge";
            rows.push_back({&line, false, captured, captured ? line.amount->minor : 0, 0});
        } else if (line.verb == "capture" && charge != chargeRow.end()) {
            rows[charge->second].captured = true;
            rows[charge->second].capturedMinor += line.amount->minor;
        } else if (line.verb == "refund") {
            rows.push_back({&line, true, true, 0, 0});
            if (charge != chargeRow.end())
                rows[charge->second].refundedMinor += line.amount->minor;
        }
    }
    std::stable_sort(rows.begin(), rows.end(),
        [](const Row &left, const Row &right) { return left.line->at > right.line->at; });
    return rows;
}

std::string lowerCase(std::string text)
{
    for (char &letter : text)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return text;
}

Json metadataOf(const LedgerLine &line)
{
    Json metadata = Json::object();
    if (!line.order.empty())
        metadata.set("order_id", line.order);
    // A tool that is given a key also says on whose behalf it calls; the older agent's said
    // nothing.
    if (!line.key.empty())
        metadata.set("run_id", line.runId).set("seq", std::to_string(line.seq));
    return metadata;
}

std::string balanceTransaction(const LedgerLine &line)
{
    return opaqueId("txn_", line.reference);
}

Json chargeObject(const Row &row)
{
    const LedgerLine &line = *row.line;
    Json json;
    json.set("id", line.reference)
        .set("object", "charge")
        .set("amount", line.amount->minor)
        .set("amount_captured", row.capturedMinor)
        .set("amount_refunded", row.refundedMinor)
        .set("balance_transaction", row.captured ? Json(balanceTransaction(line)) : Json())
        .set("captured", row.captured)
        .set("created", line.at.us / kUsPerSecond)
        .set("currency", lowerCase(line.amount->currency))
        .set("customer", line.payee)
        .set("description", line.description)
        .set("disputed", false)
        .set("failure_code", Json())
        .set("livemode", false)
        .set("metadata", metadataOf(line))
        .set("paid", true)
        .set("payment_intent", opaqueId("pi_", line.reference))
        .set("refunded", row.refundedMinor > 0 && row.refundedMinor == row.capturedMinor)
        .set("status", "succeeded");
    return json;
}

Json refundObject(const LedgerLine &line)
{
    Json json;
    json.set("id", line.reference)
        .set("object", "refund")
        .set("amount", line.amount->minor)
        .set("balance_transaction", balanceTransaction(line))
        .set("charge", line.undoes)
        .set("created", line.at.us / kUsPerSecond)
        .set("currency", lowerCase(line.amount->currency))
        .set("metadata", metadataOf(line))
        .set("payment_intent", opaqueId("pi_", line.undoes))
        .set("reason", "requested_by_customer")
        .set("status", "succeeded");
    return json;
}

/// "2026-11-06 09:14:03"
std::string csvTime(Time at)
{
    std::string text = at.rfc3339().substr(0, 19);
    text[10] = ' ';
    return text;
}

std::string csvCell(const std::string &text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string cell = "\"";
    for (const char letter : text)
        cell += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return cell + "\"";
}

} // namespace

Json statementList(const std::vector<LedgerLine> &ledger)
{
    Json data = Json::array();
    for (const Row &row : rowsOf(ledger))
        data.push(row.refund ? refundObject(*row.line) : chargeObject(row));
    return Json()
        .set("object", "list")
        .set("data", std::move(data))
        .set("has_more", false)
        .set("url", "/v1/charges");
}

std::string statementCsv(const std::vector<LedgerLine> &ledger)
{
    // The provider takes 1.5 % of a charge and nothing of a refund.
    constexpr std::int64_t kFeeThousandths = 15;
    constexpr std::int64_t kAvailableAfterUs = 2LL * 24 * 3600 * kUsPerSecond;
    std::string csv = "balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,"
                      "reporting_category,source_id,description,customer_id,charge_id,"
                      "payment_intent_id,payment_metadata[order_id]\n";
    for (const Row &row : rowsOf(ledger)) {
        const LedgerLine &line = *row.line;
        if (!row.captured)
            continue;
        const std::string charge = row.refund ? line.undoes : line.reference;
        const std::int64_t gross = row.refund ? -line.amount->minor : row.capturedMinor;
        const std::int64_t fee = row.refund ? 0 : (gross * kFeeThousandths + 500) / 1000;
        const auto major = [&](std::int64_t minor) {
            return Money {line.amount->currency, minor}.text();
        };
        const std::vector<std::string> cells {balanceTransaction(line), csvTime(line.at),
            csvTime(Time {line.at.us + kAvailableAfterUs}), lowerCase(line.amount->currency),
            major(gross), major(fee), major(gross - fee), row.refund ? "refund" : "charge",
            line.reference, line.description, line.payee, charge, opaqueId("pi_", charge),
            line.order};
        for (std::size_t i = 0; i < cells.size(); ++i)
            csv += (i == 0 ? "" : ",") + csvCell(cells[i]);
        csv += '\n';
    }
    return csv;
}

} // namespace reprise
