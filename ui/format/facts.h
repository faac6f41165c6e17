#pragma once

#include "core/inspect/store_reader.h"
#include "core/suspects/suspects.h"

#include <QString>

#include <utility>
#include <vector>

namespace reprise::ui {

/// What is recorded of one thing, as names and values for people: in full, nothing shortened.
struct Facts
{
    QString title;
    std::vector<std::pair<QString, QString>> lines;
};

[[nodiscard]] Facts factsOf(const RunRow &row);
[[nodiscard]] Facts factsOf(const ActionRow &row);
[[nodiscard]] Facts factsOf(const ActionDetail &detail);
[[nodiscard]] Facts factsOf(const Cluster &cluster);

/// The facts as lines of text, for the clipboard.
[[nodiscard]] QString evidenceBlock(const Facts &facts);

} // namespace reprise::ui
