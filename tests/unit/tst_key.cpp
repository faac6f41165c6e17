#include "core/key/key.h"

#include <QTest>

using namespace reprise;

namespace {

std::string text(const QByteArray &bytes)
{
    return bytes.toStdString();
}
Key keyOf(const QByteArray &run, qint64 seq)
{
    return deriveKey(*RunId::parse(text(run)), *Seq::of(seq));
}

} // namespace

class TestKey : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void deriveKey_publishedVectors_data()
    {
        QTest::addColumn<QByteArray>("run");
        QTest::addColumn<qint64>("seq");
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<QByteArray>("uuid");
        const auto row = [](const char *run, qint64 seq, const char *hex, const char *uuid) {
            QTest::addRow("%s %lld", run, static_cast<long long>(seq))
                << QByteArray(run) << seq << QByteArray(hex) << QByteArray(uuid);
        };
        row("run-1", 1, "c32c087ad42928af09b20a99b8135af061e3047afe67bbe236675bcbe43232a7",
            "c32c087a-d429-48af-89b2-0a99b8135af0");
        row("run-1", 23, "e368ed1a8a9294528135df6152f07bbc9fac77381278baa59434496f43851bb5",
            "e368ed1a-8a92-4452-8135-df6152f07bbc");
        row("run-12", 3, "1c562a8c398b7dca6be5dbf2bd55b552d981af4450eb72ee5ce99f3adb8dc12b",
            "1c562a8c-398b-4dca-abe5-dbf2bd55b552");
        row("run-1", 0, "38778726f35fc7473f8a16cc55be31c294f6d4a7cecc26737414074c4df9d4fc",
            "38778726-f35f-4747-bf8a-16cc55be31c2");
        row("\xC3\xA9", 1, "8541a81ee17e2b65f664261a462e82cc7db6d1ac27ddedf86e50416a20c38540",
            "8541a81e-e17e-4b65-b664-261a462e82cc");
        row("e\xCC\x81", 1, "48d84db54407138cd2e1549372e702141a0e53075c92cf97dfa35bed43d8359c",
            "48d84db5-4407-438c-92e1-549372e70214");
        row("注文-💳", 9007199254740993,
            "f20a75f00f5e82378f3ecca14fc3e64fed6126bbc5c5dc9cea04442d193758cb",
            "f20a75f0-0f5e-4237-8f3e-cca14fc3e64f");
        row("run-1", std::numeric_limits<qint64>::max(),
            "1ecfe9ae93095ffecdb5adeb1ba45d78add6457f79ae17b2809baa439f326540",
            "1ecfe9ae-9309-4ffe-8db5-adeb1ba45d78");
    }
    void deriveKey_publishedVectors()
    {
        QFETCH(QByteArray, run);
        QFETCH(qint64, seq);
        QFETCH(QByteArray, hex);
        QFETCH(QByteArray, uuid);
        const Key key = keyOf(run, seq);
        QCOMPARE(key.hex(), text(hex));
        QCOMPARE(formatKey(key, KeyForm::Hex64), text(hex));
        QCOMPARE(formatKey(key, KeyForm::Uuid), text(uuid));
        QCOMPARE(formatKey(key, KeyForm::Hex32), text(hex.left(32)));
        QCOMPARE(*Key::parse(text(hex.toUpper())), key);
    }

    // https://github.com/MemPalace/mempalace/issues/1776: joined parts must not meet.
    void deriveKey_digitsThatMove_E43_differ()
    {
        QVERIFY(keyOf("a:1", 2) != keyOf("a", 12));
        QVERIFY(keyOf("1", 23) != keyOf("12", 3));
        QVERIFY(keyOf("a", 1) != keyOf("a1", 1));
        QVERIFY(!RunId::parse(std::string_view("a\0001", 3)));
    }

    void base32_rfc4648Vectors_lowerCaseWithoutPadding()
    {
        QCOMPARE(toBase32(""), std::string(""));
        QCOMPARE(toBase32("f"), std::string("my"));
        QCOMPARE(toBase32("fo"), std::string("mzxq"));
        QCOMPARE(toBase32("foo"), std::string("mzxw6"));
        QCOMPARE(toBase32("foob"), std::string("mzxw6yq"));
        QCOMPARE(toBase32("fooba"), std::string("mzxw6ytb"));
        QCOMPARE(toBase32("foobar"), std::string("mzxw6ytboi"));
    }

    void formatKey_base32_isTheFirst128Bits()
    {
        // By another implementation: base64.b32encode of the first 16 bytes.
        QCOMPARE(formatKey(keyOf("run-1", 1), KeyForm::Base32),
            std::string("ymwaq6wufeuk6cnsbkm3qe226a"));
    }

    void keyParse_notAKey_refused_data()
    {
        QTest::addColumn<QByteArray>("hex");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("63 digits") << QByteArray(63, 'a');
        QTest::newRow("65 digits") << QByteArray(65, 'a');
        QTest::newRow("a letter beyond f") << QByteArray(63, 'a') + 'g';
        QTest::newRow("uuid") << QByteArray("c32c087a-d429-48af-89b2-0a99b8135af0");
    }
    void keyParse_notAKey_refused()
    {
        QFETCH(QByteArray, hex);
        const auto key = Key::parse(text(hex));
        QVERIFY(!key && key.error().code == ErrorCode::InvalidInput);
    }

    void runId_valid_E44_keepsItsBytes_data()
    {
        QTest::addColumn<QByteArray>("run");
        QTest::newRow("one byte") << QByteArray("a");
        QTest::newRow("255 bytes") << QByteArray(255, 'r');
        QTest::newRow("composed") << QByteArray("caf\xC3\xA9");
        QTest::newRow("decomposed") << QByteArray("cafe\xCC\x81");
        QTest::newRow("emoji") << QByteArray("\xF0\x9F\x92\xB3");
        QTest::newRow("right to left") << QByteArray("\xD7\xA9\xD7\x9C\xE2\x80\xAE");
        QTest::newRow("zero width") << QByteArray("a\xE2\x80\x8B");
        QTest::newRow("blank") << QByteArray(" ");
        QTest::newRow("digits") << QByteArray("000123");
    }
    void runId_valid_E44_keepsItsBytes()
    {
        QFETCH(QByteArray, run);
        const auto parsed = RunId::parse(text(run));
        QVERIFY(parsed);
        QCOMPARE(parsed->bytes(), text(run));
    }

    void runId_invalid_E45_refused_data()
    {
        QTest::addColumn<QByteArray>("run");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("256 bytes") << QByteArray(256, 'r');
        QTest::newRow("256 bytes in 128 letters") << QByteArray("\xC3\xA9").repeated(128);
        QTest::newRow("nul") << QByteArray("a\0b", 3);
        QTest::newRow("line break") << QByteArray("a\nb");
        QTest::newRow("delete") << QByteArray("a\x7F");
        QTest::newRow("C1 control") << QByteArray("a\xC2\x85");
        QTest::newRow("stray byte") << QByteArray("a\xFF");
        QTest::newRow("cut letter") << QByteArray("a\xC3");
        QTest::newRow("overlong slash") << QByteArray("\xC0\xAF");
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80");
        QTest::newRow("above U+10FFFF") << QByteArray("\xF4\x90\x80\x80");
    }
    void runId_invalid_E45_refused()
    {
        QFETCH(QByteArray, run);
        const auto parsed = RunId::parse(text(run));
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, ErrorCode::InvalidInput);
        // Whatever the bytes are, the message is one line of text.
        QVERIFY(isValidUtf8(parsed.error().text()));
        QVERIFY(!hasControlCharacter(parsed.error().text()));
    }

    void seq_valid_E46_data()
    {
        QTest::addColumn<QByteArray>("decimal");
        QTest::addColumn<qint64>("value");
        QTest::newRow("zero") << QByteArray("0") << qint64(0);
        QTest::newRow("one") << QByteArray("1") << qint64(1);
        QTest::newRow("2^53+1") << QByteArray("9007199254740993") << qint64(9007199254740993);
        QTest::newRow("2^63-1") << QByteArray("9223372036854775807")
                                << std::numeric_limits<qint64>::max();
    }
    void seq_valid_E46()
    {
        QFETCH(QByteArray, decimal);
        QFETCH(qint64, value);
        const auto seq = Seq::parse(text(decimal));
        QVERIFY(seq);
        QCOMPARE(qint64(seq->value()), value);
        QCOMPARE(*Seq::of(value), *seq);
    }

    void seq_invalid_E46_refused_data()
    {
        QTest::addColumn<QByteArray>("decimal");
        for (const char *decimal : {"", "-1", "-0", "+1", "03", "00", "1.5", "1.0", "1e0", " 1",
                 "1 ", "0x1", "true", "9223372036854775808", "99999999999999999999", "\xD9\xA1"})
            QTest::addRow("'%s'", decimal) << QByteArray(decimal);
        QTest::newRow("nul after the digit") << QByteArray("1\0", 2);
    }
    void seq_invalid_E46_refused()
    {
        QFETCH(QByteArray, decimal);
        const auto seq = Seq::parse(text(decimal));
        QVERIFY(!seq);
        QCOMPARE(seq.error().code, ErrorCode::InvalidInput);
    }
    void seqOf_negative_E46_refused()
    {
        QVERIFY(!Seq::of(-1));
        QVERIFY(!Seq::of(std::numeric_limits<qint64>::min()));
    }
};

QTEST_APPLESS_MAIN(TestKey)
#include "tst_key.moc"
