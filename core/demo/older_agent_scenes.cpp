#include "core/demo/scenes.h"

/// The first week: an agent without keys. Where an answer is lost it simply calls again, and
/// customers really are charged twice.
namespace reprise {

namespace {

void answerLostThenCalledAgain(
    Stage &stage, const std::string &run, std::int64_t seq, const Ask &ask)
{
    stage.callAsOlderAgent(run, seq, ask, ProviderFault::LoseResponse);
    stage.pause(2, 5);
    stage.callAsOlderAgent(run, seq, ask);
    stage.meantOnce("the answer was lost, and the agent called again without a key", {{run, seq}});
}

void espressoMachine(Stage &stage)
{
    const Purchase machine {
        "Anna Lindqvist", "A-10214", "Espresso machine, single boiler", {"EUR", 12'900}};
    answerLostThenCalledAgain(stage, "shopbot-20261103-01", 1, charge(machine));
}

void houseBlend(Stage &stage)
{
    const Purchase beans {"Marek Novák", "A-10217", "House blend, 1 kg", {"EUR", 2'490}};
    stage.callAsOlderAgent("shopbot-20261103-02", 1, charge(beans));
    stage.callAsOlderAgent("shopbot-20261103-02", 2, mailReceipt(beans));
}

void dripperPlannedAnew(Stage &stage)
{
    const Purchase dripper {"Yuki Tanaka", "A-10221", "Dripper and server set", {"JPY", 8'400}};
    const std::string run = "shopbot-20261103-03";
    stage.callAsOlderAgent(run, 1, charge(dripper), ProviderFault::LoseResponse);
    stage.pause(3, 9);
    stage.callAsOlderAgent(run, 2, charge(dripper));
    stage.meantOnce("after a time-out the agent planned the charge anew", {{run, 1}, {run, 2}});
}

void brokenCup(Stage &stage)
{
    const Purchase cups {
        "Tom Whitfield", "A-10226", "Set of six cups, one arrived broken", {"GBP", 5'400}};
    const std::string run = "shopbot-20261103-04";
    stage.callAsOlderAgent(run, 1, charge(cups));
    stage.pause(600, 900);
    answerLostThenCalledAgain(
        stage, run, 2, refund(cups, stage.referenceOf(run, 1), 1'800, "broken cup"));
}

void payoutStartedTwice(Stage &stage)
{
    const Ask payout = payOut("Rösterei Berger AG", "RB-2026-1187", {"CHF", 235'000});
    const std::string first = "payoutbot-20261104-01";
    const std::string second = "payoutbot-20261104-02";
    stage.callAsOlderAgent(first, 1, payout);
    stage.pause(20, 50);
    stage.callAsOlderAgent(second, 1, payout);
    stage.meantOnce("the scheduler started the payout job twice", {{first, 1}, {second, 1}});
}

void secondCard(Stage &stage)
{
    const Purchase grinder {"Lucía Herrera", "A-10248", "Burr grinder", {"EUR", 17'900}};
    const std::string run = "shopbot-20261104-01";
    Ask first = charge(grinder);
    first.args.set("card", "pm_visa_0002");
    Ask second = charge(grinder);
    second.args.set("card", "pm_mastercard_4444");
    stage.callAsOlderAgent(run, 1, first, ProviderFault::Decline);
    stage.pause(40, 80);
    stage.callAsOlderAgent(run, 2, second);
    stage.looksAlike("the first card was declined, the second one charged", {{run, 1}, {run, 2}});
}

void twoCoffees(Stage &stage)
{
    Purchase coffee {"Ole Jensen", "C-3301", "Flat white", {"EUR", 380}};
    const std::string first = "shopbot-20261105-01";
    const std::string second = "shopbot-20261105-02";
    stage.callAsOlderAgent(first, 1, charge(coffee));
    stage.pause(200, 280);
    coffee.order = "C-3307";
    stage.callAsOlderAgent(second, 1, charge(coffee));
    stage.looksAlike("two coffees, two orders, a few minutes apart", {{first, 1}, {second, 1}});
}

void firstCallNeverArrived(Stage &stage)
{
    const Purchase blend {
        "Fatima Al-Sabah", "A-10263", "Cardamom blend, 3 × 500 g", {"KWD", 12'750}};
    const std::string run = "shopbot-20261105-03";
    stage.callAsOlderAgent(run, 1, charge(blend), ProviderFault::LoseRequest);
    stage.pause(2, 5);
    stage.callAsOlderAgent(run, 1, charge(blend));
    stage.looksAlike("called twice after a time-out; the first call never arrived", {{run, 1}});
}

void kettle(Stage &stage)
{
    const Purchase bought {"Priya Raman", "A-10265", "Pour-over kettle", {"USD", 5'450}};
    stage.callAsOlderAgent("shopbot-20261105-04", 1, charge(bought));
    stage.callAsOlderAgent("shopbot-20261105-04", 2, mailReceipt(bought));
}

} // namespace

void addOlderAgentScenes(Scenes &scenes)
{
    scenes.push_back({november(3, 8, 15), espressoMachine});
    scenes.push_back({november(3, 9, 40), houseBlend});
    scenes.push_back({november(3, 11, 5), dripperPlannedAnew});
    scenes.push_back({november(3, 14, 20), brokenCup});
    scenes.push_back({november(4, 7, 0), payoutStartedTwice});
    scenes.push_back({november(4, 16, 30), secondCard});
    scenes.push_back({november(5, 9, 10), twoCoffees});
    scenes.push_back({november(5, 15, 0), firstCallNeverArrived});
    scenes.push_back({november(5, 16, 0), kettle});
    scenes.push_back({november(5, 18, 0), [](Stage &stage) { stage.importOlderLog(); }});
}

} // namespace reprise
