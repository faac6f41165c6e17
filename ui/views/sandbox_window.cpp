#include "ui/views/sandbox_window.h"

#include "ui/format/format.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QSplitter>
#include <QTableWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

constexpr int kFrame = 4;

QLabel *plainLabel()
{
    auto *label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QTableWidget *makeTable(const QStringList &headers, const QString &name)
{
    auto *table = new QTableWidget(0, static_cast<int>(headers.size()));
    table->setHorizontalHeaderLabels(headers);
    table->setAccessibleName(name);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setAlternatingRowColors(true);
    table->setTabKeyNavigation(false);
    table->setWordWrap(true);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

void setCell(QTableWidget *table, int row, int column, const QString &text)
{
    auto *item = new QTableWidgetItem(text);
    item->setToolTip(text);
    table->setItem(row, column, item);
}

QString words(Fault fault)
{
    switch (fault) {
    case Fault::RequestLost:
        return SandboxWindow::tr("Request lost before the tool");
    case Fault::ResponseLost:
        return SandboxWindow::tr("Answer lost after the effect");
    case Fault::ResponseTruncated:
        return SandboxWindow::tr("Answer cut short");
    case Fault::CrashAfterClaim:
        return SandboxWindow::tr("Executor dies after the claim");
    case Fault::CrashAfterCall:
        return SandboxWindow::tr("Executor dies after the call");
    case Fault::CrashAfterRecord:
        return SandboxWindow::tr("Executor dies after the record");
    case Fault::DuplicateDelivery:
        return SandboxWindow::tr("Delivered twice at once");
    case Fault::ArgsChanged:
        return SandboxWindow::tr("Retried with other arguments");
    }
    return {};
}

QString words(KeyPolicy policy)
{
    switch (policy) {
    case KeyPolicy::Planner:
        return SandboxWindow::tr("The planner's key");
    case KeyPolicy::MintedByTool:
        return SandboxWindow::tr("A new key from inside the tool");
    case KeyPolicy::None:
        return SandboxWindow::tr("No key");
    }
    return {};
}

Tone toneOf(SimulationVerdict verdict)
{
    switch (verdict) {
    case SimulationVerdict::Protected:
        return Tone::Ok;
    case SimulationVerdict::Double:
        return Tone::Danger;
    case SimulationVerdict::Stopped:
        return Tone::Warn;
    }
    return Tone::Plain;
}

QColor colourOf(const Tokens &tokens, Tone tone)
{
    switch (tone) {
    case Tone::Ok:
        return tokens.ok;
    case Tone::Warn:
        return tokens.warn;
    case Tone::Danger:
        return tokens.danger;
    case Tone::Muted:
        return tokens.muted;
    case Tone::Plain:
        return tokens.text;
    }
    return tokens.text;
}

} // namespace

QString verdictText(SimulationVerdict verdict)
{
    switch (verdict) {
    case SimulationVerdict::Protected:
        return SandboxWindow::tr("✔ Protected: one effect, and the agent has its answer");
    case SimulationVerdict::Double:
        return SandboxWindow::tr("✖ Double: the customer was charged more than once");
    case SimulationVerdict::Stopped:
        return SandboxWindow::tr(
            "◼ Stopped: no second effect; a rule or a person has to settle it");
    }
    return {};
}

SandboxWindow::SandboxWindow(
    const QString &storePath, const QString &runId, qint64 seq, QWidget *parent)
    : QMainWindow(parent)
    , m_runId(runId)
    , m_seq(seq)
    , m_tasks([path = storePath.toStdString()] { return StoreReader::open(path); })
{
    setAttribute(Qt::WA_DeleteOnClose);
    const QString store = QFileInfo(storePath).fileName();
    setWindowTitle(tr("SANDBOX — copy of %1").arg(store));
    auto *centre = new QWidget;
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins(kFrame, kFrame, kFrame, kFrame);
    layout->setSpacing(0);

    auto *banner = plainLabel();
    banner->setText(tr("SANDBOX — copy of %1 — no network, nothing leaves this window").arg(store));
    banner->setAlignment(Qt::AlignCenter);
    banner->setMargin(6);
    QFont bold = banner->font();
    bold.setBold(true);
    banner->setFont(bold);
    banner->setAutoFillBackground(true);
    QPalette amber = banner->palette();
    amber.setColor(QPalette::Window, tokensFor(palette()).sandbox);
    amber.setColor(QPalette::WindowText, tokensFor(palette()).sandboxText);
    banner->setPalette(amber);
    layout->addWidget(banner);

    auto *splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(makeControls());
    splitter->addWidget(makeResult());
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    layout->addWidget(splitter, 1);
    setCentralWidget(centre);
    resize(1120, 660);
    constexpr int kControlsWidth = 300;
    splitter->setSizes({kControlsWidth, width() - kControlsWidth});

    auto *close = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    connect(close, &QShortcut::activated, this, &QWidget::close);
    connect(&m_channel, &TaskChannel::busyChanged, this, &SandboxWindow::setBusy);
    m_fault->setFocus();
}

SandboxWindow::~SandboxWindow() = default;

QWidget *SandboxWindow::makeControls()
{
    auto *panel = new QWidget;
    auto *layout = new QVBoxLayout(panel);
    auto *subject = plainLabel();
    subject->setText(tr("Retry of run %1, seq %2").arg(visible(m_runId.toStdString())).arg(m_seq));
    layout->addWidget(subject);
    auto *form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    layout->addLayout(form);

    m_fault = new QComboBox;
    for (const Fault fault : kAllFaults)
        m_fault->addItem(words(fault), static_cast<int>(fault));
    m_fault->setCurrentIndex(m_fault->findData(static_cast<int>(Fault::ResponseLost)));
    m_fault->setAccessibleName(tr("What goes wrong"));
    form->addRow(tr("What goes &wrong"), m_fault);
    m_policy = new QComboBox;
    for (const KeyPolicy policy : kAllKeyPolicies)
        m_policy->addItem(words(policy), static_cast<int>(policy));
    m_policy->setAccessibleName(tr("Key of the retry"));
    form->addRow(tr("&Key of the retry"), m_policy);
    m_retries = new QSpinBox;
    m_retries->setRange(1, 10);
    m_retries->setAccessibleName(tr("Retries"));
    form->addRow(tr("R&etries"), m_retries);
    m_seed = new QSpinBox;
    m_seed->setRange(1, 1'000'000);
    m_seed->setAccessibleName(tr("Seed"));
    form->addRow(tr("&Seed"), m_seed);

    m_run = new QPushButton(tr("&Run"));
    m_run->setDefault(true);
    m_run->setShortcut(QKeySequence(Qt::Key_Return));
    m_matrix = new QPushButton(tr("Run &matrix: all cases"));
    connect(m_run, &QPushButton::clicked, this, &SandboxWindow::runOne);
    connect(m_matrix, &QPushButton::clicked, this, &SandboxWindow::runMatrix);
    layout->addWidget(m_run);
    layout->addWidget(m_matrix);
    layout->addStretch(1);
    return panel;
}

QWidget *SandboxWindow::makeResult()
{
    auto *panel = new QWidget;
    auto *layout = new QVBoxLayout(panel);
    m_verdict = plainLabel();
    QFont large = m_verdict->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.2);
    m_verdict->setFont(large);
    m_verdict->setText(tr("Nothing was simulated yet. Press Enter to run."));
    layout->addWidget(m_verdict);
    m_numbers = plainLabel();
    layout->addWidget(m_numbers);
    m_scenario = plainLabel();
    layout->addWidget(m_scenario);

    m_tabs = new QTabWidget;
    m_steps = makeTable({tr("At"), tr("Who"), tr("What")}, tr("Steps, simulated"));
    m_agent = new QPlainTextEdit;
    m_agent->setReadOnly(true);
    m_agent->setTabChangesFocus(true);
    m_agent->setAccessibleName(tr("What the agent sees"));
    m_charges
        = makeTable({tr("Provider reference"), tr("Key as the provider saw it"), tr("Amount")},
            tr("Charges at the sandbox provider"));
    m_matrixTable = makeTable(
        {tr("What goes wrong"), tr("Key"), tr("Contract"), tr("Verdict"), tr("Charged")},
        tr("All cases, simulated"));
    connect(m_matrixTable, &QTableWidget::cellActivated, this, [this](int row, int) {
        if (row < static_cast<int>(m_cells.size()))
            showSimulation(m_cells[static_cast<std::size_t>(row)]);
    });
    m_tabs->addTab(m_steps, tr("St&eps (simulated)"));
    m_tabs->addTab(m_agent, tr("&Agent sees"));
    m_tabs->addTab(m_charges, tr("&Provider charges"));
    m_tabs->addTab(m_matrixTable, tr("&All cases"));
    layout->addWidget(m_tabs, 1);
    return panel;
}

