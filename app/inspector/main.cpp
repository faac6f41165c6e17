#include "core/base/clock.h"
#include "ui/gallery.h"
#include "ui/theme/theme.h"
#include "ui/views/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

int main(int argc, char **argv)
{
    // What needs no window is answered without a display.
    const bool asks = std::any_of(argv + 1, argv + argc, [](const char *word) {
        constexpr std::array<std::string_view, 5> kQuestions {
            "-h", "--help", "--help-all", "-v", "--version"};
        return std::find(kQuestions.begin(), kQuestions.end(), word) != kQuestions.end();
    });
    if (asks)
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("Reprise"));
    QApplication::setApplicationName(QStringLiteral("reprise-inspector"));
    QApplication::setApplicationVersion(QStringLiteral(REPRISE_VERSION));

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Inspector of Reprise stores: suspected double charges, keys and results, retries in "
        "a sandbox, reports. Stores are only read. Settings are looked for in the user's "
        "configuration folder, the sample store in reprise/demo of the data folders."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("STORE"), QStringLiteral("Store to open"), QStringLiteral("[STORE]"));
    const QCommandLineOption theme(
        QStringLiteral("theme"), QStringLiteral("system, light or dark"), QStringLiteral("NAME"));
    const QCommandLineOption gallery(QStringLiteral("gallery"),
        QStringLiteral("Write a picture of every view to DIR, and end"), QStringLiteral("DIR"));
    parser.addOptions({theme, gallery});
    parser.process(application);
    const QStringList stores = parser.positionalArguments();

    const QString wanted = parser.isSet(theme)
        ? parser.value(theme)
        : QSettings().value(QStringLiteral("theme"), QStringLiteral("system")).toString();
    const auto setting = reprise::ui::themeSettingFrom(wanted);
    if (!setting && parser.isSet(theme)) {
        std::fprintf(stderr, "reprise-inspector: --theme is system, light or dark\n");
        return 2;
    }
    reprise::SystemClock clock;
    if (parser.isSet(gallery)) {
        if (stores.size() != 1) {
            std::fprintf(stderr, "reprise-inspector: --gallery needs a STORE\n");
            return 2;
        }
        // Pictures must not depend on what somebody set, and leave no settings behind.
        const QTemporaryDir settings;
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
        const auto written
            = reprise::ui::writeGallery(stores.first(), parser.value(gallery), clock);
        if (!written) {
            std::fprintf(stderr, "reprise-inspector: %s\n", written.error().text().c_str());
            return 4;
        }
        return 0;
    }
    reprise::ui::applyTheme(application, setting.value_or(reprise::ui::ThemeSetting::System));
    reprise::ui::MainWindow window(clock);
    if (!stores.isEmpty())
        window.openStore(stores.first());
    window.show();
    return QApplication::exec();
}
