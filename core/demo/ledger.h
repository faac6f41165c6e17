#pragma once

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/action.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// One line of the demonstration provider's ledger: an effect that really happened there. The
/// provider program writes it; the statement and the truth are computed from it.
struct LedgerLine
{
    std::int64_t n = 0; ///< 1, 2, 3 …
    Time at;
    std::string verb; ///< "charge", "authorise", "capture", "refund", "payout", "message"
    std::string reference; ///< ch_…, re_…, po_…, msg_…; a capture has that of its authorisation
    std::optional<Money> amount;
    std::string payee;
    std::string order;
    std::string description;
    std::string undoes; ///< of a refund: the charge
    std::string key; ///< as it arrived; empty: none
    std::string runId; ///< who asked, as the tool's environment named it
    std::int64_t seq = 0;

    [[nodiscard]] Json toJson() const;
    [[nodiscard]] static Result<LedgerLine> parse(std::string_view line, const std::string &where);
};

/// All lines of a ledger file; none where there is no file yet.
[[nodiscard]] Result<std::vector<LedgerLine>> readLedger(const std::string &path);

/// `prefix` and 24 letters and digits that follow from `text` alone: an id such as providers give.
[[nodiscard]] std::string opaqueId(std::string_view prefix, std::string_view text);

} // namespace reprise
