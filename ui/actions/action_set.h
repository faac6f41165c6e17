#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QWidget>

#include <functional>

namespace reprise::ui {

/// The commands of a window in one place: menus, the palette and the list of shortcuts all show
/// these. Each has a tip; no two share a shortcut. GUI thread.
class ActionSet : public QObject
{
    Q_OBJECT
public:
    explicit ActionSet(QObject *parent = nullptr);

    /// A command of the whole window.
    QAction *add(const QString &title, const QKeySequence &keys, const QString &tip,
        const std::function<void()> &run);
    /// A command whose key lives only while one of these views has the focus: single letters must
    /// not act while somebody types.
    QAction *addFor(const QList<QWidget *> &views, const QString &title, const QKeySequence &keys,
        const QString &tip, const std::function<void()> &run);
    void clear();
    [[nodiscard]] const QList<QAction *> &all() const { return m_actions; }

private:
    QList<QAction *> m_actions;
};

} // namespace reprise::ui
