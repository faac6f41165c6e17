#include "ui/views/data_table.h"

#include <QHeaderView>
#include <QKeyEvent>

namespace reprise::ui {

namespace {
constexpr int kRowPadding = 8;
constexpr int kRowsMeasured = 40;
} // namespace

DataTable::DataTable(const QString &accessibleName, QWidget *parent)
    : QTableView(parent)
{
    setAccessibleName(accessibleName);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setStretchLastSection(true);
    connect(this, &QTableView::doubleClicked, this,
        [this](const QModelIndex &at) { Q_EMIT rowActivated(at.row()); });
}

void DataTable::fitColumns(int widthMax)
{
    if (model() == nullptr)
        return;
    const int rows = qMin(model()->rowCount(), kRowsMeasured);
    for (int column = 0; column < model()->columnCount(); ++column) {
        int width = horizontalHeader()->sectionSizeHint(column);
        for (int row = 0; row < rows; ++row)
            width = qMax(width, sizeHintForIndex(model()->index(row, column)).width() + 8);
        setColumnWidth(column, qMin(width, widthMax));
    }
}

void DataTable::selectRow(int row)
{
    if (model() != nullptr && row >= 0 && row < model()->rowCount())
        setCurrentIndex(model()->index(row, 0));
}

void DataTable::keyPressEvent(QKeyEvent *event)
{
    if (event->modifiers() == Qt::NoModifier) {
        switch (event->key()) {
        case Qt::Key_J:
            selectRow(currentRow() + 1);
            return;
        case Qt::Key_K:
            selectRow(currentRow() - 1);
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (currentIndex().isValid())
                Q_EMIT rowActivated(currentRow());
            return;
        default:
            break;
        }
    }
    // Letters belong to the actions of the page; the view's own type-ahead would take them.
    if (!event->text().isEmpty() && event->text().at(0).isPrint()) {
        event->ignore();
        return;
    }
    QTableView::keyPressEvent(event);
}

void DataTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    if (current.row() != previous.row() || current.model() != previous.model())
        Q_EMIT rowChanged(current.row());
}

} // namespace reprise::ui
