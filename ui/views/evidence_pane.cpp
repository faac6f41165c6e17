#include "ui/views/evidence_pane.h"

#include "ui/format/format.h"
#include "ui/theme/theme.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace reprise::ui {

EvidencePane::EvidencePane(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    m_title = new QLabel;
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_title->setAccessibleName(tr("What the evidence is about"));
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    layout->addWidget(m_title);
    m_table = new QTableWidget(0, 2);
    m_table->setAccessibleName(tr("Recorded values"));
    m_table->setHorizontalHeaderLabels({tr("Name"), tr("Value")});
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setWordWrap(false);
    constexpr int kRowPadding = 6;
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
    layout->addWidget(m_table, 1);
    m_copy = new QPushButton(tr("Copy as &text"));
    connect(m_copy, &QPushButton::clicked, this, &EvidencePane::copyBlock);
    layout->addWidget(m_copy, 0, Qt::AlignLeft);
    fill();
}

void EvidencePane::setFacts(Facts facts)
{
    m_facts = std::move(facts);
    fill();
}

void EvidencePane::fill()
{
    const bool empty = m_facts.lines.empty();
    m_title->setText(empty ? tr("Nothing is selected.") : m_facts.title);
    m_copy->setEnabled(!empty);
    m_table->setRowCount(static_cast<int>(m_facts.lines.size()));
    const QColor muted = tokensFor(palette()).muted;
    const QFont fixed = monospaceFont(font());
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const auto &[name, value] = m_facts.lines[static_cast<std::size_t>(row)];
        auto *left = new QTableWidgetItem(name);
        left->setForeground(muted);
        auto *right = new QTableWidgetItem(value);
        right->setFont(fixed);
        right->setToolTip(value == dash() ? notRecorded() : value);
        m_table->setItem(row, 0, left);
        m_table->setItem(row, 1, right);
    }
    m_table->resizeColumnToContents(0);
}

bool EvidencePane::copyBlock() const
{
    if (m_facts.lines.empty())
        return false;
    QGuiApplication::clipboard()->setText(evidenceBlock(m_facts));
    return true;
}

QWidget *EvidencePane::mainView() const
{
    return m_table;
}

void EvidencePane::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    // The items hold colours of the theme.
    if (event->type() == QEvent::PaletteChange)
        fill();
}

} // namespace reprise::ui
