#include "core/report/compose.h"

#include "core/base/bytes.h"
#include "core/base/sha256.h"
#include "core/inspect/text_table.h"
#include "core/report/parts.h"
#include "core/report/visible_text.h"

#include <algorithm>

namespace reprise {

namespace {

std::string titleOf(const ReportEvidence &evidence, const ReportScope &scope)
{
    if (scope.suspectId)
        return "Suspect " + *scope.suspectId + ": one intention, or more?";
    if (scope.runId)
        return "Run " + *scope.runId;
    return "Store " + evidence.storeName;
}

std::string questionOf(const ReportScope &scope)
{
    if (scope.suspectId)
        return "Was one intention carried out more than once, and what proves it?";
    if (scope.runId)
        return "What did this run do, which of its calls took effect, and was any of them carried "
               "out twice?";
    return "Was anything in this store carried out more than once for one intention, and what is "
           "still in doubt?";
}

std::string scopeLineOf(const ReportEvidence &evidence, const ReportRequest &request)
{
    std::string scope = "whole store " + evidence.storeName + ", "
        + counted(evidence.totals.runsInStore, "run", "runs");
    if (request.scope.suspectId)
        scope = "suspect " + *request.scope.suspectId + " of store " + evidence.storeName;
    else if (evidence.run)
        scope = "run " + evidence.run->run.runId + " of store " + evidence.storeName + ", "
            + counted(evidence.run->actions, "action", "actions");
    return "Scope: " + scope + "; no filter; journal entries 1 to "
        + humanCount(evidence.store.entries) + "; as of " + humanTime(request.at);
}

std::string reportIdOf(const ReportEvidence &evidence, const ReportDocument &document)
{
    Sha256 hash;
    hash.addPrefixed(evidence.store.storeId);
    hash.addPrefixed(evidence.store.head.view());
    hash.addPrefixed(document.scopeLine);
    hash.addPrefixed(document.at.rfc3339());
    return "R-" + hash.finish().hex().substr(0, 12);
}

std::string chainText(const Verification &chain)
{
    if (!chain.complete)
        return "stopped before the end: not a full check";
    if (!chain.ok)
        return "broken: "
            + counted(static_cast<std::int64_t>(chain.findings.size()), "finding", "findings");
    return "intact over " + counted(chain.entries, "entry", "entries");
}

std::vector<std::pair<std::string, std::string>> factsOf(
    const ReportEvidence &evidence, const ReportRequest &request)
{
    const StoreInfo &store = evidence.store;
    return {{"Question", questionOf(request.scope)}, {"Asked by", request.askedBy},
        {"Written", humanTime(request.at)},
        {"Store",
            evidence.storeName + ", id " + store.storeId + ", " + std::string(name(store.kind))
                + ", schema " + std::to_string(store.schemaVersion) + ", made "
                + humanTime(store.createdAt)},
        {"Head", "entry " + humanCount(store.entries) + ", SHA-256 " + store.head.hex()},
        {"Chain check", chainText(evidence.chain)},
        {"Read as",
            evidence.access
                + (evidence.filesUnchanged ? "; the files were the same before and after"
                                           : "; the files CHANGED while the report was made")}};
}

Tone warnAbove(std::int64_t count)
{
    return count > 0 ? Tone::Warn : Tone::Plain;
}

Tone dangerAbove(std::int64_t count)
{
    return count > 0 ? Tone::Danger : Tone::Plain;
}

std::vector<ReportFigure> figuresOf(const ReportEvidence &evidence, const ReportScope &scope)
{
    std::vector<ReportFigure> figures;
    const auto add
        = [&](const char *id, const char *label, std::int64_t value, Tone tone = Tone::Plain) {
              figures.push_back({id, label, value, tone});
          };
    add("suspects", evidence.suspectsInScope == 1 ? "suspect" : "suspects",
        evidence.suspectsInScope, dangerAbove(evidence.suspectsInScope));
    if (scope.suspectId) {
        const Cluster &cluster = evidence.suspects.clusters.front();
        add("effects", "effects, those in doubt included", cluster.effects);
        add("excess", "more than the one that was meant", cluster.excess,
            dangerAbove(cluster.excess));
        add("score", "score of at most 99", cluster.score);
    } else if (evidence.run) {
        const RunRow &run = *evidence.run;
        add("actions", run.actions == 1 ? "action" : "actions", run.actions);
        add("executed", "executed (the tool was called)", run.executed);
        add("replayed", "replayed from the record", run.replayed);
        add("executed_again", "executed again", run.executedAgain, dangerAbove(run.executedAgain));
        add("in_doubt", "in doubt or in flight", run.inDoubt, warnAbove(run.inDoubt));
        add("conflicts", "conflicts", run.conflicts, warnAbove(run.conflicts));
    } else {
        const RunTotals &totals = evidence.totals;
        add("runs", totals.runs == 1 ? "run" : "runs", totals.runs);
        add("actions", totals.actions == 1 ? "action" : "actions", totals.actions);
        add("executed", "executed (the tool was called)", totals.executed);
        add("replayed", "replayed from the record", totals.replayed);
        add("executed_again", "executed again", totals.executedAgain,
            dangerAbove(totals.executedAgain));
        add("in_doubt", "in doubt or in flight", totals.inDoubt, warnAbove(totals.inDoubt));
        add("conflicts", "conflicts", totals.conflicts, warnAbove(totals.conflicts));
    }
    for (const Money &money : evidence.atRisk)
        figures.push_back({"at_risk_" + money.currency, "at risk in " + money.currency, money,
            dangerAbove(money.minor)});
    return figures;
}

ReportNotice answerOf(const ReportEvidence &evidence)
{
    const SuspectReport &suspects = evidence.suspects;
    if (suspects.clusters.empty())
        return {Tone::Ok, "No suspects",
            "No suspect was found among " + counted(suspects.effectsChecked, "effect", "effects")
                + " in " + counted(suspects.runsChecked, "run", "runs")
                + ". Rules that could not run are listed under Method and limits."};
    std::string text = "Up to " + amountsText(evidence.atRisk)
        + " may have been taken more than once. Checked: "
        + counted(suspects.effectsChecked, "effect", "effects") + " in "
        + counted(suspects.runsChecked, "run", "runs") + ".";
    return {Tone::Danger,
        counted(evidence.suspectsInScope, "suspected double", "suspected doubles"), text};
}

ReportTable suspectsTable(const ReportEvidence &evidence)
{
    ReportTable table;
    table.id = "suspects";
    table.title = "Suspects by rank";
    table.whenEmpty = "none.";
    table.columns
        = {{"suspect", "Suspect", ColumnKind::Code}, {"severity", "Severity", ColumnKind::Word},
            {"score", "Score", ColumnKind::Number}, {"proof", "Proof", ColumnKind::Word},
            {"effects", "Effects", ColumnKind::Number}, {"excess", "Excess", ColumnKind::Number},
            {"at_risk", "At risk", ColumnKind::Text}, {"why", "Heaviest rule", ColumnKind::Text}};
    for (const Cluster &cluster : evidence.suspects.clusters)
        table.rows.push_back(
            {cluster.id, std::string(name(cluster.severity)), std::int64_t {cluster.score},
                std::string(1, letter(cluster.proof)), cluster.effects, cluster.excess,
                cluster.atRisk.empty() ? ReportCell() : ReportCell(amountsText(cluster.atRisk)),
                cluster.rules.empty()
                    ? ReportCell()
                    : textCell(cluster.rules.front().rule + " " + cluster.rules.front().title)});
    return table;
}

ReportSection summarySection(const ReportEvidence &evidence)
{
    ReportSection section;
    section.title = "Summary";
    section.blocks.emplace_back(answerOf(evidence));
    if (evidence.suspects.coverage < 1.0)
        section.blocks.emplace_back(ReportNotice {Tone::Warn, "The results are partial",
            "The search for suspects was stopped at "
                + std::to_string(static_cast<int>(evidence.suspects.coverage * 100))
                + " %. There may be more."});
    if (!evidence.inDoubt.empty())
        section.blocks.emplace_back(ReportNotice {Tone::Warn,
            counted(static_cast<std::int64_t>(evidence.inDoubt.size()), "action", "actions")
                + " in doubt or in flight",
            "The tool may or may not have taken effect. Until that is settled, totals of money are "
            "not final."});
    if (!evidence.chain.ok || !evidence.chain.complete)
        section.blocks.emplace_back(ReportNotice {Tone::Danger, "The journal's chain is not intact",
            "What follows rests on records that do not prove themselves. See Integrity."});
    if (evidence.store.kind == StoreKind::Sandbox)
        section.blocks.emplace_back(ReportNotice {Tone::Warn, "Simulated: not evidence",
            "This store is a sandbox. Nothing in it reached the outside."});
    section.blocks.emplace_back(suspectsTable(evidence));
    if (!evidence.leftOut.empty())
        section.blocks.emplace_back(
            ReportList {"Not everything is listed; all of it was checked", evidence.leftOut});
    return section;
}

} // namespace

ReportCell textCell(const std::string &text)
{
    if (text.empty())
        return {};
    return isValidUtf8(text) ? text : visibleText(text);
}

ReportCell timeCell(const std::optional<Time> &time)
{
    return time ? ReportCell(*time) : ReportCell();
}

ReportCell moneyCell(const std::optional<Money> &money)
{
    return money ? ReportCell(*money) : ReportCell();
}

ReportCell digestCell(const std::optional<Digest> &digest)
{
    return digest ? ReportCell(digest->hex()) : ReportCell();
}

ReportCell spanCell(const std::optional<Time> &from, const std::optional<Time> &to)
{
    return from && to ? ReportCell(to->us - from->us) : ReportCell();
}

std::string amountsText(const std::vector<Money> &amounts)
{
    std::string text;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        if (i > 0)
            text += i + 1 == amounts.size() ? " and " : ", ";
        text += amounts[i].withCode();
    }
    return text.empty() ? "an amount that is not known" : text;
}

ReportDocument composeReport(const ReportEvidence &evidence, const ReportRequest &request)
{
    ReportDocument document;
    document.title = titleOf(evidence, request.scope);
    document.scopeLine = scopeLineOf(evidence, request);
    document.askedBy = request.askedBy;
    document.at = request.at;
    document.store = evidence.store;
    document.reportId = reportIdOf(evidence, document);
    document.facts = factsOf(evidence, request);
    document.figures = figuresOf(evidence, request.scope);
    document.sections.push_back(summarySection(evidence));
    document.sections.push_back(suspectsSection(evidence));
    document.sections.push_back(inDoubtSection(evidence));
    if (evidence.run)
        document.sections.push_back(runSection(evidence));
    else if (!request.scope.suspectId)
        document.sections.push_back(runsSection(evidence));
    document.sections.push_back(integritySection(evidence));
    document.sections.push_back(methodSection(evidence, request));
    document.records = rawRecords(evidence);
    return document;
}

} // namespace reprise
