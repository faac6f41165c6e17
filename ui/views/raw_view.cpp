#include "ui/views/raw_view.h"

#include "core/base/bytes.h"
#include "ui/format/format.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace reprise::ui {

QString hexDump(QByteArrayView bytes)
{
    constexpr qsizetype kPerLine = 16;
    QString out;
    for (qsizetype at = 0; at < bytes.size(); at += kPerLine) {
        const QByteArrayView line = bytes.sliced(at, qMin(kPerLine, bytes.size() - at));
        QString hex;
        QString text;
        for (const char c : line) {
            const auto value = static_cast<unsigned char>(c);
            hex += QStringLiteral("%1 ").arg(value, 2, 16, QLatin1Char('0'));
            text += value >= 0x20 && value < 0x7F ? QLatin1Char(c) : QLatin1Char('.');
        }
        out += QStringLiteral("%1  %2 %3\n")
                   .arg(at, 8, 16, QLatin1Char('0'))
                   .arg(hex, -(kPerLine * 3))
                   .arg(text);
    }
    return out;
}

RawView::RawView(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    m_facts = new QLabel;
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_facts);
    m_text = new QPlainTextEdit;
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("Stored bytes"));
    m_text->setFont(monospaceFont(font()));
    layout->addWidget(m_text, 1);
    m_all = new QPushButton(tr("Show &all"));
    m_all->hide();
    connect(m_all, &QPushButton::clicked, this, [this] { show(m_bytes ? m_bytes->size() : 0); });
    layout->addWidget(m_all, 0, Qt::AlignLeft);
}

void RawView::setBody(
    std::optional<QByteArray> bytes, const QString &sha256, const QString &contentType)
{
    m_bytes = std::move(bytes);
    if (!m_bytes) {
        m_facts->setText(tr("No result is recorded."));
        m_text->clear();
        m_all->hide();
        return;
    }
    m_facts->setText(
        tr("%1 · %2 · SHA-256 %3 · the stored bytes as they are; pretty is not evidence")
            .arg(bytesText(static_cast<std::uint64_t>(m_bytes->size())),
                contentType.isEmpty() ? tr("no content type") : contentType, sha256));
    show(kBytesShown);
}

void RawView::show(qsizetype bytesMax)
{
    if (!m_bytes)
        return;
    const QByteArrayView part = QByteArrayView(*m_bytes).first(qMin(bytesMax, m_bytes->size()));
    const std::string_view bytes(part.data(), static_cast<std::size_t>(part.size()));
    m_text->setPlainText(
        isValidUtf8({m_bytes->constData(), static_cast<std::size_t>(m_bytes->size())})
            ? visibleBlock(bytes)
            : hexDump(part));
    m_all->setVisible(part.size() < m_bytes->size());
    m_all->setText(tr("Show &all %1").arg(bytesText(static_cast<std::uint64_t>(m_bytes->size()))));
}

} // namespace reprise::ui
