#include "core/store/write_turn.h"

#include "core/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace reprise {

namespace {

/// The two locks are the first two bytes of the file.
enum Byte : off_t { Queue = 0, Write = 1 };

/// An open-file lock: it belongs to the descriptor, not to the process.
bool setLock(int handle, Byte byte, short type, bool wait)
{
    struct flock range
    {
    };
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = byte;
    range.l_len = 1;
    int done = 0;
    do {
        done = ::fcntl(handle, wait ? F_OFD_SETLKW : F_OFD_SETLK, &range);
    } while (done != 0 && errno == EINTR);
    return done == 0;
}

void unlock(int handle, Byte byte)
{
    setLock(handle, byte, F_UNLCK, false);
}

} // namespace

/// The open lock file, and who waits on it. A lock cannot be waited for with a limit, therefore a
/// thread waits, and the caller waits for the thread. A turn that comes too late is given back.
struct WriteTurn::Lock
{
    explicit Lock(int opened)
        : handle(opened)
    {
    }
    ~Lock() { ::close(handle); }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;

    const int handle;
    std::mutex mutex; // guards what follows
    std::condition_variable changed;
    bool threadWaits = false;
    bool wanted = false; ///< the caller still waits for what the thread waits for
    bool granted = false;

    /// In a thread of its own; `self` keeps the descriptor open.
    static void waitInThread(const std::shared_ptr<Lock> &self, bool queueHeld)
    {
        if (!queueHeld)
            setLock(self->handle, Queue, F_WRLCK, true);
        setLock(self->handle, Write, F_WRLCK, true);
        unlock(self->handle, Queue);
        const std::lock_guard guard(self->mutex);
        self->threadWaits = false;
        self->granted = self->wanted;
        if (!self->wanted)
            unlock(self->handle, Write);
        self->changed.notify_all();
    }
};

WriteTurn::WriteTurn(std::string ownersFolder)
    : m_folder(std::move(ownersFolder))
{
}

WriteTurn::~WriteTurn()
{
    if (!m_lock)
        return;
    const std::lock_guard guard(m_lock->mutex);
    // Nothing is left beside a store that everybody closed. Whoever waits for the removed file sees
    // that it is gone, and takes the turn again in a new one.
    if (!m_lock->threadWaits && setLock(m_lock->handle, Write, F_WRLCK, false)) {
        struct stat file
        {
        };
        if (::fstat(m_lock->handle, &file) == 0 && file.st_nlink > 0)
            ::unlink((m_folder + "/turn").c_str());
        ::rmdir(m_folder.c_str()); // succeeds only where it is empty
    }
}

bool WriteTurn::openFile()
{
    // A store that closes may remove the empty folder between the two calls: try again.
    constexpr int kTriesMax = 10;
    for (int i = 0; i < kTriesMax; ++i) {
        if (!makeFolder(m_folder))
            return false;
        const int handle = ::open((m_folder + "/turn").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (handle >= 0) {
            m_lock = std::make_shared<Lock>(handle);
            return true;
        }
        if (errno != ENOENT)
            return false;
    }
    return false;
}

Result<WriteTurn::Held> WriteTurn::take(int waitMsMax)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(waitMsMax);
    const auto busy = [&] {
        return fail(ErrorCode::StoreBusy,
            "other processes did not let this one write within " + std::to_string(waitMsMax)
                + " ms",
            m_folder, "try again");
    };
    if (m_folder.empty())
        return Held();
    for (;;) {
        if (!m_lock && !openFile())
            return Held();
        bool mine = false;
        {
            std::unique_lock lock(m_lock->mutex);
            if (!m_lock->threadWaits) {
                const bool queued = setLock(m_lock->handle, Queue, F_WRLCK, false);
                mine = queued && setLock(m_lock->handle, Write, F_WRLCK, false);
                if (mine) {
                    unlock(m_lock->handle, Queue);
                } else if (!waitInThread(queued)) {
                    return Held();
                }
            }
            if (!mine) {
                m_lock->wanted = true;
                m_lock->changed.wait_until(lock, deadline, [&] { return m_lock->granted; });
                mine = std::exchange(m_lock->granted, false);
                m_lock->wanted = false;
            }
        }
        if (!mine)
            return busy();
        struct stat file
        {
        };
        if (::fstat(m_lock->handle, &file) == 0 && file.st_nlink > 0)
            return Held(*this);
        m_lock.reset(); // removed by a store that closed: the turn is in a new file now
    }
}

bool WriteTurn::waitInThread(bool queueHeld)
{
    try {
        std::thread(Lock::waitInThread, m_lock, queueHeld).detach();
        m_lock->threadWaits = true;
        return true;
    } catch (const std::system_error &) {
        // No thread to be had: then SQLite decides who writes next.
        if (queueHeld)
            unlock(m_lock->handle, Queue);
        return false;
    }
}

void WriteTurn::giveBack()
{
    unlock(m_lock->handle, Write);
}

WriteTurn::Held::~Held()
{
    if (m_turn != nullptr)
        m_turn->giveBack();
}

WriteTurn::Held::Held(Held &&other) noexcept
    : m_turn(std::exchange(other.m_turn, nullptr))
{
}

} // namespace reprise
