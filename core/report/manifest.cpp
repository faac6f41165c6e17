#include "core/report/manifest.h"

#include "core/base/sha256.h"
#include "core/report/json_writer.h"

#include <set>

namespace reprise {

namespace {

constexpr const char *kFormat = "reprise-report-manifest-1";
constexpr const char *kOwnDigest = "manifest_sha256";

/// The file's text: the members, and a digest over all of them as the last one.
std::string sealed(Json manifest)
{
    const Digest digest = Sha256::of(manifest.canonical());
    manifest.set(kOwnDigest, digest.hex());
    return manifest.pretty() + "\n";
}

Error broken(const std::string &why)
{
    return Error {ErrorCode::InvalidInput, why, kManifestName, {}};
}

/// A plain name: no folder, nothing hidden, not the manifest itself.
bool isPlainName(const std::string &name)
{
    return !name.empty() && name.front() != '.' && name != kManifestName
        && name.find('/') == std::string::npos && name.find('\\') == std::string::npos
        && isValidUtf8(name) && !hasControlCharacter(name);
}

} // namespace

std::string manifestText(const ReportDocument &document, const std::vector<ManifestFile> &files)
{
    Json json;
    json.set("format", kFormat).set("tool", "reprise " REPRISE_VERSION);
    json.set("created_at", document.at.rfc3339()).set("report_id", document.reportId);
    json.set("title", document.title).set("scope", document.scopeLine);
    json.set("asked_by", document.askedBy.empty() ? Json() : Json(document.askedBy));
    json.set("store", storeToJson(document.store));
    json.set("csv_text_guard",
        "a text cell that begins with = + - @ TAB CR or ' has a ' in front of it; numbers have "
        "none");
    Json list = Json::array();
    for (const ManifestFile &file : files)
        list.push(Json()
                      .set("name", file.name)
                      .set("bytes", file.bytes)
                      .set("sha256", file.sha256.hex()));
    json.set("files", std::move(list));
    return sealed(std::move(json));
}

Result<std::vector<ManifestFile>> parseManifest(std::string_view text)
{
    const auto json = Json::parse(text);
    if (!json || !json->isObject())
        return tl::unexpected(broken("the manifest is not JSON"));
    if ((*json)["format"].text() != kFormat)
        return tl::unexpected(broken("the manifest is not of the format " + std::string(kFormat)));
    std::vector<ManifestFile> files;
    std::set<std::string> names;
    for (const Json &item : (*json)["files"].items()) {
        const std::string &name = item["name"].text();
        const auto bytes = item["bytes"].integer();
        const auto digest = Digest::fromHex(item["sha256"].text());
        if (!isPlainName(name))
            return tl::unexpected(broken("the manifest names \"" + printable(name)
                + "\", which is not a file of its own folder"));
        if (!bytes || *bytes < 0 || !digest)
            return tl::unexpected(
                broken("the manifest gives no size and digest for " + printable(name)));
        if (!names.insert(name).second)
            return tl::unexpected(broken("the manifest names " + printable(name) + " twice"));
        files.push_back({name, *bytes, *digest});
    }
    if (files.empty())
        return tl::unexpected(broken("the manifest names no file"));
    if (sealed(json->without({std::string("/") + kOwnDigest})) != text)
        return tl::unexpected(broken("the manifest was changed after it was written"));
    return files;
}

} // namespace reprise
