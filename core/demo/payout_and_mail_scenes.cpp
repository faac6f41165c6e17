#include "core/demo/scenes.h"

/// Payouts to suppliers, whose tool forwards the key and may be called again under it, and
/// mailings.
namespace reprise {

namespace {

std::string planPayout(
    Stage &stage, const std::string &supplier, const std::string &invoice, const Money &amount)
{
    std::string run = "payouts-" + invoice;
    stage.plan(run, "Payout of invoice " + invoice + " to " + supplier,
        {payOut(supplier, invoice, amount)});
    return run;
}

void plainPayout(Stage &stage)
{
    stage.deliver(
        planPayout(stage, "Rösterei Berger AG", "RB-2026-1203", {"CHF", 318'000}), 1, "executed");
}

void answerLost(Stage &stage)
{
    const auto run = planPayout(stage, "Finca El Roble", "FER-0098", {"USD", 742'050});
    stage.deliver(run, 1, "in_doubt", {ProviderFault::LoseResponse, {}, {}});
    stage.pause(20, 60);
    stage.deliver(run, 1, "executed"); // the same key again: the provider answers with the payout
    stage.deliver(run, 1, "replayed");
}

void workerDies(Stage &stage)
{
    const auto run = planPayout(stage, "Hartley Packaging Ltd", "HP-5521", {"GBP", 128'475});
    stage.deliver(run, 1, "died", {{}, Step::AfterCall, {}});
    stage.pause(30, 90);
    stage.deliver(run, 1, "executed");
}

void twoInvoices(Stage &stage)
{
    const Money rent {"EUR", 95'000};
    const auto first = planPayout(stage, "Lagerhaus Nord GmbH", "LN-2026-10", rent);
    stage.deliver(first, 1, "executed");
    const auto second = planPayout(stage, "Lagerhaus Nord GmbH", "LN-2026-11", rent);
    stage.deliver(second, 1, "executed");
    stage.looksAlike("two invoices of the same amount to one supplier", {{first, 1}, {second, 1}});
}

Ask mail(const std::string &customer, const std::string &subject)
{
    return {"send_mail",
        Json().set("customer", customerId(customer)).set("order_id", "").set("subject", subject)};
}

void mailing(Stage &stage)
{
    const std::string run = "mailing-2026-11-roasts";
    std::vector<Ask> asks;
    for (const char *customer : {"Anna Lindqvist", "Marek Novák", "Yuki Tanaka", "Ole Jensen",
             "Sofia Rossi", "Daniel Okafor"})
        asks.push_back(mail(customer, std::string("November roasts: what is new for ") + customer));
    stage.plan(run, "Newsletter, November roasts", asks);
    for (const std::int64_t seq : {1, 2, 3})
        stage.deliver(run, seq, "executed");
    stage.deliver(run, 4, "died", {{}, Step::AfterRecord, {}});
    stage.pause(15, 45);
    // The new worker drives the plan from the start: what was sent is answered from the record.
    for (const std::int64_t seq : {1, 2, 3, 4})
        stage.deliver(run, seq, "replayed");
    stage.deliver(run, 5, "executed");
    stage.deliver(run, 6, "executed");
}

void mailInDoubt(Stage &stage)
{
    const std::string run = "mailing-2026-11-recall";
    stage.plan(run, "Recall notice, brass dallah",
        {mail("Fatima Al-Sabah", "Please stop using the brass dallah of order A-10455")});
    stage.deliver(run, 1, "in_doubt", {ProviderFault::DieAfter, {}, {}});
}

} // namespace

void addPayoutAndMailScenes(Scenes &scenes)
{
    scenes.push_back({november(6, 16, 0), plainPayout});
    scenes.push_back({november(13, 16, 30), answerLost});
    scenes.push_back({november(20, 16, 0), workerDies});
    scenes.push_back({november(27, 16, 0), twoInvoices});
    scenes.push_back({november(17, 6, 30), mailing});
    scenes.push_back({november(28, 8, 5), mailInDoubt});
}

} // namespace reprise
