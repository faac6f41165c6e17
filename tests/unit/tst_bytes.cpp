#include "core/base/bytes.h"
#include "core/base/random.h"
#include "core/base/sha256.h"

#include <QTest>

using namespace reprise;

namespace {

QByteArray bytesOf(const std::string &text)
{
    return QByteArray::fromStdString(text);
}

std::string everyByte()
{
    std::string all;
    for (int i = 0; i < 256; ++i)
        all += static_cast<char>(i);
    return all;
}

} // namespace

/// Hex, base64, UTF-8, digests and random names.
class TestBytes : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void hex_thereAndBack()
    {
        const std::string all = everyByte();
        const std::string hex = toHex(all);
        QCOMPARE(bytesOf(hex), bytesOf(all).toHex());
        QCOMPARE(*fromHex(hex), all);
        QCOMPARE(*fromHex("0A0b"), std::string("\n\x0b"));
        QCOMPARE(*fromHex(""), std::string());
        for (const char *wrong : {"0", "0g", "g0", " 00", "0x00"})
            QVERIFY2(!fromHex(wrong), wrong);
    }

    void base64_thereAndBack()
    {
        const std::string all = everyByte();
        for (std::size_t length = 0; length <= all.size(); ++length) {
            const std::string part = all.substr(0, length);
            QCOMPARE(bytesOf(toBase64(part)), bytesOf(part).toBase64());
            QCOMPARE(*fromBase64(toBase64(part)), part);
        }
    }
    void fromBase64_wrong_refused_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *wrong : {"A", "AA", "AAA", "A===", "====", "=AAA", "AA=A", "AA==AAAA",
                 "AA A", "AA\n=", "AA-_", "QR==", "QUJ="})
            QTest::addRow("%s", wrong) << QByteArray(wrong);
        QTest::newRow("nul") << QByteArray("AA\0=", 4);
    }
    void fromBase64_wrong_refused()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!fromBase64(text.toStdString()));
    }

    void isValidUtf8_table_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("valid");
        const auto row = [](const char *name, const QByteArray &bytes, bool valid) {
            QTest::newRow(name) << bytes << valid;
        };
        row("empty", "", true);
        row("nul", QByteArray("a\0b", 3), true);
        row("first and last of two bytes", "\xC2\x80\xDF\xBF", true);
        row("first and last of three", "\xE0\xA0\x80\xEF\xBF\xBF", true);
        row("around the surrogates", "\xED\x9F\xBF\xEE\x80\x80", true);
        row("first and last of four", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", true);
        row("overlong in two", "\xC1\xBF", false);
        row("overlong in three", "\xE0\x9F\xBF", false);
        row("overlong in four", "\xF0\x8F\xBF\xBF", false);
        row("first surrogate", "\xED\xA0\x80", false);
        row("last surrogate", "\xED\xBF\xBF", false);
        row("above the last", "\xF4\x90\x80\x80", false);
        row("lead above", "\xF5\x80\x80\x80", false);
        row("continuation alone", "\x80", false);
        row("cut after one of two", "\xC3", false);
        row("cut after two of three", "\xE2\x82", false);
        row("cut after three of four", "\xF0\x9F\x92", false);
        row("not a continuation", "\xE2\x82\x41", false);
        row("another lead inside", "\xC3\xC3\xA9", false);
    }
    void isValidUtf8_table()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, valid);
        QCOMPARE(isValidUtf8(bytes.toStdString()), valid);
    }

    void decodeUtf8_everyCodePoint_readsBack()
    {
        for (char32_t code = 0; code <= 0x10FFFF; ++code) {
            if (code == 0xD800)
                code = 0xE000;
            const std::string text = QStringView(QChar::fromUcs4(code)).toUtf8().toStdString();
            const CodePoint point = decodeUtf8(text, 0);
            if (point.code != code || point.length != text.size())
                QFAIL(qPrintable(QString::number(code, 16)));
        }
    }

    // E44: what cannot be told apart by eye is escaped.
    void printable_hiddenCharacters_E44_areEscaped_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char *name, const QByteArray &text, const char *shown) {
            QTest::newRow(name) << text << QByteArray(shown);
        };
        row("plain", "run-1", "run-1");
        row("letters and emoji", "caf\xC3\xA9 \xF0\x9F\x92\xB3", "caf\xC3\xA9 \xF0\x9F\x92\xB3");
        row("line break", "a\r\nb",
            "a\\x0d\\x0a"
            "b");
        row("nul", QByteArray("a\0b", 3),
            "a\\x00"
            "b");
        row("escape sequence", "\x1B[2J", "\\x1b[2J");
        row("delete", "\x7F", "\\x7f");
        row("C1 control",
            "a\xC2\x9B"
            "2J",
            "a\\u{009b}2J");
        row("stray byte",
            "a\xFF"
            "b",
            "a\\xff"
            "b");
        row("right-to-left override",
            "a\xE2\x80\xAE"
            "b",
            "a\\u{202e}b");
        row("isolate", "\xE2\x81\xA6", "\\u{2066}");
        row("zero width",
            "a\xE2\x80\x8B"
            "b",
            "a\\u{200b}b");
        row("line separator",
            "a\xE2\x80\xA8"
            "b",
            "a\\u{2028}b");
        row("byte order mark",
            "\xEF\xBB\xBF"
            "a",
            "\\u{feff}a");
        row("tag", "\xF3\xA0\x81\x81", "\\u{e0041}");
    }
    void printable_hiddenCharacters_E44_areEscaped()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        QCOMPARE(bytesOf(printable(text.toStdString())), shown);
    }

    void printable_longText_isCutBetweenCharacters()
    {
        QCOMPARE(printable("abc", 3), std::string("abc"));
        QCOMPARE(printable("abcd", 3), std::string("abc\xE2\x80\xA6"));
        QCOMPARE(printable("ab\xC3\xA9", 3), std::string("ab\xE2\x80\xA6"));
        QCOMPARE(printable("ab\n", 3), std::string("ab\xE2\x80\xA6"));
        QCOMPARE(printable("", 0), std::string());
    }

    void sha256_nistVectors()
    {
        const auto hexOf = [](const std::string &bytes) { return Sha256::of(bytes).hex(); };
        QCOMPARE(hexOf(""),
            std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(hexOf("abc"),
            std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(hexOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
        QCOMPARE(hexOf(std::string(1'000'000, 'a')),
            std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    }

    void sha256_inPieces_isTheSame_andStartsAgain()
    {
        Sha256 hash;
        hash.add("a");
        hash.add("bc");
        QCOMPARE(hash.finish(), Sha256::of("abc"));
        hash.add("abc");
        QCOMPARE(hash.finish(), Sha256::of("abc"));
        hash.addPrefixed("abc");
        QCOMPARE(hash.finish(), Sha256::of(std::string("\0\0\0\0\0\0\0\3abc", 11)));
    }

    void digest_onlyOfItsSize()
    {
        const Digest digest = Sha256::of("abc");
        QCOMPARE(*Digest::fromHex(digest.hex()), digest);
        QCOMPARE(*Digest::fromBytes(digest.view()), digest);
        QVERIFY(!Digest::fromBytes(digest.view().substr(1)));
        QVERIFY(!Digest::fromHex(digest.hex() + "00"));
    }

    void seededRandom_sameSeed_sameNames()
    {
        // SplitMix64's published first numbers for seed 0.
        SeededRandom zero(0);
        QCOMPARE(zero.next(), std::uint64_t(0xE220A8397B1DCDAF));
        QCOMPARE(zero.next(), std::uint64_t(0x6E789E6AA1B965F4));
        QCOMPARE(SeededRandom(0).hex128(), std::string("6e789e6aa1b965f4e220a8397b1dcdaf"));
    }

    void below_coversTheRangeAndNothingElse()
    {
        SeededRandom random(7);
        std::array<int, 5> seen {};
        for (int i = 0; i < 5'000; ++i)
            ++seen.at(random.below(5));
        for (const int count : seen)
            QVERIFY(count > 800);
        QCOMPARE(random.below(1), std::uint64_t(0));
    }
};

QTEST_APPLESS_MAIN(TestBytes)
#include "tst_bytes.moc"
