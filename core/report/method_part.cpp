#include "core/base/bytes.h"
#include "core/base/embedded.h"
#include "core/base/sha256.h"
#include "core/inspect/text_table.h"
#include "core/report/parts.h"

#include <algorithm>
#include <filesystem>

namespace reprise {

namespace {

ReportTable filesTable(const ReportEvidence &evidence)
{
    ReportTable table;
    table.id = "evidence_files";
    table.title = "Evidence files, as found";
    table.whenEmpty = "none: the store is not a file.";
    table.columns = {{"name", "File", ColumnKind::Code}, {"bytes", "Bytes", ColumnKind::Number},
        {"modified_at", "Changed last", ColumnKind::Time},
        {"sha256", "SHA-256 before the report", ColumnKind::Code}};
    for (const EvidenceFile &file : evidence.files)
        table.rows.push_back({textCell(std::filesystem::path(file.path).filename().string()),
            static_cast<std::int64_t>(file.bytes), Time {file.modifiedNs / 1000},
            file.sha256.hex()});
    return table;
}

ReportTable findingsTable(const Verification &chain)
{
    ReportTable table;
    table.id = "integrity_findings";
    table.title = "Findings of the chain check";
    table.whenEmpty = "none.";
    table.columns = {{"kind", "Kind", ColumnKind::Word}, {"where", "Where", ColumnKind::Text},
        {"what", "What", ColumnKind::Text}};
    for (const IntegrityFinding &finding : chain.findings)
        table.rows.push_back(
            {textCell(finding.kind), textCell(finding.where), textCell(finding.what)});
    return table;
}

ReportTable rulesNotRunTable(const SuspectReport &suspects)
{
    ReportTable table;
    table.id = "rules_not_run";
    table.title = "Rules that could not run";
    table.whenEmpty = "every rule ran.";
    table.columns = {{"rule", "Rule", ColumnKind::Code}, {"why", "Why", ColumnKind::Text}};
    for (const RuleNotRun &rule : suspects.rulesNotRun)
        table.rows.push_back({textCell(rule.rule), textCell(rule.why)});
    return table;
}

/// The version of the rules file that is built in, and a digest that names its exact content.
std::string rulesVersion()
{
    const auto rules = Json::parse(embedded::kSuspectRulesJson);
    const std::string version = rules ? (*rules)["version"].text() : std::string();
    return (version.empty() ? "not numbered" : "version " + version) + ", SHA-256 "
        + Sha256::of(embedded::kSuspectRulesJson).hex();
}

bool hasImported(const ReportEvidence &evidence)
{
    return (evidence.run && evidence.run->run.imported)
        || std::any_of(evidence.runs.begin(), evidence.runs.end(),
            [](const RunRow &row) { return row.run.imported; })
        || std::any_of(evidence.actions.begin(), evidence.actions.end(),
            [](const ActionDetail &detail) { return detail.imported; });
}

std::string joined(const std::vector<std::string> &texts)
{
    std::string out;
    for (const std::string &text : texts)
        out.append(out.empty() ? "" : ", ").append(text);
    return out;
}

std::vector<std::string> ignoredFields(const ReportEvidence &evidence)
{
    std::vector<std::string> lines;
    for (const ActionDetail &detail : evidence.actions) {
        const ToolContract &contract = detail.contract;
        if (contract.ignore.empty())
            continue;
        const std::string line = detail.row.tool + ", contract version " + contract.version + ": "
            + joined(contract.ignore);
        if (std::find(lines.begin(), lines.end(), line) == lines.end())
            lines.push_back(line);
    }
    return lines;
}

/// What a reader must not conclude from any report.
const std::vector<std::string> kLimits {
    std::string(
        "A hash chain shows that entries fit together. It cannot show that the last entries "
        "were not cut off, that the whole chain was not written anew, or that the recorder "
        "told the truth; an anchor kept elsewhere (`reprise seal`, `reprise verify "
        "--anchor`) shows the first two. No anchor was compared for this report."),
    std::string("The store knows what was recorded. Whether money moved is known to the provider: "
                "only its statement raises a case to proof level A."),
    std::string("An action in doubt may or may not have taken effect. It is counted as an effect "
                "of a suspect, and said so."),
    std::string("A suspect is not a verdict. Rules find what looks alike; a person decides."),
    std::string("The SHA-256 values in manifest.json show later changes of this report's files. "
                "Who can replace all of them can replace the manifest too: keep its digest "
                "elsewhere.")};

} // namespace

ReportSection integritySection(const ReportEvidence &evidence)
{
    const Verification &chain = evidence.chain;
    ReportSection section;
    section.title = "Integrity of the evidence";
    if (chain.ok && chain.complete)
        section.blocks.emplace_back(ReportNotice {Tone::Ok, "The journal's chain is intact",
            counted(chain.entries, "entry", "entries")
                + ", each with the hash of the one before it; none is missing and none was "
                  "changed. "
                  "The head is "
                + chain.head.hex() + "."});
    else if (!chain.complete)
        section.blocks.emplace_back(
            ReportNotice {Tone::Warn, "The chain was not checked to its end",
                "The check was stopped after " + counted(chain.entries, "entry", "entries") + "."});
    else
        section.blocks.emplace_back(ReportNotice {Tone::Danger, "The journal's chain is broken",
            "Records were changed, lost or added outside the program. The findings name the "
            "place."});
    section.blocks.emplace_back(findingsTable(chain));
    section.blocks.emplace_back(filesTable(evidence));
    section.blocks.emplace_back(evidence.filesUnchanged
            ? ReportNotice {Tone::Ok, "Nothing was written to the evidence",
                "Size, time stamp and SHA-256 of every file were the same after the report's data "
                "had been read."}
            : ReportNotice {Tone::Warn, "The evidence changed while it was read",
                "Something wrote to the store meanwhile. The report describes the state that it "
                "read; make another one from a store at rest."});
    return section;
}

ReportSection methodSection(const ReportEvidence &evidence, const ReportRequest &request)
{
    const SuspectReport &suspects = evidence.suspects;
    ReportSection section;
    section.title = "Method and limits";
    ReportFacts facts;
    facts.facts = {{"Program", "reprise " REPRISE_VERSION},
        {"Store schema", std::to_string(evidence.store.schemaVersion)},
        {"Suspect rules", rulesVersion()},
        {"Coverage",
            std::to_string(static_cast<int>(suspects.coverage * 100))
                + " %: " + counted(suspects.effectsChecked, "effect", "effects") + " in "
                + counted(suspects.runsChecked, "run", "runs")},
        {"Clock",
            "Times are those of the machine that recorded them, in UTC; its clock was not checked "
            "against another one. Imported times are those of the source."},
        {"Provider statements", "none was used: no proof in this report is above level B"},
        {"Redactions", "none"}};
    if (std::any_of(suspects.clusters.begin(), suspects.clusters.end(),
            [](const Cluster &cluster) { return cluster.proof == Proof::A; }))
        facts.facts[5].second = "used where a case says proof level A";
    section.blocks.emplace_back(std::move(facts));
    section.blocks.emplace_back(rulesNotRunTable(suspects));

    std::vector<std::string> limits = kLimits;
    if (hasImported(evidence))
        limits.emplace_back(
            "Records were imported from another system. Their keys were derived at "
            "import: no planner assigned them, and no store prevented a second call.");
    if (evidence.store.kind == StoreKind::Sandbox)
        limits.emplace_back(
            "The store is a sandbox: its results are simulated and are no evidence.");
    if (suspects.coverage < 1.0)
        limits.emplace_back("The search for suspects did not reach its end: there may be more.");
    limits.insert(limits.end(), evidence.leftOut.begin(), evidence.leftOut.end());
    section.blocks.emplace_back(ReportList {"What this report cannot prove", std::move(limits)});
    if (auto ignored = ignoredFields(evidence); !ignored.empty())
        section.blocks.emplace_back(ReportList {
            "Fields of args that a contract leaves out of the fingerprint", std::move(ignored)});
    section.blocks.emplace_back(ReportParagraph {"Forms of this report: " + joined(request.formats)
        + ". All of them hold the same rows and totals."});
    return section;
}

Json rawRecords(const ReportEvidence &evidence)
{
    Json actions = Json::array();
    for (const Json &action : evidence.actionJson)
        actions.push(action);
    Json bodies = Json::array();
    for (const CitedBody &body : evidence.bodies) {
        Json uses = Json::array();
        for (const std::string &use : body.usedAs)
            uses.push(use);
        Json item = Json()
                        .set("sha256", body.sha256.hex())
                        .set("bytes", body.bytes ? Json(body.size) : Json())
                        .set("used_as", std::move(uses));
        if (!body.bytes)
            item.set("left_out", body.leftOut);
        else if (isValidUtf8(*body.bytes))
            item.set("text", *body.bytes);
        else
            item.set("base64", toBase64(*body.bytes));
        bodies.push(std::move(item));
    }
    Json journal = Json::array();
    for (const JournalRow &row : evidence.journal)
        journal.push(Json()
                         .set("entry", row.entry)
                         .set("at", row.at.rfc3339())
                         .set("kind", row.kind)
                         .set("payload", row.payload)
                         .set("hash", row.hash.hex()));
    return Json()
        .set("suspects", suspectsToJson(evidence.suspects))
        .set("actions", std::move(actions))
        .set("bodies", std::move(bodies))
        .set("journal", std::move(journal));
}

} // namespace reprise
