#include "core/inspect/show_text.h"

#include "core/inspect/text_table.h"
#include "core/report/visible_text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace reprise {

namespace {

constexpr std::int64_t kActionsPerPage = 1000;
constexpr std::size_t kBodyBytesShown = 4096;
constexpr std::size_t kShortDigest = 12;
using Align = TextTable::Align;

std::string withBlanks(std::string_view word)
{
    std::string text(word);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string orNotRecorded(const std::string &text)
{
    return text.empty() ? std::string(kNotRecorded) : visibleText(text);
}

std::string shortDigest(const std::optional<Digest> &digest)
{
    return digest ? digest->hex().substr(0, kShortDigest) : std::string(kNotRecorded);
}

/// "name  value" lines with the values under each other.
std::string factLines(const std::vector<std::pair<std::string, std::string>> &facts)
{
    std::size_t width = 0;
    for (const auto &[name, value] : facts)
        width = std::max(width, name.size());
    std::string out;
    for (const auto &[name, value] : facts)
        out.append(name).append(width - name.size() + 2, ' ').append(value).append("\n");
    return out;
}

std::string amountText(const Business &business)
{
    return business.amount ? business.amount->withCode() : std::string(kNotRecorded);
}

std::string spanText(const std::optional<Time> &from, const std::optional<Time> &to)
{
    return from && to ? humanDuration(to->us - from->us) : std::string(kNotRecorded);
}

/// A body for reading: the text, cut where it is long, or what it is where it is no text.
std::string bodyText(const std::optional<std::string> &body, std::int64_t bytes)
{
    if (!body)
        return "(" + counted(bytes, "byte", "bytes") + ", pruned: only the digest is kept)\n";
    if (body->empty())
        return "(empty)\n";
    if (!isValidUtf8(*body))
        return "(" + counted(static_cast<std::int64_t>(body->size()), "byte", "bytes")
            + " that are not UTF-8; --json shows them as base64)\n";
    std::string text = *body;
    std::string rest;
    if (text.size() > kBodyBytesShown) {
        std::size_t cut = kBodyBytesShown;
        while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80)
            --cut;
        rest = "("
            + counted(static_cast<std::int64_t>(text.size() - cut), "more byte", "more bytes")
            + "; --json shows them)\n";
        text.resize(cut);
    }
    std::string out = visibleText(text, LineBreaks::Kept);
    if (!out.ends_with('\n'))
        out += '\n';
    return out + rest;
}

std::string attemptsText(const std::vector<AttemptRow> &attempts)
{
    TextTable table(
        {{"n", Align::Right}, {"kind"}, {"outcome"}, {"started"}, {"took", Align::Right}, {"owner"},
            {"sent key"}, {"result"}, {"reference"}, {"same"}, {"note"}});
    for (const AttemptRow &attempt : attempts) {
        std::string note = attempt.reason;
        if (!attempt.note.empty())
            note += (note.empty() ? "" : "; ") + attempt.note;
        if (!attempt.locator.empty())
            note += (note.empty() ? "" : "; ") + attempt.locator;
        const char *same = "";
        if (attempt.sameAsOriginal)
            same = *attempt.sameAsOriginal ? "=" : "≠";
        table.add({std::to_string(attempt.n), words(attempt.kind),
            attempt.outcome ? withBlanks(name(*attempt.outcome)) : "", humanTime(attempt.startedAt),
            spanText(attempt.startedAt, attempt.endedAt), attempt.owner, attempt.sentKey,
            shortDigest(attempt.result ? attempt.result->body : std::nullopt),
            attempt.result ? attempt.result->reference : "", same, note});
    }
    return table.text("  ");
}

Result<std::string> resultText(StoreReader &reader, const ActionDetail &detail)
{
    if (!detail.result)
        return std::string("\nOriginal result: none recorded\n");
    const RecordedResult &result = *detail.result;
    std::string out = "\nOriginal result\n"
        + factLines({{"  status", orNotRecorded(result.status)},
            {"  complete", result.complete ? "yes" : "no: partial"},
            {"  reference", orNotRecorded(result.reference)},
            {"  recorded",
                humanTime(result.recordedAt) + " by " + orNotRecorded(detail.recordedBy) + " ("
                    + withBlanks(name(result.source)) + ")"},
            {"  sha256", result.body ? result.body->hex() : std::string(kNotRecorded)}});
    if (!result.body)
        return out + "  (no result at all)\n";
    ASSIGN_OR_RETURN(const auto body, reader.body(*result.body));
    return out + bodyText(body, result.bodyBytes);
}

Result<std::string> acceptanceText(StoreReader &reader, const ActionDetail &detail)
{
    if (!detail.acceptance)
        return std::string();
    ASSIGN_OR_RETURN(const auto bytes, reader.body(*detail.acceptance));
    const auto json = bytes ? Json::parse(*bytes) : Json::parse("null");
    if (!json || !json->isObject())
        return std::string("\nAcceptance check: its record is not readable\n");
    std::string out = (*json)["accepted"].boolean() ? "\nAcceptance check: accepted\n"
                                                    : "\nAcceptance check: not accepted\n";
    for (const Json &check : (*json)["checks"].items())
        out += std::string(check["ok"].boolean() ? "  ok      " : "  failed  ")
            + visibleText(check["name"].text())
            + (check["what"].text().empty() ? "" : ": " + visibleText(check["what"].text())) + "\n";
    return out;
}

std::string stateText(const ActionDetail &detail)
{
    std::string text = words(detail.row.state);
    if (detail.row.state == ActionState::InFlight && detail.ownerAlive)
        text += *detail.ownerAlive ? ", its owner is alive" : ", its owner is dead";
    return detail.row.reason.empty() ? text : text + ": " + visibleText(detail.row.reason);
}

std::string ignoredText(const std::vector<std::string> &pointers)
{
    std::string out;
    for (const std::string &pointer : pointers)
        out += (out.empty() ? " (ignoring " : ", ") + visibleText(pointer);
    return out.empty() ? out : out + ")";
}

} // namespace

