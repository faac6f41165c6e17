#include "core/executor/process_tool.h"

#include "core/base/file.h"
#include "core/executor/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <linux/close_range.h>
#include <vector>

extern char **environ;

namespace reprise {

namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How long a tool may take to end after SIGTERM, before SIGKILL.
constexpr milliseconds kTermGrace {500};
/// How long output may still come after the program has ended (a child of it may hold the pipe).
constexpr milliseconds kDrainGrace {1000};

class Fd
{
public:
    Fd() = default;
    explicit Fd(int handle)
        : m_handle(handle)
    {
    }
    ~Fd() { close(); }
    Fd(Fd &&other) noexcept
        : m_handle(std::exchange(other.m_handle, -1))
    {
    }
    Fd &operator=(Fd &&other) noexcept
    {
        close();
        m_handle = std::exchange(other.m_handle, -1);
        return *this;
    }
    [[nodiscard]] int get() const { return m_handle; }
    void close()
    {
        if (m_handle >= 0)
            ::close(m_handle);
        m_handle = -1;
    }

private:
    int m_handle = -1;
};

struct Pipe
{
    Fd read;
    Fd write;
    static std::optional<Pipe> make()
    {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            return std::nullopt;
        return Pipe {Fd(ends[0]), Fd(ends[1])};
    }
    /// The gate is a socket: writing to a child that is gone is an error there, not a signal.
    static std::optional<Pipe> makeGate()
    {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            return std::nullopt;
        return Pipe {Fd(ends[0]), Fd(ends[1])};
    }
};

/// Everything the child needs, laid out before fork: between fork and exec only async-signal-safe
/// calls are allowed, and no memory may be allocated.
struct ChildImage
{
    std::vector<std::string> texts;
    std::vector<char *> argv;
    std::vector<char *> envp;

    ChildImage(const std::vector<std::string> &command, const std::vector<std::string> &additions)
    {
        texts.reserve(command.size() + additions.size());
        for (const std::string &word : command)
            texts.push_back(word);
        for (const std::string &word : additions)
            texts.push_back(word);
        for (std::size_t i = 0; i < command.size(); ++i)
            argv.push_back(texts[i].data());
        argv.push_back(nullptr);
        for (char **entry = environ; *entry != nullptr; ++entry)
            if (!isReplaced(*entry, additions))
                envp.push_back(*entry);
        for (std::size_t i = command.size(); i < texts.size(); ++i)
            envp.push_back(texts[i].data());
        envp.push_back(nullptr);
    }

private:
    static bool isReplaced(std::string_view entry, const std::vector<std::string> &additions)
    {
        const std::string_view name = entry.substr(0, entry.find('=') + 1);
        return std::any_of(additions.begin(), additions.end(),
            [&](const std::string &addition) { return addition.starts_with(name); });
    }
};

[[noreturn]] void runChild(const ChildImage &image, const std::array<int, 5> &ends)
{
    ::setpgid(0, 0);
    // Out of the way first, so that no descriptor is overwritten before it has been moved.
    constexpr int kHigh = 64;
    int high[5];
    for (int i = 0; i < 5; ++i)
        high[i] = ::fcntl(ends[static_cast<std::size_t>(i)], F_DUPFD, kHigh);
    for (int i = 0; i < 5; ++i)
        ::dup2(high[i], i);
    constexpr int kGate = 3;
    constexpr int kStatus = 4;
    // Everything else goes, the executor's liveness lock included: it must not outlive the
    // executor.
    ::close_range(kStatus + 1, ~0u, 0);
    ::fcntl(kStatus, F_SETFD, FD_CLOEXEC);
    char go = 0;
    ssize_t count = 0;
    do {
        count = ::read(kGate, &go, 1);
    } while (count < 0 && errno == EINTR);
    if (count != 1)
        ::_exit(127); // the executor is gone, or changed its mind
    ::close(kGate);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE, SIGCHLD})
        ::signal(number, SIG_DFL);
    ::execve(image.argv[0], image.argv.data(), image.envp.data());
    const int failure = errno;
    ignoreError(Result<int>(static_cast<int>(::write(kStatus, &failure, sizeof failure))),
        "the parent sees the end of the pipe in any case");
    ::_exit(127);
}

std::vector<std::string> environmentFor(const ToolCall &call)
{
    std::vector<std::string> additions {"REPRISE_RUN_ID=" + call.runId,
        "REPRISE_SEQ=" + std::to_string(call.seq),
        "REPRISE_ATTEMPT=" + std::to_string(call.attempt)};
    if (!call.contract.keyEnv.empty() && !call.sentKey.empty())
        additions.push_back(call.contract.keyEnv + "=" + call.sentKey);
    return additions;
}

