#include "core/base/bytes.h"
#include "core/report/visible_text.h"

#include <QtTest/QTest>

using namespace reprise;

class TestVisibleText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void visibleText_marksWhatDoesNotShow_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char *name, const QByteArray &bytes, const char *shown) {
            QTest::newRow(name) << bytes << QByteArray(shown);
        };
        row("plain", "cus_8841", "cus_8841");
        row("nul", QByteArray("a\0b", 3), "a⟨U+0000⟩b");
        row("line feed", "a\nb\tc", "a⟨U+000A⟩b⟨U+0009⟩c");
        row("delete and C1", "\x7f\xc2\x85", "⟨U+007F⟩⟨U+0085⟩");
        row("direction override", "user\xe2\x80\xaegpj.exe", "user⟨U+202E⟩gpj.exe");
        row("direction isolate", "\xe2\x81\xa6x\xe2\x81\xa9", "⟨U+2066⟩x⟨U+2069⟩");
        row("zero width", "pay\xe2\x80\x8bpal", "pay⟨U+200B⟩pal");
        row("joiner",
            "a\xe2\x80\x8d"
            "b",
            "a⟨U+200D⟩b");
        row("byte order mark", "\xef\xbb\xbfx", "⟨U+FEFF⟩x");
        row("soft hyphen",
            "a\xc2\xad"
            "b",
            "a⟨U+00AD⟩b");
        row("line separator",
            "a\xe2\x80\xa8"
            "b",
            "a⟨U+2028⟩b");
        row("tag character", "x\xf3\xa0\x81\x81", "x⟨U+E0041⟩");
        row("invalid byte",
            "a\xff"
            "b",
            "a⟨0xFF⟩b");
        row("overlong slash", "\xc0\xaf", "⟨0xC0⟩⟨0xAF⟩");
        row("surrogate", "\xed\xa0\x80", "⟨0xED⟩⟨0xA0⟩⟨0x80⟩");
        row("cut sequence", "a\xe6\xb3", "a⟨0xE6⟩⟨0xB3⟩");
        row("above the last code point", "\xf4\x90\x80\x80", "⟨0xF4⟩⟨0x90⟩⟨0x80⟩⟨0x80⟩");
        row("scripts", "é 注文 💳 سلام Ж", "é 注文 💳 سلام Ж");
        row("empty", "", "");
    }
    void visibleText_marksWhatDoesNotShow()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, shown);
        const std::string text = visibleText(bytes.toStdString());
        QCOMPARE(QByteArray::fromStdString(text), shown);
        QVERIFY(isValidUtf8(text));
        QVERIFY(!hasControlCharacter(text));
    }

    void visibleText_everyByte_isValidAndWithoutControls()
    {
        for (int first = 0; first < 256; ++first) {
            for (int second = 0; second < 256; ++second) {
                const std::string bytes {static_cast<char>(first), static_cast<char>(second)};
                const std::string text = visibleText(bytes);
                QVERIFY(isValidUtf8(text));
                QVERIFY(!hasControlCharacter(text));
                QVERIFY(!text.empty());
            }
        }
    }

    void visibleRuns_setMarksApart()
    {
        // Data may hold the very text of a mark: only the run tells them apart.
        const auto runs = visibleRuns("⟨U+202E⟩\xe2\x80\xae\xe2\x80\x8b!");
        const std::vector<TextRun> expected {
            {"⟨U+202E⟩", false}, {"⟨U+202E⟩⟨U+200B⟩", true}, {"!", false}};
        QCOMPARE(runs.size(), expected.size());
        QVERIFY(runs == expected);
    }

    void visibleText_keptLineBreaks_stay()
    {
        QCOMPARE(visibleText("{\n\t\"a\": 1\r\n}", LineBreaks::Kept),
            std::string("{\n\t\"a\": 1⟨U+000D⟩\n}"));
    }
};

QTEST_APPLESS_MAIN(TestVisibleText)
#include "tst_visible_text.moc"