std::string words(ActionState state)
{
    return withBlanks(name(state));
}

std::string words(AttemptKind kind)
{
    return withBlanks(name(kind));
}

std::string runsText(const RunPage &page, const RunTotals &totals)
{
    const std::string of
        = humanCount(totals.runs) + " of " + counted(totals.runsInStore, "run", "runs");
    if (page.rows.empty())
        return of + (totals.runs == 0 ? " match.\n" : ": no more after this place.\n");
    TextTable table({{"run"}, {"label"}, {"started"}, {"took", Align::Right},
        {"actions", Align::Right}, {"executed", Align::Right}, {"replayed", Align::Right},
        {"again", Align::Right}, {"in doubt", Align::Right}, {"conflicts", Align::Right}});
    for (const RunRow &row : page.rows)
        table.add({row.run.runId, row.run.label, humanTime(row.firstAt),
            spanText(row.firstAt, row.lastAt), humanCount(row.actions), humanCount(row.executed),
            humanCount(row.replayed), humanCount(row.executedAgain), humanCount(row.inDoubt),
            humanCount(row.conflicts)});
    std::string out = table.text();
    out += "\n" + humanCount(static_cast<std::int64_t>(page.rows.size())) + " shown, " + of
        + " match: " + counted(totals.actions, "action", "actions") + ", "
        + humanCount(totals.executed) + " executed, " + humanCount(totals.replayed) + " replayed, "
        + humanCount(totals.executedAgain) + " again, " + humanCount(totals.inDoubt) + " in doubt, "
        + counted(totals.conflicts, "conflict", "conflicts") + "\n";
    if (!page.next.empty())
        out += "more: --after " + page.next + "\n";
    return out;
}

