"""Bytes in any encoding, and the language of what they say."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.assembly import clean
from tasks.parsers.decoder import HEAD_BYTES, decode, decode_as, decode_head
from tasks.parsers.language import detect_language
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from warehouse.errors import UnreadableFile

CHINESE = "北光仪器的财年于每年九月三十日结束。截至六月三十日的三个月内，公司营业收入比上年同期增长。"
TRADITIONAL = "傳染病通報作業流程：學校發現學生生病時，應於二十四小時內通報衛生局。"
JAPANESE = "これは日本語の文章です。会社の業績は前年同期比で増加しました。"
KOREAN = "이 회사의 회계연도는 매년 9월 30일에 끝납니다. 매출은 전년 대비 증가했습니다."
GERMAN = "Die Prüfung der Übergröße ergab: alles außer dem Maß war schön.\nZweiter Absatz, müde Füße."
ENGLISH = "The café’s “revenue” rose 5 % – résumé attached. £5 million was naïve."
RUSSIAN = "Финансовый год компании заканчивается тридцатого сентября."
CZECH = "Fiskální rok společnosti končí třicátého září a příjmy se zvýšily."


@pytest.mark.parametrize("text", [CHINESE, TRADITIONAL, JAPANESE, GERMAN, ENGLISH, RUSSIAN, "plain", "会议记录"])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_unicode_with_and_without_marks(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "gb18030"), ("会议记录：项目进度延迟两周", "gb18030"), ("姓名,年龄\n张三,25\n", "gb18030"),
        (TRADITIONAL, "big5"), ("會議記錄：專案進度延遲兩週", "big5"), (TRADITIONAL, "gb18030"),
        (JAPANESE, "shift_jis"), (JAPANESE, "euc_jp"), ("会議の議事録", "shift_jis"), (KOREAN, "euc_kr"),
        (GERMAN, "cp1252"), (GERMAN, "latin-1"), (ENGLISH, "cp1252"), ("It’s fine.", "cp1252"), ("£5", "latin-1"),
        ("Müller & Söhne", "latin-1"), ("L’été – déjà créée", "cp1252"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r"),
        (GERMAN.replace("–", "-"), "cp850"), (GERMAN, "cp437"), ("Årsrapport: indtægter fra små børn", "cp850"),
        (CZECH, "cp852"), ("Zażółć gęślą jaźń.", "iso8859_2"), (RUSSIAN, "cp866"),
        (RUSSIAN, "iso8859_5"), ("L'été à la plage, ça va, où que tu sois.", "cp850"),
        (CZECH, "cp1250"), ("Rok obrotowy spółki kończy się we wrześniu.", "cp1250"),
    ],
)  # fmt: skip
def test_encodings_older_than_unicode(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text
    assert decode("\n".join([text] * 50).encode(encoding)) == "\n".join([text] * 50)


@pytest.mark.parametrize("copies", [1, 50])
@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        ("Přítomni: Jiří Dvořák, Žaneta Říhová, Šimon Kučera; žadatel nedoložil účty.", ["cp1250", "iso8859_2"]),
        ("Členovia schválili rozpočet na ďalší rok, pretože ľudia súhlasili.", ["cp1250", "iso8859_2"]),
        ("Zarząd przyjął budżet; wniosek o remont świetlicy został odrzucony.", ["cp1250", "iso8859_2"]),
        ("Jelen voltak: Szűcs Ödön, Kőszegi Tünde. A tető felújítása őszre marad.", ["cp1250", "iso8859_2"]),
        ("Adunarea a hotărât că şcoala îşi va deschide porţile în toamnă.", ["cp1250", "iso8859_2"]),
        ("Članovi su odlučili da će krov biti popravljen u proljeće, što znači više posla.", ["cp1250", "iso8859_2"]),
        ("Katılanlar: Ayşe Yıldız, Gökhan Şahin, İbrahim Çağlar. Çatının onarımı ertelendi.", ["cp1254"]),
        ("Þátttakendur samþykktu fjárhagsáætlun og ákváðu að viðgerð bíði vors.", ["cp1252"]),
        ("Não há pão: a reunião decidirá sobre a manutenção até amanhã às três.", ["cp1252"]),
        ("Koosolek otsustas, et katus parandatakse õigel ajal, küll mitte sügisel, vaid õhtul.", ["cp1252"]),
        ("Årsmøtet besluttet at taket på øen skal lages på våren.", ["cp1252"]),
        ("Guests: Müller, Søren Ångström, Núñez, Françoise, João, Zoë, Çelik.", ["cp1252"]),
    ],
)  # fmt: skip
def test_the_letters_of_a_language_tell_latin_encodings_apart(text: str, encodings: list[str], copies: int) -> None:
    written = "\n".join([text] * copies)
    assert [decode(written.encode(encoding)) for encoding in encodings] == [written] * len(encodings)


def _take_for_western(data: bytes) -> str:
    """Bytes as a program that knows no UTF-8 shows them."""
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in data)


@pytest.mark.parametrize(
    "text",
    [GERMAN, ENGLISH, CHINESE, TRADITIONAL, JAPANESE, KOREAN, RUSSIAN, CZECH, "café", "5 €", "Ærø", "Łódź i Kraków"],
)
@pytest.mark.parametrize("write", [_take_for_western, lambda data: data.decode("latin-1")])
def test_what_was_encoded_twice_is_decoded_twice(text: str, write: Callable[[bytes], str]) -> None:
    doubled = write(text.encode())
    assert decode(doubled.encode()) == text
    assert decode_as(doubled.encode(), "utf-8") == text


@pytest.mark.parametrize("text", ["Ãƒ la plage, Ã©tÃ©", "dÃ©jÃ  vu"])
def test_blanks_that_were_changed_since_do_no_harm(text: str) -> None:
    assert "Ã " not in (decode(text.encode()) or "")


@pytest.mark.parametrize(
    "text",
    [
        'The word "cafÃ©" stands where "café" was meant.', "CAFÉ’S MENU", "40 Å² of it", "IRMÃ MARIA", "NÃO HÁ PÃO",
        "«AMANHû", "50 Â", *[GERMAN, ENGLISH, CHINESE, JAPANESE, KOREAN, RUSSIAN, CZECH],
    ],
)  # fmt: skip
def test_what_was_encoded_once_stays(text: str) -> None:
    assert decode(text.encode()) == text


def test_what_is_beyond_ascii_may_stand_far_down() -> None:
    text = "plain words\n" * 20_000 + "It’s Müller"
    assert decode(text.encode("cp1252")) == text
    assert decode(text.encode()) == text


def test_a_cut_character_at_the_end_of_the_beginning_is_no_harm() -> None:
    for encoding in ("utf-8", "utf-16", "utf-32-le", "gb18030"):
        data = ("x" + CHINESE * 3_000).encode(encoding)
        assert len(data) > HEAD_BYTES
        assert decode_head(data).startswith("x北光")
        assert "\ufffd" not in decode_head(data)


def test_a_few_broken_bytes_do_not_change_the_encoding() -> None:
    data = (CHINESE * 20).encode()
    assert (decode(data[:300] + b"\xff" + data[300:]) or "").count("\ufffd") >= 1
    assert (decode(data[:300] + b"\xff" + data[300:]) or "").startswith(CHINESE)


@pytest.mark.parametrize("text", [GERMAN, ENGLISH, "L’été – déjà créée à Ürümqi", "“It’s fine…”"])
def test_of_texts_whose_lines_end_as_on_the_first_macintoshes_the_encoding_is_theirs(text: str) -> None:
    for each in (f"{text}\n", f"{text}\n" * 50):
        assert clean(decode(each.replace("\n", "\r").encode("mac_roman")) or "") == each


@pytest.mark.parametrize("text", [GERMAN, ENGLISH, CHINESE, RUSSIAN])
@pytest.mark.parametrize("stray", [b"\xff", b"\xe9", b"\x92", b"\xc3"])
def test_a_stray_byte_in_a_short_text_does_not_change_the_encoding(text: str, stray: bytes) -> None:
    decoded = decode(f"{text} ".encode() * 2 + stray + f" {text}".encode()) or ""
    assert decoded.count(text) == 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "cp1252"])
@pytest.mark.parametrize("length", [0, 1, 3, 4, 5, 512, 100_000])
def test_zeros_behind_a_text_are_no_text(encoding: str, length: int) -> None:
    text = f"{ENGLISH}\nLast line of the log.\n"
    data = text.encode(encoding)
    data += bytes(length - length % {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4}.get(encoding, 1))
    assert clean(decode(data) or "") == text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\x1b[1;31mError:\x1b[0m disk\x1b[K full", "Error: disk full"),
        ("\x1b]0;title\x07user of it\x1b(B$", "user of it$"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b=end", "link =end"), ("N\bNA\bAME _\bf_\bi", "NAME fi"),
        ("a\vb\x85c\u2028d\u2029e\r\nf\rg", "a\nb\nc\nd\ne\nf\ng"), ("[1;31m] is no colour", "[1;31m] is no colour"),
    ],
)  # fmt: skip
def test_marks_of_terminals_and_printers_are_no_words(written: str, shown: str) -> None:
    assert clean(written) == shown
    assert read(Raw("a.txt", written.encode())).text == shown
    assert shown in read(Raw("a.json", json.dumps({"line one": written}).encode())).text.replace(" b", "\nb")


def test_line_ends_and_nuls() -> None:
    assert read(Raw("a.txt", b"one\r\ntwo\rthree\n\r\nfour")).text == "one\ntwo\nthree\n\nfour"
    assert read(Raw("a.txt", b"one\0 two three four five six seven eight nine ten\n")).text.startswith("one two")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html", b"<html>\0\0<p>one\0 two</p></html>"),
        ("a.csv", b"one,two\n1,\0\n\0,2\n"),
        ("a.md", b"# one\0\n\n\0two\n"),
        ("a.json", b'{"one":"\0two"}'),
        ("a.eml", b"Subject: one\0\n\nwords of two\0 lines\n"),
    ],
)
def test_a_few_stray_nuls_leave_a_short_text_a_text(name: str, data: bytes) -> None:
    text = read(Raw(name, data)).text
    assert "one" in text
    assert "two" in text
    with pytest.raises(UnreadableFile, match="binary content"):
        read(Raw(name, data.replace(b"o", b"\1\0")))


def test_bytes_that_are_no_text() -> None:
    noise = random.Random(1)
    for length in (100, 300, 5_000):
        assert decode(noise.randbytes(length)) is None
    assert decode(bytes(range(256)) * 9) is None


def test_a_declared_encoding_is_believed_unless_the_bytes_deny_it() -> None:
    assert decode_as(TRADITIONAL.encode("big5"), "Big5") == TRADITIONAL
    assert decode_as(CHINESE.encode("gb18030"), "gb2312") == CHINESE
    assert decode_as("“x”".encode("cp1252"), "iso-8859-1") == "“x”"
    assert decode_as(CHINESE.encode(), "big5") == CHINESE
    assert decode_as(GERMAN.encode("utf-16"), "latin-1") == GERMAN
    assert decode_as(GERMAN.encode(), "unheard-of") == GERMAN


@given(st.binary(max_size=200))
def test_decoding_never_fails(data: bytes) -> None:
    for text in (decode(data), decode_as(data, "shift_jis")):
        assert text is None or isinstance(text, str)


@pytest.mark.parametrize(
    ("words", "language"),
    [("The fiscal year ends in September.", "en"), ("财年于每年九月三十日结束。", "zh"), (TRADITIONAL, "zh"),
     ("2024 年 Q3 revenue 增长", "zh"), (JAPANESE, "und"), (RUSSIAN, "und"), (KOREAN, "und"), (GERMAN, "de"),
     (CZECH, "und"), ("12 34", "und"), ("a 中", "zh"), ("", "und"), ("Revenue 2024", "en"), ("naïve Bayes", "en"),
     ("Zürich office", "en"), ("Net income per share 1.20 1.31", "en"), ("Chính sách bảo hành", "und"),
     ("El año fiscal terminó en septiembre", "es"), ("de facto standard", "en")],
)  # fmt: skip
def test_languages(words: str, language: str) -> None:
    assert detect_language(words) == language


def test_a_cover_in_english_does_not_hide_a_chinese_document() -> None:
    assert detect_language("Annual Report of the Company. " * 900 + CHINESE * 3_000) == "zh"


def test_what_words_leave_open_is_in_the_declared_language() -> None:
    assert detect_language("Northlight Instruments", "de") == "de"
    assert detect_language("Northlight Instruments", "sv") == "und"
    assert detect_language("The year ends in May and that is the end of it.", "de") == "en"
    assert detect_language(CHINESE, "en") == "zh"
