#include "ui/views/welcome_page.h"

#include "ui/theme/theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace reprise::ui {

WelcomePage::WelcomePage(QWidget *parent)
    : QWidget(parent)
{
    auto *outer = new QHBoxLayout(this);
    auto *column = new QVBoxLayout;
    outer->addStretch(1);
    outer->addLayout(column, 2);
    outer->addStretch(1);
    column->addStretch(1);
    auto *title = new QLabel(tr("Reprise"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    large.setBold(true);
    title->setFont(large);
    column->addWidget(title);
    auto *what = new QLabel(
        tr("Review suspected double charges, look at every key with its original and replayed "
           "results, simulate retries, export reports. The store is only ever read."));
    what->setTextFormat(Qt::PlainText);
    what->setWordWrap(true);
    column->addWidget(what);
    m_problem = new QLabel;
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setAccessibleName(tr("Problem"));
    m_problem->hide();
    column->addWidget(m_problem);
    auto *buttons = new QHBoxLayout;
    m_open = new QPushButton(tr("&Open store …"));
    m_open->setDefault(true);
    m_sample = new QPushButton(tr("Open the &sample"));
    m_sample->hide();
    buttons->addWidget(m_open);
    buttons->addWidget(m_sample);
    buttons->addStretch(1);
    column->addLayout(buttons);
    column->addWidget(new QLabel(tr("Recent")));
    m_recent = new QListWidget;
    m_recent->setAccessibleName(tr("Recent stores"));
    column->addWidget(m_recent, 2);
    auto *hint = new QLabel(tr("Drop a .db here"));
    column->addWidget(hint);
    column->addStretch(1);
    connect(m_open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    connect(m_sample, &QPushButton::clicked, this, [this] { Q_EMIT storeChosen(m_samplePath); });
    connect(m_recent, &QListWidget::itemActivated, this,
        [this](const QListWidgetItem *item) { Q_EMIT storeChosen(item->text()); });
}

void WelcomePage::setRecent(const QStringList &paths)
{
    m_recent->clear();
    for (const QString &path : paths) {
        auto *item = new QListWidgetItem(path, m_recent);
        if (!QFileInfo::exists(path)) {
            item->setForeground(tokensFor(palette()).muted);
            item->setToolTip(tr("This file is not there any more"));
        }
    }
    m_recent->setEnabled(!paths.isEmpty());
}

void WelcomePage::setSample(const QString &path)
{
    m_samplePath = path;
    m_sample->setVisible(!path.isEmpty());
}

void WelcomePage::setProblem(const QString &text)
{
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
    QPalette danger = palette();
    danger.setColor(QPalette::WindowText, tokensFor(palette()).danger);
    m_problem->setPalette(danger);
}

QString WelcomePage::problem() const
{
    return m_problem->text();
}

} // namespace reprise::ui
