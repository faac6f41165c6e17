#pragma once

#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/inspect/store_reader.h"
#include "core/model/action.h"
#include "core/model/money.h"
#include "core/suspects/suspects.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string_view>

/// Values of the core as people see them. All windows take their words from here, so that one thing
/// has one name on screen.
namespace reprise::ui {

/// "—": a value that was not recorded; never empty, never 0. Its tooltip is `notRecorded()`.
[[nodiscard]] QString dash();
[[nodiscard]] QString notRecorded();

/// Bytes of another system on one line: what does not show by itself becomes a visible mark.
[[nodiscard]] QString visible(std::string_view bytes);
/// As `visible`, with `dash()` for the empty text.
[[nodiscard]] QString visibleOrDash(std::string_view bytes);
/// As `visible`, with line breaks and tabs kept: for blocks of text.
[[nodiscard]] QString visibleBlock(std::string_view bytes);
/// `text` with its middle replaced by "…" where it has more than `charsMax` characters.
[[nodiscard]] QString middleElided(const QString &text, int charsMax);
/// The first `digits` hex digits.
[[nodiscard]] QString shortHex(const Digest &digest, int digits = 8);
/// "ab12…9f": a hash in a status line.
[[nodiscard]] QString abbreviated(const Digest &digest);

/// "49.00" without the code, and "EUR 49.00" with it.
[[nodiscard]] QString amountText(const std::optional<Money> &money);
[[nodiscard]] QString moneyText(const Money &money);
/// "EUR 49.00, JPY 777": amounts of several currencies are never added up.
[[nodiscard]] QString moneyText(const std::vector<Money> &amounts);
/// "12,480": grouped by thousands in every locale, as tables of evidence must read the same
/// everywhere.
[[nodiscard]] QString countText(std::int64_t count);
[[nodiscard]] QString bytesText(std::uint64_t bytes);

/// How times are shown: in UTC, or in UTC with the local time after it. Never in local time alone.
enum class Zone { Utc, UtcAndLocal };
/// For the whole program; GUI thread.
void setZone(Zone zone);
[[nodiscard]] Zone zone();

/// "2026-11-30 14:03:22.418Z", or "2026-11-30 14:03:22.418Z (15:03 +01:00)"
[[nodiscard]] QString timeText(Time time);
[[nodiscard]] QString timeText(const std::optional<Time> &time);
/// "14:03Z"
[[nodiscard]] QString clockText(Time time);
/// "0.4 s", "1 m 12 s", "3 h 05 m", "12 d 4 h"
[[nodiscard]] QString durationText(std::int64_t us);
[[nodiscard]] QString durationText(const std::optional<std::int64_t> &us);

/// The tokens of a filter of runs, as they were typed.
[[nodiscard]] QStringList filterTokens(const QString &filter);
/// `payee:X` as the filter of runs reads it: quoted where the value has blanks.
[[nodiscard]] QString filterToken(const QString &name, const QString &value);

/// How a value is meant, for its colour; the view picks the colour, never the model.
enum class Tone { Plain, Muted, Ok, Warn, Danger };

/// A word on screen with its sign, so that it can be told without colour: "✔ Executed".
struct Badge
{
    QString sign;
    QString word;
    Tone tone = Tone::Plain;
    [[nodiscard]] QString text() const
    {
        return sign.isEmpty() ? word : sign + QLatin1Char(' ') + word;
    }
};

/// State of an action in the words of the window: "Executed", "In doubt", …
[[nodiscard]] Badge badgeFor(ActionState state);
/// The same with what its attempts add: an action that was called twice is "Executed again".
[[nodiscard]] Badge badgeFor(const ActionRow &row);
[[nodiscard]] Badge badgeFor(AttemptKind kind);
[[nodiscard]] Badge badgeFor(Severity severity);
[[nodiscard]] Badge badgeFor(const RunRow &row);
[[nodiscard]] QString outcomeWord(OutcomeClass outcome);
[[nodiscard]] QString sourceWord(ResultSource source);

} // namespace reprise::ui
