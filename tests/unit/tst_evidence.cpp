#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/inspect/store_reader.h"
#include "core/journal/verify.h"
#include "core/key/key.h"
#include "core/store/shared_file.h"
#include "core/store/sqlite.h"
#include "core/store/sqlite_store.h"
#include "core/store/store_file.h"
#include "tests/support/scripted_runner.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace reprise;
using namespace reprise::test;

namespace {

constexpr off_t kDeadManSwitch = 128; // of the -shm file
constexpr off_t kSharedLock = 0x40000002; // of the main file

/// Asks in a process of its own, as a stranger would: is that byte of the file locked?
bool isLockedForOthers(const QString &path, off_t at, off_t bytes)
{
    const std::string name = path.toStdString();
    const pid_t child = ::fork();
    if (child == 0) {
        const int handle = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
        struct flock lock
        {
        };
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = at;
        lock.l_len = bytes;
        const bool locked
            = handle >= 0 && ::fcntl(handle, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
        ::_exit(locked ? 1 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

qsizetype openDescriptors()
{
    return QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::System | QDir::Files).size();
}

Event runPlanned(const std::string &run)
{
    RunPlanned planned;
    planned.runId = run;
    return {Time {1}, planned};
}

void plan(Store &store, const std::string &run)
{
    const Event event = runPlanned(run);
    QVERIFY(store.append(std::span(&event, 1), {}, {}));
}

/// Names, sizes, times and bytes of a folder's files, and the folder's own time: what looking must
/// not change.
QStringList stateOf(const QString &folder)
{
    const auto times = [](const QString &path) {
        struct stat info
        {
        };
        ::stat(path.toLocal8Bit().constData(), &info);
        return QStringLiteral(" %1 bytes, modified %2.%3, changed %4.%5")
            .arg(info.st_size)
            .arg(info.st_mtim.tv_sec)
            .arg(info.st_mtim.tv_nsec)
            .arg(info.st_ctim.tv_sec)
            .arg(info.st_ctim.tv_nsec);
    };
    QStringList out {times(folder)};
    const auto entries = QDir(folder).entryInfoList(
        QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
    for (const QFileInfo &entry : entries) {
        const auto bytes = readFile(entry.filePath().toStdString());
        out.append(entry.fileName() + times(entry.filePath())
            + (bytes ? QString::fromStdString(Sha256::of(*bytes).hex()) : QString()));
    }
    return out;
}

/// Asks a reader for something of everything.
void tour(StoreReader &reader)
{
    QVERIFY(reader.info());
    QVERIFY(reader.runs({}));
    QVERIFY(reader.totals("run"));
    QVERIFY(reader.actions(*RunId::parse("run-1"), -1, 100));
    QVERIFY(reader.actionsInDoubt(100));
    QVERIFY(reader.action(deriveKey(*RunId::parse("run-1"), *Seq::of(1))));
    QVERIFY(reader.keysLike("", 10));
    QVERIFY(reader.forEachEffect([](const Effect &) { return true; }));
    VerifyOptions deep;
    deep.deep = true;
    const auto verified = verifyStore(reader, deep);
    QVERIFY(verified && verified->ok);
}

} // namespace

class TestEvidence : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        qunsetenv("TMPDIR");
        m_folder = std::make_unique<QTemporaryDir>();
        m_evidence = m_folder->filePath(QStringLiteral("evidence"));
        m_temporary = m_folder->filePath(QStringLiteral("tmp"));
        QVERIFY(QDir().mkpath(m_evidence) && QDir().mkpath(m_temporary));
        m_path = m_evidence + QStringLiteral("/s.db");
        qputenv("TMPDIR", m_temporary.toLocal8Bit());
    }

    // P1 to P3; https://github.com/sepinf-inc/IPED/issues/21
    void tour_ofEvery_changesNothing_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<bool>("readOnly");
        QTest::addColumn<QString>("access");
        const std::pair<const char *, const char *> kinds[] = {{"at rest", "immutable"},
            {"empty log", "immutable"}, {"killed", "private copy of the log"},
            {"killed, no -shm", "private copy of the log"},
            {"killed, torn", "private copy of the log"},
            {"hot journal", "private copy, rolled back"}};
        for (const auto &[how, access] : kinds)
            for (const bool readOnly : {false, true})
                QTest::addRow("%s%s", how, readOnly ? ", read-only folder" : "")
                    << QString::fromLatin1(how) << readOnly << QString::fromLatin1(access);
    }
    void tour_ofEvery_changesNothing()
    {
        QFETCH(QString, how);
        QFETCH(bool, readOnly);
        QFETCH(QString, access);
        makeStoreOf(how);
        if (readOnly) {
            for (const QFileInfo &entry : QDir(m_evidence).entryInfoList(QDir::Files))
                QFile::setPermissions(entry.filePath(), QFile::ReadOwner);
            QFile::setPermissions(m_evidence, QFile::ReadOwner | QFile::ExeOwner);
        }
        const QStringList before = stateOf(m_evidence);
        {
            auto reader = StoreReader::open(name());
            QVERIFY2(reader, reader ? "" : reader.error().text().c_str());
            QCOMPARE(QString::fromStdString((*reader)->access()), access);
            QCOMPARE((*reader)->totals("")->runs, std::int64_t(3));
            tour(**reader);
            QCOMPARE(*(*reader)->changedOnDisk(), false);
        }
        QCOMPARE(stateOf(m_evidence), before);
        QCOMPARE(privateFolders(), QStringList());
        QFile::setPermissions(m_evidence, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    /// A reader in the process of a writer must not cost the writer its locks: a second process
    /// could then write at the same time.
    void looking_besideAWriterInThisProcess_keepsItsLocks()
    {
        auto store = makeStore();
        plan(*store, "run-1");
        QVERIFY(isLockedForOthers(shm(), kDeadManSwitch, 1));
        QVERIFY(isLockedForOthers(m_path, kSharedLock, 510));
        QVERIFY(checkStoreFile(name()));
        QVERIFY(evidenceState(name(), true));
        {
            auto reader = StoreReader::open(name());
            QVERIFY(reader);
            QCOMPARE((*reader)->access(), std::string("live"));
            QCOMPARE((*reader)->totals("")->runs, std::int64_t(1));
        }
        QVERIFY(isLockedForOthers(shm(), kDeadManSwitch, 1));
        QVERIFY(isLockedForOthers(m_path, kSharedLock, 510));
        plan(*store, "run-2");
    }

    void looking_again_needsNoMoreDescriptors()
    {
        auto store = makeStore();
        plan(*store, "run-1");
        const qsizetype alone = openDescriptors();
        {
            auto first = StoreReader::open(name());
            qsizetype afterTwo = 0;
            for (int i = 0; i < 20; ++i) {
                QVERIFY(StoreReader::open(name()));
                QVERIFY(evidenceState(name(), true));
                if (i == 1)
                    afterTwo = openDescriptors();
            }
            QCOMPARE(openDescriptors(), afterTwo);
        }
        store.reset();
        QVERIFY(openDescriptors() < alone);
    }

private:
    /// A store with three runs, and what its writer left beside it.
    void makeStoreOf(const QString &how)
    {
        const bool killed = how.startsWith(QStringLiteral("killed"));
        const pid_t child = ::fork();
        if (child == 0) {
            auto store = makeStore();
            for (const char *run : {"run-1", "run-2", "run-3"})
                plan(*store, run);
            if (!killed)
                store.reset();
            ::_exit(0); // no destructor runs: the log stays, as after a kill
        }
        ::waitpid(child, nullptr, 0);
        const QString wal = m_path + QStringLiteral("-wal");
        QCOMPARE(QFileInfo(wal).size() > 0, killed);
        if (how == QStringLiteral("killed, no -shm"))
            QVERIFY(QFile::remove(shm()));
        if (how == QStringLiteral("killed, torn")) {
            QFile log(wal);
            QVERIFY(log.open(QIODevice::Append));
            log.write(QByteArray(1000, 'x'));
        }
        if (how == QStringLiteral("empty log")) {
            QFile log(wal);
            QVERIFY(log.open(QIODevice::WriteOnly));
        }
        if (how == QStringLiteral("hot journal"))
            interruptRollbackWriter();
    }

    /// A writer without a log that is killed when its changes are in the main file already.
    void interruptRollbackWriter()
    {
        const pid_t child = ::fork();
        if (child == 0) {
            const auto database = SqliteDatabase::open(name(), SqliteDatabase::Mode::ReadWrite);
            const bool done = (*database)->execute("PRAGMA journal_mode = DELETE").has_value()
                && (*database)
                       ->execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; "
                                 "DELETE FROM plan_revision; DELETE FROM run; "
                                 "CREATE TABLE filler (x); WITH RECURSIVE n (i) AS (SELECT 1 UNION "
                                 "ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO filler "
                                 "SELECT zeroblob(4000) FROM n")
                       .has_value();
            ::_exit(done ? 0 : 1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QCOMPARE(status, 0);
        QVERIFY(QFileInfo(m_path + QStringLiteral("-journal")).size() > 0);
    }

    [[nodiscard]] QStringList privateFolders() const
    {
        return QDir(m_temporary).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }

    std::unique_ptr<Store> makeStore()
    {
        return std::move(*SqliteStore::create(name(), StoreKind::Live, {m_clock, m_random}));
    }
    [[nodiscard]] std::string name() const { return m_path.toStdString(); }
    [[nodiscard]] QString shm() const { return m_path + QStringLiteral("-shm"); }

    FakeClock m_clock;
    SeededRandom m_random {5};
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_temporary;
    QString m_evidence;
    QString m_path;
};

QTEST_APPLESS_MAIN(TestEvidence)
#include "tst_evidence.moc"
