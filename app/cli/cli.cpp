#include "app/cli/cli.h"

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "core/base/bytes.h"

#include <CLI/CLI.hpp>

#include <array>
#include <exception>
#include <functional>
#include <iostream>
#include <limits>

namespace reprise::cli {

namespace {

constexpr std::size_t kUsageLineMax = 500;

/// Adds one command: its options live as long as the parser, and the command runs after parsing.
template <typename Options>
CLI::App *add(CLI::App &app, int &exitCode, const char *name, const char *what,
    int (*command)(const Options &), const std::function<void(CLI::App &, Options &)> &declare)
{
    CLI::App *sub = app.add_subcommand(name, what);
    auto options = std::make_shared<Options>();
    declare(*sub, *options);
    sub->add_flag("--json", options->json, "One JSON document on standard output");
    sub->callback([options, command, &exitCode] { exitCode = command(*options); });
    return sub;
}

void addKeys(CLI::App &app, int &exitCode)
{
    add<KeyOptions>(app, exitCode, "key", "Print the idempotency key of a run and a seq",
        keyCommand, [](CLI::App &sub, KeyOptions &o) {
            sub.add_option("RUN_ID", o.runId, "Name of the run")->required();
            sub.add_option("SEQ", o.seq, "Number of the action, from 0")->required();
            sub.add_option("--form", o.form, "hex64, uuid, hex32 or base32")->capture_default_str();
        });
    add<FingerprintOptions>(app, exitCode, "fingerprint", "Print the fingerprint of args in a file",
        fingerprintCommand, [](CLI::App &sub, FingerprintOptions &o) {
            sub.add_option("--tool", o.tool, "Name of the tool")->required();
            sub.add_option("--contract-version", o.contractVersion)->capture_default_str();
            sub.add_option("--environment", o.environment, "live or sandbox")
                ->capture_default_str();
            sub.add_option("--account", o.account, "Account identity, never a secret");
            sub.add_flag("--dry-run", o.dryRun);
            sub.add_option(
                "--ignore", o.ignore, "JSON pointer of a field to leave out; repeatable");
            sub.add_flag("--canonical", o.canonical, "Print the canonical args instead");
            sub.add_option("FILE", o.file, "Args as JSON; - is standard input")->required();
        });
}

void addPlanning(CLI::App &app, int &exitCode)
{
    add<InitOptions>(app, exitCode, "init", "Make an empty store", initCommand,
        [](CLI::App &sub, InitOptions &o) {
            sub.add_option("STORE", o.store, "File to make")->required();
            sub.add_flag(
                "--new", o.makeNew, "A store of that name is kept aside, and another one is made");
        });
    add<PlanOptions>(app, exitCode, "plan",
        "Write a plan: seqs, keys and contracts, before anything runs", planCommand,
        [](CLI::App &sub, PlanOptions &o) {
            sub.add_option("STORE", o.store, "A store that init made")->required();
            sub.add_option("PLAN", o.plan, "Plan file; - is standard input")->required();
            sub.add_option("--tools", o.tools, "Tools file with the contracts to bind");
        });
    add<CancelOptions>(app, exitCode, "cancel", "Stop actions before they are dispatched",
        cancelCommand, [](CLI::App &sub, CancelOptions &o) {
            sub.add_option("STORE", o.store)->required();
            sub.add_option("--run", o.run, "Name of the run")->required();
            sub.add_option("--seq", o.seq, "One action; without it, all that were not dispatched");
            sub.add_option("--by", o.by, "Who cancels");
        });
    add<CloseOptions>(app, exitCode, "close", "Take no new actions in a run", closeCommand,
        [](CLI::App &sub, CloseOptions &o) {
            sub.add_option("STORE", o.store)->required();
            sub.add_option("--run", o.run, "Name of the run")->required();
        });
}

void addExecution(CLI::App &app, int &exitCode)
{
    add<ExecuteOptions>(app, exitCode, "execute",
        "Execute actions of a plan, or answer from the record", executeCommand,
        [](CLI::App &sub, ExecuteOptions &o) {
            sub.add_option("STORE", o.store, "A store that init made")->required();
            sub.add_option("--tools", o.tools, "Tools file")->required();
            sub.add_option("--run", o.run, "Name of the run")->required();
            sub.add_option(
                   "--seq", o.seqs, "An action; repeatable. Without it, all that are not final")
                ->take_all();
            sub.add_option("--args", o.args,
                "Args that the agent holds now (one --seq); others than planned are a conflict");
            sub.add_option("--wait", o.waitMs, "Milliseconds to wait for another live owner")
                ->check(CLI::Range(std::int64_t {0}, std::numeric_limits<std::int64_t>::max()))
                ->capture_default_str();
            sub.add_flag("--keep-going", o.keepGoing, "Go on after an action that is not final");
            sub.add_flag("--body", o.body, "Print the bytes of the result alone");
        });
    add<SettleOptions>(app, exitCode, "settle", "Settle an action in doubt, with evidence",
        settleCommand, [](CLI::App &sub, SettleOptions &o) {
            sub.add_option("STORE", o.store)->required();
            sub.add_option("--run", o.run, "Name of the run")->required();
            sub.add_option("--seq", o.seq, "The action")->required();
            sub.add_option("--decision", o.decision,
                   "landed (needs --result or --reference), retry (one more call), failed")
                ->required();
            sub.add_option("--by", o.by, "Your name")->required();
            sub.add_option("--reason", o.reason, "Why")->required();
            sub.add_option("--evidence", o.evidence, "Where the evidence is");
            sub.add_option("--result", o.result, "File with the result; - is standard input");
            sub.add_option("--reference", o.reference, "The provider's reference");
            sub.add_option("--expect", o.expect, "state_hash of what you saw (show --json)")
                ->required();
        });
}

void addReading(CLI::App &app, int &exitCode)
{
    add<LsOptions>(
        app, exitCode, "ls", "Runs of a store", lsCommand, [](CLI::App &sub, LsOptions &o) {
            sub.add_option("STORE", o.store)->required();
            sub.add_option("--filter", o.filter,
                "Words that all have to match: state:in_doubt, tool:NAME, payee:X, order:X, "
                "cur:EUR, "
                "key:HEX, after:DATE, before:DATE, or a part of run id or label");
            sub.add_option("--sort", o.sort,
                   "started, run_id, actions, in_doubt, executed, replayed, again or conflicts; "
                   "a - before it: ascending")
                ->capture_default_str();
            sub.add_option("--limit", o.limit, "Rows of a page")
                ->check(CLI::Range(1, 10000))
                ->capture_default_str();
            sub.add_option("--after", o.after, "\"next\" of the page before");
            sub.add_flag("--jsonl", o.jsonl, "Every run from there on, one object a line");
        });
    add<ShowOptions>(app, exitCode, "show", "A run, or one action with its attempts and results",
        showCommand, [](CLI::App &sub, ShowOptions &o) {
            sub.add_option("STORE", o.store)->required();
            CLI::Option *run = sub.add_option("--run", o.run, "Name of the run");
            sub.add_option("--seq", o.seq, "One action of it")->needs(run);
            sub.add_option("--key", o.key, "An action by its key, or the start of it")
                ->excludes(run);
        });
    add<VerifyOptions>(app, exitCode, "verify", "Check the journal's chain, anchors and digests",
        verifyCommand, [](CLI::App &sub, VerifyOptions &o) {
            sub.add_option("STORE", o.store)->required();
            sub.add_option("--anchor", o.anchor, "An anchor that seal wrote earlier");
            sub.add_flag(
                "--deep", o.deep, "Also rebuild the state from the journal, and check every index");
        });
    add<SealOptions>(app, exitCode, "seal", "Write the journal's head to a file, to keep elsewhere",
        sealCommand, [](CLI::App &sub, SealOptions &o) {
            sub.add_option("STORE", o.store)->required();
            sub.add_option("--out", o.out, "Anchor file to write; - is standard output")
                ->required();
        });
}

void addSuspects(CLI::App &app, int &exitCode)
{
    add<SuspectsOptions>(app, exitCode, "suspects", "Suspected double charges, ranked",
        suspectsCommand, [](CLI::App &sub, SuspectsOptions &o) {
            sub.add_option("STORE", o.store, "A store, also one that import made")->required();
        });
}

void addReport(CLI::App &app, int &exitCode)
{
    add<ReportOptions>(app, exitCode, "report",
        "Audit report of a store, a run or a suspect; `report verify DIR` checks one",
        reportCommand, [](CLI::App &sub, ReportOptions &o) {
            sub.add_option("STORE", o.store, "Store to report on; it is only read");
            CLI::Option *run = sub.add_option("--run", o.run, "Only this run");
            sub.add_option("--suspect", o.suspect, "Only this suspect, by its id")->excludes(run);
            sub.add_option("--format", o.formats, "html, json, csv; separated by commas")
                ->delimiter(',')
                ->capture_default_str();
            sub.add_option("--out", o.out, "Folder to make; never an existing report");
            sub.add_option("--by", o.by, "Who asks for the report; stands in it");
            CLI::App *verify = sub.add_subcommand(
                "verify", "Check a report against its manifest, without a store");
            verify->add_option("DIR", o.verify, "Folder of the report")->required();
            verify->fallthrough();
        });
}

void addImport(CLI::App &app, int &exitCode)
{
    add<ImportOptions>(app, exitCode, "import", "Bring in records that other systems wrote",
        importCommand, [](CLI::App &sub, ImportOptions &o) {
            sub.add_option("FILE", o.files, "Records; - is standard input")->required();
            sub.add_option("--into", o.into, "Store to write to; is made where there is none")
                ->required();
            sub.add_option("--format", o.format,
                "mcp, tau-bench, tau2-bench, chat or jsonl; without it the content decides");
            sub.add_option("--mapping", o.mapping,
                "What the tools mean: side effect, amount, payee, order, reference");
        });
}

void addSandbox(CLI::App &app, int &exitCode)
{
    add<SimulateOptions>(app, exitCode, "simulate", "Retries under faults, in a sandbox",
        simulateCommand, [](CLI::App &sub, SimulateOptions &o) {
            sub.add_option("STORE", o.store)->required();
            sub.add_option("--run", o.run, "Name of the run")->required();
            sub.add_option("--seq", o.seq, "The action")->required();
            sub.add_option("--fault", o.faults,
                   "request_lost, response_lost, response_truncated, crash_after_claim, "
                   "crash_after_call, crash_after_record, duplicate_delivery, args_changed; "
                   "repeatable")
                ->take_all();
            sub.add_option("--key-policy", o.keyPolicy,
                   "Which key a retry carries: planner, minted_by_tool or none")
                ->capture_default_str();
            sub.add_flag("--matrix", o.matrix, "Every fault under every key policy and contract");
            sub.add_option("--retries", o.retries, "Deliveries after the first, 1 to 10")
                ->check(CLI::Range(1, 10))
                ->capture_default_str();
            sub.add_option("--seed", o.seed)->capture_default_str();
        });
    add<DemoCommandOptions>(app, exitCode, "demo",
        "Make a demonstration: store, statement, provider's ledger, and the truth about them",
        demoCommand, [](CLI::App &sub, DemoCommandOptions &o) {
            sub.add_option("DIR", o.folder, "Folder to make")->required();
            sub.add_option("--actions", o.actions, "At least so many actions")
                ->check(CLI::Range(std::int64_t {0}, std::numeric_limits<std::int64_t>::max()));
            sub.add_option("--seed", o.seed)->capture_default_str();
        });
}

/// The commands as far as they were understood, "reprise execute".
std::string usedCommand(const CLI::App &app)
{
    std::string words = app.get_name();
    for (const CLI::App *sub : app.get_subcommands())
        words += " " + usedCommand(*sub);
    return words;
}

/// Shown below the options of a command.
struct Example
{
    const char *command;
    const char *text;
};
constexpr std::array kExamples {
    Example {"key", "reprise key run-1 23 --form uuid"},
    Example {"fingerprint", "reprise fingerprint --tool charge_card --ignore /trace_id args.json"},
    Example {"init", "reprise init payments.db"},
    Example {"plan", "reprise plan payments.db plan.json --tools tools.json"},
    Example {"execute",
        "reprise execute payments.db --tools tools.json --run run-1\n"
        "  reprise execute payments.db --tools tools.json --run run-1 --seq 1 --body"},
    Example {"settle",
        "reprise settle payments.db --run run-1 --seq 1 --decision landed --reference ch_1 \\\n"
        "      --by 'A. Name' --reason 'seen in the statement' --expect STATE_HASH"},
    Example {"cancel", "reprise cancel payments.db --run run-1 --seq 2"},
    Example {"close", "reprise close payments.db --run run-1"},
    Example {"ls", "reprise ls payments.db --filter 'state:in_doubt after:2026-01-01'"},
    Example {"show", "reprise show payments.db --run run-1 --seq 1 --json"},
    Example {"verify", "reprise verify payments.db --anchor payments.anchor --deep"},
    Example {"seal", "reprise seal payments.db --out payments.anchor"},
    Example {"import", "reprise import session.jsonl --into records.db"},
    Example {"suspects", "reprise suspects payments.db --json"},
    Example {"report",
        "reprise report payments.db --format html,json --out report\n"
        "  reprise report verify report"},
    Example {"simulate", "reprise simulate payments.db --run run-1 --seq 1 --matrix"},
    Example {"demo", "reprise demo demonstration --seed 7"},
};

} // namespace

int run(int argc, char **argv)
{
    CLI::App app(
        "Reprise: safe retries for side-effecting tool calls of AI agents, and their audit.",
        "reprise");
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("reprise ") + REPRISE_VERSION);
    app.footer(
        "Everything is in the store file that you name; nothing is looked for anywhere else.\n"
        "Exit codes: 0 done, 1 internal, 2 usage, 3 input refused, 4 store trouble, "
        "5 something was found, 6 in doubt or busy.");
    int exitCode = kDone;
    addKeys(app, exitCode);
    addPlanning(app, exitCode);
    addExecution(app, exitCode);
    addReading(app, exitCode);
    addImport(app, exitCode);
    addSuspects(app, exitCode);
    addReport(app, exitCode);
    addSandbox(app, exitCode);
    for (const Example &example : kExamples)
        app.get_subcommand(example.command)->footer(std::string("Example:\n  ") + example.text);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        // Asked for help or the version: that is no error. Anything else is wrong usage.
        if (error.get_exit_code() == 0)
            return app.exit(error);
        const bool unknown = app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-';
        const std::string what = unknown ? std::string("unknown command ") + argv[1] : error.what();
        std::cerr << "reprise: " << printable(what, kUsageLineMax) << "; see " << usedCommand(app)
                  << " --help\n";
        return kUsage;
    } catch (const std::exception &error) {
        return report({ErrorCode::Internal, error.what(), {}, {}});
    }
    std::cout.flush();
    if (!std::cout)
        return report({ErrorCode::Io, "standard output cannot be written", {}, {}});
    return exitCode;
}

} // namespace reprise::cli
