#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/demo/demo.h"
#include "core/demo/ledger.h"
#include "core/executor/executor.h"
#include "core/executor/plan.h"
#include "core/executor/process_tool.h"
#include "core/inspect/store_reader.h"
#include "core/journal/verify.h"
#include "core/store/sqlite_store.h"
#include "tests/support/quoted.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>
#include <set>

using namespace reprise;
using namespace reprise::test;

namespace {

namespace fs = std::filesystem;

const std::string kProvider = std::string(REPRISE_BINARY_DIR) + "/reprise-demo-provider";

std::string textOf(const std::string &path)
{
    return readFile(path).value();
}

Json jsonOf(const std::string &path)
{
    return Json::parse(textOf(path), path).value();
}

/// Names of a folder's files, each with the digest of its bytes; a link counts by its name.
std::map<std::string, std::string> contentOf(const std::string &folder)
{
    std::map<std::string, std::string> content;
    for (const auto &entry : fs::directory_iterator(folder))
        content[entry.path().filename()]
            = entry.is_symlink() ? "link" : Sha256::of(textOf(entry.path())).hex();
    return content;
}

using Totals = std::map<std::string, std::int64_t>; ///< "charge EUR" and the like

Totals ledgerTotals(const std::vector<LedgerLine> &ledger)
{
    Totals totals;
    for (const LedgerLine &line : ledger) {
        if (line.verb == "charge" || line.verb == "capture")
            totals["charge " + line.amount->currency] += line.amount->minor;
        else if (line.verb == "refund")
            totals["refund " + line.amount->currency] += line.amount->minor;
    }
    return totals;
}

std::string upper(std::string text)
{
    for (char &letter : text)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return text;
}

/// Cells of one CSV line; the demonstration's cells hold no line breaks.
std::vector<std::string> cellsOf(const std::string &line)
{
    std::vector<std::string> cells {{}};
    bool quoted = false;
    for (const char letter : line) {
        if (letter == '"')
            quoted = !quoted;
        else if (letter == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += letter;
    }
    return cells;
}

} // namespace

class TestDemo : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string m_demo;
    DemoSummary m_summary;
    std::vector<LedgerLine> m_ledger;
    Json m_truth;

    [[nodiscard]] std::string place(const std::string &name) const
    {
        return m_folder.path().toStdString() + "/" + name;
    }
    [[nodiscard]] static DemoOptions optionsFor(const std::string &folder)
    {
        DemoOptions options;
        options.folder = folder;
        options.seed = 42;
        options.providerProgram = kProvider;
        return options;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_demo = place("demo");
        const auto made = makeDemo(optionsFor(m_demo));
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        m_summary = *made;
        m_ledger = readLedger(m_demo + "/provider-ledger.jsonl").value();
        m_truth = jsonOf(m_demo + "/truth.json");
    }

    void folder_holdsAllFiles_andStoreIsAtRest()
    {
        std::set<std::string> names;
        for (const auto &[name, digest] : contentOf(m_demo))
            names.insert(name);
        const std::set<std::string> expected {"demo-provider", "payments.db",
            "provider-ledger.jsonl", "statement.csv", "statement.json", "tools.json", "truth.json"};
        QVERIFY(names == expected);
        QCOMPARE(m_summary.storePath, m_demo + "/payments.db");
        const auto reader = StoreReader::open(m_summary.storePath);
        QVERIFY(reader);
        QCOMPARE((*reader)->access(), std::string("immutable"));
    }

    void store_verifiesDeeply()
    {
        const auto reader = StoreReader::open(m_summary.storePath);
        QVERIFY(reader);
        VerifyOptions options;
        options.deep = true;
        const auto verification = verifyStore(**reader, options);
        QVERIFY(verification);
        QVERIFY(verification->ok);
        QCOMPARE(verification->findings.size(), std::size_t {0});
        const auto totals = (*reader)->totals({});
        QVERIFY(totals);
        QCOMPARE(totals->runs, m_summary.runs);
        QCOMPARE(totals->actions, m_summary.actions);
        QVERIFY(totals->runs >= 40);
        QVERIFY(totals->replayed > 10);
        QVERIFY(totals->executedAgain > 0);
        QVERIFY(totals->conflicts > 0);
    }

    void sameSeed_givesTheSameBytes_anotherSeedDoesNot()
    {
        const std::string again = place("again/in another folder");
        QVERIFY(makeDemo(optionsFor(again)));
        // The store's file is equal too, so every table is.
        QVERIFY(contentOf(again) == contentOf(m_demo));

        DemoOptions other = optionsFor(place("other"));
        other.seed = 43;
        QVERIFY(makeDemo(other));
        const auto otherContent = contentOf(other.folder);
        const auto content = contentOf(m_demo);
        for (const char *name : {"payments.db", "provider-ledger.jsonl", "statement.csv",
                 "statement.json", "truth.json"})
            QVERIFY2(otherContent.at(name) != content.at(name), name);
    }

