#pragma once

#include "core/inspect/json_diff.h"
#include "ui/tasks/task_runner.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <optional>

class QLabel;
class QStackedWidget;
class QPlainTextEdit;
class QTableWidget;

namespace reprise::ui {

/// Two results side by side with their differences. JSON is compared by structure, everything else
/// by its bytes. Comparing happens on a worker thread; the newest pair wins. GUI thread.
class CompareView : public QWidget
{
    Q_OBJECT
public:
    explicit CompareView(QWidget *parent = nullptr);
    ~CompareView() override;

    /// An absent side means that nothing was recorded there. `volatilePointers`: fields that the
    /// contract ignores; their differences are greyed and counted apart.
    void setSides(const QString &leftTitle, std::optional<QByteArray> left,
        const QString &rightTitle, std::optional<QByteArray> right,
        const QStringList &volatilePointers);
    void clear();
    [[nodiscard]] int differenceCount() const { return m_differences; }
    /// "identical bytes", "same JSON", "3 differences (1 volatile)", …
    [[nodiscard]] QString headerText() const;
    [[nodiscard]] bool isBusy() const { return m_channel.isBusy(); }

public Q_SLOTS:
    void nextDifference();
    void previousDifference();

private:
    void showDiff(const JsonDiff &diff);
    void showTexts();
    void step(int direction);

    TaskRunner m_tasks;
    TaskChannel m_channel;
    std::optional<QByteArray> m_left;
    std::optional<QByteArray> m_right;
    QString m_leftTitle;
    QString m_rightTitle;
    int m_differences = 0;
    QLabel *m_header = nullptr;
    QStackedWidget *m_pages = nullptr;
    QTableWidget *m_table = nullptr;
    QLabel *m_titles[2] = {};
    QPlainTextEdit *m_texts[2] = {};
};

} // namespace reprise::ui
