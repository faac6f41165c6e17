#include "core/base/json.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace reprise;

namespace {

/// What the measurement prints for the given goals, object by object.
std::vector<Json> measured(const QStringList &arguments)
{
    const QTemporaryDir folder;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("REPRISE_BENCH_DIR"), folder.path());
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(REPRISE_BINARY_DIR "/tests/reprise-bench"), arguments);
    std::vector<Json> objects;
    if (!process.waitForFinished(120'000) || process.exitCode() != 0) {
        qWarning("%s", process.readAllStandardError().constData());
        return objects;
    }
    for (const QByteArray &line : process.readAllStandardOutput().split('\n'))
        if (!line.isEmpty())
            if (auto parsed = Json::parse(line.toStdString()))
                objects.push_back(std::move(*parsed));
    return objects;
}

} // namespace

/// The measurement itself: what it prints, and the one figure that does not depend on the machine.
/// Nothing here looks at time.
class TestBench : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void flushes_areTwoAnExecution_noneAReadOnlyReplay()
    {
        const auto objects
            = measured({QStringLiteral("--quick"), QStringLiteral("--json"), QStringLiteral("G2")});
        QCOMPARE(objects.size(), std::size_t {1});
        const Json &goal = objects[0];
        QCOMPARE(goal["goal"].text(), std::string("G2"));
        QCOMPARE(goal["reprise"].integer().value_or(-1), 2);
        QCOMPARE(goal["cases"].items().size(), std::size_t {2});
        QCOMPARE(goal["cases"].items()[0]["case"].text(), std::string("read-only replay"));
        QCOMPARE(goal["cases"].items()[0]["most"].integer().value_or(-1), 0);
    }

    void object_namesRatioFloorAndUnit()
    {
        const auto objects = measured({QStringLiteral("--quick"), QStringLiteral("--json"),
            QStringLiteral("G1"), QStringLiteral("G4")});
        QCOMPARE(objects.size(), std::size_t {2});
        for (const Json &goal : objects) {
            for (const char *field :
                {"ratio", "floor", "reprise", "p50_us", "p99_us", "flushes", "memory_mb"})
                QVERIFY2(goal[field].isNumber(), field);
            QVERIFY(goal["unit"].isString());
        }
    }

    void unknownGoal_isRefused()
    {
        QProcess process;
        process.start(
            QStringLiteral(REPRISE_BINARY_DIR "/tests/reprise-bench"), {QStringLiteral("G99")});
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardError().contains("G12"));
    }
};

QTEST_APPLESS_MAIN(TestBench)
#include "tst_bench.moc"