struct Finished
{
    bool started = true;
    int startErrno = 0;
    bool timedOut = false;
    bool outputOpen = false; ///< something still holds the tool's standard output
    bool tooLarge = false;
    int waitStatus = 0;
    std::string output;
    std::string log;
};

/// A program at its gate.
class Process final : public PreparedCall
{
public:
    static Result<std::unique_ptr<Process>> make(
        const std::vector<std::string> &command, const ToolCall &call)
    {
        const std::string where = "tool \"" + call.contract.name + "\"";
        if (command.empty())
            return fail(ErrorCode::InvalidInput, "has no command", where,
                "give it a \"command\" in the tools file");
        if (::access(command[0].c_str(), X_OK) != 0)
            return tl::unexpected(errnoError(errno, command[0], where + " cannot be run"));
        auto process = std::make_unique<Process>();
        process->m_contract = call.contract;
        const Fd input(::memfd_create("reprise-args", MFD_CLOEXEC));
        auto output = Pipe::make();
        auto log = Pipe::make();
        auto gate = Pipe::makeGate();
        auto status = Pipe::make();
        if (input.get() < 0 || !output || !log || !gate || !status || !fill(input, call.args))
            return tl::unexpected(errnoError(errno, command[0], "cannot prepare " + where));
        const ChildImage image(command, environmentFor(call));
        const std::array<int, 5> ends {input.get(), output->write.get(), log->write.get(),
            gate->read.get(), status->write.get()};
        // No signal handler of ours may run in the child before it has its own dispositions.
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        const pid_t pid = ::fork();
        if (pid == 0)
            runChild(image, ends);
        const int failure = errno;
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        if (pid < 0)
            return tl::unexpected(errnoError(failure, command[0], "cannot start a process"));
        ::setpgid(pid, pid); // both sides do it: whoever comes first
        process->m_pid = pid;
        process->m_output = std::move(output->read);
        process->m_log = std::move(log->read);
        process->m_gate = std::move(gate->write);
        process->m_status = std::move(status->read);
        process->m_id = ProcessId {pid, processStartTicks(pid).value_or(0)};
        return process;
    }

    ~Process() override
    {
        if (m_pid > 0) {
            m_gate.close(); // the child sees the end of the pipe and leaves
            waitFor();
        }
    }

    [[nodiscard]] std::optional<ProcessId> process() const override { return m_id; }

    [[nodiscard]] ToolAnswer run() override
    {
        const Finished finished = runToEnd(milliseconds(m_contract.timeoutMs));
        ToolAnswer answer;
        answer.log = finished.log;
        if (!finished.started) {
            answer.outcome = OutcomeClass::NotSent;
            answer.reason = std::string("the program could not be started: ")
                + std::strerror(finished.startErrno);
            return answer;
        }
        answer.body = finished.output;
        if (finished.timedOut) {
            answer.reason = "no answer within " + std::to_string(m_contract.timeoutMs)
                + " ms; its process group was ended";
            return answer;
        }
        if (WIFSIGNALED(finished.waitStatus)) {
            answer.status = "signal " + std::to_string(WTERMSIG(finished.waitStatus));
            answer.reason = "the program was ended by " + answer.status;
            return answer;
        }
        const int code = WEXITSTATUS(finished.waitStatus);
        answer.status = std::to_string(code);
        const auto known = m_contract.exitStatus.find(code);
        if (known == m_contract.exitStatus.end()) {
            answer.reason = "exit status " + answer.status + " is not listed in the contract";
            return answer;
        }
        if (finished.tooLarge || finished.outputOpen) {
            answer.reason = finished.tooLarge
                ? "the result is larger than " + std::to_string(ProcessToolRunner::kResultBytesMax)
                    + " bytes"
                : "the program ended and left its output open: the result may be cut";
            return answer;
        }
        answer.outcome = known->second;
        if (answer.outcome == OutcomeClass::NotSent || answer.outcome == OutcomeClass::Unknown)
            answer.reason = "the tool said so with exit status " + answer.status;
        return answer;
    }

    Finished runToEnd(milliseconds limit)
    {
        Finished finished;
        const auto deadline = SteadyClock::now() + limit;
        const char go = 1;
        if (::send(m_gate.get(), &go, 1, MSG_NOSIGNAL) != 1) {
            // It died at the gate: the program was never started.
            finished.started = false;
            finished.startErrno = errno;
            return finished;
        }
        m_gate.close();
        if (::read(m_status.get(), &finished.startErrno, sizeof finished.startErrno)
            == sizeof finished.startErrno) {
            finished.started = false;
            waitFor();
            return finished;
        }
        collect(deadline, finished);
        return finished;
    }

private:
    static bool fill(const Fd &file, std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
            if (count < 0)
                return false;
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        return ::lseek(file.get(), 0, SEEK_SET) == 0;
    }

