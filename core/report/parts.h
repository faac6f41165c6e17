#pragma once

#include "core/report/compose.h"

#include <optional>
#include <string>
#include <vector>

/// Parts of a report; composeReport (compose.h) puts them together.
namespace reprise {

// Cells: an empty text of a record means "not recorded".
[[nodiscard]] ReportCell textCell(const std::string &text);
[[nodiscard]] ReportCell timeCell(const std::optional<Time> &time);
[[nodiscard]] ReportCell moneyCell(const std::optional<Money> &money);
[[nodiscard]] ReportCell digestCell(const std::optional<Digest> &digest);
[[nodiscard]] ReportCell spanCell(const std::optional<Time> &from, const std::optional<Time> &to);

/// "EUR 49.00 and JPY 7,000"-like list of amounts, one a currency; "not known" for none.
[[nodiscard]] std::string amountsText(const std::vector<Money> &amounts);

/// Chronological events of actions, with the gaps between them.
[[nodiscard]] ReportTable timelineTable(const ReportEvidence &evidence,
    const std::vector<const ActionDetail *> &actions, const std::string &id,
    const std::string &subject);
/// Every attempt and what it was answered with: how often the tool really ran.
[[nodiscard]] ReportTable attemptsTable(const std::vector<const ActionDetail *> &actions,
    const std::string &id, const std::string &subject);

[[nodiscard]] ReportSection suspectsSection(const ReportEvidence &evidence);
[[nodiscard]] ReportSection inDoubtSection(const ReportEvidence &evidence);
[[nodiscard]] ReportSection runSection(const ReportEvidence &evidence);
[[nodiscard]] ReportSection runsSection(const ReportEvidence &evidence);
[[nodiscard]] ReportSection integritySection(const ReportEvidence &evidence);
[[nodiscard]] ReportSection methodSection(
    const ReportEvidence &evidence, const ReportRequest &request);

/// {"suspects","actions","bodies","journal"}: every cited row as it is stored.
[[nodiscard]] Json rawRecords(const ReportEvidence &evidence);

} // namespace reprise
