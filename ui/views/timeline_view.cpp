#include "ui/views/timeline_view.h"

#include "ui/format/format.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace reprise::ui {

namespace {

constexpr int kAxisHeight = 20;
constexpr double kBarWidthMin = 14;
constexpr double kGapWidth = 64;
constexpr double kBesides = 8; ///< between bars that follow each other
constexpr double kZoomMin = 0.25;
constexpr double kZoomMax = 32;
/// An idle stretch longer than this part of the busy time is folded.
constexpr double kIdlePart = 0.2;

} // namespace

TimelineView::TimelineView(QWidget *parent)
    : QAbstractScrollArea(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline of attempts"));
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    setMinimumHeight(90);
}

void TimelineView::clear()
{
    setRun({}, {});
}

void TimelineView::setRun(
    std::vector<ActionRow> actions, std::vector<std::vector<AttemptRow>> attempts)
{
    m_bars.clear();
    m_lanes.clear();
    m_selected = -1;
    m_timed = true;
    for (std::size_t i = 0; i < actions.size() && i < attempts.size(); ++i)
        addBars(actions[i], attempts[i]);
    place();
    setAccessibleDescription(m_timed ? QString() : tr("no times recorded: order only"));
    updateScrollBars();
    viewport()->update();
}

int TimelineView::laneOf(const QString &name)
{
    const auto found = m_lanes.indexOf(name);
    if (found >= 0)
        return static_cast<int>(found);
    m_lanes.append(name);
    return static_cast<int>(m_lanes.size()) - 1;
}

void TimelineView::addBars(const ActionRow &action, const std::vector<AttemptRow> &attempts)
{
    const int lane = laneOf(visible(action.tool));
    for (const AttemptRow &attempt : attempts) {
        Bar bar;
        bar.seq = action.seq;
        bar.n = attempt.n;
        bar.lane = lane;
        const auto from = attempt.startedAt;
        const auto to = attempt.endedAt ? attempt.endedAt : from;
        m_timed = m_timed && from.has_value();
        bar.fromUs = from ? from->us : 0;
        bar.toUs = to && from ? std::max(to->us, from->us) : bar.fromUs;
        switch (attempt.kind) {
        case AttemptKind::Executed:
        case AttemptKind::ExecutedAgain:
            bar.shape = Shape::Solid;
            break;
        case AttemptKind::Replayed:
            bar.shape = Shape::Hollow;
            break;
        case AttemptKind::InDoubt:
            bar.shape = Shape::Hatched;
            break;
        case AttemptKind::Conflict:
        case AttemptKind::Busy:
        case AttemptKind::Refused:
        case AttemptKind::Settled:
        case AttemptKind::LateReport:
            bar.shape = Shape::Mark;
            break;
        }
        bar.text = QStringLiteral("%1").arg(action.seq);
        bar.tip = tr("seq %1, attempt %2: %3\n%4 to %5, %6")
                      .arg(action.seq)
                      .arg(attempt.n)
                      .arg(badgeFor(attempt.kind).text(), timeText(from), timeText(attempt.endedAt),
                          from && attempt.endedAt ? durationText(attempt.endedAt->us - from->us)
                                                  : tr("duration not recorded"));
        m_bars.push_back(std::move(bar));
    }
}

