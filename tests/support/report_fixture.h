#pragma once

#include "core/key/key.h"
#include "core/report/compose.h"
#include "tests/support/fake_store_reader.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reprise::test {

inline const Time kReportStart = *Time::parse("2026-11-30T14:03:22.418001Z");

/// A store with the texts and amounts that reports have to survive: markup and a formula in a
/// payee, digits that are text, a direction override, three currency exponents, a negative amount,
/// a body that is not UTF-8, and an in-doubt action with its twin.
class ReportFixture
{
public:
    FakeStoreReader reader;
    SuspectReport suspects;
    Verification chain;
    std::vector<EvidenceFile> files;

    ReportFixture()
    {
        reader.storePath = "folder/payments.db";
        reader.storeInfo.storeId = std::string(32, 'a');
        reader.storeInfo.schemaVersion = 1;
        reader.storeInfo.createdAt = kReportStart;
        reader.storeInfo.entries = 3;
        reader.storeInfo.head = Sha256::of("head");
        add("run-1", 5, Money {"EUR", 4900}, "<script>alert('x')</script>", "000123", true);
        add("run-1", 6, Money {"EUR", 4900}, "<script>alert('x')</script>", "000123", false);
        add("run-2", 1, Money {"JPY", 777}, "=HYPERLINK(\"x\")", "1e5", false);
        add("run-2", 2, Money {"JPY", 777}, "=HYPERLINK(\"x\")", "1e5", false);
        add("run-3", 1, Money {"KWD", 12345}, "user\xe2\x80\xaegpj", "\xe6\xb3\xa8\xe6\x96\x87",
            false);
        add("run-3", 2, Money {"EUR", -5242}, "line\r\nbreak, \"quoted\"", {}, false);
        addRun("run-1", 2, 1);
        addRun("run-2", 2, 0);
        addRun("run-3", 2, 0);
        addCluster("S-00000001", {0, 1}, {Money {"EUR", 4900}}, Proof::C);
        addCluster("S-00000002", {2, 3}, {Money {"JPY", 777}}, Proof::B);
        addCluster("S-00000003", {4, 5}, {Money {"KWD", 12345}}, Proof::B);
        suspects.effectsChecked = 6;
        suspects.runsChecked = 3;
        suspects.rulesNotRun = {{"R02", "no statement"}};
        chain.ok = true;
        chain.entries = 3;
        chain.head = reader.storeInfo.head;
        files = {{"folder/payments.db", 8192, 1'780'000'000'000'000'000, Sha256::of("file")}};
        addJournal();
    }

    [[nodiscard]] ReportRequest request(std::optional<std::string> run = std::nullopt,
        std::optional<std::string> suspect = std::nullopt) const
    {
        ReportRequest request;
        request.scope = {std::move(run), std::move(suspect)};
        request.formats = {"html", "json", "csv"};
        request.askedBy = "A. Auditor <a@example.org>";
        request.at = kReportStart;
        return request;
    }

    [[nodiscard]] Result<ReportDocument> build(const ReportRequest &request)
    {
        ASSIGN_OR_RETURN(ReportEvidence evidence, gatherEvidence(reader, request, suspects));
        evidence.chain = chain;
        evidence.files = files;
        return composeReport(evidence, request);
    }

