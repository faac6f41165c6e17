#include "core/base/file.h"
#include "core/report/manifest.h"
#include "tests/support/report_fixture.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include <unistd.h>

#include <filesystem>

using namespace reprise;
using reprise::test::ReportFixture;

namespace {

/// A written report in a folder of its own.
class Bundle
{
public:
    Bundle()
    {
        request = fixture.request();
        request.outFolder = (m_folder.path() + QStringLiteral("/deep/report")).toStdString();
        document = fixture.document();
    }
    [[nodiscard]] Result<WrittenReport> write() const { return writeReport(document, request); }
    [[nodiscard]] QString root() const { return m_folder.path(); }
    [[nodiscard]] std::string path(const std::string &name) const
    {
        return request.outFolder + "/" + name;
    }
    [[nodiscard]] std::string findings() const
    {
        const auto check = verifyReport(request.outFolder);
        if (!check)
            return "error: " + check.error().text();
        std::string text = check->ok ? "ok\n" : "";
        for (const std::string &finding : check->findings)
            text += finding + "\n";
        return text;
    }

    ReportFixture fixture;
    ReportRequest request;
    ReportDocument document;

private:
    QTemporaryDir m_folder;
};

std::string bytesOf(const std::string &path)
{
    const auto bytes = readFile(path);
    return bytes ? *bytes : std::string();
}

bool replaceBytes(const std::string &path, const std::string &bytes)
{
    return writeFileAtomically(path, bytes).has_value();
}

/// A manifest that is whole in itself and names one file.
std::string manifestNaming(const std::string &name)
{
    ReportFixture fixture;
    return manifestText(fixture.document(), {{name, 5, Sha256::of("hello")}});
}

} // namespace

