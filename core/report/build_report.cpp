#include "core/report/compose.h"
#include "core/report/evidence.h"
#include "core/report/report.h"

namespace reprise {

Result<ReportDocument> buildReport(StoreReader &reader, const ReportRequest &request)
{
    ASSIGN_OR_RETURN(auto before, evidenceState(reader.path(), true));
    ASSIGN_OR_RETURN(Verification chain, verifyStore(reader, {}));
    SuspectOptions options;
    options.stop = request.stop;
    ASSIGN_OR_RETURN(SuspectReport suspects, findSuspects(reader, options));
    if (request.stop != nullptr && *request.stop)
        return fail(ErrorCode::Cancelled, "stopped; no report was written");
    ASSIGN_OR_RETURN(ReportEvidence evidence, gatherEvidence(reader, request, std::move(suspects)));
    ASSIGN_OR_RETURN(const auto after, evidenceState(reader.path(), true));
    evidence.filesUnchanged = before == after;
    evidence.files = std::move(before);
    evidence.chain = std::move(chain);
    return composeReport(evidence, request);
}

} // namespace reprise
