#include "ui/theme/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>
#include <cmath>

namespace reprise::ui {

namespace {

/// A colour between two others; `part` of 0 is `from`.
QColor between(const QColor &from, const QColor &to, float part)
{
    const auto mix = [part](float a, float b) { return a + (b - a) * part; };
    return QColor::fromRgbF(mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()),
        mix(from.blueF(), to.blueF()));
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

double luminance(const QColor &color)
{
    const auto linear = [](float channel) {
        const auto c = static_cast<double>(channel);
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

} // namespace

QString name(ThemeSetting setting)
{
    switch (setting) {
    case ThemeSetting::System:
        return QStringLiteral("system");
    case ThemeSetting::Light:
        return QStringLiteral("light");
    case ThemeSetting::Dark:
        return QStringLiteral("dark");
    }
    return {};
}

std::optional<ThemeSetting> themeSettingFrom(QStringView text)
{
    for (const auto setting : {ThemeSetting::System, ThemeSetting::Light, ThemeSetting::Dark})
        if (text == name(setting))
            return setting;
    return std::nullopt;
}

const Tokens &lightTokens()
{
    static const Tokens tokens {QColor(0xffffff), QColor(0xf4f6f8), QColor(0xf0f1f3),
        QColor(0x1b1e23), QColor(0x565d66), QColor(0x5f6670), QColor(0x0b57a4), QColor(0x6b2fa0),
        QColor(0x1a6b3c), QColor(0x8a5300), QColor(0xb3261e), QColor(0x7d848d), QColor(0x1f6aa5),
        QColor(0xffffff), QColor(0xffc933), QColor(0x1b1e23)};
    return tokens;
}

const Tokens &darkTokens()
{
    static const Tokens tokens {QColor(0x1e2126), QColor(0x24282e), QColor(0x2a2e35),
        QColor(0xe6e8eb), QColor(0xaab1ba), QColor(0x9aa2ac), QColor(0x7fb8f0), QColor(0xc9a4ee),
        QColor(0x6fd197), QColor(0xf0b65a), QColor(0xff8a80), QColor(0x7b838d), QColor(0x2d6fa8),
        QColor(0xffffff), QColor(0xffc933), QColor(0x1b1e23)};
    return tokens;
}

const Tokens &tokensFor(const QPalette &palette)
{
    return isDark(palette) ? darkTokens() : lightTokens();
}

QPalette paletteFor(const Tokens &tokens)
{
    QPalette palette;
    palette.setColor(QPalette::Base, tokens.base);
    palette.setColor(QPalette::AlternateBase, tokens.alternate);
    palette.setColor(QPalette::Window, tokens.window);
    palette.setColor(QPalette::Button, tokens.window);
    palette.setColor(QPalette::ToolTipBase, tokens.base);
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText,
             QPalette::ToolTipText, QPalette::BrightText})
        palette.setColor(role, tokens.text);
    palette.setColor(QPalette::PlaceholderText, tokens.placeholder);
    palette.setColor(QPalette::Link, tokens.link);
    palette.setColor(QPalette::LinkVisited, tokens.visited);
    palette.setColor(QPalette::Highlight, tokens.selection);
    palette.setColor(QPalette::HighlightedText, tokens.selectionText);
    // Fusion draws frames and grids from these; Mid and Dark are the ones that separate panes.
    palette.setColor(QPalette::Light, between(tokens.window, QColor(Qt::white), 0.35F));
    palette.setColor(QPalette::Midlight, between(tokens.window, tokens.border, 0.2F));
    palette.setColor(QPalette::Mid, tokens.border);
    palette.setColor(QPalette::Dark, tokens.border);
    palette.setColor(QPalette::Shadow, between(tokens.border, QColor(Qt::black), 0.5F));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, tokens.placeholder);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, tokens.border);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, tokens.base);
    return palette;
}

void applyTheme(QApplication &application, ThemeSetting setting)
{
    static const bool desktopIsDark = isDark(QApplication::palette());
    if (application.style() == nullptr
        || application.style()->name().compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0)
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    const bool dark
        = setting == ThemeSetting::Dark || (setting == ThemeSetting::System && desktopIsDark);
    QApplication::setPalette(paletteFor(dark ? darkTokens() : lightTokens()));
}

QFont monospaceFont(const QFont &like)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    if (like.pointSizeF() > 0)
        font.setPointSizeF(like.pointSizeF());
    else
        font.setPixelSize(like.pixelSize());
    font.setWeight(like.weight());
    return font;
}

double contrast(const QColor &a, const QColor &b)
{
    const double one = luminance(a);
    const double other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

} // namespace reprise::ui
