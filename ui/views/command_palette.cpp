#include "ui/views/command_palette.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

QString plainTitle(const QAction *action)
{
    QString title = action->text();
    return title.remove(QLatin1Char('&'));
}

/// All letters of the pattern, in their order.
bool fuzzy(const QString &text, const QString &pattern)
{
    qsizetype at = 0;
    for (const QChar c : pattern) {
        at = text.indexOf(c, at, Qt::CaseInsensitive);
        if (at < 0)
            return false;
        ++at;
    }
    return true;
}

/// "r 7f3a" is a question with its prefix; anything else is a command.
bool hasPrefix(const QString &text)
{
    return text.size() >= 2 && text.at(1) == QLatin1Char(' ')
        && QStringLiteral("rkcos").contains(text.at(0));
}

} // namespace

CommandPalette::CommandPalette(const QList<QAction *> &actions, QWidget *parent)
    : QDialog(parent)
    , m_actions(actions)
{
    setWindowTitle(tr("Search or command"));
    auto *layout = new QVBoxLayout(this);
    m_input = new QLineEdit;
    m_input->setAccessibleName(tr("Search or command"));
    m_input->setPlaceholderText(
        tr("r run · k key · c customer · o order · s suspect · or a command"));
    layout->addWidget(m_input);
    m_list = new QListWidget;
    m_list->setAccessibleName(tr("Matches"));
    layout->addWidget(m_list, 1);
    resize(560, 380);
    m_input->installEventFilter(this);
    connect(m_input, &QLineEdit::textChanged, this, &CommandPalette::refresh);
    connect(m_input, &QLineEdit::returnPressed, this, &CommandPalette::accept);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::accept);
    refresh();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_input && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int rows = m_list->count();
            if (rows > 0)
                m_list->setCurrentRow(
                    (m_list->currentRow() + (key == Qt::Key_Down ? 1 : rows - 1)) % rows);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void CommandPalette::refresh()
{
    m_list->clear();
    QString text = m_input->text();
    if (hasPrefix(text)) {
        const QString what = text.mid(2);
        const QChar kind = text.at(0);
        m_list->addItem(kind == QLatin1Char('r') ? tr("Run \"%1\"").arg(what)
                : kind == QLatin1Char('k')       ? tr("Key \"%1\"").arg(what)
                : kind == QLatin1Char('c')       ? tr("Customer or payee \"%1\"").arg(what)
                : kind == QLatin1Char('o')       ? tr("Order or invoice \"%1\"").arg(what)
                                                 : tr("Suspect \"%1\"").arg(what));
        m_list->setCurrentRow(0);
        return;
    }
    if (text.startsWith(QLatin1Char('>')))
        text.remove(0, 1);
    for (int i = 0; i < m_actions.size(); ++i) {
        const QAction *action = m_actions[i];
        if (!fuzzy(plainTitle(action), text.trimmed()))
            continue;
        const QString shortcut = action->shortcut().toString(QKeySequence::NativeText);
        auto *item = new QListWidgetItem(plainTitle(action)
                + (shortcut.isEmpty() ? QString() : QStringLiteral("    ") + shortcut),
            m_list);
        item->setData(Qt::UserRole, i);
        if (!action->isEnabled())
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::accept()
{
    const QString text = m_input->text();
    const QListWidgetItem *item = m_list->currentItem();
    QDialog::accept();
    if (hasPrefix(text)) {
        const QString what = text.mid(2).trimmed();
        switch (text.at(0).toLatin1()) {
        case 'r':
            Q_EMIT runWanted(what);
            break;
        case 'k':
            Q_EMIT keyWanted(what);
            break;
        case 'c':
            Q_EMIT payeeWanted(what);
            break;
        case 'o':
            Q_EMIT orderWanted(what);
            break;
        default:
            Q_EMIT suspectWanted(what);
        }
        return;
    }
    if (item != nullptr)
        m_actions[item->data(Qt::UserRole).toInt()]->trigger();
}

} // namespace reprise::ui
