#pragma once

#include "core/demo/demo.h"

#include <QDir>
#include <QString>
#include <QTemporaryDir>

namespace reprise::test {

/// The demonstration store, made once for a test program and gone with it.
class DemoStore
{
public:
    DemoStore()
    {
        const auto made = makeDemo({m_folder.filePath(QStringLiteral("demo")).toStdString(), 1, 0,
            REPRISE_BINARY_DIR "/reprise-demo-provider"});
        if (made)
            m_path = QString::fromStdString(made->storePath);
        else
            qFatal("%s", made.error().text().c_str());
    }
    [[nodiscard]] const QString &path() const { return m_path; }
    [[nodiscard]] QString folder() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
    QString m_path;
};

} // namespace reprise::test
