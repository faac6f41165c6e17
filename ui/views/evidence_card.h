#pragma once

#include "core/suspects/suspects.h"

#include <QString>
#include <QWidget>

#include <optional>

class QFormLayout;
class QLabel;
class QTableWidget;

namespace reprise::ui {

/// One suspect as evidence: what is claimed, the effects side by side, what argues for and against,
/// and what would prove it. Shows values; asks nothing of a store. GUI thread.
class EvidenceCard : public QWidget
{
    Q_OBJECT
public:
    explicit EvidenceCard(QWidget *parent = nullptr);

    /// Nothing: an empty card that says that no suspect is selected.
    void setCluster(std::optional<Cluster> cluster);
    [[nodiscard]] QTableWidget *membersTable() const { return m_members; }

Q_SIGNALS:
    /// A row was activated (Enter, double click).
    void memberActivated(const QString &runId, qint64 seq);

private:
    void addLine(const QString &title, const QString &text, bool warns = false);
    void fillMembers(const Cluster &cluster);

    std::optional<Cluster> m_cluster;
    QLabel *m_claim = nullptr;
    QTableWidget *m_members = nullptr;
    QWidget *m_lines = nullptr;
    QFormLayout *m_form = nullptr;
};

/// "Two effects: …", "Cannot tell: …", "One effect: …": the claim of a card in one sentence.
[[nodiscard]] QString claimFor(const Cluster &cluster);

} // namespace reprise::ui
