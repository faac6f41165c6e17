#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>

namespace reprise {

/// Takes turns among the processes that write one store. SQLite's own busy handler lets whoever has
/// just written write again, and the others starve; here a process first takes the lock `queue`,
/// then `write`, and gives `queue` up once it has both, so that at most one waits at the front and
/// the next transaction is its. Both are operating-system locks on a file in the owners' folder:
/// the kernel frees them when a process dies. This is for fairness alone: SQLite's lock still
/// decides who writes, and where the file cannot be made, it decides who is next as well. One
/// thread at a time.
class WriteTurn
{
public:
    /// `ownersFolder` empty: a store that nobody else can see, every turn is granted at once.
    explicit WriteTurn(std::string ownersFolder);
    ~WriteTurn();
    WriteTurn(const WriteTurn &) = delete;
    WriteTurn &operator=(const WriteTurn &) = delete;

    /// Held while a transaction is written.
    class Held
    {
    public:
        Held() = default;
        explicit Held(WriteTurn &turn)
            : m_turn(&turn)
        {
        }
        ~Held();
        Held(Held &&other) noexcept;
        Held &operator=(Held &&) = delete;

    private:
        WriteTurn *m_turn = nullptr;
    };

    /// Waits at most `waitMsMax` for the turn; StoreBusy afterwards.
    [[nodiscard]] Result<Held> take(int waitMsMax);

private:
    struct Lock;
    void giveBack();
    /// Opens the lock file; false where it cannot be.
    bool openFile();
    /// Lets a thread wait; the caller holds the lock's mutex. False where there is none to be had.
    bool waitInThread(bool queueHeld);

    std::string m_folder;
    std::shared_ptr<Lock> m_lock; ///< shared with a thread that may still wait for the turn
};

} // namespace reprise