class TestReportManifest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bundle_verifies()
    {
        Bundle bundle;
        const auto written = bundle.write();
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        QCOMPARE(written->files.back(), bundle.path("manifest.json"));
        const auto check = verifyReport(bundle.request.outFolder);
        QVERIFY(check.has_value());
        QVERIFY(check->ok);
        QVERIFY(check->findings.empty());
        QCOMPARE(check->files, static_cast<std::int64_t>(written->files.size() - 1));
        const auto manifest = Json::parse(bytesOf(bundle.path("manifest.json")));
        QVERIFY(manifest.has_value());
        QCOMPARE((*manifest)["store"]["head"]["hash"].text(), Sha256::of("head").hex());
        QCOMPARE((*manifest)["scope"].text(), bundle.document.scopeLine);
        QCOMPARE((*manifest)["created_at"].text(), std::string("2026-11-30T14:03:22.418001Z"));
        // No temporary file is left beside them.
        QCOMPARE(static_cast<std::size_t>(
                     QDir(QString::fromStdString(bundle.request.outFolder))
                         .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                         .size()),
            written->files.size());
    }

    void anyFlippedByte_isFound()
    {
        Bundle bundle;
        const auto written = bundle.write();
        QVERIFY(written.has_value());
        for (const std::string &path : written->files) {
            const std::string original = bytesOf(path);
            for (std::size_t at = 0; at < original.size();
                 at += std::max<std::size_t>(1, original.size() / 4)) {
                std::string changed = original;
                changed[at] = static_cast<char>(changed[at] ^ 1);
                QVERIFY(replaceBytes(path, changed));
                const auto check = verifyReport(bundle.request.outFolder);
                QVERIFY(check.has_value());
                QVERIFY2(!check->ok, (path + " at " + std::to_string(at)).c_str());
            }
            QVERIFY(replaceBytes(path, original));
        }
        QCOMPARE(bundle.findings(), std::string("ok\n"));
    }

    void missingExtraAndCutFiles_areFound()
    {
        Bundle bundle;
        QVERIFY(bundle.write().has_value());
        const std::string html = bytesOf(bundle.path("report.html"));
        std::filesystem::remove(bundle.path("report.html"));
        QCOMPARE(bundle.findings(), std::string("report.html: missing\n"));
        QVERIFY(replaceBytes(bundle.path("report.html"), html.substr(1)));
        QVERIFY(bundle.findings().find("report.html: has ") == 0);
        QVERIFY(replaceBytes(bundle.path("report.html"), html));
        QVERIFY(replaceBytes(bundle.path("note.txt"), "x"));
        QCOMPARE(
            bundle.findings(), std::string("note.txt: extra: the manifest does not name it\n"));
        std::filesystem::remove(bundle.path("note.txt"));
        std::filesystem::remove(bundle.path("report.html"));
        QVERIFY(replaceBytes(bundle.path("copy"), html));
        QCOMPARE(::symlink("copy", bundle.path("report.html").c_str()), 0);
        QVERIFY(bundle.findings().find("report.html: is not a plain file") != std::string::npos);
    }

    void brokenManifest_isAFinding_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("what");
        const auto row = [](const char *name, const std::string &text, const char *what) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QString::fromUtf8(what);
        };
        row("empty", "", "not JSON");
        row("cut", "{\"format\":", "not JSON");
        row("other format", "{\"format\":\"other\"}", "not of the format");
        row("no files", "{\"format\":\"reprise-report-manifest-1\"}", "names no file");
        row("parent folder", manifestNaming("../report.html"), "not a file of its own folder");
        row("absolute", manifestNaming("/etc/passwd"), "not a file of its own folder");
        row("folder", manifestNaming("sub/report.html"), "not a file of its own folder");
        row("backslash", manifestNaming("..\\report.html"), "not a file of its own folder");
        row("hidden", manifestNaming(".."), "not a file of its own folder");
        row("itself", manifestNaming("manifest.json"), "not a file of its own folder");
        std::string renamed = manifestNaming("report.html");
        renamed.replace(renamed.find("report.html"), 11, "reporT.html");
        row("changed name", renamed, "changed after it was written");
        row("blank added", manifestNaming("report.html") + " ", "changed after it was written");
    }
    void brokenManifest_isAFinding()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, what);
        Bundle bundle;
        QVERIFY(bundle.write().has_value());
        QVERIFY(replaceBytes(bundle.path("manifest.json"), text.toStdString()));
        const QString findings = QString::fromStdString(bundle.findings());
        QVERIFY2(findings.startsWith(QLatin1String("manifest.json: ")), qPrintable(findings));
        QVERIFY2(findings.contains(what), qPrintable(findings));
    }

    void noBundle_isNotFound()
    {
        Bundle bundle;
        QCOMPARE(verifyReport(bundle.request.outFolder).error().code, ErrorCode::NotFound);
        const std::string folder = bundle.root().toStdString();
        QCOMPARE(verifyReport(folder).error().code, ErrorCode::NotFound);
        QVERIFY(replaceBytes(folder + "/file", "x"));
        QCOMPARE(verifyReport(folder + "/file").error().code, ErrorCode::NotFound);
        // A report that lost its manifest is no absent one.
        QVERIFY(bundle.write().has_value());
        std::filesystem::remove(bundle.path("manifest.json"));
        QCOMPARE(bundle.findings(), std::string("manifest.json: missing\n"));
    }

    void existingReport_isNeverOverwritten()
    {
        Bundle bundle;
        QVERIFY(bundle.write().has_value());
        const std::string before = bytesOf(bundle.path("manifest.json"));
        bundle.document.title = "another";
        const auto again = bundle.write();
        QVERIFY(!again.has_value());
        QCOMPARE(again.error().code, ErrorCode::Conflict);
        QCOMPARE(bytesOf(bundle.path("manifest.json")), before);
        QCOMPARE(bundle.findings(), std::string("ok\n"));
    }

    void failureAtAnyFile_leavesNothing()
    {
        Bundle bundle;
        const auto files = bundle.write();
        QVERIFY(files.has_value());
        // A name that is too long for the file system fails wherever it stands among the files.
        for (std::size_t at = 0; at < 4; ++at) {
            Bundle broken;
            broken.request.formats = {"csv"};
            ReportTable table;
            table.id = std::string(300, 'x');
            ReportSection section;
            section.blocks.emplace_back(table);
            broken.document.sections.insert(
                broken.document.sections.begin() + static_cast<std::ptrdiff_t>(at), section);
            QVERIFY(!broken.write().has_value());
            QVERIFY(QDir(broken.root()).isEmpty());
        }
    }

    void unwritableFolder_leavesNothing()
    {
        Bundle bundle;
        // A file stands where a parent folder would have to be: nobody can write there.
        QVERIFY(replaceBytes(bundle.root().toStdString() + "/deep", "x"));
        QVERIFY(!bundle.write().has_value());
        QCOMPARE(QDir(bundle.root()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
            QStringList {QStringLiteral("deep")});
        if (::geteuid() == 0)
            QSKIP("permissions do not bind this user");
        QVERIFY(
            QFile::setPermissions(bundle.root(), QFileDevice::ReadOwner | QFileDevice::ExeOwner));
        bundle.request.outFolder = bundle.root().toStdString() + "/other";
        const auto written = bundle.write();
        QVERIFY(QFile::setPermissions(bundle.root(),
            QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner));
        QVERIFY(!written.has_value());
        QVERIFY(!QFile::exists(bundle.root() + QStringLiteral("/other")));
    }

    void stopFlag_leavesNothing()
    {
        Bundle bundle;
        const std::atomic<bool> stop {true};
        bundle.request.stop = &stop;
        QCOMPARE(bundle.write().error().code, ErrorCode::Cancelled);
        QVERIFY(QDir(bundle.root()).isEmpty());
    }

    void otherForms_areRefused()
    {
        Bundle bundle;
        bundle.request.formats = {"html", "pdf"};
        const auto pdf = bundle.write();
        QCOMPARE(pdf.error().code, ErrorCode::InvalidInput);
        QVERIFY(pdf.error().what.find("pdf is not written by this build") != std::string::npos);
        bundle.request.formats = {"docx"};
        QCOMPARE(bundle.write().error().code, ErrorCode::InvalidInput);
        bundle.request.formats = {};
        QCOMPARE(bundle.write().error().code, ErrorCode::InvalidInput);
        QVERIFY(QDir(bundle.root()).isEmpty());
        bundle.request.formats = {"json", "json"};
        QCOMPARE(bundle.write()->files.size(), std::size_t(2));
    }
};

QTEST_APPLESS_MAIN(TestReportManifest)
#include "tst_report_manifest.moc"
