#include "core/demo/scenes.h"

#include <array>

/// Checkouts with Reprise that go well, and those that only look like doubles.
namespace reprise {

namespace {

void plainDays(Scenes &scenes)
{
    const auto add = [&](Time at, const Purchase &purchase, bool asksAgain) {
        scenes.push_back({at, [purchase, asksAgain](Stage &stage) {
                              checkOut(stage, purchase);
                              if (!asksAgain)
                                  return;
                              // The agent's own process restarts and drives its plan once more.
                              stage.pause(30, 240);
                              for (const std::int64_t seq : {1, 2, 3})
                                  stage.deliver("checkout-" + purchase.order, seq, "replayed");
                          }});
    };
    add(november(6, 8, 30), {"Anna Lindqvist", "A-10412", "Descaler, 2 × 250 ml", {"EUR", 4'900}},
        false);
    add(november(6, 10, 10), {"Jonas Weber", "A-10413", "Hand grinder", {"EUR", 8'900}}, true);
    add(november(9, 9, 5), {"Chloé Martin", "A-10425", "Barista shoes, size 41", {"EUR", 7'900}},
        false);
    add(november(10, 13, 45), {"Priya Raman", "A-10433", "Kettle, 1 l", {"USD", 6'200}}, true);
    add(november(12, 11, 20), {"Yuki Tanaka", "A-10440", "Cold brew tower", {"JPY", 31'800}},
        false);
    add(november(16, 15, 30), {"Fatima Al-Sabah", "A-10455", "Dallah, brass", {"KWD", 27'500}},
        false);
    add(november(19, 8, 50), {"Tom Whitfield", "A-10471", "Tamper, 58 mm", {"GBP", 3'400}}, true);
    add(november(24, 17, 15), {"Sofia Rossi", "A-10489", "Moka pot, 6 cups", {"EUR", 3'850}},
        false);
}

void declinedCard(Stage &stage)
{
    const Purchase scale {"Daniel Okafor", "A-10419", "Brewing scale", {"GBP", 4'250}};
    Ask first = charge(scale);
    first.args.set("card", "pm_visa_0002");
    Ask second = charge(scale);
    second.args.set("card", "pm_visa_4242");
    const std::string run = "checkout-A-10419";
    stage.plan(run, "Checkout of order A-10419, Daniel Okafor", {fetchOrder(scale), first});
    stage.deliver(run, 1, "executed");
    stage.deliver(run, 2, "executed", {ProviderFault::Decline, {}, {}});
    stage.deliver(run, 2, "replayed");
    stage.plan(run, "Checkout of order A-10419, Daniel Okafor", {second, mailReceipt(scale)});
    stage.deliver(run, 3, "executed");
    stage.deliver(run, 4, "executed");
    stage.looksAlike("the first card was declined, the second one charged", {{run, 2}, {run, 3}});
}

void twoCoffees(Stage &stage)
{
    Purchase coffee {"Ole Jensen", "C-3388", "Flat white", {"EUR", 380}};
    const auto buy = [&] {
        const std::string run = "kiosk-" + coffee.order;
        stage.plan(run, "Kiosk order " + coffee.order, {charge(coffee)});
        stage.deliver(run, 1, "executed");
    };
    buy();
    stage.pause(150, 260);
    coffee.order = "C-3391";
    buy();
    stage.looksAlike(
        "two coffees, two orders, a few minutes apart", {{"kiosk-C-3388", 1}, {"kiosk-C-3391", 1}});
}

void vegetableBoxes(Scenes &scenes)
{
    constexpr std::array kWeeks {45, 46, 47, 48};
    std::vector<ActionName> members;
    for (std::size_t i = 0; i < kWeeks.size(); ++i) {
        const std::string order = "BOX-2026-W" + std::to_string(kWeeks[i]);
        const std::string run = "subscriptions-" + order;
        members.push_back({run, 1});
        const bool last = i + 1 == kWeeks.size();
        scenes.push_back({november(6 + 7 * static_cast<int>(i), 6, 0),
            [order, run, members, last](Stage &stage) {
                const Purchase box {"Sofia Rossi", order, "Vegetable box", {"EUR", 2'900}};
                Ask ask = charge(box);
                ask.args.set("subscription", "sub_vegetable_box_weekly");
                stage.plan(run, "Weekly vegetable box, Sofia Rossi", {ask});
                stage.deliver(run, 1, "executed");
                if (last)
                    stage.looksAlike("a weekly subscription", members);
            }});
    }
}

void instalments(Scenes &scenes)
{
    const Purchase machine {
        "Jonas Weber", "A-10427", "Espresso machine, dual boiler", {"EUR", 39'900}};
    const std::string run = "checkout-A-10427";
    for (const std::int64_t k : {1, 2, 3}) {
        scenes.push_back(
            {november(8 + 7 * static_cast<int>(k - 1), 12, 0), [machine, run, k](Stage &stage) {
                 if (k == 1) {
                     std::vector<Ask> asks;
                     for (const std::int64_t part : {1, 2, 3}) {
                         asks.push_back(charge(machine));
                         asks.back().args.set("instalment", part).set("instalments", 3);
                     }
                     stage.plan(run, "Order A-10427 in three instalments, Jonas Weber", asks);
                     stage.looksAlike(
                         "three instalments of one order", {{run, 1}, {run, 2}, {run, 3}});
                 }
                 stage.deliver(run, k, "executed");
             }});
    }
}

void holdAndCapture(Stage &stage)
{
    const Purchase rental {"Lucía Herrera", "R-2051", "Grinder rental, deposit", {"EUR", 15'000}};
    Ask hold = charge(rental);
    hold.tool = "authorise_card";
    const std::string run = "checkout-R-2051";
    stage.plan(run, "Rental R-2051, Lucía Herrera", {hold});
    stage.deliver(run, 1, "executed");
    stage.pause(7'200, 9'000);
    Ask capture = charge(rental);
    capture.tool = "capture_card";
    capture.args.set("amount_minor", 6'000).set("authorisation", stage.referenceOf(run, 1));
    stage.plan(run, "Rental R-2051, Lucía Herrera", {capture});
    stage.deliver(run, 2, "executed");
    stage.looksAlike("an authorisation and its partial capture", {{run, 1}, {run, 2}});
}

void holdOnly(Stage &stage)
{
    const Purchase rental {"Marek Novák", "R-2060", "Roaster rental, deposit", {"EUR", 50'000}};
    Ask hold = charge(rental);
    hold.tool = "authorise_card";
    stage.plan("checkout-R-2060", "Rental R-2060, Marek Novák", {hold});
    stage.deliver("checkout-R-2060", 1, "executed");
}

} // namespace

void addCheckoutScenes(Scenes &scenes)
{
    plainDays(scenes);
    scenes.push_back({november(7, 14, 0), declinedCard});
    scenes.push_back({november(11, 8, 40), twoCoffees});
    scenes.push_back({november(13, 10, 0), holdAndCapture});
    scenes.push_back({november(26, 10, 0), holdOnly});
    vegetableBoxes(scenes);
    instalments(scenes);
}

} // namespace reprise
