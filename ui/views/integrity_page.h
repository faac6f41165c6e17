#pragma once

#include "core/journal/verify.h"
#include "ui/models/columns_model.h"
#include "ui/tasks/store_session.h"
#include "ui/views/store_page.h"

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace reprise::ui {

class DataTable;

/// Identity of the store, its files and hashes, and the verification of its journal.
class IntegrityPage : public StorePage
{
    Q_OBJECT
public:
    explicit IntegrityPage(StoreSession &session, QWidget *parent = nullptr);
    [[nodiscard]] DataTable *table() const { return m_table; }
    [[nodiscard]] QWidget *mainView() const override;
    void retranslateTimes() override { refresh(); }
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] bool isBusy() const { return m_channel.isBusy(); }

public Q_SLOTS:
    void verify();
    void refresh();

private:
    StoreSession &m_session;
    TaskChannel m_channel;
    ColumnsModel<IntegrityFinding> *m_model = nullptr;
    DataTable *m_table = nullptr;
    QLabel *m_facts = nullptr;
    QLabel *m_verdict = nullptr;
    QCheckBox *m_deep = nullptr;
    QPushButton *m_verify = nullptr;
    QProgressBar *m_progress = nullptr;
};

} // namespace reprise::ui
