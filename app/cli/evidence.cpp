#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/support.h"
#include "core/report/report.h"
#include "core/suspects/suspects.h"

#include <unistd.h>

#include <iostream>

namespace reprise::cli {

int suspectsCommand(const SuspectsOptions &options)
{
    const auto reader = StoreReader::open(options.store);
    if (!reader)
        return report(reader.error());
    watchInterrupt();
    SuspectOptions how;
    how.stop = &interrupted();
    if (::isatty(STDERR_FILENO) == 1)
        how.onProgress = [](double share) {
            std::cerr << "\rchecked " << static_cast<int>(share * 100) << " %"
                      << (share >= 1 ? "\n" : "");
        };
    const auto suspects = findSuspects(**reader, how);
    if (!suspects)
        return report(suspects.error());
    if (options.json)
        print(suspectsToJson(*suspects));
    else
        std::cout << suspectsText(*suspects);
    return suspects->clusters.empty() ? kDone : kFound;
}

namespace {

int verifyBundle(const ReportOptions &options)
{
    const auto check = verifyReport(options.verify);
    if (!check)
        return report(check.error());
    if (options.json) {
        Json findings = Json::array();
        for (const std::string &finding : check->findings)
            findings.push(finding);
        print(Json()
                  .set("ok", check->ok)
                  .set("files", check->files)
                  .set("findings", std::move(findings)));
    } else {
        std::cout << (check->ok ? "ok" : "not ok") << ": " << check->files << " files\n";
        for (const std::string &finding : check->findings)
            std::cout << "  " << printable(finding, 500) << '\n';
    }
    return check->ok ? kDone : kFound;
}

Result<WrittenReport> makeReport(const ReportOptions &options)
{
    ReportRequest request;
    if (!options.run.empty())
        request.scope.runId = options.run;
    if (!options.suspect.empty())
        request.scope.suspectId = options.suspect;
    request.formats = options.formats;
    request.outFolder = options.out;
    request.askedBy = options.by;
    request.at = systemClock().now();
    request.stop = &interrupted();
    ASSIGN_OR_RETURN(const auto reader, StoreReader::open(options.store));
    ASSIGN_OR_RETURN(const ReportDocument document, buildReport(*reader, request));
    return writeReport(document, request);
}

} // namespace

int reportCommand(const ReportOptions &options)
{
    if (!options.verify.empty())
        return verifyBundle(options);
    if (options.store.empty() || options.out.empty()) {
        std::cerr << "reprise: report: needs a STORE and --out DIR; see report --help\n";
        return kUsage;
    }
    watchInterrupt();
    const auto written = makeReport(options);
    if (!written)
        return report(written.error());
    if (options.json) {
        Json files = Json::array();
        for (const std::string &file : written->files)
            files.push(file);
        print(Json().set("out", options.out).set("files", std::move(files)));
    } else {
        for (const std::string &file : written->files)
            std::cout << file << '\n';
    }
    return kDone;
}

} // namespace reprise::cli
