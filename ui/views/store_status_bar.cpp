#include "ui/views/store_status_bar.h"

#include "ui/format/format.h"

#include <QLabel>
#include <QPushButton>

namespace reprise::ui {

StoreStatusBar::StoreStatusBar(QWidget *parent)
    : QStatusBar(parent)
{
    constexpr int kMargin = 4;
    const auto label = [this](const QString &name) {
        auto *made = new QLabel(this);
        made->setTextFormat(Qt::PlainText);
        made->setAccessibleName(name);
        made->setContentsMargins(kMargin, 0, kMargin, 0);
        return made;
    };
    m_store = label(tr("Store"));
    m_hash = label(tr("Hash of the store"));
    m_count = label(tr("Rows shown"));
    m_task = label(tr("Work in the background"));
    m_zone = label(tr("Time zone"));
    m_cancel = new QPushButton(tr("Cancel"));
    m_cancel->setAutoDefault(false);
    m_cancel->hide();
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_session)
            m_session->runner().stopTitled();
    });
    addWidget(m_store);
    addWidget(m_hash);
    addWidget(m_count, 1);
    addPermanentWidget(m_task);
    addPermanentWidget(m_cancel);
    addPermanentWidget(m_zone);
}

void StoreStatusBar::setSession(StoreSession *session)
{
    m_session = session;
    m_count->clear();
    if (session != nullptr) {
        connect(session, &StoreSession::factsChanged, this, &StoreStatusBar::refresh);
        connect(session, &StoreSession::checked, this, &StoreStatusBar::refresh);
        connect(
            &session->runner(), &TaskRunner::activeTasksChanged, this, &StoreStatusBar::refresh);
    }
    refresh();
}

void StoreStatusBar::setCount(const QString &text)
{
    m_count->setText(text);
}

void StoreStatusBar::setZone(const QString &zone)
{
    m_zone->setText(zone);
}

void StoreStatusBar::refresh()
{
    m_store->setText(m_session ? m_session->name() : tr("No store"));
    m_hash->setText(hashText());
    m_hash->setToolTip(m_session && m_session->isHashed()
            ? QString::fromStdString(m_session->files().front().sha256.hex())
            : QString());
    m_task->setText(taskText());
    m_cancel->setVisible(m_session && !m_session->runner().activeTasks().empty());
}

QString StoreStatusBar::hashText() const
{
    if (!m_session)
        return {};
    if (m_session->hasChanged())
        return tr("changed on disk ✖");
    if (!m_session->isHashed() || m_session->files().empty())
        return tr("SHA-256 …");
    const QString hash = tr("SHA-256 %1").arg(abbreviated(m_session->files().front().sha256));
    return m_session->checkedAt()
        ? tr("%1 · unchanged ✔ %2").arg(hash, clockText(*m_session->checkedAt()))
        : hash;
}

QString StoreStatusBar::taskText() const
{
    if (!m_session || m_session->runner().activeTasks().empty())
        return {};
    const auto &tasks = m_session->runner().activeTasks();
    const ActiveTask &first = tasks.front();
    QString text = first.title;
    if (first.progress >= 0)
        text = tr("%1: %2 %").arg(text).arg(static_cast<int>(first.progress * 100));
    if (tasks.size() > 1)
        text = tr("%1 (and %n more)", nullptr, static_cast<int>(tasks.size()) - 1).arg(text);
    return text;
}

} // namespace reprise::ui
