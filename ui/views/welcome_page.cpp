#include "ui/views/welcome_page.h"

#include "ui/format/format.h"
#include "ui/theme/theme.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

struct Heading
{
    QString title;
    QString code; ///< for a report to those who maintain the program
};

Heading headingOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::StoreMissing:
    case ErrorCode::NotFound:
        return {WelcomePage::tr("The store is not there"), QStringLiteral("store-missing")};
    case ErrorCode::StoreForeign:
        return {
            WelcomePage::tr("This file is not a Reprise store"), QStringLiteral("store-foreign")};
    case ErrorCode::StoreNewer:
        return {WelcomePage::tr("The store was written by a newer Reprise"),
            QStringLiteral("store-newer")};
    case ErrorCode::StoreDamaged:
        return {WelcomePage::tr("The store is damaged"), QStringLiteral("store-damaged")};
    case ErrorCode::StoreBusy:
        return {WelcomePage::tr("The store is busy"), QStringLiteral("store-busy")};
    case ErrorCode::StoreFull:
        return {WelcomePage::tr("The disk is full"), QStringLiteral("disk-full")};
    case ErrorCode::StoreReadOnly:
    case ErrorCode::Io:
        return {WelcomePage::tr("The store cannot be read"), QStringLiteral("io")};
    case ErrorCode::InvalidInput:
    case ErrorCode::Conflict:
    case ErrorCode::StoreExists:
    case ErrorCode::Cancelled:
    case ErrorCode::Internal:
        break;
    }
    return {WelcomePage::tr("The store could not be opened"), QStringLiteral("internal")};
}

} // namespace

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
    column->addWidget(makeProblem());
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

QWidget *WelcomePage::makeProblem()
{
    m_problemBox = new QWidget;
    auto *layout = new QVBoxLayout(m_problemBox);
    layout->setContentsMargins(0, 8, 0, 8);
    m_problemTitle = new QLabel;
    m_problemTitle->setTextFormat(Qt::PlainText);
    QFont bold = m_problemTitle->font();
    bold.setBold(true);
    m_problemTitle->setFont(bold);
    layout->addWidget(m_problemTitle);
    m_problem = new QLabel;
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setAccessibleName(tr("Problem"));
    layout->addWidget(m_problem);
    auto *buttons = new QHBoxLayout;
    auto *copy = new QPushButton(tr("&Copy details"));
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(
            m_problemTitle->text() + QLatin1Char('\n') + m_problem->text());
    });
    auto *folder = new QPushButton(tr("Open the &folder"));
    connect(folder, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_problemFolder)); });
    buttons->addWidget(copy);
    buttons->addWidget(folder);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    m_problemBox->hide();
    colourProblem();
    return m_problemBox;
}

void WelcomePage::colourProblem()
{
    QPalette danger = palette();
    danger.setColor(QPalette::WindowText, tokensFor(palette()).danger);
    m_problemTitle->setPalette(danger);
}

void WelcomePage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colourProblem();
}

void WelcomePage::setProblem(const Error &error)
{
    const auto [title, code] = headingOf(error.code);
    m_problemTitle->setText(QStringLiteral("✖ ") + title);
    QString text = visible(error.text());
    text += QLatin1Char('\n') + tr("Error code: %1. Nothing was changed.").arg(code);
    m_problem->setText(text);
    m_problemFolder = QFileInfo(QString::fromStdString(error.where)).absolutePath();
    m_problemBox->show();
}

void WelcomePage::clearProblem()
{
    m_problem->clear();
    m_problemBox->hide();
}

QString WelcomePage::problem() const
{
    return m_problem->text();
}

} // namespace reprise::ui