    [[nodiscard]] ReportDocument document()
    {
        auto built = build(request());
        return built ? std::move(*built) : ReportDocument {};
    }

private:
    void add(const std::string &run, std::int64_t seq, Money amount, const std::string &payee,
        const std::string &order, bool inDoubt)
    {
        const auto index = static_cast<std::int64_t>(reader.details.size());
        ActionDetail detail;
        ActionRow &row = detail.row;
        row.runId = run;
        row.seq = seq;
        row.key = deriveKey(*RunId::parse(run), *Seq::of(seq));
        row.tool = "charge_card";
        row.state = inDoubt ? ActionState::InDoubt : ActionState::Succeeded;
        row.args = reader.put("{\"seq\": " + std::to_string(seq) + ", \"id\":9007199254740993}");
        row.fingerprint = Sha256::of(run);
        row.business = {BusinessKind::Charge, std::move(amount), payee, order, {}};
        row.attempts = 1;
        row.executed = inDoubt ? 0 : 1;
        row.firstAt = Time {kReportStart.us + index * 60'000'000};
        detail.environment = "live";
        detail.contract = ToolContract::undeclared("charge_card");
        detail.contract.ignore = {"/trace_id"};
        detail.stateHash = Sha256::of(run + std::to_string(seq));
        AttemptRow attempt;
        attempt.n = 1;
        attempt.kind = inDoubt ? AttemptKind::InDoubt : AttemptKind::Executed;
        attempt.outcome = inDoubt ? OutcomeClass::Unknown : OutcomeClass::Succeeded;
        attempt.startedAt = row.firstAt;
        attempt.endedAt = Time {row.firstAt->us + 1'500'000};
        attempt.sentKey = formatKey(row.key, KeyForm::Uuid);
        if (!inDoubt) {
            RecordedResult result;
            result.status = "0";
            const std::string body = seq == 6
                ? std::string("\xff\x00\x01", 3)
                : "{\"charge_id\":\"ch_" + std::to_string(index) + "\"}";
            result.body = reader.put(body);
            result.bodyBytes = static_cast<std::int64_t>(body.size());
            result.reference = "00" + std::to_string(index);
            result.recordedAt = *attempt.endedAt;
            attempt.result = result;
            detail.result = result;
            row.reference = result.reference;
        }
        detail.attempts = {attempt};
        Effect effect;
        effect.runId = run;
        effect.seq = seq;
        effect.key = row.key;
        effect.tool = row.tool;
        effect.fingerprint = row.fingerprint;
        effect.attempt = 1;
        effect.kind = attempt.kind;
        effect.inDoubt = inDoubt;
        effect.business = row.business;
        effect.reference = row.reference;
        effect.startedAt = attempt.startedAt;
        effect.endedAt = attempt.endedAt;
        effect.actionState = row.state;
        reader.effects.push_back(effect);
        reader.details.push_back(std::move(detail));
    }

    void addRun(const std::string &run, std::int64_t actions, std::int64_t inDoubt)
    {
        RunRow row;
        row.run.runId = run;
        row.run.label = "checkout";
        row.run.revision = 1;
        row.actions = actions;
        row.executed = actions - inDoubt;
        row.inDoubt = inDoubt;
        row.firstAt = kReportStart;
        row.lastAt = Time {kReportStart.us + 60'000'000};
        reader.runRows.push_back(row);
    }

    void addCluster(const std::string &id, const std::vector<std::size_t> &effects,
        std::vector<Money> atRisk, Proof proof)
    {
        Cluster cluster;
        cluster.id = id;
        cluster.severity = Severity::Critical;
        cluster.score = 99;
        cluster.proof = proof;
        cluster.rules = {{"R04", "Other key, same arguments", 85, "equal args under two keys"}};
        cluster.missing = {"the provider's lines"};
        for (const std::size_t index : effects) {
            Member member;
            member.effect = reader.effects[index];
            cluster.members.push_back(member);
        }
        cluster.atRisk = std::move(atRisk);
        cluster.effects = static_cast<std::int64_t>(effects.size());
        cluster.excess = cluster.effects - 1;
        cluster.gapUs = 60'000'000;
        suspects.clusters.push_back(cluster);
    }

    void addJournal()
    {
        ActionPlanned planned;
        planned.runId = "run-1";
        planned.seq = 5;
        planned.key = reader.details[0].row.key;
        planned.tool = "charge_card";
        Settled settled;
        settled.key = reader.details[2].row.key;
        settled.decision = Decision::Landed;
        settled.by = "M. Reviewer";
        settled.reason = "seen on the dashboard";
        settled.evidence = "ticket 7";
        StoreCreated created {reader.storeInfo.storeId, StoreKind::Live};
        std::int64_t entry = 0;
        for (const Event &event :
            {Event {kReportStart, created}, Event {Time {kReportStart.us - 1'000'000}, planned},
                Event {Time {kReportStart.us + 600'000'000}, settled}})
            reader.journalRows.push_back({++entry, event.at, std::string(event.kind()),
                event.payload(), Sha256::of(event.payload())});
    }
};

} // namespace reprise::test
