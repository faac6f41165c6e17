#pragma once

#include "core/inspect/store_reader.h"

#include <QAbstractScrollArea>

#include <vector>

namespace reprise::ui {

/// The attempts of a run on a time axis: one lane a tool (or a payee); solid is executed, hollow is
/// answered from the record, hatched is in doubt. Idle stretches are folded. Painted by hand, only
/// what is visible. GUI thread.
class TimelineView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit TimelineView(QWidget *parent = nullptr);

    /// `attempts` has one list for each action.
    void setRun(std::vector<ActionRow> actions, std::vector<std::vector<AttemptRow>> attempts);
    void clear();
    void setSelectedSeq(qint64 seq);
    [[nodiscard]] qint64 selectedSeq() const { return m_selected; }

public Q_SLOTS:
    void zoomIn();
    void zoomOut();

Q_SIGNALS:
    void seqActivated(qint64 seq);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    enum class Shape { Solid, Hollow, Hatched, Mark };
    struct Bar
    {
        qint64 seq = 0;
        qint64 n = 0;
        int lane = 0;
        std::int64_t fromUs = 0;
        std::int64_t toUs = 0;
        double x = 0; ///< in pixels at zoom 1, gaps folded
        double width = 0;
        Shape shape = Shape::Solid;
        QString text;
        QString tip;
    };
    struct Gap
    {
        double x = 0;
        QString text;
    };

    void addBars(const ActionRow &action, const std::vector<AttemptRow> &attempts);
    void place();
    void updateScrollBars();
    void select(qint64 seq, bool byUser);
    void step(int direction);
    [[nodiscard]] int laneOf(const QString &name);
    [[nodiscard]] int laneHeight() const;
    [[nodiscard]] int labelWidth() const;
    [[nodiscard]] QRectF rectOf(const Bar &bar) const;
    void paintBar(QPainter &painter, const Bar &bar) const;

    std::vector<Bar> m_bars; ///< by x
    std::vector<Gap> m_gaps;
    QStringList m_lanes;
    bool m_timed = true;
    double m_length = 0;
    double m_zoom = 1;
    qint64 m_selected = -1;
};

} // namespace reprise::ui
