#pragma once

#include <QByteArray>
#include <QString>
#include <QWidget>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace reprise::ui {

/// The exact bytes of a body, with their hash: as text with marks for what does not show by itself,
/// or in hex where they are no text. Long bodies are shown in part until all is asked for. GUI
/// thread.
class RawView : public QWidget
{
    Q_OBJECT
public:
    static constexpr qsizetype kBytesShown = qsizetype {1} << 20;

    explicit RawView(QWidget *parent = nullptr);
    /// `bytes` absent: there is no body, or it was pruned.
    void setBody(
        std::optional<QByteArray> bytes, const QString &sha256, const QString &contentType);

private:
    void show(qsizetype bytesMax);

    std::optional<QByteArray> m_bytes;
    QLabel *m_facts = nullptr;
    QPlainTextEdit *m_text = nullptr;
    QPushButton *m_all = nullptr;
};

/// Sixteen bytes a line: offset, hex, and the printable ones as text.
[[nodiscard]] QString hexDump(QByteArrayView bytes);

} // namespace reprise::ui
