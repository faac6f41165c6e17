#include "ui/views/integrity_page.h"

#include "ui/format/format.h"
#include "ui/theme/theme.h"
#include "ui/views/data_table.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

ColumnsModel<IntegrityFinding> *makeModel(QObject *parent)
{
    using Column = ModelColumn<IntegrityFinding>;
    std::vector<Column> columns;
    columns.push_back(
        {IntegrityPage::tr("Kind"), [](const IntegrityFinding &f) { return visible(f.kind); }});
    columns.push_back(
        {IntegrityPage::tr("Where"), [](const IntegrityFinding &f) { return visible(f.where); }});
    columns.push_back(
        {IntegrityPage::tr("What"), [](const IntegrityFinding &f) { return visible(f.what); }});
    return new ColumnsModel<IntegrityFinding>(std::move(columns), parent);
}

} // namespace

IntegrityPage::IntegrityPage(StoreSession &session, QWidget *parent)
    : StorePage(parent)
    , m_session(session)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    m_facts = new QLabel;
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setAccessibleName(tr("Identity of the store"));
    m_facts->setFont(monospaceFont(font()));
    layout->addWidget(m_facts);
    auto *bar = new QHBoxLayout;
    m_verify = new QPushButton(tr("&Verify the journal"));
    m_deep = new QCheckBox(tr("&Deep: rebuild the state from the journal, and check every index"));
    m_deep->setChecked(true);
    bar->addWidget(m_verify);
    bar->addWidget(m_deep);
    bar->addStretch(1);
    layout->addLayout(bar);
    m_progress = new QProgressBar;
    m_progress->setAccessibleName(tr("Progress of the verification"));
    m_progress->hide();
    layout->addWidget(m_progress);
    m_verdict = new QLabel(tr("Not verified yet."));
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setWordWrap(true);
    QFont bold = m_verdict->font();
    bold.setBold(true);
    m_verdict->setFont(bold);
    layout->addWidget(m_verdict);
    m_model = makeModel(this);
    m_table = new DataTable(tr("Findings"));
    m_table->useModel(m_model, {});
    layout->addWidget(m_table, 1);
    auto *limits = new QLabel(tr("A hash chain shows that no entry was changed or taken out of the "
                                 "middle. It cannot show a cut "
                                 "tail or a store that was rewritten as a whole: keep anchors "
                                 "elsewhere (reprise seal) and verify "
                                 "against them."));
    limits->setTextFormat(Qt::PlainText);
    limits->setWordWrap(true);
    layout->addWidget(limits);
    connect(m_verify, &QPushButton::clicked, this, &IntegrityPage::verify);
    connect(&m_channel, &TaskChannel::busyChanged, this, [this](bool busy) {
        m_verify->setEnabled(!busy);
        m_progress->setVisible(busy);
    });
    connect(&m_channel, &TaskChannel::progressed, this,
        [this](double part) { m_progress->setValue(static_cast<int>(part * 100)); });
    connect(&session, &StoreSession::factsChanged, this, &IntegrityPage::refresh);
    connect(&session, &StoreSession::checked, this, &IntegrityPage::refresh);
}

QWidget *IntegrityPage::mainView() const
{
    return m_verify;
}

QString IntegrityPage::verdict() const
{
    return m_verdict->text();
}

void IntegrityPage::refresh()
{
    const StoreInfo &info = m_session.info();
    QStringList lines;
    lines.append(tr("Store    %1").arg(m_session.path()));
    lines.append(tr("Id       %1 · %2 · schema v%3")
                     .arg(QString::fromStdString(info.storeId),
                         info.kind == StoreKind::Sandbox ? tr("sandbox") : tr("live"))
                     .arg(info.schemaVersion));
    lines.append(tr("Head     entry %1, %2")
                     .arg(countText(info.entries), QString::fromStdString(info.head.hex())));
    lines.append(tr("Read     %1").arg(m_session.access()));
    for (const EvidenceFile &file : m_session.files()) {
        constexpr std::int64_t kNsPerUs = 1000;
        lines.append(tr("File     %1 · %2 · changed %3")
                         .arg(QFileInfo(QString::fromStdString(file.path)).fileName(),
                             bytesText(file.bytes), timeText(Time {file.modifiedNs / kNsPerUs})));
        if (m_session.isHashed())
            lines.append(tr("SHA-256  %1").arg(QString::fromStdString(file.sha256.hex())));
    }
    m_facts->setText(lines.join(QLatin1Char('\n')));
}

void IntegrityPage::verify()
{
    m_verdict->setText(tr("Verifying …"));
    m_channel.run<Verification>(
        m_session.runner(), Lane::Long, tr("Verifying"),
        [deep = m_deep->isChecked()](TaskContext &context) -> Result<Verification> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            reprise::VerifyOptions options;
            options.deep = deep;
            options.onProgress = [&context](std::int64_t done, std::int64_t total) {
                context.progress(
                    total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1);
            };
            return verifyStore(*reader, options);
        },
        [this](Result<Verification> verified) {
            if (!verified) {
                m_verdict->setText(visible(verified.error().text()));
                return;
            }
            m_model->setRows(verified->findings);
            m_table->fitColumns(600);
            m_verdict->setText(verified->ok
                    ? tr("✔ The chain of %1 entries is whole.").arg(countText(verified->entries))
                    : tr("✖ Findings: %1 in %2 entries.")
                          .arg(verified->findings.size())
                          .arg(countText(verified->entries)));
        });
}

} // namespace reprise::ui
