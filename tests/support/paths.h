#pragma once

#include <QDir>
#include <QString>

namespace reprise::test {

/// Records that other systems wrote: the `shared/data` folder beside the project's folder. Tests
/// that need a file from there skip where it is absent.
inline QString sharedData(const QString &relative)
{
    return QDir::cleanPath(
        QStringLiteral(REPRISE_SOURCE_DIR) + QStringLiteral("/../shared/data/") + relative);
}

} // namespace reprise::test
