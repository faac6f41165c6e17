// A tool for tests of real processes: appends one line to the ledger that LEDGER names, then
// behaves as its environment says. The ledger is kept outside every store, with O_APPEND, so that
// each call is one line.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::string variable(const char *name)
{
    const char *value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

void append(const std::string &line)
{
    const int file
        = ::open(variable("LEDGER").c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || ::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        ::_exit(99);
    ::close(file);
}

} // namespace

int main()
{
    const std::string behaviour = variable("BEHAVIOUR");
    append("start " + variable("REPRISE_RUN_ID") + " " + variable("REPRISE_SEQ") + " "
        + variable("IDEMPOTENCY_KEY") + " " + std::to_string(::getpid()) + "\n");
    if (behaviour == "gate") {
        // Works until the test opens the gate.
        const int gate = ::open(variable("GATE").c_str(), O_RDONLY);
        char byte = 0;
        while (::read(gate, &byte, 1) < 0) { }
        append("end " + variable("REPRISE_SEQ") + "\n");
    } else if (behaviour == "hang") {
        ::signal(SIGTERM, SIG_IGN);
        std::fprintf(stderr, "waiting for the provider\n");
        for (;;)
            ::pause();
    } else if (behaviour == "die") {
        ::raise(SIGKILL);
    }
    std::printf("{\"id\":\"ch_%s_%d\"}", variable("REPRISE_SEQ").c_str(), ::getpid());
    return behaviour.rfind("exit", 0) == 0 ? std::atoi(behaviour.c_str() + 4) : 0;
}
