#include "ui/tasks/store_session.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace reprise::ui {

namespace {

std::string native(const QString &path)
{
    return QFile::encodeName(path).toStdString();
}

/// Readers of a live store share a file of locks with the writer; it changes by being read.
bool isEvidence(const EvidenceFile &file)
{
    return !file.path.ends_with("-shm");
}

bool sameFiles(
    const std::vector<EvidenceFile> &a, const std::vector<EvidenceFile> &b, bool withHashes)
{
    const auto strip = [withHashes](const std::vector<EvidenceFile> &files) {
        std::vector<EvidenceFile> out;
        std::copy_if(files.begin(), files.end(), std::back_inserter(out), isEvidence);
        if (!withHashes)
            for (EvidenceFile &file : out)
                file.sha256 = {};
        return out;
    };
    return strip(a) == strip(b);
}

} // namespace

StoreSession::StoreSession(QString path, Clock &clock, QObject *parent)
    : QObject(parent)
    , m_path(std::move(path))
    , m_clock(clock)
    , m_runner([path = native(m_path)] { return StoreReader::open(path); })
    , m_suspects(m_runner, this)
{
}

QString StoreSession::name() const
{
    return QFileInfo(m_path).fileName();
}

void StoreSession::open()
{
    m_opening.run<Facts>(
        m_runner, Lane::Quick, {},
        [path = native(m_path)](TaskContext &context) -> Result<Facts> {
            Facts facts;
            // The state before the first byte is read, so that no change is missed.
            const auto files = evidenceState(path, false);
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            if (!files)
                return tl::unexpected(files.error());
            facts.files = *files;
            ASSIGN_OR_RETURN(facts.info, reader->info());
            facts.access = QString::fromStdString(reader->access());
            return facts;
        },
        [this](Result<Facts> facts) {
            if (!facts) {
                Q_EMIT failed(facts.error());
                return;
            }
            m_info = facts->info;
            m_access = facts->access;
            m_files = std::move(facts->files);
            Q_EMIT opened();
            readTotals();
            m_suspects.start();
            hash();
        });
}

void StoreSession::readTotals()
{
    m_totalling.run<RunTotals>(
        m_runner, Lane::Quick, {},
        [](TaskContext &context) -> Result<RunTotals> {
            ASSIGN_OR_RETURN(StoreReader * reader, context.reader());
            return reader->totals({});
        },
        [this](Result<RunTotals> totals) {
            if (!totals)
                return;
            m_totals = *totals;
            Q_EMIT factsChanged();
        });
}

void StoreSession::hash()
{
    m_hashing.run<std::vector<EvidenceFile>>(
        m_runner, Lane::Long, tr("Computing SHA-256"),
        [path = native(m_path)](
            TaskContext &context) { return evidenceState(path, true, context.stopFlag()); },
        [this](Result<std::vector<EvidenceFile>> files) {
            if (!files)
                return;
            compare(*files, false);
            if (!m_changed) {
                m_files = std::move(*files);
                m_hashed = true;
            }
            Q_EMIT factsChanged();
            Q_EMIT checked();
        });
}

void StoreSession::recheck(bool withHashes)
{
    m_checking.run<std::vector<EvidenceFile>>(
        m_runner, withHashes ? Lane::Long : Lane::Quick,
        withHashes ? tr("Checking the store on disk") : QString(),
        [path = native(m_path), withHashes](
            TaskContext &context) { return evidenceState(path, withHashes, context.stopFlag()); },
        [this, withHashes](Result<std::vector<EvidenceFile>> files) {
            if (files)
                compare(*files, withHashes && m_hashed);
            else if (files.error().code != ErrorCode::Cancelled)
                compare({}, false); // the store is gone, or can no longer be looked at
            Q_EMIT checked();
        });
}

void StoreSession::compare(const std::vector<EvidenceFile> &now, bool withHashes)
{
    m_checkedAt = m_clock.now();
    m_changed = !sameFiles(m_files, now, withHashes);
}

} // namespace reprise::ui
