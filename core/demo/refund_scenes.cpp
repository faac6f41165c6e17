#include "core/demo/scenes.h"

/// Refunds. Their tool has a probe, so doubt about them settles itself on the next delivery.
namespace reprise {

namespace {

/// Plans one refund of the charge that the order's checkout made (its seq 2).
std::string planRefund(
    Stage &stage, const Purchase &purchase, std::int64_t minor, const std::string &why)
{
    std::string run = "refunds-" + purchase.order;
    stage.plan(run, "Refund of order " + purchase.order + ", " + purchase.customer,
        {refund(purchase, stage.referenceOf("checkout-" + purchase.order, 2), minor, why)});
    return run;
}

void plainRefund(Stage &stage)
{
    const auto run = planRefund(
        stage, {"Anna Lindqvist", "A-10412", {}, {"EUR", 4'900}}, 2'450, "one bottle missing");
    stage.deliver(run, 1, "executed");
    stage.deliver(run, 1, "replayed");
}

void answerLost(Stage &stage)
{
    const auto run = planRefund(
        stage, {"Yuki Tanaka", "A-10440", {}, {"JPY", 31'800}}, 31'800, "arrived cracked");
    stage.deliver(run, 1, "in_doubt", {ProviderFault::LoseResponse, {}, {}});
    stage.pause(5, 15);
    stage.deliver(run, 1, "replayed"); // the probe finds the refund
}

void requestLost(Stage &stage)
{
    const auto run = planRefund(
        stage, {"Fatima Al-Sabah", "A-10455", {}, {"KWD", 27'500}}, 7'500, "late delivery");
    stage.deliver(run, 1, "in_doubt", {ProviderFault::LoseRequest, {}, {}});
    stage.pause(5, 15);
    stage.deliver(run, 1, "executed"); // the probe finds nothing, so it is called once more
}

void otherAmount(Stage &stage)
{
    const Purchase tamper {"Tom Whitfield", "A-10471", {}, {"GBP", 3'400}};
    const auto run = planRefund(stage, tamper, 1'000, "wrong diameter, goodwill");
    stage.deliver(run, 1, "executed");
    stage.pause(20, 90);
    const Ask more = refund(
        tamper, stage.referenceOf("checkout-A-10471", 2), 3'400, "wrong diameter, goodwill");
    stage.deliver(run, 1, "conflict", {{}, {}, more.args});
}

void refundAndChargeAgain(Stage &stage)
{
    const Purchase shoes {"Chloé Martin", "A-10425", "Barista shoes, size 42", {"EUR", 7'900}};
    const std::string run = "refunds-A-10425";
    stage.plan(run, "Exchange of order A-10425, Chloé Martin",
        {refund(shoes, stage.referenceOf("checkout-A-10425", 2), 7'900, "wrong size"),
            charge(shoes), mailReceipt(shoes)});
    for (const std::int64_t seq : {1, 2, 3})
        stage.deliver(run, seq, "executed");
    stage.looksAlike("refunded and charged again: the shoes were exchanged",
        {{"checkout-A-10425", 2}, {run, 2}});
}

} // namespace

void addRefundScenes(Scenes &scenes)
{
    scenes.push_back({november(9, 14, 10), plainRefund});
    scenes.push_back({november(13, 15, 40), refundAndChargeAgain});
    scenes.push_back({november(16, 9, 0), answerLost});
    scenes.push_back({november(19, 16, 20), requestLost});
    scenes.push_back({november(22, 11, 0), otherAmount});
}

} // namespace reprise
