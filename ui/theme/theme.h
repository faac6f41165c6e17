#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include <optional>

class QApplication;

/// Two palettes of our own over the Fusion style; the stock ones miss WCAG AA. No colour stands in
/// a style sheet or in a view: painters ask `tokensFor(palette())` each time they paint, so that a
/// change of theme needs nothing but a repaint.
namespace reprise::ui {

enum class ThemeSetting { System, Light, Dark };

[[nodiscard]] QString name(ThemeSetting setting);
[[nodiscard]] std::optional<ThemeSetting> themeSettingFrom(QStringView name);

/// The colours of one theme by what they are for.
struct Tokens
{
    QColor base; ///< behind tables and text
    QColor alternate; ///< every second row
    QColor window; ///< behind everything else
    QColor text;
    QColor muted; ///< less important text
    QColor placeholder;
    QColor link;
    QColor visited;
    QColor ok;
    QColor warn;
    QColor danger;
    QColor border; ///< frames and lines that carry meaning, 3:1 against all three grounds
    QColor selection;
    QColor selectionText;
    QColor sandbox; ///< ground of the sandbox banner
    QColor sandboxText;
};

[[nodiscard]] const Tokens &lightTokens();
[[nodiscard]] const Tokens &darkTokens();
/// The tokens that belong to a palette: those of the theme it was made from.
[[nodiscard]] const Tokens &tokensFor(const QPalette &palette);
[[nodiscard]] QPalette paletteFor(const Tokens &tokens);

/// Fusion style and the palette of the setting; may be called again at any time. `System` follows
/// the palette that the desktop gave the program when this was called first.
void applyTheme(QApplication &application, ThemeSetting setting);

/// The fixed-width font of the system in the size of `like`.
[[nodiscard]] QFont monospaceFont(const QFont &like);

/// Contrast of two colours by WCAG 2.1, 1 to 21.
[[nodiscard]] double contrast(const QColor &a, const QColor &b);

} // namespace reprise::ui
