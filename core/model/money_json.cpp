#include "core/model/money_json.h"

namespace reprise {

Json moneyToJson(const Money &money)
{
    return Json()
        .set("currency", money.currency)
        .set("minor", money.minor)
        .set("text", money.text());
}

} // namespace reprise