    void truth_doublesAreThoseOfTheLedger()
    {
        std::map<std::string, const LedgerLine *> byReference;
        for (const LedgerLine &line : m_ledger)
            if (line.verb != "capture")
                QVERIFY(byReference.emplace(line.reference, &line).second);
        Totals atRisk;
        std::set<std::string> doubled;
        for (const Json &one : m_truth["doubles"].items()) {
            std::set<std::pair<std::string, std::int64_t>> members;
            for (const Json &member : one["members"].items())
                members.emplace(member["run_id"].text(), *member["seq"].integer());
            const auto &references = one["provider_refs"].items();
            QVERIFY(references.size() >= 2);
            std::int64_t excess = 0;
            for (std::size_t i = 0; i < references.size(); ++i) {
                const LedgerLine *line = byReference.at(references[i].text());
                QVERIFY(members.contains({line->runId, line->seq}));
                QCOMPARE(line->amount->currency, one["excess"]["currency"].text());
                excess += i == 0 ? 0 : line->amount->minor;
                doubled.insert(line->reference);
            }
            QCOMPARE(*one["excess"]["minor"].integer(), excess);
            atRisk[one["excess"]["currency"].text()] += excess;
        }
        Totals told;
        for (const Json &money : m_truth["at_risk"].items())
            told[money["currency"].text()] = *money["minor"].integer();
        QVERIFY(told == atRisk);
        QCOMPARE(std::int64_t(m_truth["doubles"].items().size()), m_summary.doubles);

        // Found another way: charges of one order and amount that no look-alike explains.
        std::set<std::pair<std::string, std::int64_t>> explained;
        for (const Json &alike : m_truth["look_alikes"].items())
            for (const Json &member : alike["members"].items())
                explained.emplace(member["run_id"].text(), *member["seq"].integer());
        std::map<std::string, std::vector<const LedgerLine *>> byOrder;
        for (const LedgerLine &line : m_ledger)
            if (line.amount && line.verb != "capture" && line.verb != "authorise"
                && !explained.contains({line.runId, line.seq}))
                byOrder[line.verb + " " + line.payee + " " + line.order + " "
                    + line.amount->withCode()]
                    .push_back(&line);
        std::set<std::string> found;
        for (const auto &[order, lines] : byOrder)
            if (lines.size() > 1)
                for (const LedgerLine *line : lines)
                    found.insert(line->reference);
        QVERIFY(found == doubled);
    }

    void truth_inDoubtIsWhatTheStoreSays_andLandedIsWhatTheLedgerSays()
    {
        const auto reader = StoreReader::open(m_summary.storePath);
        QVERIFY(reader);
        const auto open = (*reader)->actionsInDoubt(1000);
        QVERIFY(open);
        std::map<std::pair<std::string, std::int64_t>, bool> expected;
        for (const ActionRow &row : *open)
            expected[{row.runId, row.seq}] = false;
        for (const LedgerLine &line : m_ledger)
            if (const auto row = expected.find({line.runId, line.seq}); row != expected.end())
                row->second = true;
        std::map<std::pair<std::string, std::int64_t>, bool> told;
        std::set<bool> kinds;
        for (const Json &one : m_truth["in_doubt"].items()) {
            told[{one["run_id"].text(), *one["seq"].integer()}] = one["landed"].boolean();
            kinds.insert(one["landed"].boolean());
        }
        QVERIFY(told == expected);
        QCOMPARE(kinds.size(), std::size_t {2}); // some landed, some did not
    }

    void statements_holdTheLedgersTotals()
    {
        const Totals expected = ledgerTotals(m_ledger);
        std::set<std::string> currencies;
        for (const auto &[kind, total] : expected)
            currencies.insert(kind.substr(kind.size() - 3));
        for (const char *currency : {"EUR", "GBP", "USD", "JPY", "KWD"})
            QVERIFY2(currencies.contains(currency), currency);

        Totals inList;
        std::int64_t newest = std::numeric_limits<std::int64_t>::max();
        const Json list = jsonOf(m_demo + "/statement.json");
        for (const Json &row : list["data"].items()) {
            const bool refund = row["object"].text() == "refund";
            const std::int64_t minor = *row[refund ? "amount" : "amount_captured"].integer();
            if (minor > 0)
                inList[row["object"].text() + " " + upper(row["currency"].text())] += minor;
            QVERIFY(*row["created"].integer() <= newest);
            newest = *row["created"].integer();
        }
        QVERIFY(inList == expected);

        Totals inCsv;
        const std::string csv = textOf(m_demo + "/statement.csv");
        const auto header = cellsOf(csv.substr(0, csv.find('\n')));
        const auto column = [&](const char *name) {
            return static_cast<std::size_t>(
                std::find(header.begin(), header.end(), name) - header.begin());
        };
        for (std::size_t start = csv.find('\n') + 1; start < csv.size();) {
            const std::size_t end = csv.find('\n', start);
            const auto cells = cellsOf(csv.substr(start, end - start));
            QCOMPARE(cells.size(), header.size());
            const std::string currency = upper(cells[column("currency")]);
            const std::int64_t gross = Money::fromMajor(cells[column("gross")], currency)->minor;
            const std::int64_t fee = Money::fromMajor(cells[column("fee")], currency)->minor;
            const std::int64_t net = Money::fromMajor(cells[column("net")], currency)->minor;
            QCOMPARE(net, gross - fee);
            const bool refund = cells[column("reporting_category")] == "refund";
            inCsv[cells[column("reporting_category")] + " " + currency] += refund ? -gross : gross;
            start = end + 1;
        }
        QVERIFY(inCsv == expected);
    }

