#include "core/demo/demo.h"

#include "core/base/file.h"
#include "core/demo/ledger.h"
#include "core/demo/scenes.h"
#include "core/demo/stage.h"
#include "core/demo/statement.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <stdlib.h>
#include <utility>

namespace reprise {

namespace {

namespace fs = std::filesystem;

/// A folder beside the one that is wanted, under a name of its own until everything in it is done;
/// it is removed unless it was put in place.
class UnfinishedFolder
{
public:
    [[nodiscard]] static Result<UnfinishedFolder> makeBeside(const std::string &wanted)
    {
        RETURN_IF_ERROR(makeFolder(fs::path(wanted).parent_path().string()));
        std::string path = wanted + ".unfinished-XXXXXX";
        if (::mkdtemp(path.data()) == nullptr)
            return tl::unexpected(errnoError(errno, path, "cannot make a folder"));
        // mkdtemp's folders are private; the demonstration is an ordinary folder.
        std::error_code ignored;
        fs::permissions(path, fs::perms(0755), ignored);
        return UnfinishedFolder(path);
    }
    ~UnfinishedFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    UnfinishedFolder(UnfinishedFolder &&other) noexcept
        : m_path(std::exchange(other.m_path, {}))
    {
    }
    UnfinishedFolder &operator=(UnfinishedFolder &&) = delete;

    [[nodiscard]] const std::string &path() const { return m_path; }
    /// Succeeds where `wanted` is not there or is an empty folder.
    [[nodiscard]] Result<void> putInPlace(const std::string &wanted)
    {
        std::error_code error;
        fs::rename(m_path, wanted, error);
        if (error)
            return tl::unexpected(errnoError(error.value(), wanted, "cannot put in place"));
        m_path.clear();
        return {};
    }

private:
    explicit UnfinishedFolder(std::string path)
        : m_path(std::move(path))
    {
    }
    std::string m_path;
};

Result<void> mustBeFree(const std::string &folder)
{
    std::error_code error;
    if (fs::exists(fs::path(folder) / "payments.db", error))
        return fail(ErrorCode::StoreExists, "holds a store already", folder,
            "choose another folder for the demonstration");
    if (fs::exists(folder, error)
        && !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
        return fail(ErrorCode::InvalidInput, "is there and is not an empty folder", folder,
            "choose another folder for the demonstration");
    return {};
}

Scenes allScenes()
{
    Scenes scenes;
    addOlderAgentScenes(scenes);
    addCheckoutScenes(scenes);
    addMishapScenes(scenes);
    addRefundScenes(scenes);
    addPayoutAndMailScenes(scenes);
    return scenes;
}

/// How many actions the scenes above make; a wish for more is met with ordinary ones.
constexpr std::int64_t kSceneActions = 127;

Result<void> playAll(Stage &stage, const DemoOptions &options)
{
    Scenes scenes = allScenes();
    addOrdinaryScenes(scenes, options.actions - kSceneActions);
    std::stable_sort(scenes.begin(), scenes.end(),
        [](const Scene &left, const Scene &right) { return left.at < right.at; });
    for (const Scene &scene : scenes) {
        if (options.stop != nullptr && options.stop->load())
            return fail(ErrorCode::Cancelled, "stopped; nothing was left behind");
        stage.waitUntil(scene.at);
        stage.pause(0, 240);
        scene.play(stage);
        RETURN_IF_ERROR(stage.trouble());
    }
    return {};
}

} // namespace

Result<DemoSummary> makeDemo(const DemoOptions &options)
{
    std::error_code error;
    const std::string wanted = fs::absolute(options.folder, error).lexically_normal().string();
    const std::string folder = wanted.ends_with('/') ? wanted.substr(0, wanted.size() - 1) : wanted;
    RETURN_IF_ERROR(mustBeFree(folder));
    const fs::path provider = fs::absolute(options.providerProgram, error);
    if (options.providerProgram.empty() || !fs::exists(provider, error))
        return fail(ErrorCode::NotFound, "the demonstration's provider is not there",
            provider.string(), "it is installed as reprise-demo-provider beside reprise");
    ASSIGN_OR_RETURN(UnfinishedFolder unfinished, UnfinishedFolder::makeBeside(folder));
    const std::string &path = unfinished.path();
    fs::create_symlink(provider, fs::path(path) / kDemoProviderLink, error);
    if (error)
        return tl::unexpected(errnoError(error.value(), path, "cannot link the provider"));

    ASSIGN_OR_RETURN(const auto stage, Stage::set(path, options.seed));
    RETURN_IF_ERROR(playAll(*stage, options));
    ASSIGN_OR_RETURN(const Truth truth, stage->close());
    ASSIGN_OR_RETURN(const auto ledger, readLedger(path + "/provider-ledger.jsonl"));
    const std::pair<const char *, std::string> files[] {{"tools.json", demoToolsText()},
        {"statement.json", statementList(ledger).pretty() + "\n"},
        {"statement.csv", statementCsv(ledger)},
        {"truth.json", truth.toJson(options.seed).pretty() + "\n"}};
    for (const auto &[name, text] : files)
        RETURN_IF_ERROR(writeFileAtomically(path + "/" + name, text));
    RETURN_IF_ERROR(unfinished.putInPlace(folder));
    return DemoSummary {stage->runs(), stage->actions(),
        static_cast<std::int64_t>(truth.doubles.size()),
        static_cast<std::int64_t>(truth.inDoubt.size()), folder + "/payments.db"};
}

} // namespace reprise
