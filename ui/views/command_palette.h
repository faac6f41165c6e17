#pragma once

#include <QAction>
#include <QDialog>
#include <QList>

class QLineEdit;
class QListWidget;

namespace reprise::ui {

/// Ctrl+K: every command of the window by name, and things by prefix: `r ` run, `k ` key, `c `
/// customer or payee, `s ` suspect, `>` commands only.
class CommandPalette : public QDialog
{
    Q_OBJECT
public:
    /// The actions outlive the palette.
    explicit CommandPalette(const QList<QAction *> &actions, QWidget *parent = nullptr);

Q_SIGNALS:
    void runWanted(const QString &text);
    void keyWanted(const QString &text);
    void payeeWanted(const QString &text);
    void orderWanted(const QString &order);
    void suspectWanted(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    void accept() override;

    QList<QAction *> m_actions;
    QLineEdit *m_input = nullptr;
    QListWidget *m_list = nullptr;
};

} // namespace reprise::ui
