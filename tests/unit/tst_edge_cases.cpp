#include <QDir>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

QString read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

/// Holds tests/edge-cases.md and the suites that it names in step.
class TestEdgeCases : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void list_andSuites_nameTheSameCases()
    {
        const QString tests = QStringLiteral(REPRISE_SOURCE_DIR "/tests/");
        QMap<int, QSet<QString>> named;
        const QRegularExpression name(QStringLiteral("(?<![A-Za-z0-9])E(\\d{1,2})(?![A-Za-z0-9])"));
        for (const char *folder : {"unit", "ui"}) {
            const QDir suites(tests + QString::fromLatin1(folder));
            for (const QString &file : suites.entryList({QStringLiteral("tst_*.cpp")})) {
                if (file == QStringLiteral("tst_edge_cases.cpp"))
                    continue;
                QString text = read(suites.filePath(file));
                text.replace(QLatin1Char('_'), QLatin1Char(' '));
                auto match = name.globalMatch(text);
                while (match.hasNext())
                    named[match.next().captured(1).toInt()].insert(file.chopped(4));
            }
        }
        QMap<int, QSet<QString>> listed;
        const QRegularExpression entry(QStringLiteral("^- \\*\\*E(\\d+)\\*\\* .* → (.*)$"),
            QRegularExpression::MultilineOption);
        const QRegularExpression suite(QStringLiteral("`(tst_\\w+)`"));
        auto match = entry.globalMatch(read(tests + QStringLiteral("edge-cases.md")));
        while (match.hasNext()) {
            const auto found = match.next();
            auto &suites = listed[found.captured(1).toInt()];
            auto each = suite.globalMatch(found.captured(2));
            while (each.hasNext())
                suites.insert(each.next().captured(1));
        }
        QCOMPARE(listed.size(), qsizetype(92));
        for (auto it = named.cbegin(); it != named.cend(); ++it)
            QVERIFY2(listed.value(it.key()) == it.value(),
                qPrintable(QStringLiteral("E%1 is named by %2")
                               .arg(it.key())
                               .arg(QStringList(it.value().values()).join(QLatin1Char(' ')))));
        for (auto it = listed.cbegin(); it != listed.cend(); ++it)
            QVERIFY2(it.value().isEmpty() || named.contains(it.key()),
                qPrintable(QStringLiteral("no suite names E%1").arg(it.key())));
    }
};

QTEST_APPLESS_MAIN(TestEdgeCases)
#include "tst_edge_cases.moc"
