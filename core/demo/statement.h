#pragma once

#include "core/base/json.h"
#include "core/demo/ledger.h"

#include <string>
#include <vector>

namespace reprise {

/// The provider's charges and refunds as its API lists them (Stripe's form): one list of charge and
/// refund objects, newest first, amounts in minor units, times in seconds.
[[nodiscard]] Json statementList(const std::vector<LedgerLine> &ledger);

/// The same as Stripe's itemised balance report: major units, refunds negative, newest first. Holds
/// (authorisations that were not captured) move no balance and do not stand in it.
[[nodiscard]] std::string statementCsv(const std::vector<LedgerLine> &ledger);

} // namespace reprise
