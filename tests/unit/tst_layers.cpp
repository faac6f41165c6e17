#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

namespace {

const QString kRoot = QStringLiteral(REPRISE_SOURCE_DIR);

struct Source
{
    QString path; ///< from the project's folder
    QStringList lines;
};

QList<Source> sources(const QString &folder)
{
    QList<Source> list;
    QDirIterator files(kRoot + QLatin1Char('/') + folder,
        {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
        QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            list.append({QDir(kRoot).relativeFilePath(file.fileName()),
                QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))});
    }
    return list;
}

/// Lines of a folder's sources that match, as "path:line: text".
QStringList matches(const QString &folder, const QString &pattern)
{
    const QRegularExpression expression(pattern);
    QStringList found;
    for (const Source &source : sources(folder))
        for (int i = 0; i < source.lines.size(); ++i)
            if (expression.match(source.lines[i]).hasMatch())
                found.append(source.path + QStringLiteral(":%1: ").arg(i + 1) + source.lines[i]);
    return found;
}

struct Pattern
{
    const char *what;
    const char *folder; ///< nullptr: everywhere
    const char *pattern;
};

const Pattern kForbiddenIncludes[] = {
    {"core knows no Qt", "core", "^\\s*#\\s*include\\s*[<\"]Q"},
    {"core knows no window and no program", "core", "^\\s*#\\s*include\\s*\"(ui|app|tests)/"},
    {"ui knows no program", "ui", "^\\s*#\\s*include\\s*\"(app|tests)/"},
    {"app knows no tests", "app", "^\\s*#\\s*include\\s*\"tests/"},
};

const char *const kNotFromTheRoot
    = "^\\s*#\\s*include\\s*\"(?!core/|ui/|app/|tests/|[a-z0-9_]+\\.moc\")";

// Each word is cut in two, so that this file does not match itself.
const Pattern kLeftovers[] = {
    {"nested event loops", nullptr,
        "process"
        "Events"},
    {"tests that cannot fail", nullptr,
        "QVERIFY\\(tr"
        "ue\\)"},
    {"leftovers", nullptr,
        "\\b(TO"
        "DO|FIX"
        "ME|XX"
        "X)\\b"},
    {"folders of one machine", nullptr,
        "[\"/](wo"
        "rk|ro"
        "ot|ho"
        "me|tm"
        "p)/[a-z]"},
};

} // namespace

/// Reads the source: dependencies run app → ui → core, and some things are written nowhere.
class TestLayers : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void includes_runOneWay_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("forbidden");
        for (const Pattern &row : kForbiddenIncludes)
            QTest::newRow(row.what)
                << QString::fromLatin1(row.folder) << QString::fromLatin1(row.pattern);
    }
    void includes_runOneWay()
    {
        QFETCH(QString, folder);
        QFETCH(QString, forbidden);
        QVERIFY(!sources(folder).isEmpty());
        QCOMPARE(matches(folder, forbidden).join(QLatin1Char('\n')), QString());
    }

    void includes_areWrittenFromTheRoot()
    {
        for (const char *folder : {"core", "ui", "app", "tests"}) {
            const QStringList relative
                = matches(QString::fromLatin1(folder), QString::fromLatin1(kNotFromTheRoot));
            QCOMPARE(relative.join(QLatin1Char('\n')), QString());
        }
    }

    void source_holdsNoLeftovers_data()
    {
        QTest::addColumn<QString>("pattern");
        for (const Pattern &row : kLeftovers)
            QTest::newRow(row.what) << QString::fromLatin1(row.pattern);
    }
    void source_holdsNoLeftovers()
    {
        QFETCH(QString, pattern);
        for (const char *folder : {"core", "ui", "app", "tests"})
            QCOMPARE(
                matches(QString::fromLatin1(folder), pattern).join(QLatin1Char('\n')), QString());
    }

    void source_isFormatted()
    {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("clang-format"));
        if (program.isEmpty())
            QSKIP("clang-format is not installed");
        QStringList files;
        for (const char *folder : {"core", "ui", "app", "tests"})
            for (const Source &source : sources(QString::fromLatin1(folder)))
                files.append(source.path);
        QProcess process;
        process.setWorkingDirectory(kRoot);
        process.start(
            program, QStringList {QStringLiteral("--dry-run"), QStringLiteral("-Werror")} + files);
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(QString::fromUtf8(process.readAllStandardError()), QString());
        QCOMPARE(process.exitCode(), 0);
    }
};

QTEST_APPLESS_MAIN(TestLayers)
#include "tst_layers.moc"
