#pragma once

#include <QTableView>

namespace reprise::ui {

/// The table of this program: rows selected whole, J and K beside the arrow keys, single letters
/// left to the actions (no type-ahead), columns that people can move, hide and widen. Sorting and
/// filtering are signalled, not done: the model asks the store.
class DataTable : public QTableView
{
    Q_OBJECT
public:
    explicit DataTable(const QString &accessibleName, QWidget *parent = nullptr);
    ~DataTable() override;

    /// Shows a model. Under `layoutName` the columns are as they were left; empty: not remembered.
    void useModel(QAbstractItemModel *model, const QString &layoutName);
    /// Column widths for what the first rows hold, within the width of the table where that can be.
    /// Does nothing where the widths are remembered ones.
    void fitColumns(int widthMax = 260);
    void selectRow(int row);
    [[nodiscard]] int currentRow() const { return currentIndex().row(); }
    /// The cells of the current row as one line, split by tabs.
    [[nodiscard]] QString rowText() const;

Q_SIGNALS:
    void rowActivated(int row);
    /// Shift+Enter: in a window of its own.
    void rowActivatedInWindow(int row);
    void rowChanged(int row);
    /// Somebody wants the runs that a token of the filter finds.
    void filterWanted(const QString &token);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void chooseColumns(const QPoint &at);
    [[nodiscard]] int titleWidth(int column) const;
    [[nodiscard]] int widthFor(int column) const;
    void distribute();

    QString m_layoutName;
    bool m_remembered = false;
    QList<int> m_wanted; ///< width of each column, had it all the room
};

} // namespace reprise::ui
