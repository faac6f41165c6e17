#pragma once

#include "core/base/json.h"
#include "core/model/money.h"

namespace reprise {

/// {"currency":"EUR","minor":4900,"text":"49.00"}: money in every JSON document.
[[nodiscard]] Json moneyToJson(const Money &money);

} // namespace reprise