    void everyTime_isOfNovember2026()
    {
        const Time first = *Time::parse("2026-11-03T08:00:00Z");
        const Time end = *Time::parse("2026-12-01T00:00:00Z");
        for (const LedgerLine &line : m_ledger)
            QVERIFY(line.at >= first && line.at < end);
        const auto reader = StoreReader::open(m_summary.storePath);
        QVERIFY(reader);
        std::int64_t after = 0;
        for (auto page = (*reader)->journal(after, 1000); page && !page->empty();
             page = (*reader)->journal(after, 1000)) {
            for (const JournalRow &row : *page)
                QVERIFY(row.at >= first && row.at < end);
            after = page->back().entry;
        }
        QVERIFY(after > 300);
    }

    void actions_reachTheNumberAskedFor()
    {
        DemoOptions options = optionsFor(place("more"));
        options.actions = m_summary.actions + 10;
        const auto made = makeDemo(options);
        QVERIFY(made);
        QVERIFY(made->actions >= options.actions);
        QVERIFY(made->actions < options.actions + 3);
        QCOMPARE(made->doubles, m_summary.doubles);
    }

    void toolsFile_goesOnInTheStore()
    {
        const std::string folder = place("continued");
        QVERIFY(makeDemo(optionsFor(folder)));
        SystemClock clock;
        SystemRandom random;
        const auto tools = ToolSet::readFile(folder + "/tools.json");
        QVERIFY(tools);
        const auto store
            = SqliteStore::open(folder + "/payments.db", StoreKind::Live, {clock, random});
        QVERIFY(store);
        const auto plan = Plan::parse(
            quoted(
                "{'run_id':'new-1','actions':[{'tool':'charge_card','args':"
                "{'customer':'cus_new','order_id':'N-1','amount_minor':100,'currency':'EUR'}}]}"),
            "plan");
        QVERIFY(plan);
        QVERIFY(writePlan(**store, clock, *plan, *tools));
        ProcessToolRunner runner;
        const auto executor = Executor::create(**store, runner, {clock, random, &*tools, {}, {}});
        QVERIFY(executor);
        const ExecuteRequest request {*RunId::parse("new-1"), *Seq::of(1), {}, {}, 0};
        const auto first = (*executor)->execute(request);
        QCOMPARE(std::string(disposition(first.answer)), std::string("executed"));
        const auto second = (*executor)->execute(request);
        QCOMPARE(std::string(disposition(second.answer)), std::string("replayed"));
        const auto ledger = readLedger(folder + "/provider-ledger.jsonl");
        QVERIFY(ledger);
        QCOMPARE(ledger->size(), m_ledger.size() + 1);
        QCOMPARE(ledger->back().order, std::string("N-1"));
        QCOMPARE(ledger->back().key, first.sentKey);
    }

    void error_leavesNothingBehind_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<bool>("stop");
        QTest::newRow("no provider") << QStringLiteral("/nowhere/provider") << false;
        QTest::newRow("a provider that cannot run") << QStringLiteral("/etc/passwd") << false;
        QTest::newRow("a provider that does nothing") << QStringLiteral("/bin/true") << false;
        QTest::newRow("stopped") << QString::fromStdString(kProvider) << true;
    }
    void error_leavesNothingBehind()
    {
        QFETCH(const QString, provider);
        QFETCH(const bool, stop);
        QTemporaryDir parent;
        const std::atomic<bool> stopped = stop;
        DemoOptions options = optionsFor(parent.path().toStdString() + "/demo");
        options.providerProgram = provider.toStdString();
        options.stop = &stopped;
        const auto made = makeDemo(options);
        QVERIFY(!made);
        QCOMPARE(made.error().code == ErrorCode::Cancelled, stop);
        QVERIFY(fs::is_empty(parent.path().toStdString()));
    }

    void folderInUse_isRefused()
    {
        const auto before = contentOf(m_demo);
        const auto again = makeDemo(optionsFor(m_demo));
        QVERIFY(!again);
        QVERIFY(again.error().code == ErrorCode::StoreExists);
        QVERIFY(contentOf(m_demo) == before);

        const std::string other = place("used");
        fs::create_directory(other);
        QVERIFY(writeFileAtomically(other + "/notes.txt", "mine"));
        const auto refused = makeDemo(optionsFor(other));
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::InvalidInput);
        QCOMPARE(textOf(other + "/notes.txt"), std::string("mine"));
        QCOMPARE(contentOf(other).size(), std::size_t {1});

        const std::string empty = place("empty");
        fs::create_directory(empty);
        QVERIFY(makeDemo(optionsFor(empty)));
    }
};

QTEST_APPLESS_MAIN(TestDemo)
#include "tst_demo.moc"