void SandboxWindow::setBusy(bool busy)
{
    m_run->setEnabled(!busy);
    m_matrix->setEnabled(!busy);
}

void SandboxWindow::runOne()
{
    const auto run = RunId::parse(m_runId.toStdString());
    const auto seq = Seq::of(m_seq);
    if (!run || !seq || m_channel.isBusy())
        return;
    const SimulationRequest request {*run, *seq, static_cast<Fault>(m_fault->currentData().toInt()),
        static_cast<KeyPolicy>(m_policy->currentData().toInt()),
        static_cast<std::uint64_t>(m_seed->value()), m_retries->value()};
    m_shown.reset();
    m_verdict->setText(tr("Simulating …"));
    m_channel.run<Simulation>(
        m_tasks, Lane::Quick, QString(),
        [request](TaskContext &context) -> Result<Simulation> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            return simulate(*reader, request);
        },
        [this](Result<Simulation> simulation) {
            if (simulation)
                showSimulation(*simulation);
            else
                m_verdict->setText(visible(simulation.error().text()));
        });
}

void SandboxWindow::runMatrix()
{
    const auto run = RunId::parse(m_runId.toStdString());
    const auto seq = Seq::of(m_seq);
    if (!run || !seq || m_channel.isBusy())
        return;
    m_verdict->setText(tr("Simulating all cases …"));
    m_channel.run<std::vector<Simulation>>(
        m_tasks, Lane::Long, QString(),
        [run = *run, seq = *seq, seed = static_cast<std::uint64_t>(m_seed->value())](
            TaskContext &context) -> Result<std::vector<Simulation>> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            return simulateMatrix(*reader, run, seq, seed);
        },
        [this](Result<std::vector<Simulation>> cells) {
            if (cells)
                showMatrix(*cells);
            else
                m_verdict->setText(visible(cells.error().text()));
        });
}

