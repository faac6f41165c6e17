#pragma once

#include "core/demo/stage.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What happens in the demonstration, told scene by scene. The people, orders and mishaps are
/// written here; times, references and ids come from the seed and from the provider.
namespace reprise {

/// Something that a customer buys.
struct Purchase
{
    std::string customer; ///< a name; the provider's id for it follows from it
    std::string order;
    std::string item;
    Money price;
};

struct Scene
{
    Time at; ///< not before
    std::function<void(Stage &)> play;
};

using Scenes = std::vector<Scene>;

/// That moment of November 2026, UTC.
[[nodiscard]] Time november(int day, int hour, int minute);
/// The provider's id of a customer or supplier.
[[nodiscard]] std::string customerId(const std::string &name);

[[nodiscard]] Ask fetchOrder(const Purchase &purchase);
[[nodiscard]] Ask charge(const Purchase &purchase);
[[nodiscard]] Ask mailReceipt(const Purchase &purchase);
[[nodiscard]] Ask refund(const Purchase &purchase, const std::string &charge, std::int64_t minor,
    const std::string &why);
[[nodiscard]] Ask payOut(
    const std::string &supplier, const std::string &invoice, const Money &amount);

/// Plans the usual checkout: fetch the order (seq 1), charge the card (2), mail the receipt (3).
/// Answers the run's id.
std::string planCheckout(Stage &stage, const Purchase &purchase);
/// The usual checkout, with nothing going wrong.
void checkOut(Stage &stage, const Purchase &purchase);

void addOlderAgentScenes(Scenes &scenes);
void addCheckoutScenes(Scenes &scenes);
void addMishapScenes(Scenes &scenes);
void addRefundScenes(Scenes &scenes);
void addPayoutAndMailScenes(Scenes &scenes);
/// Ordinary checkouts, three actions each, until there are at least `actions` of them, spread over
/// the month.
void addOrdinaryScenes(Scenes &scenes, std::int64_t actions);

} // namespace reprise
