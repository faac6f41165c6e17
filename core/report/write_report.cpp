#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/report/csv_writer.h"
#include "core/report/html_writer.h"
#include "core/report/json_writer.h"
#include "core/report/manifest.h"
#include "core/report/report.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace reprise {

namespace {

namespace fs = std::filesystem;
using NamedText = std::pair<std::string, std::string>;

Result<std::vector<NamedText>> render(
    const ReportDocument &document, const std::vector<std::string> &formats)
{
    if (formats.empty())
        return fail(ErrorCode::InvalidInput, "no form was asked for", "--format",
            "html, json and csv can be written");
    std::vector<NamedText> files;
    for (const std::string &format : std::set<std::string>(formats.begin(), formats.end())) {
        if (format == "html") {
            files.emplace_back("report.html", writeHtml(document));
        } else if (format == "json") {
            files.emplace_back("report.json", writeJson(document));
        } else if (format == "csv") {
            for (NamedText &table : writeCsv(document))
                files.push_back(std::move(table));
        } else if (format == "pdf") {
            return fail(ErrorCode::InvalidInput, "pdf is not written by this build", "--format",
                "write html, which prints as pages, json or csv");
        } else {
            return fail(ErrorCode::InvalidInput, "unknown form \"" + printable(format) + "\"",
                "--format", "html, json and csv can be written");
        }
    }
    return files;
}

/// Takes away what was made, unless `keep` is called: a report is whole or not there.
class Cleanup
{
public:
    Cleanup() = default;
    ~Cleanup()
    {
        // Newest first, so that a folder is empty when its turn comes. What cannot be removed
        // stays: the error that led here is the one to report.
        std::error_code ignored;
        for (auto path = m_made.rbegin(); path != m_made.rend(); ++path)
            fs::remove(*path, ignored);
    }
    Cleanup(const Cleanup &) = delete;
    Cleanup &operator=(const Cleanup &) = delete;

    void made(const fs::path &path) { m_made.push_back(path); }
    void keep() { m_made.clear(); }

private:
    std::vector<fs::path> m_made;
};

Result<void> makeEmptyFolder(const fs::path &folder, Cleanup &cleanup)
{
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (fs::exists(status)) {
        if (!fs::is_directory(status))
            return fail(ErrorCode::Conflict, "is a file, not a folder", folder.string(),
                "choose another folder");
        const fs::directory_iterator inside(folder, error);
        if (error)
            return tl::unexpected(errnoError(error.value(), folder.string(), "cannot read"));
        if (inside != fs::directory_iterator())
            return fail(ErrorCode::Conflict,
                "is not empty; a report is never written over anything", folder.string(),
                "choose another folder");
        return {};
    }
    std::vector<fs::path> missing;
    for (fs::path part = folder; !part.empty() && !fs::exists(part, error);
         part = part.parent_path())
        missing.push_back(part);
    for (auto part = missing.rbegin(); part != missing.rend(); ++part)
        cleanup.made(*part);
    return makeFolder(folder.string());
}

bool isStopped(const ReportRequest &request)
{
    return request.stop != nullptr && *request.stop;
}

/// Names in a bundle's folder, sorted.
Result<std::vector<std::string>> namesIn(const std::string &folder)
{
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        names.push_back(entry->path().filename().string());
    if (error == std::errc::not_a_directory)
        return fail(ErrorCode::NotFound, "is a file, not the folder of a report", folder);
    if (error)
        return tl::unexpected(errnoError(error.value(), folder, "cannot read"));
    std::sort(names.begin(), names.end());
    return names;
}

void checkFile(const std::string &folder, const ManifestFile &file, BundleCheck &check)
{
    const fs::path path = fs::path(folder) / file.name;
    std::error_code error;
    // A link could lead out of the bundle: what it points to was never part of it.
    const fs::file_status status = fs::symlink_status(path, error);
    if (!fs::exists(status)) {
        check.findings.push_back(file.name + ": missing");
        return;
    }
    if (!fs::is_regular_file(status)) {
        check.findings.push_back(file.name + ": is not a plain file");
        return;
    }
    const auto bytes = readFile(path.string());
    if (!bytes) {
        check.findings.push_back(file.name + ": " + bytes.error().what);
        return;
    }
    if (static_cast<std::int64_t>(bytes->size()) != file.bytes)
        check.findings.push_back(file.name + ": has " + std::to_string(bytes->size())
            + " bytes, the manifest says " + std::to_string(file.bytes));
    else if (Sha256::of(*bytes) != file.sha256)
        check.findings.push_back(file.name + ": changed: its SHA-256 is not that of the manifest");
}

} // namespace

Result<WrittenReport> writeReport(const ReportDocument &document, const ReportRequest &request)
{
    ASSIGN_OR_RETURN(const auto files, render(document, request.formats));
    const fs::path folder = fs::path(request.outFolder).lexically_normal();
    if (folder.empty())
        return fail(ErrorCode::InvalidInput, "no folder was given for the report", "--out");
    Cleanup cleanup;
    RETURN_IF_ERROR(makeEmptyFolder(folder, cleanup));
    WrittenReport written;
    std::vector<ManifestFile> manifest;
    const auto write = [&](const std::string &name, const std::string &text) -> Result<void> {
        if (isStopped(request))
            return fail(ErrorCode::Cancelled, "stopped; no report was written", folder.string());
        const fs::path path = folder / name;
        RETURN_IF_ERROR(writeFileAtomically(path.string(), text));
        cleanup.made(path);
        written.files.push_back(path.string());
        return {};
    };
    for (const auto &[name, text] : files) {
        RETURN_IF_ERROR(write(name, text));
        manifest.push_back({name, static_cast<std::int64_t>(text.size()), Sha256::of(text)});
    }
    RETURN_IF_ERROR(write(kManifestName, manifestText(document, manifest)));
    cleanup.keep();
    return written;
}

Result<BundleCheck> verifyReport(const std::string &folder)
{
    ASSIGN_OR_RETURN(const std::vector<std::string> names, namesIn(folder));
    const auto has = [&](const std::string &name) {
        return std::binary_search(names.begin(), names.end(), name);
    };
    BundleCheck check;
    if (!has(kManifestName)) {
        if (!has("report.html") && !has("report.json") && !has("totals.csv"))
            return fail(
                ErrorCode::NotFound, "there is no report bundle (no manifest.json)", folder);
        check.findings.push_back(std::string(kManifestName) + ": missing");
        return check;
    }
    const auto text = readFile((fs::path(folder) / kManifestName).string());
    const auto files = text ? parseManifest(*text) : tl::unexpected(text.error());
    if (!files) {
        check.findings.push_back(std::string(kManifestName) + ": " + files.error().what);
        return check;
    }
    std::set<std::string> expected {kManifestName};
    for (const ManifestFile &file : *files) {
        expected.insert(file.name);
        checkFile(folder, file, check);
    }
    for (const std::string &name : names)
        if (!expected.contains(name))
            check.findings.push_back(printable(name) + ": extra: the manifest does not name it");
    check.files = static_cast<std::int64_t>(files->size());
    check.ok = check.findings.empty();
    return check;
}

} // namespace reprise
