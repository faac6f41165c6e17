#include "tests/sim/simulation.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace reprise::sim;

namespace {

const QString kRoot = QStringLiteral(REPRISE_SOURCE_DIR);

constexpr std::uint64_t kSeeds = 8;
constexpr std::int64_t kSteps = 4'000;

QByteArray text(std::string_view view)
{
    return {view.data(), static_cast<qsizetype>(view.size())};
}

/// One entry of mutants.txt: what stands in the source, and what stands there instead.
struct Mutant
{
    QString name;
    QStringList before;
    QStringList after;
};

QList<Mutant> mutants()
{
    QList<Mutant> list;
    QFile file(kRoot + QStringLiteral("/tests/sim/mutants.txt"));
    if (!file.open(QIODevice::ReadOnly))
        return list;
    const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
    for (const QString &line : lines) {
        if (line.startsWith(QStringLiteral("mutant ")))
            list.append({line.mid(7), {}, {}});
        else if (line.startsWith(QLatin1Char('-')) && !list.isEmpty())
            list.last().before.append(line.mid(1));
        else if (line.startsWith(QLatin1Char('+')) && !list.isEmpty())
            list.last().after.append(line.mid(1));
    }
    return list;
}

/// Blanks and line ends count alike, as in tests/mutants.
QRegularExpression pattern(const QStringList &lines)
{
    static const QRegularExpression kBlanks(QStringLiteral("\\s+"));
    QStringList words;
    for (const QString &word : lines.join(QLatin1Char(' ')).split(kBlanks, Qt::SkipEmptyParts))
        words.append(QRegularExpression::escape(word));
    return QRegularExpression(words.join(QStringLiteral("\\s+")));
}

QStringList coreSources()
{
    QStringList texts;
    QDirIterator files(kRoot + QStringLiteral("/core"), {QStringLiteral("*.cpp")}, QDir::Files,
        QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            texts.append(QString::fromUtf8(file.readAll()));
    }
    return texts;
}

} // namespace

/// Executors, store, clock, owners, operators and provider in one thread, from one seed.
class TestSimulation : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void simulation_manySeeds_holdsI1ToI10AndReachesEveryBranch()
    {
        Reached reached;
        std::int64_t steps = 0;
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
            const SimulationResult result = simulate({seed, kSteps});
            steps += result.steps;
            QVERIFY2(result.failure.empty(),
                qPrintable(QStringLiteral("simulation --seed %1 --steps %2: %3")
                               .arg(seed)
                               .arg(kSteps)
                               .arg(QString::fromStdString(result.failure))));
            reached.add(result.reached);
        }
        for (std::size_t i = 0; i < Reached::kBranches; ++i)
            QVERIFY2(reached.times(static_cast<Branch>(i)) > 0,
                "no seed reached: " + text(name(static_cast<Branch>(i))));
        QCOMPARE(steps, std::int64_t(kSeeds) * kSteps);
    }

    void simulation_sameSeed_isTheSameRun()
    {
        const SimulationResult first = simulate({7, 2'000});
        const SimulationResult second = simulate({7, 2'000});
        const SimulationResult other = simulate({8, 2'000});
        QCOMPARE(first.digest, second.digest);
        QCOMPARE(first.entries, second.entries);
        QVERIFY(first.digest != other.digest);
    }

    void mutants_eachMatchesTheSourceOnce_data()
    {
        QTest::addColumn<QStringList>("before");
        QTest::addColumn<QStringList>("after");
        for (const Mutant &mutant : mutants())
            QTest::newRow(qPrintable(mutant.name)) << mutant.before << mutant.after;
    }
    void mutants_eachMatchesTheSourceOnce()
    {
        QFETCH(QStringList, before);
        QFETCH(QStringList, after);
        QVERIFY(before != after);
        qsizetype matches = 0;
        for (const QString &source : coreSources())
            matches += source.count(pattern(before));
        QCOMPARE(matches, qsizetype(1));
    }
};

QTEST_APPLESS_MAIN(TestSimulation)
#include "tst_simulation.moc"