/// Lays the bars out: in proportion to time where it is recorded, idle stretches folded; else in
/// order.
void TimelineView::place()
{
    m_gaps.clear();
    m_length = 0;
    if (m_timed)
        std::stable_sort(m_bars.begin(), m_bars.end(),
            [](const Bar &a, const Bar &b) { return a.fromUs < b.fromUs; });
    std::int64_t busyUs = 0;
    std::int64_t reached = m_bars.empty() ? 0 : m_bars.front().fromUs;
    for (const Bar &bar : m_bars) {
        busyUs += std::max<std::int64_t>(0, bar.toUs - std::max(bar.fromUs, reached));
        reached = std::max(reached, bar.toUs);
    }
    const std::int64_t idleUsMax = std::max<std::int64_t>(
        static_cast<std::int64_t>(static_cast<double>(busyUs) * kIdlePart), 1'000'000);
    const double perUs = busyUs > 0 ? 600.0 / static_cast<double>(busyUs) : 0;
    double x = kBesides;
    reached = m_bars.empty() ? 0 : m_bars.front().fromUs;
    double endOfLast = x;
    std::vector<double> laneEnd(static_cast<std::size_t>(m_lanes.size()), 0);
    for (Bar &bar : m_bars) {
        if (m_timed) {
            const std::int64_t idle = bar.fromUs - reached;
            if (idle > idleUsMax) {
                m_gaps.push_back({endOfLast + kBesides, durationText(idle)});
                x = endOfLast + kGapWidth + kBesides * 2;
            } else if (idle > 0) {
                x = endOfLast + std::max(kBesides, static_cast<double>(idle) * perUs);
            }
        } else {
            x = endOfLast + kBesides;
        }
        bar.width = std::max(kBarWidthMin, static_cast<double>(bar.toUs - bar.fromUs) * perUs);
        // Bars of one lane never cover each other, however close their times are.
        double &end = laneEnd[static_cast<std::size_t>(bar.lane)];
        bar.x = std::max(x, end > 0 ? end + 3 : 0);
        end = bar.x + bar.width;
        endOfLast = std::max(endOfLast, end);
        reached = std::max(reached, bar.toUs);
        x = std::max(x, bar.x);
    }
    m_length = endOfLast + kBesides * 2;
}

int TimelineView::laneHeight() const
{
    return fontMetrics().height() + 12;
}

int TimelineView::labelWidth() const
{
    int width = 60;
    for (const QString &lane : m_lanes)
        width = std::max(width, fontMetrics().horizontalAdvance(lane) + 16);
    return std::min(width, 220);
}

void TimelineView::updateScrollBars()
{
    const int width = viewport()->width() - labelWidth();
    const int height = viewport()->height() - kAxisHeight;
    horizontalScrollBar()->setPageStep(std::max(width, 1));
    horizontalScrollBar()->setSingleStep(40);
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(m_length * m_zoom) - width));
    verticalScrollBar()->setPageStep(std::max(height, 1));
    verticalScrollBar()->setSingleStep(laneHeight());
    verticalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(m_lanes.size()) * laneHeight() - height));
}

QRectF TimelineView::rectOf(const Bar &bar) const
{
    return {labelWidth() + bar.x * m_zoom - horizontalScrollBar()->value(),
        static_cast<double>(
            kAxisHeight + bar.lane * laneHeight() - verticalScrollBar()->value() + 5),
        std::max(bar.width * m_zoom, kBarWidthMin), static_cast<double>(laneHeight() - 10)};
}

void TimelineView::paintBar(QPainter &painter, const Bar &bar) const
{
    const Tokens &tokens = tokensFor(palette());
    const QRectF rect = rectOf(bar);
    const bool selected = bar.seq == m_selected;
    painter.setPen(QPen(tokens.text, 1));
    painter.setBrush(Qt::NoBrush);
    QColor ink = tokens.text;
    switch (bar.shape) {
    case Shape::Solid:
        painter.setBrush(tokens.ok);
        ink = tokens.base;
        break;
    case Shape::Hollow:
        painter.setPen(QPen(tokens.ok, 2));
        break;
    case Shape::Hatched:
        painter.setPen(QPen(tokens.warn, 2));
        painter.setBrush(QBrush(tokens.warn, Qt::BDiagPattern));
        break;
    case Shape::Mark:
        painter.setPen(QPen(tokens.muted, 1, Qt::DashLine));
        break;
    }
    painter.drawRoundedRect(rect, 2, 2);
    if (selected) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(tokens.selection, 2));
        painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), 3, 3);
    }
    if (painter.fontMetrics().horizontalAdvance(bar.text) + 2 <= rect.width()) {
        if (bar.shape == Shape::Hatched) {
            // The number stands on plain ground, not on hatching.
            QRectF ground(0, 0, painter.fontMetrics().horizontalAdvance(bar.text) + 4,
                painter.fontMetrics().height());
            ground.moveCenter(rect.center());
            painter.fillRect(ground, tokens.base);
        }
        painter.setPen(ink);
        painter.drawText(rect, Qt::AlignCenter, bar.text);
    }
}

