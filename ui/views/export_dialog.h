#pragma once

#include "core/report/report.h"
#include "ui/tasks/task_runner.h"

#include <QDialog>
#include <QString>

#include <functional>

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace reprise::ui {

/// Writes a report of a scope to a folder of its own. The evidence is only read, on a worker
/// thread.
class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    ExportDialog(const QString &storePath, ReportScope scope, QWidget *parent = nullptr);
    ~ExportDialog() override;

    /// The folder that the report was written to; empty before that.
    [[nodiscard]] QString reportFolder() const { return m_written; }
    /// How a folder is chosen; tests answer here instead of a file dialog.
    void setFolderChooser(std::function<QString(const QString &)> chooser);

public Q_SLOTS:
    void exportReport();

private:
    void finished(const Result<WrittenReport> &written);
    void updateButtons();
    [[nodiscard]] std::vector<std::string> formats() const;

    QString m_storePath;
    ReportScope m_scope;
    QString m_written;
    TaskRunner m_tasks;
    TaskChannel m_channel;
    std::function<QString(const QString &)> m_chooser;
    QLineEdit *m_askedBy = nullptr;
    QLineEdit *m_folder = nullptr;
    QCheckBox *m_html = nullptr;
    QCheckBox *m_json = nullptr;
    QCheckBox *m_csv = nullptr;
    QPushButton *m_browse = nullptr;
    QPushButton *m_export = nullptr;
    QPushButton *m_open = nullptr;
    QPushButton *m_close = nullptr;
    QProgressBar *m_progress = nullptr;
    QLabel *m_status = nullptr;
    QListWidget *m_files = nullptr;
};

/// The usual folder of a new report: in the user's documents, named by scope and moment.
[[nodiscard]] QString proposedReportFolder(
    const QString &storePath, const ReportScope &scope, Time now);

} // namespace reprise::ui
