#include "core/base/file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

#include <cerrno>

using namespace reprise;

/// Files as a whole: nothing half-written, and errors that say which file.
class TestFile : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void write_thenRead_givesTheSameBytes_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("nul and bytes that are no text") << QByteArray("a\0\xFF\r\n", 5);
        QTest::newRow("more than one block") << QByteArray(200'001, 'x');
    }
    void write_thenRead_givesTheSameBytes()
    {
        QFETCH(QByteArray, bytes);
        const std::string path = in("a b.json");
        QVERIFY(writeFileAtomically(path, bytes.toStdString()));
        const auto back = readFile(path);
        QVERIFY(back);
        QCOMPARE(QByteArray::fromStdString(*back), bytes);
        QCOMPARE(names(), QStringList {QStringLiteral("a b.json")});
    }

    void write_overAFile_replacesIt()
    {
        const std::string path = in("a");
        QVERIFY(writeFileAtomically(path, "a longer first text"));
        QVERIFY(writeFileAtomically(path, "short"));
        QCOMPARE(*readFile(path), std::string("short"));
        QCOMPARE(names().size(), 1);
    }

    void write_temporaryFilesOfAKilledProcess_areNoObstacle()
    {
        const std::string path = in("a");
        const std::string prefix = path + ".tmp-" + std::to_string(::getpid()) + "-";
        for (int i = 1; i <= 50; ++i) {
            QFile left(QString::fromStdString(prefix + std::to_string(i)));
            QVERIFY(left.open(QIODevice::WriteOnly));
        }
        QVERIFY(writeFileAtomically(path, "text"));
        QCOMPARE(*readFile(path), std::string("text"));
        QCOMPARE(names().size(), 51);
    }

    void write_whereItCannot_leavesNothing()
    {
        const auto missing = writeFileAtomically(in("none/a"), "text");
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::NotFound);
        QCOMPARE(missing.error().where, in("none/a"));
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("folder")));
        const auto folder = writeFileAtomically(in("folder"), "text");
        QVERIFY(!folder);
        QCOMPARE(folder.error().where, in("folder"));
        QCOMPARE(names(), QStringList {QStringLiteral("folder")});
    }

    void errnoError_classes()
    {
        const auto codeOf = [](int number) { return errnoError(number, "a", "x").code; };
        QCOMPARE(codeOf(ENOENT), ErrorCode::NotFound);
        for (const int number : {ENOSPC, EDQUOT})
            QCOMPARE(codeOf(number), ErrorCode::StoreFull);
        for (const int number : {EACCES, EPERM, EROFS})
            QCOMPARE(codeOf(number), ErrorCode::StoreReadOnly);
        QCOMPARE(codeOf(EIO), ErrorCode::Io);
    }

    void read_whatIsNoFile_refused()
    {
        const auto missing = readFile(in("none"));
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::NotFound);
        QCOMPARE(missing.error().where, in("none"));
        const auto folder = readFile(m_folder->path().toStdString());
        QVERIFY(!folder);
        QCOMPARE(folder.error().code, ErrorCode::InvalidInput);
    }

    void read_limit_isInclusive()
    {
        const std::string path = in("a");
        QVERIFY(writeFileAtomically(path, std::string(1000, 'x')));
        QVERIFY(readFile(path, 1000));
        const auto larger = readFile(path, 999);
        QVERIFY(!larger);
        QCOMPARE(larger.error().code, ErrorCode::InvalidInput);
        QVERIFY(QByteArray::fromStdString(larger.error().what).contains("999"));
    }

    void makeFolder_withParents_andAgain()
    {
        QVERIFY(makeFolder(in("a/b c/d")));
        QVERIFY(makeFolder(in("a/b c/d")));
        QVERIFY(QDir(QString::fromStdString(in("a/b c/d"))).exists());
        QVERIFY(writeFileAtomically(in("file"), "text"));
        for (const char *path : {"file", "file/below"}) {
            const auto made = makeFolder(in(path));
            QVERIFY2(!made, path);
            QCOMPARE(made.error().where, in(path));
        }
        QCOMPARE(*readFile(in("file")), std::string("text"));
    }

private:
    std::string in(const char *name) const
    {
        return m_folder->filePath(QString::fromLatin1(name)).toStdString();
    }
    QStringList names() const
    {
        return QDir(m_folder->path())
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(TestFile)
#include "tst_file.moc"
