#pragma once

#include "core/inspect/store_reader.h"
#include "ui/tasks/suspect_search.h"
#include "ui/tasks/task_runner.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace reprise::ui {

/// One store that is being looked at: its workers, its facts and the search for suspects. Lives in
/// the GUI thread; the store itself is only touched by the workers.
class StoreSession : public QObject
{
    Q_OBJECT
public:
    /// `clock` is not owned and outlives the session.
    StoreSession(QString path, Clock &clock, QObject *parent = nullptr);

    /// Opens the store on a worker and answers with `opened` or `failed`. After `opened` the hash,
    /// the totals and the suspects follow in the background.
    void open();

    [[nodiscard]] const QString &path() const { return m_path; }
    [[nodiscard]] QString name() const;
    [[nodiscard]] TaskRunner &runner() { return m_runner; }
    [[nodiscard]] SuspectSearch &suspects() { return m_suspects; }
    [[nodiscard]] Clock &clock() { return m_clock; }
    [[nodiscard]] const StoreInfo &info() const { return m_info; }
    /// How the evidence is being read, in the words of StoreReader::access.
    [[nodiscard]] const QString &access() const { return m_access; }
    [[nodiscard]] const std::optional<RunTotals> &totals() const { return m_totals; }
    /// The store's files as they were when it was opened; with digests once they are known.
    [[nodiscard]] const std::vector<EvidenceFile> &files() const { return m_files; }
    [[nodiscard]] bool isHashed() const { return m_hashed; }
    /// When the files were last compared with what they were at first; nothing before that.
    [[nodiscard]] const std::optional<Time> &checkedAt() const { return m_checkedAt; }
    [[nodiscard]] bool hasChanged() const { return m_changed; }

    /// Compares the files on disk with what they were: size and time, and where `withHashes` their
    /// digests. Answers with `checked`.
    void recheck(bool withHashes);

Q_SIGNALS:
    void opened();
    void failed(const reprise::Error &error);
    /// Totals or digests became known.
    void factsChanged();
    void checked();

private:
    struct Facts
    {
        StoreInfo info;
        QString access;
        std::vector<EvidenceFile> files;
    };
    void readTotals();
    void hash();
    void compare(const std::vector<EvidenceFile> &now, bool withHashes);

    QString m_path;
    Clock &m_clock;
    TaskRunner m_runner;
    SuspectSearch m_suspects;
    TaskChannel m_opening;
    TaskChannel m_totalling;
    TaskChannel m_hashing;
    TaskChannel m_checking;
    StoreInfo m_info;
    QString m_access;
    std::optional<RunTotals> m_totals;
    std::vector<EvidenceFile> m_files;
    bool m_hashed = false;
    std::optional<Time> m_checkedAt;
    bool m_changed = false;
};

} // namespace reprise::ui
