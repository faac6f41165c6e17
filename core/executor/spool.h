#pragma once

#include "core/base/result.h"
#include "core/executor/recording.h"

#include <string>
#include <vector>

namespace reprise {

/// Room on the disk that an owner holds for outcomes, `FOLDER/ID.spool`. It is taken before any
/// call, so that a disk that fills up while a tool works cannot take the outcome: first half of the
/// room is given back, for the store to write in; where the store does not write even then (an I/O
/// error, say), the outcome goes into the other half, which the disk has already. Whoever opens the
/// store next takes it up (`takeUpSpools`). One thread at a time. A file with outcomes outlives the
/// object; an empty one goes with it.
///
/// The file: lines of `sha256 of the rest, hex` + space + JSON `{"at","kind","payload","bodies"}`,
/// then zeros. A line that does not match its digest was cut by a kill and is not one.
class Spool
{
public:
    Spool() = default;
    ~Spool();
    Spool(Spool &&other) noexcept;
    Spool &operator=(Spool &&other) noexcept;

    /// `ownersFolder` empty: a store in memory, which needs no room. StoreFull where there is none.
    [[nodiscard]] static Result<Spool> reserve(
        const std::string &ownersFolder, const std::string &ownerId);

    /// Gives half of the room back to the disk.
    void release();
    /// Takes it again. StoreFull where it is gone.
    Result<void> reserveAgain();
    /// Keeps an outcome durably. Io or StoreFull where it does not fit.
    Result<void> keep(const Recording &recording);
    [[nodiscard]] bool holdsOutcomes() const { return m_bytes > 0; }
    /// What it holds was taken up.
    void clear();

    static constexpr std::int64_t kReservedBytes = 4 << 20;
    static constexpr std::int64_t kKeptBytes = kReservedBytes / 2;

    /// The outcomes in a spool file, whole lines only.
    [[nodiscard]] static Result<std::vector<Recording>> read(const std::string &path);
    [[nodiscard]] const std::string &path() const { return m_path; }

private:
    void close();
    std::string m_path; ///< empty: nothing is reserved on a disk
    int m_handle = -1;
    std::int64_t m_bytes = 0; ///< of the lines so far
};

/// What was found in the spools of a store's dead owners.
struct SpoolIntake
{
    int outcomes = 0;
    int contradictions = 0;
};

/// Takes up the outcomes that dead owners left, before anything is executed. A spool with a
/// contradiction is kept under the name `….spool.quarantined`; the others go. An error leaves what
/// was not taken up where it is; no new effect may be authorised then.
[[nodiscard]] Result<SpoolIntake> takeUpSpools(Store &store);

} // namespace reprise
