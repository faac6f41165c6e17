#include "core/demo/scenes.h"

/// Checkouts with Reprise in which something goes wrong: lost answers, dead workers, changed args,
/// actions in doubt, and a planner that plans a charge anew while the first is in doubt.
namespace reprise {

namespace {

constexpr const char *kOperator = "M. Okonkwo";
constexpr const char *kSecondOperator = "I. Brandt";
constexpr const char *kPlannedAnew = "in doubt, then planned anew under another seq";

/// Plans the checkout and charges under the mishap; the charge is in doubt afterwards.
std::string checkOutIntoDoubt(Stage &stage, const Purchase &purchase, ProviderFault fault)
{
    std::string run = planCheckout(stage, purchase);
    stage.deliver(run, 1, "executed");
    stage.deliver(run, 2, "in_doubt", {fault, {}, {}});
    return run;
}

/// The planner allocates a new seq for the charge of seq 2, which is left as it is.
void planAnew(Stage &stage, const std::string &run, const Purchase &purchase)
{
    stage.plan(run, "Checkout of order " + purchase.order + ", " + purchase.customer,
        {charge(purchase), mailReceipt(purchase)});
    stage.deliver(run, 4, "executed");
    stage.deliver(run, 5, "executed");
}

// Left open: in doubt at the end of the month.

void openAndLanded(Stage &stage)
{
    const auto run = checkOutIntoDoubt(stage,
        {"Chloé Martin", "A-10492", "Grinder with timer", {"EUR", 24'900}},
        ProviderFault::LoseResponse);
    stage.deliver(run, 2, "in_doubt");
}

void openAndNotLanded(Stage &stage)
{
    checkOutIntoDoubt(stage, {"Daniel Okafor", "A-10497", "Moka pot, 3 cups", {"GBP", 2'750}},
        ProviderFault::DieBefore);
}

void openAfterClaim(Stage &stage)
{
    const auto run
        = planCheckout(stage, {"Priya Raman", "A-10503", "Paper filters, 200", {"USD", 890}});
    stage.deliver(run, 1, "executed");
    stage.deliver(run, 2, "died", {{}, Step::AfterClaim, {}});
    stage.pause(20, 60);
    stage.deliver(run, 2, "in_doubt");
}

// Planned anew: the same charge under another seq.

void plannedAnewAndLandedTwice(Stage &stage, const Purchase &purchase)
{
    const auto run = checkOutIntoDoubt(stage, purchase, ProviderFault::LoseResponse);
    stage.deliver(run, 2, "in_doubt");
    planAnew(stage, run, purchase);
    stage.meantOnce(kPlannedAnew, {{run, 2}, {run, 4}});
}

void cartridges(Stage &stage)
{
    plannedAnewAndLandedTwice(
        stage, {"Anna Lindqvist", "A-10431", "Water filter cartridges, 6", {"EUR", 4'900}});
}

void matchaSet(Stage &stage)
{
    plannedAnewAndLandedTwice(stage, {"Yuki Tanaka", "A-10460", "Matcha set", {"JPY", 12'600}});
}

void plannedAnewAndLandedOnce(Stage &stage)
{
    const Purchase jug {"Ole Jensen", "A-10448", "Milk jug, 0.6 l", {"EUR", 2'450}};
    const auto run = checkOutIntoDoubt(stage, jug, ProviderFault::LoseRequest);
    stage.deliver(run, 2, "in_doubt");
    planAnew(stage, run, jug);
    stage.looksAlike(
        "in doubt and planned anew; the first request never arrived", {{run, 2}, {run, 4}});
}

void twoAgentsOneOrder(Stage &stage)
{
    const Purchase box {"Marek Novák", "A-10466", "Knock box", {"EUR", 3'250}};
    checkOut(stage, box);
    stage.pause(5'400, 9'000);
    const std::string run = "support-A-10466";
    stage.plan(run, "Support: unpaid order A-10466, Marek Novák", {charge(box), mailReceipt(box)});
    stage.deliver(run, 1, "executed");
    stage.deliver(run, 2, "executed");
    stage.meantOnce("two agents charged one order", {{"checkout-A-10466", 2}, {run, 1}});
}

// Settled by a person.

void settledAsLanded(Stage &stage)
{
    const auto run
        = planCheckout(stage, {"Tom Whitfield", "A-10436", "Filter brewer", {"GBP", 13'900}});
    stage.deliver(run, 1, "executed");
    stage.deliver(run, 2, "died", {{}, Step::AfterCall, {}});
    stage.pause(60, 120);
    stage.deliver(run, 2, "in_doubt");
    stage.pause(1'200, 2'400);
    stage.settle(run, 2, Decision::Landed, kOperator,
        "the provider's dashboard shows the charge for this order", "dashboard search for A-10436");
    stage.deliver(run, 2, "replayed");
    stage.deliver(run, 3, "executed");
}

void settledAsRetry(Stage &stage)
{
    const auto run = checkOutIntoDoubt(stage,
        {"Sofia Rossi", "A-10451", "Portafilter basket", {"EUR", 2'190}}, ProviderFault::DieBefore);
    stage.pause(7'000, 7'900);
    stage.settle(run, 2, Decision::Retry, kSecondOperator,
        "no charge for this order two hours later; one more call is safe",
        "dashboard search for A-10451: no result");
    stage.deliver(run, 2, "executed");
    stage.deliver(run, 3, "executed");
}

void settledAsFailed(Stage &stage)
{
    const Purchase rack {"Lucía Herrera", "A-10478", "Cup warmer rack", {"EUR", 6'650}};
    const auto run = checkOutIntoDoubt(stage, rack, ProviderFault::LoseRequest);
    stage.pause(3'600, 5'400);
    stage.settle(run, 2, Decision::Failed, kOperator, "the provider confirmed that nothing arrived",
        "provider support case 88213");
    stage.deliver(run, 2, "replayed");
    planAnew(stage, run, rack);
    stage.looksAlike("settled as failed, then planned anew and charged once", {{run, 2}, {run, 4}});
}

void cutAnswer(Stage &stage)
{
    const auto run = checkOutIntoDoubt(stage,
        {"Fatima Al-Sabah", "A-10482", "Cardamom blend, 500 g", {"KWD", 4'250}},
        ProviderFault::CutResponse);
    stage.pause(600, 1'200);
    stage.settle(run, 2, Decision::Landed, kSecondOperator,
        "the cut answer begins with the charge's id; the charge is there",
        "dashboard search for A-10482");
    stage.deliver(run, 2, "replayed");
    stage.deliver(run, 3, "executed");
}

// Answered safely, with nobody's help.

void diedAfterRecording(Stage &stage)
{
    const auto run = planCheckout(stage, {"Marek Novák", "A-10422", "Vacuum tin", {"EUR", 3'100}});
    stage.deliver(run, 1, "executed");
    stage.deliver(run, 2, "died", {{}, Step::AfterRecord, {}});
    stage.pause(10, 40);
    stage.deliver(run, 2, "replayed");
    stage.deliver(run, 3, "executed");
}

void otherAmount(Stage &stage)
{
    const Purchase towels {"Jonas Weber", "A-10443", "Bar towels, 5", {"EUR", 1'950}};
    const auto run = planCheckout(stage, towels);
    stage.deliver(run, 1, "executed");
    stage.deliver(run, 2, "executed");
    Purchase dearer = towels;
    dearer.price.minor = 2'950;
    stage.deliver(run, 2, "conflict", {{}, {}, charge(dearer).args});
    stage.deliver(run, 2, "replayed");
    stage.deliver(run, 3, "executed");
}

void connectionRefused(Stage &stage)
{
    const auto run
        = planCheckout(stage, {"Chloé Martin", "A-10486", "Cupping spoons, 4", {"EUR", 2'600}});
    stage.deliver(run, 1, "executed");
    stage.deliver(run, 2, "not_sent", {ProviderFault::Refuse, {}, {}});
    stage.pause(30, 60);
    stage.deliver(run, 2, "executed");
    stage.deliver(run, 3, "executed");
}

} // namespace

void addMishapScenes(Scenes &scenes)
{
    scenes.push_back({november(8, 9, 30), diedAfterRecording});
    scenes.push_back({november(10, 10, 2), cartridges});
    scenes.push_back({november(11, 14, 30), settledAsLanded});
    scenes.push_back({november(12, 15, 10), otherAmount});
    scenes.push_back({november(14, 11, 50), plannedAnewAndLandedOnce});
    scenes.push_back({november(15, 16, 0), settledAsRetry});
    scenes.push_back({november(17, 7, 35), matchaSet});
    scenes.push_back({november(18, 9, 15), twoAgentsOneOrder});
    scenes.push_back({november(20, 12, 10), settledAsFailed});
    scenes.push_back({november(21, 10, 45), cutAnswer});
    scenes.push_back({november(23, 7, 20), connectionRefused});
    scenes.push_back({november(25, 16, 5), openAndLanded});
    scenes.push_back({november(27, 9, 25), openAndNotLanded});
    scenes.push_back({november(29, 18, 40), openAfterClaim});
}

} // namespace reprise