Result<std::string> showRunText(StoreReader &reader, const RunId &run)
{
    ASSIGN_OR_RETURN(const auto row, reader.run(run));
    if (!row)
        return fail(ErrorCode::NotFound, "no such run in this store",
            "run " + printable(run.bytes(), 80), "`reprise ls` lists the runs");
    std::vector<std::pair<std::string, std::string>> facts {{"run", visibleText(row->run.runId)},
        {"label", orNotRecorded(row->run.label)}, {"account", orNotRecorded(row->run.account)},
        {"environment", orNotRecorded(row->run.environment)}, {"started", humanTime(row->firstAt)},
        {"ended", humanTime(row->lastAt)}, {"took", spanText(row->firstAt, row->lastAt)},
        {"plan",
            "revision " + std::to_string(row->run.revision) + (row->run.ordered ? ", ordered" : "")
                + (row->run.dryRun ? ", dry run" : "") + (row->run.closed ? ", closed" : "")}};
    if (row->run.imported)
        facts.emplace_back("imported from", orNotRecorded(row->source));
    std::string out = factLines(facts) + "\n";
    TextTable table({{"seq", Align::Right}, {"tool"}, {"state"}, {"key"}, {"amount", Align::Right},
        {"payee"}, {"order"}, {"attempts", Align::Right}, {"replays", Align::Right},
        {"first dispatched"}, {"reference"}});
    bool derived = false;
    for (std::int64_t after = -1;;) {
        ASSIGN_OR_RETURN(const auto page, reader.actions(run, after, kActionsPerPage));
        for (const ActionRow &action : page) {
            table.add({std::to_string(action.seq), action.tool, words(action.state),
                action.key.hex().substr(0, kShortDigest), amountText(action.business),
                action.business.payee, action.business.order, humanCount(action.attempts),
                humanCount(action.replayed), humanTime(action.firstAt), action.reference});
            derived = derived || action.keyDerivedAtImport;
            after = action.seq;
        }
        if (page.size() < static_cast<std::size_t>(kActionsPerPage))
            break;
    }
    out += table.isEmpty() ? "This run has 0 actions.\n" : table.text();
    out += "\n" + counted(row->actions, "action", "actions") + ": " + humanCount(row->executed)
        + " executed, " + humanCount(row->replayed) + " replayed, " + humanCount(row->executedAgain)
        + " again, " + humanCount(row->inDoubt) + " in doubt, "
        + (row->inFlight == 0 ? "" : humanCount(row->inFlight) + " in flight, ")
        + counted(row->conflicts, "conflict", "conflicts") + "\n";
    if (derived)
        out += "Keys were derived at import: no planner assigned them.\n";
    return out;
}

Result<std::string> showActionText(StoreReader &reader, const ActionDetail &detail)
{
    const ActionRow &row = detail.row;
    std::vector<std::pair<std::string, std::string>> facts {{"run", visibleText(row.runId)},
        {"seq", std::to_string(row.seq)},
        {"key", row.key.hex() + (row.keyDerivedAtImport ? " (derived at import)" : std::string())},
        {"tool",
            visibleText(row.tool) + ", contract version " + visibleText(detail.contract.version)
                + (row.sideEffect ? "" : ", read-only")},
        {"state", stateText(detail)}, {"state hash", detail.stateHash.hex()},
        {"fingerprint", row.fingerprint.hex() + ignoredText(detail.contract.ignore)},
        {"account", orNotRecorded(detail.account)},
        {"environment",
            orNotRecorded(detail.environment) + (detail.dryRun ? ", dry run" : std::string())},
        {std::string(name(row.business.kind)), amountText(row.business)},
        {"payee", orNotRecorded(row.business.payee)}, {"order", orNotRecorded(row.business.order)}};
    std::string out = factLines(facts);
    ASSIGN_OR_RETURN(const auto args, reader.body(row.args));
    out += "\nArgs\n" + bodyText(args, 0);
    out += "\nAttempts: " + humanCount(row.executed) + " executed, " + humanCount(row.replayed)
        + " replayed, " + humanCount(row.executedAgain) + " again, "
        + counted(row.conflicts, "conflict", "conflicts") + "\n";
    out += detail.attempts.empty() ? std::string("  none yet\n") : attemptsText(detail.attempts);
    ASSIGN_OR_RETURN(const std::string result, resultText(reader, detail));
    ASSIGN_OR_RETURN(const std::string acceptance, acceptanceText(reader, detail));
    return out + result + acceptance;
}

} // namespace reprise
