#pragma once

#include "ui/tasks/store_session.h"

#include <QPointer>
#include <QStatusBar>

class QLabel;
class QPushButton;

namespace reprise::ui {

/// The store's name, its hash and whether it changed, how many rows are shown, and the work in the
/// background with its progress. GUI thread.
class StoreStatusBar : public QStatusBar
{
    Q_OBJECT
public:
    explicit StoreStatusBar(QWidget *parent = nullptr);

    /// nullptr: no store is open. The session is not owned.
    void setSession(StoreSession *session);
    void setCount(const QString &text);
    void setZone(const QString &zone);
    void refresh();

private:
    [[nodiscard]] QString hashText() const;
    [[nodiscard]] QString taskText() const;

    QPointer<StoreSession> m_session;
    QLabel *m_store = nullptr;
    QLabel *m_hash = nullptr;
    QLabel *m_count = nullptr;
    QLabel *m_task = nullptr;
    QLabel *m_zone = nullptr;
    QPushButton *m_cancel = nullptr;
};

} // namespace reprise::ui