void TimelineView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens &tokens = tokensFor(palette());
    if (m_bars.empty()) {
        painter.setPen(tokens.muted);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("No attempts to show."));
        return;
    }
    const int labels = labelWidth();
    const int lanes = laneHeight();
    painter.setClipRect(QRect(labels, 0, viewport()->width() - labels, viewport()->height()));
    // Bars are ordered by x within a lane's slack: start at the first that can be visible.
    for (const Bar &bar : m_bars) {
        const QRectF rect = rectOf(bar);
        if (rect.right() < labels || rect.left() > event->rect().right())
            continue;
        paintBar(painter, bar);
    }
    painter.setPen(tokens.muted);
    for (const Gap &gap : m_gaps) {
        const double x = labels + gap.x * m_zoom - horizontalScrollBar()->value();
        painter.drawText(QRectF(x, 0, kGapWidth * std::max(m_zoom, 1.0), kAxisHeight),
            Qt::AlignCenter, QStringLiteral("┤%1├").arg(gap.text));
        painter.setPen(QPen(tokens.border, 1, Qt::DotLine));
        painter.drawLine(QPointF(x + kGapWidth * m_zoom / 2, kAxisHeight),
            QPointF(x + kGapWidth * m_zoom / 2, viewport()->height()));
        painter.setPen(tokens.muted);
    }
    if (!m_timed)
        painter.drawText(QRect(labels + 8, 0, viewport()->width(), kAxisHeight),
            Qt::AlignVCenter | Qt::AlignLeft, tr("no times recorded: order only"));
    else if (m_gaps.empty() || m_gaps.front().x * m_zoom > 200)
        painter.drawText(QRect(labels + 8, 0, viewport()->width(), kAxisHeight),
            Qt::AlignVCenter | Qt::AlignLeft, timeText(Time {m_bars.front().fromUs}));

    painter.setClipping(false);
    painter.fillRect(0, 0, labels, viewport()->height(), tokens.alternate);
    for (int lane = 0; lane < m_lanes.size(); ++lane) {
        const int y = kAxisHeight + lane * lanes - verticalScrollBar()->value();
        painter.setPen(tokens.text);
        painter.drawText(QRect(8, y, labels - 12, lanes), Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(m_lanes[lane], Qt::ElideRight, labels - 12));
        painter.setPen(QPen(tokens.border, 0.5));
        painter.drawLine(0, y + lanes, viewport()->width(), y + lanes);
    }
    painter.drawLine(labels, 0, labels, viewport()->height());
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void TimelineView::setSelectedSeq(qint64 seq)
{
    select(seq, false);
}

void TimelineView::select(qint64 seq, bool byUser)
{
    if (seq == m_selected && !byUser)
        return;
    m_selected = seq;
    for (const Bar &bar : m_bars) {
        if (bar.seq != seq)
            continue;
        setAccessibleDescription(bar.tip);
        const QRectF rect = rectOf(bar);
        if (rect.left() < labelWidth() || rect.right() > viewport()->width())
            horizontalScrollBar()->setValue(static_cast<int>(bar.x * m_zoom) - 40);
        break;
    }
    viewport()->update();
    if (byUser)
        Q_EMIT seqActivated(seq);
}

void TimelineView::step(int direction)
{
    if (m_bars.empty())
        return;
    auto at = std::find_if(
        m_bars.begin(), m_bars.end(), [this](const Bar &bar) { return bar.seq == m_selected; });
    if (at == m_bars.end())
        at = m_bars.begin();
    else if (direction > 0)
        at = std::find_if(
            at, m_bars.end(), [this](const Bar &bar) { return bar.seq != m_selected; });
    else if (at != m_bars.begin())
        --at;
    if (at != m_bars.end())
        select(at->seq, true);
}

void TimelineView::zoomIn()
{
    m_zoom = std::min(m_zoom * 1.5, kZoomMax);
    updateScrollBars();
    viewport()->update();
}

void TimelineView::zoomOut()
{
    m_zoom = std::max(m_zoom / 1.5, kZoomMin);
    updateScrollBars();
    viewport()->update();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    for (const Bar &bar : m_bars)
        if (rectOf(bar).adjusted(-2, -2, 2, 2).contains(event->position())) {
            select(bar.seq, true);
            return;
        }
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Right:
        step(1);
        return;
    case Qt::Key_Left:
        step(-1);
        return;
    case Qt::Key_Plus:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->angleDelta().y() > 0 ? zoomIn() : zoomOut();
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        for (const Bar &bar : m_bars)
            if (rectOf(bar).contains(help->pos())) {
                QToolTip::showText(help->globalPos(), bar.tip, viewport());
                return true;
            }
        QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace reprise::ui
