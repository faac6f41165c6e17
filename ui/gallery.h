#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <QString>
#include <QStringList>

namespace reprise::ui {

/// Opens every view on a store, light and dark, and writes a PNG of each to `folder`: the pictures
/// of the README, and what a headless `app/run` leaves. Answers the files. Needs a QApplication;
/// takes as long as the reading takes, bounded by `waitMsMax` for each view.
[[nodiscard]] Result<QStringList> writeGallery(
    const QString &storePath, const QString &folder, Clock &clock, int waitMsMax = 20'000);

} // namespace reprise::ui
