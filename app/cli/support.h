#pragma once

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/store/store.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

/// What several commands share.
namespace reprise::cli {

/// The machine's clock and randomness; live as long as the program.
[[nodiscard]] SystemClock &systemClock();
[[nodiscard]] SystemRandom &systemRandom();

[[nodiscard]] Result<std::unique_ptr<Store>> openLiveStore(const std::string &path);

/// A run and a seq as they were typed.
struct ActionName
{
    RunId run;
    Seq seq;
    Key key;
};
[[nodiscard]] Result<ActionName> parseActionName(const std::string &run, const std::string &seq);

/// True after Ctrl-C: long commands look at it between steps. `watchInterrupt` makes Ctrl-C set it.
[[nodiscard]] const std::atomic<bool> &interrupted();
void watchInterrupt();

/// Prints a JSON document and a line end.
void print(const Json &json);

} // namespace reprise::cli