    /// Reads what is there; false at the end of the pipe.
    static bool drain(Fd &pipe, std::string &out, std::size_t bytesMax, bool &over)
    {
        char buffer[1 << 16];
        const ssize_t count = ::read(pipe.get(), buffer, sizeof buffer);
        if (count < 0)
            return errno == EINTR || errno == EAGAIN;
        if (count == 0)
            return false;
        const auto room = bytesMax - std::min(bytesMax, out.size());
        const auto taken = std::min(room, static_cast<std::size_t>(count));
        out.append(buffer, taken);
        over = over || taken < static_cast<std::size_t>(count);
        return true;
    }

    void collect(SteadyClock::time_point deadline, Finished &finished)
    {
        bool logOver = false;
        bool ended = false;
        // The end of the program is looked for at this pace while its output stays open.
        constexpr milliseconds kPace {20};
        while (m_output.get() >= 0 || m_log.get() >= 0) {
            const auto now = SteadyClock::now();
            if (now >= deadline) {
                if (!ended) {
                    finished.timedOut = true;
                    endGroup();
                } else {
                    finished.outputOpen = m_output.get() >= 0;
                }
                break;
            }
            std::array<pollfd, 2> wanted {
                pollfd {m_output.get(), POLLIN, 0}, pollfd {m_log.get(), POLLIN, 0}};
            const auto left = std::chrono::duration_cast<milliseconds>(deadline - now);
            const auto pause = std::min(left, kPace) + milliseconds(1);
            ::poll(wanted.data(), wanted.size(), static_cast<int>(pause.count()));
            if (wanted[0].revents != 0
                && !drain(m_output, finished.output, ProcessToolRunner::kResultBytesMax,
                    finished.tooLarge))
                m_output.close();
            if (wanted[1].revents != 0
                && !drain(m_log, finished.log, ProcessToolRunner::kLogBytesMax, logOver))
                m_log.close();
            if (!ended && hasEnded()) {
                ended = true;
                deadline = std::min(deadline, SteadyClock::now() + kDrainGrace);
            }
        }
        // Both pipes may be closed while the program still works.
        while (!finished.timedOut && !hasEnded()) {
            if (SteadyClock::now() >= deadline) {
                finished.timedOut = true;
                endGroup();
            } else {
                ::poll(nullptr, 0, 1);
            }
        }
        finished.waitStatus = waitFor();
    }

    /// True once the program has ended; it is not collected yet, so its id stays taken.
    [[nodiscard]] bool hasEnded() const
    {
        siginfo_t info {};
        return ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0
            && info.si_pid == m_pid;
    }

    void endGroup() const
    {
        ::kill(-m_pid, SIGTERM);
        const auto deadline = SteadyClock::now() + kTermGrace;
        while (!hasEnded() && SteadyClock::now() < deadline)
            ::poll(nullptr, 0, 5);
        ::kill(-m_pid, SIGKILL);
    }

    int waitFor()
    {
        int status = 0;
        while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) { }
        m_pid = -1;
        return status;
    }

    ToolContract m_contract;
    pid_t m_pid = -1;
    std::optional<ProcessId> m_id;
    Fd m_output;
    Fd m_log;
    Fd m_gate;
    Fd m_status;
};

} // namespace

Result<std::unique_ptr<PreparedCall>> ProcessToolRunner::prepare(const ToolCall &call)
{
    ASSIGN_OR_RETURN(auto process, Process::make(call.contract.command, call));
    return Result<std::unique_ptr<PreparedCall>>(std::move(process));
}

ProbeResult ProcessToolRunner::probe(const ToolCall &call)
{
    constexpr int kApplied = 0;
    constexpr int kNotApplied = 10;
    ProbeResult result;
    auto process = Process::make(call.contract.probe, call);
    if (!process) {
        result.note = process.error().text();
        return result;
    }
    Finished finished = (*process)->runToEnd(milliseconds(call.contract.timeoutMs));
    if (!finished.started || finished.timedOut || finished.outputOpen || finished.tooLarge
        || !WIFEXITED(finished.waitStatus)) {
        result.note = "the probe gave no whole answer";
        return result;
    }
    const int code = WEXITSTATUS(finished.waitStatus);
    result.status = std::to_string(code);
    result.note = "the probe ended with exit status " + result.status;
    if (code == kApplied) {
        result.answer = ProbeAnswer::Applied;
        result.body = std::move(finished.output);
    } else if (code == kNotApplied) {
        result.answer = ProbeAnswer::NotApplied;
    }
    return result;
}

} // namespace reprise
