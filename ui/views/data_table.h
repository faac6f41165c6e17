#pragma once

#include <QTableView>

namespace reprise::ui {

/// The table of this program: rows selected whole, J and K beside the arrow keys, single letters
/// left to the actions (no type-ahead). Sorting is signalled, not done: the model asks the store.
class DataTable : public QTableView
{
    Q_OBJECT
public:
    explicit DataTable(const QString &accessibleName, QWidget *parent = nullptr);

    /// Column widths for what the first rows hold; called once there are rows.
    void fitColumns(int widthMax = 260);
    void selectRow(int row);
    [[nodiscard]] int currentRow() const { return currentIndex().row(); }

Q_SIGNALS:
    void rowActivated(int row);
    void rowChanged(int row);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
};

} // namespace reprise::ui
