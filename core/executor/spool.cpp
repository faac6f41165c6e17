#include "core/executor/spool.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/executor/liveness_lock.h"
#include "core/store/liveness.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

namespace reprise {

namespace {

constexpr std::size_t kDigestDigits = 64;

std::string encode(const Recording &recording)
{
    const Event event {recording.at, recording.outcome};
    Json bodies = Json::array();
    for (const Body &body : recording.bodies)
        bodies.push(toBase64(body.bytes));
    const std::string text = Json()
                                 .set("at", recording.at.us)
                                 .set("kind", std::string(event.kind()))
                                 .set("payload", event.payload())
                                 .set("bodies", std::move(bodies))
                                 .dump();
    return Sha256::of(text).hex() + " " + text + "\n";
}

std::optional<Recording> decode(std::string_view line)
{
    if (line.size() <= kDigestDigits || line[kDigestDigits] != ' ')
        return std::nullopt;
    const std::string_view text = line.substr(kDigestDigits + 1);
    if (Sha256::of(text).hex() != line.substr(0, kDigestDigits))
        return std::nullopt;
    const auto json = Json::parse(text);
    if (!json)
        return std::nullopt;
    const auto at = (*json)["at"].integer();
    if (!at)
        return std::nullopt;
    const auto event = Event::decode((*json)["kind"].text(), Time {*at}, (*json)["payload"].text());
    if (!event)
        return std::nullopt;
    const auto *outcome = std::get_if<OutcomeRecorded>(&event->body);
    if (outcome == nullptr)
        return std::nullopt;
    Recording recording {Time {*at}, *outcome, {}};
    for (const Json &encoded : (*json)["bodies"].items()) {
        auto bytes = fromBase64(encoded.text());
        if (!bytes)
            return std::nullopt;
        const Digest digest = Sha256::of(*bytes);
        recording.bodies.push_back({digest, std::move(*bytes)});
    }
    return recording;
}

Result<void> allocate(int handle, std::int64_t from, std::int64_t bytes, const std::string &path)
{
    // posix_fallocate answers the error; it does not set errno.
    if (const int number = ::posix_fallocate(handle, from, bytes); number != 0)
        return tl::unexpected(errnoError(number, path, "cannot reserve room for an outcome"));
    return {};
}

} // namespace

Spool::~Spool()
{
    close();
}

Spool::Spool(Spool &&other) noexcept
    : m_path(std::exchange(other.m_path, {}))
    , m_handle(std::exchange(other.m_handle, -1))
    , m_bytes(std::exchange(other.m_bytes, 0))
{
}

Spool &Spool::operator=(Spool &&other) noexcept
{
    close();
    m_path = std::exchange(other.m_path, {});
    m_handle = std::exchange(other.m_handle, -1);
    m_bytes = std::exchange(other.m_bytes, 0);
    return *this;
}

void Spool::close()
{
    if (m_handle < 0)
        return;
    ::close(m_handle);
    if (m_bytes == 0)
        ::unlink(m_path.c_str());
    m_handle = -1;
}

Result<Spool> Spool::reserve(const std::string &ownersFolder, const std::string &ownerId)
{
    Spool spool;
    if (ownersFolder.empty())
        return spool;
    const std::string path = ownersFolder + "/" + ownerId + ".spool";
    spool.m_handle = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (spool.m_handle < 0)
        return tl::unexpected(errnoError(errno, path, "cannot reserve room for an outcome"));
    spool.m_path = path;
    RETURN_IF_ERROR(allocate(spool.m_handle, 0, kReservedBytes, path));
    return spool;
}

void Spool::release()
{
    if (m_handle >= 0)
        ignoreError(::ftruncate(m_handle, kKeptBytes) == 0
                ? Result<void>()
                : tl::unexpected(errnoError(errno, m_path, "cannot shrink")),
            "the outcome is offered to the store all the same");
}

Result<void> Spool::reserveAgain()
{
    if (m_handle < 0)
        return {};
    return allocate(m_handle, 0, kReservedBytes, m_path);
}

Result<void> Spool::keep(const Recording &recording)
{
    if (m_handle < 0)
        return fail(ErrorCode::Io, "there is no spool to keep the outcome in");
    const std::string line = encode(recording);
    for (std::size_t done = 0; done < line.size();) {
        const ssize_t count = ::pwrite(m_handle, line.data() + done, line.size() - done,
            static_cast<off_t>(m_bytes) + static_cast<off_t>(done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return tl::unexpected(errnoError(errno, m_path, "cannot keep the outcome"));
        done += static_cast<std::size_t>(count);
    }
    if (::fdatasync(m_handle) != 0)
        return tl::unexpected(errnoError(errno, m_path, "cannot keep the outcome"));
    m_bytes += static_cast<std::int64_t>(line.size());
    return {};
}

void Spool::clear()
{
    if (m_handle < 0 || m_bytes == 0)
        return;
    if (::ftruncate(m_handle, 0) == 0)
        m_bytes = 0;
}

Result<std::vector<Recording>> Spool::read(const std::string &path)
{
    ASSIGN_OR_RETURN(const std::string bytes, readFile(path));
    std::vector<Recording> recordings;
    std::size_t at = 0;
    while (at < bytes.size() && bytes[at] != '\0') {
        const std::size_t end = bytes.find('\n', at);
        if (end == std::string::npos)
            break;
        auto recording = decode(std::string_view(bytes).substr(at, end - at));
        if (!recording)
            break;
        recordings.push_back(std::move(*recording));
        at = end + 1;
    }
    return recordings;
}

Result<SpoolIntake> takeUpSpools(Store &store)
{
    SpoolIntake intake;
    const std::string folder = store.ownersFolder();
    if (folder.empty())
        return intake;
    std::vector<std::string> owners;
    std::error_code failure;
    for (const auto &entry : std::filesystem::directory_iterator(folder, failure))
        if (entry.path().extension() == ".spool")
            owners.push_back(entry.path().stem().string());
    std::sort(owners.begin(), owners.end());
    for (const std::string &owner : owners) {
        if (ownerAlive(folder, owner))
            continue;
        const std::string path = folder + "/" + owner + ".spool";
        const auto recordings = Spool::read(path);
        if (!recordings && recordings.error().code == ErrorCode::NotFound)
            continue; // somebody else took it up just now
        if (!recordings)
            return tl::unexpected(recordings.error());
        bool contradicts = false;
        for (const Recording &recording : *recordings) {
            const auto taken = takeUpLateOutcome(store, recording);
            if (!taken && taken.error().code != ErrorCode::NotFound)
                return tl::unexpected(taken.error());
            ++intake.outcomes;
            if (!taken || *taken == LateOutcome::Contradiction) {
                ++intake.contradictions;
                contradicts = true;
            }
        }
        if (contradicts)
            ::rename(path.c_str(), (path + ".quarantined").c_str());
        else
            ::unlink(path.c_str());
        // The lock file of a dead owner says nothing any more once its claims are in doubt; it
        // stays until then, because a missing file means the same.
    }
    removeDeadOwners(folder);
    return intake;
}

} // namespace reprise
