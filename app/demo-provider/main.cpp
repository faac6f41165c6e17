/// The demonstration's payment provider: a program with a ledger of its own, which knows nothing of
/// Reprise. It does what the verb says with the request on standard input, appends one line to its
/// ledger for every effect, and answers on standard output. It honours idempotency keys for 24
/// hours, as payment providers do. `--fault` makes one call fail in a way that networks and
/// processes fail.

#include "core/base/file.h"
#include "core/demo/ledger.h"
#include "core/model/money.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

namespace {

using namespace reprise;

/// Exit statuses; those that a contract does not list are "unknown" to the executor.
constexpr int kDone = 0;
constexpr int kWrongUsage = 2;
constexpr int kDeclined = 10; ///< of a look-up: nothing was found
constexpr int kNotSent = 11;
constexpr int kKeyReused = 12;
constexpr int kTrouble = 13;
constexpr int kGatewayTimeout = 75;

constexpr std::int64_t kKeyLifeUs = 24LL * 3600 * 1'000'000;

struct Options
{
    std::string verb;
    std::string ledger;
    Time at;
    std::string fault;
};

const std::map<std::string, std::string> &prefixes()
{
    static const std::map<std::string, std::string> kPrefixes {{"charge", "ch_"},
        {"authorise", "ch_"}, {"capture", "ch_"}, {"refund", "re_"}, {"payout", "po_"},
        {"message", "msg_"}};
    return kPrefixes;
}

std::string environmentText(const char *name)
{
    const char *value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

/// The ledger's text under a lock that is held until the process ends.
class LockedLedger
{
public:
    explicit LockedLedger(const std::string &path)
        : m_handle(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666))
    {
        if (m_handle >= 0 && ::flock(m_handle, LOCK_EX) == 0)
            m_text = readFile(path).value_or(std::string());
    }
    ~LockedLedger()
    {
        if (m_handle >= 0)
            ::close(m_handle);
    }
    LockedLedger(const LockedLedger &) = delete;
    LockedLedger &operator=(const LockedLedger &) = delete;

    [[nodiscard]] bool ready() const { return m_handle >= 0; }
    [[nodiscard]] std::int64_t lines() const
    {
        return std::count(m_text.begin(), m_text.end(), '\n');
    }
    /// Lines that hold the JSON text of `value`; only those are parsed.
    [[nodiscard]] std::vector<LedgerLine> linesWith(const std::string &value) const
    {
        std::vector<LedgerLine> found;
        const std::string wanted = jsonQuote(value);
        for (std::size_t at = m_text.find(wanted); at != std::string::npos;
             at = m_text.find(wanted, at)) {
            const std::size_t start = m_text.rfind('\n', at) + 1; // npos + 1 is the beginning
            const std::size_t end = m_text.find('\n', at);
            if (auto line = LedgerLine::parse(m_text.substr(start, end - start), "ledger"))
                found.push_back(std::move(*line));
            at = end;
        }
        return found;
    }
    [[nodiscard]] bool append(const LedgerLine &line)
    {
        const std::string text = line.toJson().dump() + '\n';
        return ::write(m_handle, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    }

private:
    int m_handle;
    std::string m_text;
};

/// The effect that a request asks for; its number, time and reference are not known yet.
LedgerLine requested(const std::string &verb, const Json &request)
{
    const auto text = [&](const char *name) { return request[name].text(); };
    LedgerLine line;
    line.verb = verb;
    if (auto amount = Money::fromMinor(text("amount_minor"), text("currency")))
        line.amount = *amount;
    line.payee = text(verb == "payout" ? "supplier" : "customer");
    line.order = text(verb == "payout" ? "invoice" : "order_id");
    line.description = text(verb == "message" ? "subject" : "description");
    line.undoes = text(verb == "refund" ? "charge" : "authorisation");
    line.key = environmentText("IDEMPOTENCY_KEY");
    line.runId = environmentText("REPRISE_RUN_ID");
    line.seq = std::atoll(environmentText("REPRISE_SEQ").c_str());
    return line;
}

bool sameRequest(const LedgerLine &left, const LedgerLine &right)
{
    return left.verb == right.verb && left.amount == right.amount && left.payee == right.payee
        && left.order == right.order && left.description == right.description
        && left.undoes == right.undoes;
}

/// The answer follows from the ledger line alone, so that a repeated request gets the same bytes.
std::string answerFor(const LedgerLine &line)
{
    const std::string object
        = line.verb == "authorise" || line.verb == "capture" ? "charge" : line.verb;
    Json json;
    json.set("id", line.reference).set("object", object).set("status", "succeeded");
    if (line.amount)
        json.set("amount_minor", line.amount->minor).set("currency", line.amount->currency);
    if (object == "charge")
        json.set("captured", line.verb != "authorise");
    if (line.verb == "refund")
        json.set("charge", line.undoes);
    json.set(line.verb == "payout" ? "supplier" : "customer", line.payee);
    json.set(line.verb == "payout" ? "invoice" : "order_id", line.order);
    json.set("created", line.at.rfc3339());
    return json.dump();
}

int decline(const std::string &code, const std::string &message)
{
    std::cout << Json()
                     .set("error",
                         Json().set("type", "card_error").set("code", code).set("message", message))
                     .dump();
    return kDeclined;
}

/// A refund must name a charge that has enough left.
bool refundIsCovered(const LockedLedger &ledger, const LedgerLine &refund)
{
    if (!refund.amount || refund.undoes.empty())
        return false;
    std::int64_t left = 0;
    for (const LedgerLine &line : ledger.linesWith(refund.undoes)) {
        if (!line.amount || line.amount->currency != refund.amount->currency)
            continue;
        if (line.verb == "charge" || line.verb == "capture")
            left += line.amount->minor;
        else if (line.verb == "refund")
            left -= line.amount->minor;
    }
    return refund.amount->minor <= left;
}

int finish(const Options &options, const std::string &answer)
{
    if (options.fault == "lose-response") {
        std::cerr << "504 Gateway Timeout: the provider did not answer in time\n";
        return kGatewayTimeout;
    }
    if (options.fault == "die-after")
        ::raise(SIGKILL);
    std::cout << (options.fault == "cut-response" ? answer.substr(0, answer.size() / 2) : answer);
    return kDone;
}

int carryOut(const Options &options, const Json &request)
{
    if (options.fault == "refuse") {
        std::cerr << "connect: connection refused\n";
        return kNotSent;
    }
    if (options.fault == "lose-request") {
        std::cerr << "504 Gateway Timeout: the provider did not answer in time\n";
        return kGatewayTimeout;
    }
    if (options.fault == "die-before")
        ::raise(SIGKILL);
    LockedLedger ledger(options.ledger);
    if (!ledger.ready()) {
        std::cerr << "cannot open " << options.ledger << '\n';
        return kNotSent;
    }
    LedgerLine line = requested(options.verb, request);
    if (!line.key.empty()) {
        for (const LedgerLine &earlier : ledger.linesWith(line.key)) {
            if (options.at.us - earlier.at.us >= kKeyLifeUs)
                continue;
            if (!sameRequest(earlier, line)) {
                std::cerr << "409: this key was used for another request\n";
                return kKeyReused;
            }
            std::cerr << "idempotent-replayed: true\n";
            return finish(options, answerFor(earlier));
        }
    }
    if (options.fault == "decline")
        return decline("card_declined", "Your card was declined.");
    if (line.verb != "message" && !line.amount)
        return decline("parameter_missing", "amount_minor and currency are required.");
    if (line.verb == "refund" && !refundIsCovered(ledger, line))
        return decline("refund_exceeds_charge", "The charge has not enough left to refund.");
    line.n = ledger.lines() + 1;
    line.at = options.at;
    line.reference = line.verb == "capture"
        ? line.undoes
        : opaqueId(prefixes().at(line.verb),
            std::to_string(line.n) + line.at.rfc3339() + line.key + request.canonical());
    if (!ledger.append(line)) {
        std::cerr << "cannot write " << options.ledger << '\n';
        return kTrouble;
    }
    return finish(options, answerFor(line));
}

/// Looks an effect up by key: 0 with its answer, 10 where there is none.
int lookUp(const Options &options)
{
    const std::string key = environmentText("IDEMPOTENCY_KEY");
    const LockedLedger ledger(options.ledger);
    const auto found = key.empty() ? std::vector<LedgerLine>() : ledger.linesWith(key);
    if (found.empty())
        return kDeclined;
    std::cout << answerFor(found.front());
    return kDone;
}

/// Reads only: what the shop knows of an order.
int fetchOrder(const Json &request)
{
    std::cout << Json()
                     .set("order_id", request["order_id"])
                     .set("status", "ready_for_payment")
                     .set("customer", request["customer"])
                     .dump();
    return kDone;
}

Result<Options> readOptions(int argc, char **argv)
{
    const auto usage = [](const std::string &what) {
        return fail(ErrorCode::InvalidInput, what, "reprise-demo-provider",
            "usage: reprise-demo-provider VERB [--ledger FILE] [--at TIME] [--fault NAME] "
            "< REQUEST.json");
    };
    if (argc < 2)
        return usage("no verb is given");
    Options options;
    options.verb = argv[1];
    // The demonstration's folder holds a link to this program, and its ledger lies beside that.
    options.ledger
        = (std::filesystem::path(argv[0]).parent_path() / "provider-ledger.jsonl").string();
    options.at = SystemClock().now();
    for (int i = 2; i < argc; i += 2) {
        const std::string name = argv[i];
        if (i + 1 >= argc)
            return usage(name + " needs a value");
        const std::string value = argv[i + 1];
        if (name == "--ledger") {
            options.ledger = value;
        } else if (name == "--fault") {
            options.fault = value;
        } else if (name == "--at") {
            const auto at = Time::parse(value);
            if (!at)
                return usage("\"" + value + "\" is no RFC 3339 time");
            options.at = *at;
        } else {
            return usage("unknown option " + name);
        }
    }
    if (!prefixes().contains(options.verb) && options.verb != "lookup" && options.verb != "order")
        return usage("unknown verb \"" + options.verb + "\"");
    return options;
}

Result<int> run(int argc, char **argv)
{
    ASSIGN_OR_RETURN(const Options options, readOptions(argc, argv));
    if (options.verb == "lookup")
        return lookUp(options);
    ASSIGN_OR_RETURN(const std::string text, readFile("-"));
    ASSIGN_OR_RETURN(const Json request, Json::parse(text, "request"));
    return options.verb == "order" ? fetchOrder(request) : carryOut(options, request);
}

} // namespace

int main(int argc, char **argv)
{
    const auto status = run(argc, argv);
    if (!status) {
        std::cerr << status.error().text() << '\n';
        return kWrongUsage;
    }
    return *status;
}
