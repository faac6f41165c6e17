#pragma once

#include "core/sandbox/simulator.h"
#include "ui/tasks/task_runner.h"

#include <QMainWindow>
#include <QString>

#include <vector>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTableWidget;
class QTabWidget;

namespace reprise::ui {

/// The retry simulator, in a window that cannot be taken for the evidence: amber frame and banner.
/// Everything runs in a sandbox store of the core, on a worker thread. Deletes itself when closed.
/// GUI thread.
class SandboxWindow : public QMainWindow
{
    Q_OBJECT
public:
    SandboxWindow(
        const QString &storePath, const QString &runId, qint64 seq, QWidget *parent = nullptr);
    ~SandboxWindow() override;

    /// The simulation on screen; nothing before the first and while one runs.
    [[nodiscard]] const std::optional<Simulation> &shown() const { return m_shown; }
    [[nodiscard]] bool isBusy() const { return m_channel.isBusy(); }

public Q_SLOTS:
    void runOne();
    void runMatrix();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QWidget *makeControls();
    QWidget *makeResult();
    void showSimulation(const Simulation &simulation);
    void showMatrix(const std::vector<Simulation> &cells);
    void setBusy(bool busy);

    QString m_runId;
    qint64 m_seq = 0;
    TaskRunner m_tasks;
    TaskChannel m_channel;
    std::optional<Simulation> m_shown;
    std::vector<Simulation> m_cells;

    QComboBox *m_fault = nullptr;
    QComboBox *m_policy = nullptr;
    QSpinBox *m_retries = nullptr;
    QSpinBox *m_seed = nullptr;
    QPushButton *m_run = nullptr;
    QPushButton *m_matrix = nullptr;
    QLabel *m_verdict = nullptr;
    QLabel *m_numbers = nullptr;
    QLabel *m_scenario = nullptr;
    QTabWidget *m_tabs = nullptr;
    QTableWidget *m_steps = nullptr;
    QPlainTextEdit *m_agent = nullptr;
    QTableWidget *m_charges = nullptr;
    QTableWidget *m_matrixTable = nullptr;
};

/// "Protected", "Double charge", "Stopped" with a sign.
[[nodiscard]] QString verdictText(SimulationVerdict verdict);

} // namespace reprise::ui
