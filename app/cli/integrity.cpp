#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/support.h"
#include "core/base/file.h"
#include "core/journal/verify.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>

namespace reprise::cli {

namespace {

/// Progress on standard error, where somebody watches.
void showProgress(std::int64_t done, std::int64_t total)
{
    if (::isatty(STDERR_FILENO) == 1)
        std::cerr << "\rchecked " << done << " of " << total << " entries"
                  << (done >= total ? "\n" : "");
}

Json toJson(const Verification &verified)
{
    Json findings = Json::array();
    for (const IntegrityFinding &finding : verified.findings)
        findings.push(
            Json().set("kind", finding.kind).set("where", finding.where).set("what", finding.what));
    return Json()
        .set("ok", verified.ok)
        .set("entries", verified.entries)
        .set("head", verified.head.hex())
        .set("findings", std::move(findings));
}

} // namespace

int verifyCommand(const VerifyOptions &options)
{
    reprise::VerifyOptions how;
    how.deep = options.deep;
    how.onProgress = showProgress;
    if (!options.anchor.empty()) {
        const auto text = readFile(options.anchor);
        if (!text)
            return report(text.error());
        auto anchor = Anchor::parse(*text, options.anchor);
        if (!anchor)
            return report(anchor.error());
        how.anchor = std::move(*anchor);
    }
    const auto reader = StoreReader::open(options.store);
    if (!reader)
        return report(reader.error());
    const auto verified = verifyStore(**reader, how);
    if (!verified)
        return report(verified.error());
    if (options.json) {
        print(toJson(*verified));
    } else {
        std::cout << (verified->ok ? "ok" : "not ok") << ": " << verified->entries
                  << " entries, head " << verified->head.hex() << '\n';
        for (const IntegrityFinding &finding : verified->findings)
            std::cout << "  " << finding.kind << "  " << printable(finding.where, 200) << ": "
                      << printable(finding.what, 500) << '\n';
        if (verified->ok && !how.anchor)
            std::cout
                << "A chain without an anchor does not show a cut tail: keep anchors elsewhere "
                   "(seal) and check against them.\n";
    }
    return verified->ok ? kDone : kFound;
}

int sealCommand(const SealOptions &options)
{
    // An anchor is evidence: one that is there is never replaced.
    if (options.out != "-" && std::filesystem::exists(options.out))
        return report({ErrorCode::Conflict, "is there already", options.out,
            "give the anchor a name of its own"});
    const auto reader = StoreReader::open(options.store);
    if (!reader)
        return report(reader.error());
    const auto info = (*reader)->info();
    if (!info)
        return report(info.error());
    const Anchor anchor {info->storeId, info->entries, info->head, systemClock().now()};
    if (const auto written = writeFileAtomically(options.out, anchor.toText()); !written)
        return report(written.error());
    if (options.out == "-")
        return kDone;
    if (options.json)
        print(Json()
                  .set("store_id", anchor.storeId)
                  .set("entry", anchor.entry)
                  .set("hash", anchor.hash.hex())
                  .set("out", options.out));
    else
        std::cout << "sealed: entry " << anchor.entry << ", " << anchor.hash.hex() << '\n';
    return kDone;
}

} // namespace reprise::cli