void SandboxWindow::showSimulation(const Simulation &simulation)
{
    m_shown = simulation;
    m_verdict->setText(verdictText(simulation.verdict));
    QPalette coloured = palette();
    coloured.setColor(
        QPalette::WindowText, colourOf(tokensFor(palette()), toneOf(simulation.verdict)));
    m_verdict->setPalette(coloured);
    m_numbers->setText(
        tr("Simulated: %1 · %2 · customer charged %3")
            .arg(simulation.executions == 1 ? tr("1 execution")
                                            : tr("%1 executions").arg(simulation.executions))
            .arg(
                simulation.replays == 1 ? tr("1 replay") : tr("%1 replays").arg(simulation.replays))
            .arg(simulation.customerCharged ? moneyText(*simulation.customerCharged)
                                            : tr("— (no amount is known)")));
    m_scenario->setText(visible(simulation.scenario));

    m_steps->setRowCount(static_cast<int>(simulation.steps.size()));
    for (int row = 0; row < m_steps->rowCount(); ++row) {
        const SimulationStep &step = simulation.steps[static_cast<std::size_t>(row)];
        setCell(m_steps, row, 0, QStringLiteral("+") + durationText(step.atUs));
        setCell(m_steps, row, 1, visible(step.actor));
        setCell(m_steps, row, 2, visible(step.what));
    }
    m_steps->resizeColumnToContents(0);
    m_steps->resizeColumnToContents(1);
    m_steps->resizeRowsToContents(); // a simulation has a few dozen steps at most
    QString answers;
    for (const std::string &line : simulation.agentSees)
        answers += visible(line) + QLatin1Char('\n');
    m_agent->setPlainText(answers);
    m_charges->setRowCount(static_cast<int>(simulation.charges.size()));
    for (int row = 0; row < m_charges->rowCount(); ++row) {
        const ProviderCharge &charge = simulation.charges[static_cast<std::size_t>(row)];
        setCell(m_charges, row, 0, visible(charge.reference));
        setCell(m_charges, row, 1, charge.key.empty() ? tr("no key") : visible(charge.key));
        setCell(m_charges, row, 2, charge.amount ? moneyText(*charge.amount) : dash());
    }
    m_charges->resizeColumnsToContents();
    m_tabs->setCurrentWidget(m_steps);
}

void SandboxWindow::showMatrix(const std::vector<Simulation> &cells)
{
    m_cells = cells;
    int doubles = 0;
    m_matrixTable->setRowCount(static_cast<int>(cells.size()));
    for (int row = 0; row < m_matrixTable->rowCount(); ++row) {
        const Simulation &cell = cells[static_cast<std::size_t>(row)];
        doubles += cell.verdict == SimulationVerdict::Double ? 1 : 0;
        setCell(m_matrixTable, row, 0, words(cell.fault));
        setCell(m_matrixTable, row, 1, words(cell.keyPolicy));
        setCell(m_matrixTable, row, 2, visible(cell.contractName));
        setCell(m_matrixTable, row, 3, verdictText(cell.verdict).section(QLatin1Char(':'), 0, 0));
        m_matrixTable->item(row, 3)->setForeground(
            colourOf(tokensFor(palette()), toneOf(cell.verdict)));
        setCell(m_matrixTable, row, 4,
            cell.customerCharged ? moneyText(*cell.customerCharged) : dash());
    }
    m_matrixTable->resizeColumnsToContents();
    m_verdict->setPalette(palette());
    m_verdict->setText(tr("%1 cases simulated, %2 of them charge the customer twice")
                           .arg(cells.size())
                           .arg(doubles));
    m_numbers->clear();
    m_scenario->setText(tr("Enter on a case shows its steps."));
    m_tabs->setCurrentWidget(m_matrixTable);
    m_matrixTable->setFocus();
    if (m_matrixTable->rowCount() > 0)
        m_matrixTable->selectRow(0);
}

void SandboxWindow::paintEvent(QPaintEvent *event)
{
    QMainWindow::paintEvent(event);
    QPainter painter(this);
    painter.setPen(QPen(tokensFor(palette()).sandbox, kFrame * 2));
    painter.drawRect(rect());
}

} // namespace reprise::ui
