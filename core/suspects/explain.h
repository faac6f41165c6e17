#pragma once

#include "core/suspects/suspects.h"

namespace reprise {

/// Fills what a cluster says in words: what its members have in common and what not, what argues
/// against a double, what evidence is missing. Lists name at most `most` members.
void explainCluster(Cluster &cluster, std::size_t most);

} // namespace reprise
