#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/support.h"
#include "core/base/file.h"
#include "core/executor/executor.h"
#include "core/executor/process_tool.h"
#include "core/inspect/show_json.h"
#include "core/key/key.h"
#include "core/store/sqlite_store.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace reprise::cli {

namespace {

/// The parts of an answer that are printed; filled by visiting the closed set of answers.
struct Printed
{
    std::string reason;
    Json result;
    Json diff;
    std::optional<std::string> body;
    int exitCode = kDone;

    void take(const Answer &answer)
    {
        result = resultToJson(answer.result, answer.body, answer.pruned);
        body = answer.body;
    }
    void operator()(const answers::Executed &executed) { take(executed.answer); }
    void operator()(const answers::Replayed &replayed)
    {
        if (replayed.answer)
            take(*replayed.answer);
        reason = replayed.reason;
    }
    void operator()(const answers::Busy &busy)
    {
        reason = "owner " + busy.owner.host + ":" + std::to_string(busy.owner.pid) + " since "
            + busy.since.rfc3339();
        exitCode = kInDoubtOrBusy;
    }
    void operator()(const answers::Conflict &conflict)
    {
        reason = conflict.what;
        diff = Json::array();
        for (const FieldDifference &field : conflict.differences)
            diff.push(Json()
                          .set("pointer", field.pointer)
                          .set("recorded", field.recorded)
                          .set("given", field.given));
        exitCode = kInputRefused;
    }
    void operator()(const answers::InDoubt &inDoubt)
    {
        reason = inDoubt.reason;
        for (std::size_t i = 0; i < inDoubt.canSettle.size(); ++i)
            reason += (i == 0 ? "; can settle it: " : ", or ") + inDoubt.canSettle[i];
        exitCode = kInDoubtOrBusy;
    }
    void operator()(const answers::NotSent &notSent)
    {
        reason = notSent.reason;
        exitCode = kInDoubtOrBusy;
    }
    void operator()(const answers::Refused &refused)
    {
        reason = refused.error.text();
        exitCode = exitCodeFor(refused.error.code);
    }
    void operator()(const answers::ExecutedUnrecorded &unrecorded)
    {
        reason = "the tool answered, and the store did not take the answer: "
            + unrecorded.error.text();
        body = unrecorded.answer.body;
        result = Json().set("status", unrecorded.answer.status);
        if (body && isValidUtf8(*body))
            result.set("body", *body);
        else if (body)
            result.set("body_base64", toBase64(*body));
        exitCode = kStoreTrouble;
    }
};

/// 4 before 6 before 3 before 0 (cli.md).
int worse(int a, int b)
{
    const auto rank = [](int code) {
        constexpr std::array order {kDone, kInputRefused, kInDoubtOrBusy, kStoreTrouble};
        const auto found = std::find(order.begin(), order.end(), code);
        return found == order.end() ? 99 : static_cast<int>(found - order.begin());
    };
    return rank(a) >= rank(b) ? a : b;
}

Result<std::vector<Seq>> seqsToExecute(
    Store &store, const RunId &run, const ExecuteOptions &options)
{
    std::vector<Seq> seqs;
    for (const std::string &text : options.seqs) {
        ASSIGN_OR_RETURN(const Seq seq, Seq::parse(text));
        seqs.push_back(seq);
    }
    if (!options.seqs.empty())
        return seqs;
    ASSIGN_OR_RETURN(const auto known, store.findRun(run));
    if (!known)
        return fail(ErrorCode::NotFound, "no such run in this store",
            "run " + printable(run.bytes(), 80), "plan it first");
    ASSIGN_OR_RETURN(const auto all, store.seqsOf(run, 0));
    for (const std::int64_t value : all) {
        ASSIGN_OR_RETURN(const Seq seq, Seq::of(value));
        ASSIGN_OR_RETURN(const auto record, store.find(deriveKey(run, seq)));
        if (record && !isFinal(record->state))
            seqs.push_back(seq);
    }
    return seqs;
}

Json notReached(const RunId &run, Seq seq)
{
    return Json()
        .set("run_id", run.bytes())
        .set("seq", seq.value())
        .set("key", deriveKey(run, seq).hex())
        .set("disposition", "not_reached");
}

Json toJson(const RunId &run, Seq seq, const ExecuteReport &report, const Printed &printed)
{
    Json json;
    json.set("run_id", run.bytes()).set("seq", seq.value()).set("key", report.key.hex());
    json.set("disposition", std::string(disposition(report.answer)));
    json.set("state", report.state ? Json(std::string(name(*report.state))) : Json());
    json.set("reason", printed.reason).set("result", printed.result);
    json.set("attempt", report.attempt).set("sent_key", report.sentKey).set("diff", printed.diff);
    return json;
}

class Execution
{
public:
    Execution(Executor &executor, const RunId &run, const ExecuteOptions &options)
        : m_executor(executor)
        , m_run(run)
        , m_options(options)
    {
    }

