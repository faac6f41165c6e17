#include "ui/views/evidence_card.h"

#include "core/suspects/effect_set.h"
#include "ui/format/format.h"
#include "ui/theme/theme.h"

#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

enum Column {
    Number,
    When,
    State,
    Tool,
    Amount,
    Payee,
    Order,
    Reference,
    KeyColumn,
    Run,
    SeqColumn
};

QString stateOf(const Member &member)
{
    if (!member.live)
        return EvidenceCard::tr("↩ Undone");
    if (member.effect.inDoubt)
        return badgeFor(AttemptKind::InDoubt).text();
    return badgeFor(member.effect.kind).text();
}

QString listText(const std::vector<std::string> &texts)
{
    QStringList list;
    for (const std::string &text : texts)
        list.append(visible(text));
    return list.join(QStringLiteral(", "));
}

QString linesText(const std::vector<std::string> &texts)
{
    QStringList list;
    for (const std::string &text : texts)
        list.append(visible(text));
    return list.join(QLatin1Char('\n'));
}

/// ① to ⑳, and plain numbers after them.
QString circled(int number)
{
    constexpr int kCircledMax = 20;
    return number <= kCircledMax ? QString(QChar(0x245F + number)) : QString::number(number);
}

QLabel *plainLabel(const QString &text)
{
    auto *label = new QLabel;
    label->setTextFormat(Qt::PlainText); // text of the record is never taken for mark-up
    label->setText(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

QString claimFor(const Cluster &cluster)
{
    if (cluster.proof == Proof::C)
        return EvidenceCard::tr(
            "Cannot tell: the outcome of a call is not known. If it landed, there are "
            "%n effects where one was meant.",
            nullptr, static_cast<int>(cluster.effects));
    if (cluster.excess == 0)
        return EvidenceCard::tr("One effect stands: what was made twice has been undone.");
    return EvidenceCard::tr(
        "%n effects are recorded where one was meant.", nullptr, static_cast<int>(cluster.effects));
}

EvidenceCard::EvidenceCard(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    m_claim = plainLabel({});
    QFont bold = m_claim->font();
    bold.setBold(true);
    m_claim->setFont(bold);
    m_claim->setAccessibleName(tr("Claim"));
    layout->addWidget(m_claim);

    m_members = new QTableWidget(0, SeqColumn + 1);
    m_members->setHorizontalHeaderLabels(
        {tr("No."), tr("When (UTC)"), tr("State"), tr("Tool"), tr("Amount"), tr("Payee"),
            tr("Order ref"), tr("Provider ref"), tr("Key"), tr("Run"), tr("#")});
    m_members->setAccessibleName(tr("Effects of this suspect"));
    m_members->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_members->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_members->setSelectionMode(QAbstractItemView::SingleSelection);
    m_members->setAlternatingRowColors(true);
    m_members->setTabKeyNavigation(false);
    m_members->verticalHeader()->hide();
    m_members->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_members->horizontalHeader()->setStretchLastSection(true);
    m_members->horizontalHeader()->setHighlightSections(false);
    connect(m_members, &QTableWidget::cellActivated, this, [this](int row, int) {
        if (!m_cluster || row >= static_cast<int>(m_cluster->members.size()))
            return;
        const Effect &effect = m_cluster->members[static_cast<std::size_t>(row)].effect;
        Q_EMIT memberActivated(QString::fromStdString(effect.runId), effect.seq);
    });
    layout->addWidget(m_members);

    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("What argues for and against"));
    m_lines = new QWidget;
    scroll->setWidget(m_lines);
    m_form = new QFormLayout(m_lines);
    m_form->setContentsMargins(0, 4, 0, 0);
    m_form->setLabelAlignment(Qt::AlignRight | Qt::AlignTop);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    layout->addWidget(scroll, 1);
    setCluster(std::nullopt);
}

void EvidenceCard::addLine(const QString &title, const QString &text, bool warns)
{
    if (text.isEmpty())
        return;
    QLabel *value = plainLabel(text);
    value->setAccessibleName(title);
    if (warns) {
        QFont bold = value->font();
        bold.setBold(true);
        value->setFont(bold);
    }
    m_form->addRow(title, value);
}

void EvidenceCard::setCluster(std::optional<Cluster> cluster)
{
    m_cluster = std::move(cluster);
    while (m_form->rowCount() > 0)
        m_form->removeRow(0);
    m_members->setVisible(m_cluster.has_value());
    if (!m_cluster) {
        m_claim->setText(tr("No suspect is selected."));
        return;
    }
    const Cluster &c = *m_cluster;
    m_claim->setText(QString::fromStdString(c.id) + QStringLiteral(" — ") + claimFor(c));
    fillMembers(c);

    addLine(tr("At risk"), c.atRisk.empty() ? QString() : moneyText(c.atRisk), true);
    QString weights;
    for (const RuleHit &hit : c.rules)
        weights += (weights.isEmpty() ? QString() : QStringLiteral(" · "))
            + QStringLiteral("%1 %2")
                  .arg(QString::fromStdString(hit.rule))
                  .arg(QStringLiteral(".%1").arg(hit.weight, 2, 10, QLatin1Char('0')));
    addLine(tr("Score"),
        tr("%1 of 99 (%2), %3; proof level %4")
            .arg(c.score)
            .arg(weights, badgeFor(c.severity).word, QString(QLatin1Char(letter(c.proof)))));
    for (const RuleHit &hit : c.rules)
        addLine(QString::fromStdString(hit.rule),
            QString::fromStdString(hit.title) + QStringLiteral(": ") + visible(hit.why));
    addLine(tr("Same"), listText(c.same));
    addLine(tr("Different"), listText(c.different));
    if (c.gapUs)
        addLine(tr("Gap"), durationText(c.gapUs));
    addLine(tr("Against"), c.against.empty() ? tr("none") : linesText(c.against));
    addLine(tr("To prove"), linesText(c.missing));
}

void EvidenceCard::fillMembers(const Cluster &cluster)
{
    m_members->setRowCount(static_cast<int>(cluster.members.size()));
    for (int row = 0; row < m_members->rowCount(); ++row) {
        const Member &member = cluster.members[static_cast<std::size_t>(row)];
        const Effect &effect = member.effect;
        const auto cell = [&](int column, const QString &text, bool fixed = false) {
            auto *item = new QTableWidgetItem(text);
            item->setToolTip(text == dash() ? notRecorded() : text);
            if (fixed)
                item->setFont(monospaceFont(font()));
            m_members->setItem(row, column, item);
            return item;
        };
        cell(Number, circled(row + 1));
        cell(When, timeText(effect.startedAt));
        cell(State, stateOf(member));
        cell(Tool, visibleOrDash(effect.tool));
        cell(Amount, effect.business.amount ? moneyText(*effect.business.amount) : dash())
            ->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        cell(Payee, visibleOrDash(effect.business.payee));
        cell(Order, visibleOrDash(effect.business.order));
        cell(Reference, visibleOrDash(effect.reference), true);
        cell(KeyColumn, shortHex(effect.key.digest), true)
            ->setToolTip(QString::fromStdString(effect.key.hex()));
        cell(Run, visible(effect.runId), true);
        cell(SeqColumn, QString::number(effect.seq));
    }
    m_members->resizeColumnsToContents(); // a card holds at most fifty rows
    if (m_members->rowCount() > 0)
        m_members->selectRow(0);
    constexpr int kRowsShown = 4;
    const int rows = qMin(m_members->rowCount(), kRowsShown);
    m_members->setFixedHeight(m_members->horizontalHeader()->sizeHint().height()
        + rows * m_members->rowHeight(0) + m_members->frameWidth() * 2 + 18);
}

} // namespace reprise::ui
