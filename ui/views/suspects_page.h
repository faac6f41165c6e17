#pragma once

#include "ui/models/tables.h"
#include "ui/tasks/store_session.h"
#include "ui/views/store_page.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace reprise::ui {

class DataTable;
class EvidenceCard;

/// The ranked queue of suspects with the evidence card of the selected one.
class SuspectsPage : public StorePage
{
    Q_OBJECT
public:
    explicit SuspectsPage(StoreSession &session, QWidget *parent = nullptr);

    [[nodiscard]] DataTable *table() const { return m_table; }
    [[nodiscard]] QWidget *mainView() const override;
    [[nodiscard]] QList<QWidget *> panes() const override;
    [[nodiscard]] std::optional<SelectedAction> selectedAction() const override;
    [[nodiscard]] ReportScope reportScope() const override;
    [[nodiscard]] Facts facts() const override;
    void retranslateTimes() override;
    [[nodiscard]] EvidenceCard *card() const { return m_card; }
    [[nodiscard]] QString selectedCluster() const;
    /// Selects the suspect whose id starts so; leaves the selection where there is none.
    void selectCluster(const QString &start);
    /// Selects the first suspect with a member whose `field` ("payee" or "order") is or holds
    /// `text`; false where there is none.
    bool selectBusiness(const QString &field, const QString &text);

Q_SIGNALS:
    void memberActivated(const QString &runId, qint64 seq);

private:
    void refresh();
    /// The newest of the suspects of the highest severity.
    void selectNewestWorst();
    void showSelected(int row);
    [[nodiscard]] QString emptyText() const;

    StoreSession &m_session;
    SuspectsModel *m_model = nullptr;
    DataTable *m_table = nullptr;
    EvidenceCard *m_card = nullptr;
    QLabel *m_status = nullptr;
    QLabel *m_empty = nullptr;
    QPushButton *m_stop = nullptr;
    QStackedWidget *m_stack = nullptr;
};

} // namespace reprise::ui
