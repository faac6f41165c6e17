#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// One function for each command of cli.md. Each takes what was given on the command line, prints
/// its answer on standard output and errors on standard error, and answers the exit code.
namespace reprise::cli {

struct KeyOptions
{
    std::string runId;
    std::string seq;
    std::string form = "hex64";
    bool json = false;
};
int keyCommand(const KeyOptions &options);

struct FingerprintOptions
{
    std::string tool;
    std::string contractVersion = "1";
    std::string environment = "live";
    std::string account;
    bool dryRun = false;
    std::vector<std::string> ignore;
    std::string file;
    bool canonical = false;
    bool json = false;
};
int fingerprintCommand(const FingerprintOptions &options);

struct InitOptions
{
    std::string store;
    bool makeNew = false;
    bool json = false;
};
int initCommand(const InitOptions &options);

struct PlanOptions
{
    std::string store;
    std::string plan;
    std::string tools;
    bool json = false;
};
int planCommand(const PlanOptions &options);

struct ExecuteOptions
{
    std::string store;
    std::string tools;
    std::string run;
    std::vector<std::string> seqs;
    std::string args; ///< file with the args that the agent holds now
    std::int64_t waitMs = 0;
    bool keepGoing = false;
    bool body = false;
    bool json = false;
};
int executeCommand(const ExecuteOptions &options);

struct SettleOptions
{
    std::string store;
    std::string run;
    std::string seq;
    std::string decision;
    std::string by;
    std::string reason;
    std::string evidence;
    std::string result;
    std::string reference;
    std::string expect;
    bool json = false;
};
int settleCommand(const SettleOptions &options);

struct CancelOptions
{
    std::string store;
    std::string run;
    std::string seq; ///< empty: every action that was not dispatched
    std::string by;
    bool json = false;
};
int cancelCommand(const CancelOptions &options);

struct CloseOptions
{
    std::string store;
    std::string run;
    bool json = false;
};
int closeCommand(const CloseOptions &options);

struct VerifyOptions
{
    std::string store;
    std::string anchor;
    bool deep = false;
    bool json = false;
};
int verifyCommand(const VerifyOptions &options);

struct SealOptions
{
    std::string store;
    std::string out;
    bool json = false;
};
int sealCommand(const SealOptions &options);

struct SimulateOptions
{
    std::string store;
    std::string run;
    std::string seq;
    std::vector<std::string> faults;
    std::string keyPolicy = "planner";
    bool matrix = false;
    std::uint64_t seed = 1;
    int retries = 1;
    bool json = false;
};
int simulateCommand(const SimulateOptions &options);

struct DemoCommandOptions
{
    std::string folder;
    std::int64_t actions = 0;
    std::uint64_t seed = 1;
    bool json = false;
};
int demoCommand(const DemoCommandOptions &options);

struct ImportOptions
{
    std::vector<std::string> files;
    std::string into;
    std::string format; ///< empty: recognised by content
    std::string mapping;
    bool json = false;
};
int importCommand(const ImportOptions &options);

struct SuspectsOptions
{
    std::string store;
    bool json = false;
};
int suspectsCommand(const SuspectsOptions &options);

struct LsOptions
{
    std::string store;
    std::string filter;
    std::string sort = "started";
    std::int64_t limit = 100;
    std::string after;
    bool jsonl = false;
    bool json = false;
};
int lsCommand(const LsOptions &options);

struct ShowOptions
{
    std::string store;
    std::string run;
    std::string seq;
    std::string key;
    bool json = false;
};
int showCommand(const ShowOptions &options);

struct ReportOptions
{
    std::string store;
    std::string run;
    std::string suspect;
    std::vector<std::string> formats {"html", "json"};
    std::string out;
    std::string by;
    std::string verify; ///< folder of a report to check instead
    bool json = false;
};
int reportCommand(const ReportOptions &options);

} // namespace reprise::cli
