#pragma once

#include "core/base/result.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;

namespace reprise::ui {

/// What the window shows while no store is open: open one, the sample, recent ones. Also says why a
/// store could not be opened.
class WelcomePage : public QWidget
{
    Q_OBJECT
public:
    explicit WelcomePage(QWidget *parent = nullptr);

    void setRecent(const QStringList &paths);
    /// Empty: no sample is there.
    void setSample(const QString &path);
    /// Why a store could not be opened, and what is possible now.
    void setProblem(const Error &error);
    void clearProblem();
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void openRequested();
    void storeChosen(const QString &path);

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeProblem();
    void colourProblem();

    QWidget *m_problemBox = nullptr;
    QLabel *m_problemTitle = nullptr;
    QLabel *m_problem = nullptr;
    QString m_problemFolder;
    QPushButton *m_open = nullptr;
    QPushButton *m_sample = nullptr;
    QListWidget *m_recent = nullptr;
    QString m_samplePath;
};

} // namespace reprise::ui
