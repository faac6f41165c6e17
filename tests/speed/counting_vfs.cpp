#include "tests/speed/counting_vfs.h"

#include <sqlite3.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

std::atomic<std::int64_t> logFlushes {0};
std::atomic<std::int64_t> otherFlushes {0};
std::atomic<std::int64_t> logBytes {0};
std::atomic<std::int64_t> calledFlushes {0};
std::atomic<bool> flushingOn {true};

/// One open file: SQLite's own stands right behind it, in the memory that SQLite allocated.
struct CountedFile
{
    sqlite3_file base;
    bool isLog;
};

sqlite3_vfs counting;

sqlite3_vfs *usual()
{
    return static_cast<sqlite3_vfs *>(counting.pAppData);
}

CountedFile *counted(sqlite3_file *file)
{
    return reinterpret_cast<CountedFile *>(file);
}

sqlite3_file *real(sqlite3_file *file)
{
    return reinterpret_cast<sqlite3_file *>(counted(file) + 1);
}

int closeFile(sqlite3_file *file)
{
    return real(file)->pMethods->xClose(real(file));
}
int readBytes(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
    return real(file)->pMethods->xRead(real(file), bytes, size, offset);
}
int writeBytes(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    if (counted(file)->isLog)
        logBytes.fetch_add(size, std::memory_order_relaxed);
    return real(file)->pMethods->xWrite(real(file), bytes, size, offset);
}
int truncateFile(sqlite3_file *file, sqlite3_int64 size)
{
    return real(file)->pMethods->xTruncate(real(file), size);
}
int syncFile(sqlite3_file *file, int flags)
{
    (counted(file)->isLog ? logFlushes : otherFlushes).fetch_add(1, std::memory_order_relaxed);
    if (!flushingOn.load(std::memory_order_relaxed))
        return SQLITE_OK;
    return real(file)->pMethods->xSync(real(file), flags);
}
int fileSize(sqlite3_file *file, sqlite3_int64 *size)
{
    return real(file)->pMethods->xFileSize(real(file), size);
}
int lockFile(sqlite3_file *file, int level)
{
    return real(file)->pMethods->xLock(real(file), level);
}
int unlockFile(sqlite3_file *file, int level)
{
    return real(file)->pMethods->xUnlock(real(file), level);
}
int checkReserved(sqlite3_file *file, int *taken)
{
    return real(file)->pMethods->xCheckReservedLock(real(file), taken);
}
int control(sqlite3_file *file, int what, void *argument)
{
    return real(file)->pMethods->xFileControl(real(file), what, argument);
}
int sectorSize(sqlite3_file *file)
{
    return real(file)->pMethods->xSectorSize(real(file));
}
int characteristics(sqlite3_file *file)
{
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
int mapShared(sqlite3_file *file, int region, int size, int extend, void volatile **memory)
{
    return real(file)->pMethods->xShmMap(real(file), region, size, extend, memory);
}
int lockShared(sqlite3_file *file, int offset, int count, int flags)
{
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
void shareBarrier(sqlite3_file *file)
{
    real(file)->pMethods->xShmBarrier(real(file));
}
int unmapShared(sqlite3_file *file, int remove)
{
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}
int fetchPage(sqlite3_file *file, sqlite3_int64 offset, int size, void **memory)
{
    return real(file)->pMethods->xFetch(real(file), offset, size, memory);
}
int unfetchPage(sqlite3_file *file, sqlite3_int64 offset, void *memory)
{
    return real(file)->pMethods->xUnfetch(real(file), offset, memory);
}

const sqlite3_io_methods kMethods {3, closeFile, readBytes, writeBytes, truncateFile, syncFile,
    fileSize, lockFile, unlockFile, checkReserved, control, sectorSize, characteristics, mapShared,
    lockShared, shareBarrier, unmapShared, fetchPage, unfetchPage};

int openFile(sqlite3_vfs * /*vfs*/, const char *name, sqlite3_file *file, int flags, int *outFlags)
{
    file->pMethods = nullptr;
    counted(file)->isLog = (flags & SQLITE_OPEN_WAL) != 0;
    const int code = usual()->xOpen(usual(), name, real(file), flags, outFlags);
    // SQLite closes what has methods, even where opening failed.
    if (real(file)->pMethods != nullptr)
        file->pMethods = &kMethods;
    return code;
}

} // namespace

// The linker takes these for every call in the program, libraries included.
extern "C" int fsync(int handle)
{
    calledFlushes.fetch_add(1, std::memory_order_relaxed);
    return static_cast<int>(::syscall(SYS_fsync, handle));
}

extern "C" int fdatasync(int handle)
{
    calledFlushes.fetch_add(1, std::memory_order_relaxed);
    return static_cast<int>(::syscall(SYS_fdatasync, handle));
}

namespace reprise::speed {

void installCountingVfs()
{
    sqlite3_initialize();
    sqlite3_vfs *below = sqlite3_vfs_find(nullptr);
    counting = *below;
    counting.pNext = nullptr;
    counting.zName = "counting";
    counting.szOsFile = static_cast<int>(sizeof(CountedFile)) + below->szOsFile;
    counting.pAppData = below;
    counting.xOpen = openFile;
    // The rest (time, sleep, randomness) looks at nothing of the layer and stays as copied.
    counting.xDelete = [](sqlite3_vfs *, const char *name, int syncFolder) {
        return usual()->xDelete(usual(), name, syncFolder);
    };
    counting.xAccess = [](sqlite3_vfs *, const char *name, int flags, int *answer) {
        return usual()->xAccess(usual(), name, flags, answer);
    };
    counting.xFullPathname = [](sqlite3_vfs *, const char *name, int size, char *full) {
        return usual()->xFullPathname(usual(), name, size, full);
    };
    if (sqlite3_vfs_register(&counting, 1) != SQLITE_OK) {
        std::fputs("cannot count flushes: SQLite refuses the layer\n", stderr);
        std::exit(1);
    }
}

Flushes flushes()
{
    return {logFlushes.load(std::memory_order_relaxed),
        otherFlushes.load(std::memory_order_relaxed), logBytes.load(std::memory_order_relaxed)};
}

std::int64_t systemFlushes()
{
    return calledFlushes.load(std::memory_order_relaxed);
}

void setFlushing(bool on)
{
    flushingOn.store(on, std::memory_order_relaxed);
}

bool flushing()
{
    return flushingOn.load(std::memory_order_relaxed);
}

} // namespace reprise::speed