    int all(const std::vector<Seq> &seqs, const std::optional<std::string> &args)
    {
        if (seqs.empty() && !m_options.json)
            std::cerr << "reprise: run " << printable(m_run.bytes(), 80)
                      << ": every action is final; --seq N answers one from the record\n";
        bool stopped = false;
        for (const Seq seq : seqs) {
            stopped = stopped || interrupted();
            if (stopped) {
                m_actions.push(notReached(m_run, seq));
                if (!m_options.json && !m_options.body)
                    std::cout << "seq " << seq.value() << "  not_reached\n";
                continue;
            }
            const bool final = one(seq, args);
            stopped = !final && !m_options.keepGoing;
        }
        if (m_options.json)
            print(Json().set("actions", std::move(m_actions)));
        return m_exitCode;
    }

private:
    /// True where the action is final afterwards.
    bool one(Seq seq, const std::optional<std::string> &args)
    {
        const ExecuteReport report = m_executor.execute({m_run, seq, {}, args, m_options.waitMs});
        Printed printed;
        std::visit(printed, report.answer);
        m_exitCode = worse(m_exitCode, printed.exitCode);
        const std::string_view word = disposition(report.answer);
        if (m_options.json) {
            m_actions.push(toJson(m_run, seq, report, printed));
        } else if (m_options.body) {
            std::cout << printed.body.value_or(std::string());
        } else {
            std::cout << "seq " << seq.value() << "  " << word;
            if (report.state)
                std::cout << "  " << name(*report.state);
            if (const std::string &reference = printed.result["reference"].text();
                !reference.empty())
                std::cout << "  " << printable(reference);
            std::cout << '\n';
        }
        if (printed.exitCode != kDone && !m_options.json)
            std::cerr << "reprise: run " << printable(m_run.bytes(), 80) << ", seq " << seq.value()
                      << ": " << word << ": " << printable(printed.reason, 2000) << '\n';
        const bool refused = std::holds_alternative<answers::Refused>(report.answer)
            || std::holds_alternative<answers::ExecutedUnrecorded>(report.answer);
        return !refused && report.state && isFinal(*report.state);
    }

    Executor &m_executor;
    const RunId &m_run;
    const ExecuteOptions &m_options;
    Json m_actions = Json::array();
    int m_exitCode = kDone;
};

} // namespace

int executeCommand(const ExecuteOptions &options)
{
    const auto run = RunId::parse(options.run);
    if (!run)
        return report(run.error());
    const auto tools = ToolSet::readFile(options.tools);
    if (!tools)
        return report(tools.error());
    std::optional<std::string> args;
    if (!options.args.empty()) {
        if (options.seqs.size() != 1)
            return report({ErrorCode::InvalidInput, "goes with exactly one --seq", "--args", {}});
        auto bytes = readFile(options.args);
        if (!bytes)
            return report(bytes.error());
        args = std::move(*bytes);
    }
    auto store = openLiveStore(options.store);
    if (!store && store.error().code == ErrorCode::StoreReadOnly) {
        // What is recorded can still be answered; every new effect is refused by the store.
        std::cerr << "reprise: " << printable(store.error().text(), 2000)
                  << "; only recorded results are answered\n";
        store = SqliteStore::openReadOnly(options.store);
    }
    if (!store)
        return report(store.error());
    const auto seqs = seqsToExecute(**store, *run, options);
    if (!seqs)
        return report(seqs.error());
    watchInterrupt();
    ProcessToolRunner runner;
    const auto executor
        = Executor::create(**store, runner, {systemClock(), systemRandom(), &*tools, {}, {}});
    if (!executor)
        return report(executor.error());
    return Execution(**executor, *run, options).all(*seqs, args);
}

} // namespace reprise::cli
