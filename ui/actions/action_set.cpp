#include "ui/actions/action_set.h"

namespace reprise::ui {

ActionSet::ActionSet(QObject *parent)
    : QObject(parent)
{
}

QAction *ActionSet::add(const QString &title, const QKeySequence &keys, const QString &tip,
    const std::function<void()> &run)
{
    auto *action = new QAction(title, this);
    action->setShortcut(keys);
    action->setStatusTip(tip);
    connect(action, &QAction::triggered, this, run);
    m_actions.append(action);
    return action;
}

QAction *ActionSet::addFor(const QList<QWidget *> &views, const QString &title,
    const QKeySequence &keys, const QString &tip, const std::function<void()> &run)
{
    QAction *action = add(title, keys, tip, run);
    action->setShortcutContext(Qt::WidgetShortcut);
    for (QWidget *view : views)
        view->addAction(action);
    return action;
}

void ActionSet::clear()
{
    qDeleteAll(m_actions);
    m_actions.clear();
}

} // namespace reprise::ui
