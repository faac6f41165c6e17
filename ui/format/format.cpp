#include "ui/format/format.h"

#include "core/report/visible_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include <algorithm>
#include <array>
#include <utility>

namespace reprise::ui {

namespace {

constexpr std::int64_t kUsPerMs = 1'000;
constexpr std::int64_t kUsPerSecond = 1'000'000;
constexpr std::int64_t kSecondsPerMinute = 60;
constexpr std::int64_t kSecondsPerHour = 3'600;
constexpr std::int64_t kSecondsPerDay = 86'400;

QString tr(const char *text)
{
    return QCoreApplication::translate("Format", text);
}

QString number(std::int64_t value, int digits)
{
    return QStringLiteral("%1").arg(value, digits, 10, QLatin1Char('0'));
}

Zone shownZone = Zone::Utc;

/// " (15:03 +01:00)"; with the day where it is another one.
QString localPart(Time time)
{
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(time.us / kUsPerMs, Qt::UTC);
    const QDateTime local = utc.toLocalTime().toOffsetFromUtc(utc.toLocalTime().offsetFromUtc());
    const QString form
        = local.date() == utc.date() ? QStringLiteral("HH:mm") : QStringLiteral("MM-dd HH:mm");
    const QString offset = local.toString(Qt::ISODate).right(6);
    return QStringLiteral(" (%1 %2)")
        .arg(local.toString(form), local.offsetFromUtc() == 0 ? QStringLiteral("+00:00") : offset);
}

Badge badge(const char *sign, const char *word, Tone tone)
{
    return {QString::fromUtf8(sign), tr(word), tone};
}

} // namespace

QString dash()
{
    return QStringLiteral("—");
}

QString notRecorded()
{
    return tr("not recorded");
}

QString visible(std::string_view bytes)
{
    return QString::fromStdString(visibleText(bytes));
}

QString visibleOrDash(std::string_view bytes)
{
    return bytes.empty() ? dash() : visible(bytes);
}

QString visibleBlock(std::string_view bytes)
{
    return QString::fromStdString(visibleText(bytes, LineBreaks::Kept));
}

QString middleElided(const QString &text, int charsMax)
{
    if (text.size() <= charsMax || charsMax < 3)
        return text;
    const int tail = (charsMax - 1) / 3;
    const int head = charsMax - 1 - tail;
    return text.left(head) + QStringLiteral("…") + text.right(tail);
}

QString shortHex(const Digest &digest, int digits)
{
    return QString::fromStdString(digest.hex()).left(digits);
}

QString abbreviated(const Digest &digest)
{
    const QString hex = QString::fromStdString(digest.hex());
    return hex.left(4) + QStringLiteral("…") + hex.right(2);
}

QString amountText(const std::optional<Money> &money)
{
    return money ? QString::fromStdString(money->text()) : dash();
}

QString moneyText(const Money &money)
{
    return QString::fromStdString(money.withCode());
}

QString moneyText(const std::vector<Money> &amounts)
{
    QStringList list;
    for (const Money &money : amounts)
        list.append(moneyText(money));
    return list.isEmpty() ? dash() : list.join(QStringLiteral(", "));
}

QString countText(std::int64_t count)
{
    QString text = QString::number(count);
    const int first = count < 0 ? 1 : 0;
    for (auto at = static_cast<int>(text.size()) - 3; at > first; at -= 3)
        text.insert(at, QLatin1Char(','));
    return text;
}

QString bytesText(std::uint64_t bytes)
{
    constexpr std::uint64_t kKilo = 1'000;
    if (bytes < kKilo)
        return tr("%1 bytes").arg(bytes);
    static constexpr std::array kUnits {"kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    std::uint64_t tenths = bytes * 10 / kKilo;
    while (tenths >= kKilo * 10 && unit + 1 < kUnits.size()) {
        tenths /= kKilo;
        ++unit;
    }
    return QStringLiteral("%1.%2 %3")
        .arg(tenths / 10)
        .arg(tenths % 10)
        .arg(QLatin1String(kUnits.at(unit)));
}

void setZone(Zone zone)
{
    shownZone = zone;
}

Zone zone()
{
    return shownZone;
}

QString timeText(Time time)
{
    // 2026-11-30T14:03:22.418000Z: the zone stays, three of the six digits go.
    QString text = QString::fromStdString(time.rfc3339());
    text.chop(4);
    text.replace(QLatin1Char('T'), QLatin1Char(' '));
    text += QLatin1Char('Z');
    return shownZone == Zone::Utc ? text : text + localPart(time);
}

QString timeText(const std::optional<Time> &time)
{
    return time ? timeText(*time) : dash();
}

QString clockText(Time time)
{
    return QString::fromStdString(time.rfc3339()).mid(11, 5) + QLatin1Char('Z');
}

QString durationText(std::int64_t us)
{
    if (us < 0)
        return QStringLiteral("−") + durationText(-us);
    if (us < kUsPerSecond)
        return tr("%1 ms").arg(us / kUsPerMs);
    const std::int64_t seconds = us / kUsPerSecond;
    if (seconds < 2 * kSecondsPerMinute)
        return tr("%1.%2 s").arg(seconds).arg(us % kUsPerSecond / (kUsPerSecond / 10));
    if (seconds < kSecondsPerHour)
        return tr("%1 m %2 s")
            .arg(seconds / kSecondsPerMinute)
            .arg(number(seconds % kSecondsPerMinute, 2));
    if (seconds < kSecondsPerDay)
        return tr("%1 h %2 m")
            .arg(seconds / kSecondsPerHour)
            .arg(number(seconds % kSecondsPerHour / kSecondsPerMinute, 2));
    return tr("%1 d %2 h")
        .arg(seconds / kSecondsPerDay)
        .arg(seconds % kSecondsPerDay / kSecondsPerHour);
}

QString durationText(const std::optional<std::int64_t> &us)
{
    return us ? durationText(*us) : dash();
}

QStringList filterTokens(const QString &filter)
{
    QStringList tokens;
    QString token;
    bool quoted = false;
    for (const QChar c : filter) {
        if (c == QLatin1Char('"'))
            quoted = !quoted;
        if (quoted || !c.isSpace())
            token += c;
        else if (!token.isEmpty())
            tokens.append(std::exchange(token, {}));
    }
    if (!token.isEmpty())
        tokens.append(token);
    return tokens;
}

QString filterToken(const QString &name, const QString &value)
{
    const bool quoted = value.contains(QLatin1Char(' '));
    return quoted ? QStringLiteral("%1:\"%2\"").arg(name, value)
                  : QStringLiteral("%1:%2").arg(name, value);
}

Badge badgeFor(ActionState state)
{
    switch (state) {
    case ActionState::Planned:
        return badge("○", QT_TRANSLATE_NOOP("Format", "Planned"), Tone::Muted);
    case ActionState::InFlight:
        return badge("▶", QT_TRANSLATE_NOOP("Format", "In flight"), Tone::Warn);
    case ActionState::Succeeded:
        return badge("✔", QT_TRANSLATE_NOOP("Format", "Executed"), Tone::Ok);
    case ActionState::Failed:
        return badge("✖", QT_TRANSLATE_NOOP("Format", "Failed"), Tone::Muted);
    case ActionState::InDoubt:
        return badge("?", QT_TRANSLATE_NOOP("Format", "In doubt"), Tone::Warn);
    case ActionState::Cancelled:
        return badge("⊘", QT_TRANSLATE_NOOP("Format", "Cancelled"), Tone::Muted);
    }
    return {};
}

Badge badgeFor(const ActionRow &row)
{
    if (row.executedAgain > 0 && row.state == ActionState::Succeeded)
        return badgeFor(AttemptKind::ExecutedAgain);
    return badgeFor(row.state);
}

Badge badgeFor(AttemptKind kind)
{
    switch (kind) {
    case AttemptKind::Executed:
        return badge("✔", QT_TRANSLATE_NOOP("Format", "Executed"), Tone::Ok);
    case AttemptKind::Replayed:
        return badge("↺", QT_TRANSLATE_NOOP("Format", "Replayed"), Tone::Plain);
    case AttemptKind::ExecutedAgain:
        return badge("⚠", QT_TRANSLATE_NOOP("Format", "Executed again"), Tone::Danger);
    case AttemptKind::InDoubt:
        return badge("?", QT_TRANSLATE_NOOP("Format", "In doubt"), Tone::Warn);
    case AttemptKind::Conflict:
        return badge("≠", QT_TRANSLATE_NOOP("Format", "Conflict"), Tone::Danger);
    case AttemptKind::Busy:
        return badge("…", QT_TRANSLATE_NOOP("Format", "Busy"), Tone::Muted);
    case AttemptKind::Refused:
        return badge("⊘", QT_TRANSLATE_NOOP("Format", "Refused"), Tone::Muted);
    case AttemptKind::Settled:
        return badge("§", QT_TRANSLATE_NOOP("Format", "Settled"), Tone::Plain);
    case AttemptKind::LateReport:
        return badge("⌚", QT_TRANSLATE_NOOP("Format", "Late report"), Tone::Warn);
    }
    return {};
}

Badge badgeFor(Severity severity)
{
    switch (severity) {
    case Severity::Critical:
        return badge("●", QT_TRANSLATE_NOOP("Format", "Critical"), Tone::Danger);
    case Severity::High:
        return badge("▲", QT_TRANSLATE_NOOP("Format", "High"), Tone::Danger);
    case Severity::Medium:
        return badge("◆", QT_TRANSLATE_NOOP("Format", "Medium"), Tone::Warn);
    case Severity::Low:
        return badge("◇", QT_TRANSLATE_NOOP("Format", "Low"), Tone::Plain);
    case Severity::Info:
        return badge("·", QT_TRANSLATE_NOOP("Format", "Info"), Tone::Muted);
    }
    return {};
}

Badge badgeFor(const RunRow &row)
{
    if (row.executedAgain > 0)
        return badgeFor(AttemptKind::ExecutedAgain);
    if (row.inDoubt > 0)
        return badgeFor(ActionState::InDoubt);
    if (row.conflicts > 0)
        return badgeFor(AttemptKind::Conflict);
    if (row.executed > 0)
        return badgeFor(ActionState::Succeeded);
    return badgeFor(row.failed > 0 ? ActionState::Failed : ActionState::Planned);
}

QString outcomeWord(OutcomeClass outcome)
{
    switch (outcome) {
    case OutcomeClass::Succeeded:
        return tr("succeeded");
    case OutcomeClass::Declined:
        return tr("declined");
    case OutcomeClass::NotSent:
        return tr("not sent");
    case OutcomeClass::Unknown:
        return tr("not known");
    }
    return {};
}

QString sourceWord(ResultSource source)
{
    switch (source) {
    case ResultSource::Call:
        return tr("the call itself");
    case ResultSource::Probe:
        return tr("a probe");
    case ResultSource::LateReport:
        return tr("a late report");
    case ResultSource::Operator:
        return tr("an operator");
    case ResultSource::Import:
        return tr("an import");
    }
    return {};
}

} // namespace reprise::ui
