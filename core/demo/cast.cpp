#include "core/demo/ledger.h"
#include "core/demo/scenes.h"

#include <algorithm>
#include <array>

namespace reprise {

namespace {

constexpr std::int64_t kUsPerMinute = 60LL * 1'000'000;

constexpr std::array kOrdinaryCustomers {"Anna Lindqvist", "Marek Novák", "Yuki Tanaka",
    "Fatima Al-Sabah", "Tom Whitfield", "Lucía Herrera", "Jonas Weber", "Chloé Martin",
    "Priya Raman", "Ole Jensen", "Sofia Rossi", "Daniel Okafor"};

struct Ware
{
    const char *item;
    const char *currency;
    std::int64_t minor;
};

constexpr std::array kOrdinaryWares {Ware {"Filter coffee, 1 kg", "EUR", 1890},
    Ware {"Hand grinder", "EUR", 8900}, Ware {"Paper filters, 200", "GBP", 640},
    Ware {"Pour-over kettle", "USD", 5450}, Ware {"Ceramic dripper", "JPY", 3200},
    Ware {"Cardamom blend, 500 g", "KWD", 4250}, Ware {"Milk jug", "CHF", 2450}};

} // namespace

Time november(int day, int hour, int minute)
{
    constexpr int kStartDay = 3;
    constexpr int kStartHour = 8;
    const std::int64_t minutes = ((day - kStartDay) * 24LL + hour - kStartHour) * 60 + minute;
    return Time {demoStart().us + minutes * kUsPerMinute};
}

std::string customerId(const std::string &name)
{
    constexpr std::size_t kLength = 18;
    return opaqueId("cus_", name).substr(0, kLength);
}

Ask fetchOrder(const Purchase &purchase)
{
    return {"fetch_order",
        Json().set("order_id", purchase.order).set("customer", customerId(purchase.customer))};
}

Ask charge(const Purchase &purchase)
{
    return {"charge_card",
        Json()
            .set("customer", customerId(purchase.customer))
            .set("order_id", purchase.order)
            .set("amount_minor", purchase.price.minor)
            .set("currency", purchase.price.currency)
            .set("description", purchase.item + " for " + purchase.customer)};
}

Ask mailReceipt(const Purchase &purchase)
{
    return {"send_mail",
        Json()
            .set("customer", customerId(purchase.customer))
            .set("order_id", purchase.order)
            .set("subject",
                "Your receipt for order " + purchase.order + ": " + purchase.price.withCode())};
}

Ask refund(
    const Purchase &purchase, const std::string &charge, std::int64_t minor, const std::string &why)
{
    return {"refund_payment",
        Json()
            .set("charge", charge)
            .set("customer", customerId(purchase.customer))
            .set("order_id", purchase.order)
            .set("amount_minor", minor)
            .set("currency", purchase.price.currency)
            .set("description", why)};
}

Ask payOut(const std::string &supplier, const std::string &invoice, const Money &amount)
{
    return {"send_payout",
        Json()
            .set("supplier", supplier)
            .set("invoice", invoice)
            .set("amount_minor", amount.minor)
            .set("currency", amount.currency)
            .set("description", "Invoice " + invoice)};
}

std::string planCheckout(Stage &stage, const Purchase &purchase)
{
    std::string run = "checkout-" + purchase.order;
    stage.plan(run, "Checkout of order " + purchase.order + ", " + purchase.customer,
        {fetchOrder(purchase), charge(purchase), mailReceipt(purchase)});
    return run;
}

void checkOut(Stage &stage, const Purchase &purchase)
{
    const std::string run = planCheckout(stage, purchase);
    for (const std::int64_t seq : {1, 2, 3})
        stage.deliver(run, seq, "executed");
}

void addOrdinaryScenes(Scenes &scenes, std::int64_t actions)
{
    constexpr std::int64_t kActionsEach = 3;
    const std::int64_t runs = (actions + kActionsEach - 1) / kActionsEach;
    const Time first = november(6, 6, 0);
    const std::int64_t spanUs = november(30, 20, 0).us - first.us;
    for (std::int64_t i = 0; i < runs; ++i) {
        const Time at {first.us + spanUs / runs * i};
        scenes.push_back({at, [i](Stage &stage) {
                              const Ware &ware = kOrdinaryWares[stage.below(kOrdinaryWares.size())];
                              const auto pieces = static_cast<std::int64_t>(1 + stage.below(4));
                              std::string number = std::to_string(i + 1);
                              number.insert(0, 6 - std::min<std::size_t>(6, number.size()), '0');
                              checkOut(stage,
                                  {kOrdinaryCustomers[stage.below(kOrdinaryCustomers.size())],
                                      "B-" + number, std::to_string(pieces) + " × " + ware.item,
                                      {ware.currency, ware.minor * pieces}});
                          }});
    }
}

} // namespace reprise
