#pragma once

#include "ui/format/format.h"
#include "ui/theme/theme.h"

#include <QAbstractTableModel>
#include <QGuiApplication>

#include <functional>
#include <utility>
#include <vector>

namespace reprise::ui {

/// One column of a table: what a row shows in it.
template <typename Row> struct ModelColumn
{
    QString title;
    std::function<QString(const Row &)> text;
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
    bool fixedPitch = false;
    std::function<Tone(const Row &)> tone = {}; ///< absent: plain
    std::function<QString(const Row &)> tip = {}; ///< absent: the text itself
    bool givesWay = false; ///< is narrowed first where the table has too little room
    bool hidden = false; ///< until somebody asks for the column
    std::function<QString(const Row &)> filter = {}; ///< token that finds rows like this one
};

/// Roles beside those of Qt.
enum ColumnRole {
    GivesWayRole = Qt::UserRole, ///< of a header
    HiddenRole, ///< of a header
    FilterRole, ///< of a cell: a token of the filter of runs; absent: none
};

/// A flat table of finished rows. Filter and sort are questions to the store, never a proxy over
/// the rows. GUI thread.
template <typename Row> class ColumnsModel : public QAbstractTableModel
{
public:
    explicit ColumnsModel(std::vector<ModelColumn<Row>> columns, QObject *parent = nullptr)
        : QAbstractTableModel(parent)
        , m_columns(std::move(columns))
    {
    }

    void setRows(std::vector<Row> rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    void append(std::vector<Row> rows)
    {
        if (rows.empty())
            return;
        const int first = static_cast<int>(m_rows.size());
        beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
        m_rows.insert(m_rows.end(), std::make_move_iterator(rows.begin()),
            std::make_move_iterator(rows.end()));
        endInsertRows();
    }
    /// A column whose values come from elsewhere changed.
    void columnChanged(int column)
    {
        if (!m_rows.empty())
            Q_EMIT this->dataChanged(
                index(0, column), index(static_cast<int>(m_rows.size()) - 1, column));
    }
    [[nodiscard]] const std::vector<Row> &rows() const { return m_rows; }
    [[nodiscard]] const Row *row(int number) const
    {
        return number >= 0 && number < static_cast<int>(m_rows.size())
            ? &m_rows[static_cast<std::size_t>(number)]
            : nullptr;
    }
    /// Asked when the view reaches the end; nothing where all rows are there.
    void setMore(std::function<void()> more) { m_more = std::move(more); }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }
    [[nodiscard]] bool canFetchMore(const QModelIndex &parent) const override
    {
        return !parent.isValid() && m_more != nullptr;
    }
    void fetchMore(const QModelIndex & /*parent*/) override
    {
        if (m_more)
            std::exchange(m_more, nullptr)();
    }
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const auto &column = m_columns[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole)
            return column.title;
        if (role == Qt::TextAlignmentRole)
            return QVariant::fromValue(static_cast<int>(column.alignment));
        if (role == GivesWayRole)
            return column.givesWay;
        if (role == HiddenRole)
            return column.hidden;
        return {};
    }
    [[nodiscard]] QVariant data(const QModelIndex &at, int role) const override
    {
        const Row *value = row(at.row());
        if (value == nullptr || at.column() < 0 || at.column() >= columnCount())
            return {};
        const auto &column = m_columns[static_cast<std::size_t>(at.column())];
        switch (role) {
        case Qt::DisplayRole:
            return column.text(*value);
        case Qt::ToolTipRole: {
            const QString tip = column.tip ? column.tip(*value) : column.text(*value);
            return tip == dash() ? notRecorded() : tip;
        }
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(static_cast<int>(column.alignment));
        case Qt::FontRole:
            return column.fixedPitch ? QVariant(monospaceFont(QGuiApplication::font()))
                                     : QVariant();
        case Qt::ForegroundRole:
            return column.tone ? colour(column.tone(*value)) : QVariant();
        case FilterRole:
            return column.filter ? QVariant(column.filter(*value)) : QVariant();
        default:
            return {};
        }
    }

private:
    static QVariant colour(Tone tone)
    {
        const Tokens &tokens = tokensFor(QGuiApplication::palette());
        switch (tone) {
        case Tone::Plain:
            return {};
        case Tone::Muted:
            return tokens.muted;
        case Tone::Ok:
            return tokens.ok;
        case Tone::Warn:
            return tokens.warn;
        case Tone::Danger:
            return tokens.danger;
        }
        return {};
    }

    std::vector<ModelColumn<Row>> m_columns;
    std::vector<Row> m_rows;
    std::function<void()> m_more;
};

} // namespace reprise::ui
