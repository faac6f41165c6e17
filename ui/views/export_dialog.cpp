#include "ui/views/export_dialog.h"

#include "ui/format/format.h"

#include <QCheckBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QUrl>
#include <QVBoxLayout>

namespace reprise::ui {

namespace {

QString scopeWords(const QString &storePath, const ReportScope &scope)
{
    if (scope.suspectId)
        return ExportDialog::tr("Suspect %1").arg(QString::fromStdString(*scope.suspectId));
    if (scope.runId)
        return ExportDialog::tr("Run %1").arg(visible(*scope.runId));
    return ExportDialog::tr("The whole store %1").arg(QFileInfo(storePath).fileName());
}

} // namespace

QString proposedReportFolder(const QString &storePath, const ReportScope &scope, Time now)
{
    QString name = scope.suspectId ? QString::fromStdString(*scope.suspectId)
        : scope.runId              ? QString::fromStdString(*scope.runId)
                                   : QFileInfo(storePath).completeBaseName();
    // Names of runs are anything; names of folders are not.
    name.replace(QRegularExpression(QStringLiteral("[^A-Za-z0-9._-]")), QStringLiteral("_"));
    QString stamp = QString::fromStdString(now.rfc3339()).left(19);
    stamp.remove(QLatin1Char('-')).remove(QLatin1Char(':'));
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QDir(documents).filePath(QStringLiteral("Reprise/%1_%2Z_v1").arg(name.left(80), stamp));
}

ExportDialog::ExportDialog(const QString &storePath, ReportScope scope, QWidget *parent)
    : QDialog(parent)
    , m_storePath(storePath)
    , m_scope(std::move(scope))
    , m_tasks([path = storePath.toStdString()] { return StoreReader::open(path); })
    , m_chooser([this](const QString &start) {
        return QFileDialog::getExistingDirectory(this, tr("Folder to make the report in"), start);
    })
{
    setWindowTitle(tr("Export report"));
    auto *layout = new QVBoxLayout(this);
    auto *form = new QFormLayout;
    layout->addLayout(form);
    auto *scopeLine = new QLabel;
    scopeLine->setTextFormat(Qt::PlainText);
    scopeLine->setWordWrap(true);
    scopeLine->setText(scopeWords(m_storePath, m_scope));
    form->addRow(tr("Scope"), scopeLine);

    auto *formatRow = new QHBoxLayout;
    m_html = new QCheckBox(tr("&HTML"));
    m_json = new QCheckBox(tr("&JSON"));
    m_csv = new QCheckBox(tr("&CSV"));
    m_html->setChecked(true);
    m_json->setChecked(true);
    for (QCheckBox *box : {m_html, m_json, m_csv}) {
        formatRow->addWidget(box);
        connect(box, &QCheckBox::toggled, this, [this] { updateButtons(); });
    }
    formatRow->addStretch(1);
    form->addRow(tr("Formats"), formatRow);

    m_askedBy = new QLineEdit;
    m_askedBy->setAccessibleName(tr("Asked by"));
    m_askedBy->setPlaceholderText(tr("Name; stands in the report"));
    form->addRow(tr("Asked &by"), m_askedBy);

    auto *folderRow = new QHBoxLayout;
    m_folder = new QLineEdit(proposedReportFolder(storePath, m_scope, SystemClock().now()));
    m_folder->setAccessibleName(tr("Folder"));
    // The whole path is to be read before anything is written to it.
    constexpr int kWidthMax = 860;
    constexpr int kFrame = 24;
    m_folder->setMinimumWidth(
        qMin(kWidthMax, fontMetrics().horizontalAdvance(m_folder->text()) + kFrame));
    m_folder->setToolTip(m_folder->text());
    m_folder->setCursorPosition(0);
    m_browse = new QPushButton(tr("C&hoose …"));
    folderRow->addWidget(m_folder, 1);
    folderRow->addWidget(m_browse);
    auto *folderLabel = new QLabel(tr("&Folder"));
    folderLabel->setBuddy(m_folder);
    form->addRow(folderLabel, folderRow);
    connect(m_folder, &QLineEdit::textChanged, this, [this](const QString &path) {
        m_folder->setToolTip(path);
        updateButtons();
    });
    connect(m_browse, &QPushButton::clicked, this, [this] {
        const QFileInfo proposed(m_folder->text());
        const QString chosen = m_chooser(proposed.absolutePath());
        // The report gets a folder of its own inside the chosen one.
        if (!chosen.isEmpty())
            m_folder->setText(QDir(chosen).filePath(proposed.fileName()));
    });

    m_progress = new QProgressBar;
    m_progress->setRange(0, 0);
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->hide();
    layout->addWidget(m_progress);
    m_status
        = new QLabel(tr("The evidence is only read. An existing report is never overwritten."));
    m_status->setTextFormat(Qt::PlainText);
    m_status->setWordWrap(true);
    layout->addWidget(m_status);
    m_files = new QListWidget;
    m_files->setAccessibleName(tr("Files of the report"));
    m_files->hide();
    layout->addWidget(m_files, 1);

    auto *buttons = new QDialogButtonBox;
    m_export = buttons->addButton(tr("&Export"), QDialogButtonBox::ActionRole);
    m_open = buttons->addButton(tr("&Open report"), QDialogButtonBox::ActionRole);
    m_close = buttons->addButton(QDialogButtonBox::Close);
    m_export->setDefault(true);
    m_open->setEnabled(false);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::exportReport);
    connect(m_open, &QPushButton::clicked, this, [this] {
        const QDir folder(m_written);
        const QStringList pages = folder.entryList({QStringLiteral("*.html")}, QDir::Files);
        QDesktopServices::openUrl(
            QUrl::fromLocalFile(pages.isEmpty() ? m_written : folder.filePath(pages.first())));
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    m_export->setFocus();
    updateButtons();
}

ExportDialog::~ExportDialog() = default;

void ExportDialog::setFolderChooser(std::function<QString(const QString &)> chooser)
{
    m_chooser = std::move(chooser);
}

std::vector<std::string> ExportDialog::formats() const
{
    std::vector<std::string> chosen;
    if (m_html->isChecked())
        chosen.emplace_back("html");
    if (m_json->isChecked())
        chosen.emplace_back("json");
    if (m_csv->isChecked())
        chosen.emplace_back("csv");
    return chosen;
}

void ExportDialog::updateButtons()
{
    const bool busy = m_channel.isBusy();
    m_export->setEnabled(!busy && m_written.isEmpty() && !formats().empty()
        && !m_folder->text().trimmed().isEmpty());
    for (QWidget *field : {static_cast<QWidget *>(m_folder), static_cast<QWidget *>(m_askedBy),
             static_cast<QWidget *>(m_browse), static_cast<QWidget *>(m_html),
             static_cast<QWidget *>(m_json), static_cast<QWidget *>(m_csv)})
        field->setEnabled(!busy && m_written.isEmpty());
    m_progress->setVisible(busy);
}

void ExportDialog::exportReport()
{
    ReportRequest request;
    request.scope = m_scope;
    request.formats = formats();
    request.outFolder = m_folder->text().trimmed().toStdString();
    request.askedBy = m_askedBy->text().trimmed().toStdString();
    request.at = SystemClock().now();
    m_status->setText(tr("Writing …"));
    m_channel.run<WrittenReport>(
        m_tasks, Lane::Long, tr("Export"),
        [request](TaskContext &context) -> Result<WrittenReport> {
            ReportRequest own = request;
            own.stop = context.stopFlag();
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            ASSIGN_OR_RETURN(const ReportDocument document, buildReport(*reader, own));
            return writeReport(document, own);
        },
        [this](Result<WrittenReport> written) { finished(written); });
    updateButtons();
}

void ExportDialog::finished(const Result<WrittenReport> &written)
{
    if (!written) {
        m_status->setText(visible(written.error().text()));
        updateButtons();
        return;
    }
    m_written = m_folder->text().trimmed();
    m_status->setText(
        tr("Files written: %1, the manifest with their hashes last.").arg(written->files.size()));
    for (const std::string &file : written->files)
        m_files->addItem(QString::fromStdString(file));
    m_files->show();
    m_open->setEnabled(true);
    updateButtons();
    m_open->setFocus();
}

} // namespace reprise::ui
