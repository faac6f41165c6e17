#pragma once

namespace reprise::cli {

/// The program `reprise`: reads the command line, runs one command, answers the exit code.
int run(int argc, char **argv);

} // namespace reprise::cli
