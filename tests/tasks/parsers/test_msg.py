"""Messages of Outlook: headers that came or that Outlook knows, bodies of three kinds, what is attached."""

from __future__ import annotations

import random
import struct
from datetime import UTC, date, datetime
from uuid import UUID

import pytest

from tasks.parsers.mail.rich_text_body import read_rich_text_body, unpack_rich_text
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.tasks.parsers.raw_mail import attached, headings, mixed, part, read_mail, shown, texts
from tests.tasks.parsers.raw_msg import Tree, compound, file, inner, message, properties, read_msg
from tests.tasks.parsers.test_fuzz import is_read_or_refused
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind

SENT = datetime(2025, 3, 12, 13, 5, tzinfo=UTC)
TOM = properties({0x3001: "Okafor, Tom", 0x39FE: "tom@y.example"}, {0x0C15: 1})
KIM = properties({0x3001: "Kim", 0x3003: "/O=ORG/CN=KIM"}, {0x0C15: 2})
PUMP = {0x0037: "Pump", 0x1000: "The pump leaks.", 0x0042: "Anna Weber", 0x5D02: "anna@harbour.example"}
MOMENT: dict[int, int | datetime] = {0x0039: SENT}


def packed(rich: bytes) -> bytes:
    """Rich Text as messages have it, every byte a literal."""
    data = b"".join(b"\0" + rich[place : place + 8] for place in range(0, len(rich), 8))
    return struct.pack("<II4sI", len(data) + 12, len(rich), b"LZFu", 0) + data


def test_a_message_that_was_never_sent_by_mail_has_what_outlook_knows() -> None:
    document = read_msg(message(PUMP, MOMENT, recipients=[TOM, KIM]))
    assert headings(document) == [(1, "Pump"), (2, "2025-03-12 13:05, Anna Weber")]
    assert shown(document) == ["The pump leaks."]
    assert texts(document, BlockKind.FURNITURE) == [
        "From: Anna Weber <anna@harbour.example>\nTo: Okafor, Tom <tom@y.example>\nCc: Kim"
    ]
    assert [claim.date for claim in document.dates] == [date(2025, 3, 12)]


def test_headers_of_the_transport_say_the_senders_own_hour() -> None:
    headers = (
        'From: "Anna W." <anna@x>\r\nDate: Wed, 12 Mar 2025 23:30:00 -0800\r\nContent-Type: text/x; charset=zz\r\n'
    )
    document = read_msg(message({**PUMP, 0x007D: headers}, MOMENT))
    assert headings(document)[1] == (2, "2025-03-12 23:30, Anna W.")


def test_quotations_and_signatures_are_told_apart_as_in_mail() -> None:
    lead = ["-----Original Message-----", "From: Tom", "Sent: Monday, March 10, 2025 9:00 AM", "Subject: Pump"]
    body = "\r\n".join(["Mine.", "", *lead, "", "His."])
    document = read_msg(message({**PUMP, 0x1000: body}, MOMENT))
    assert (2, "2025-03-10 09:00, Tom (quoted)") in headings(document)


@pytest.mark.parametrize(
    ("codepage", "data", "words"),
    [(1251, "насос течёт".encode("cp1251"), "насос течёт"), (932, "ポンプの漏れ".encode("cp932"), "ポンプの漏れ"),
     (65001, "naïve".encode(), "naïve"), (99999, b"plain", "plain")],
)  # fmt: skip
def test_characters_of_one_byte_are_of_the_code_page_of_the_message(codepage: int, data: bytes, words: str) -> None:
    tree = {**message({0x0037: "x"}, {**MOMENT, 0x3FFD: codepage}), "__substg1.0_1000001E": data}
    assert shown(read_msg(tree)) == [words]
    page = message({0x0037: "x", 0x1013: b"<html><body><p>" + data + b"</p></body></html>"}, {0x3FDE: codepage})
    assert shown(read_msg(page)) == [words]


def test_recipients_and_files_are_of_the_code_page_of_their_message() -> None:
    person = {**properties(numbers={0x0C15: 1}), "__substg1.0_3001001E": "張毓倫".encode("big5")}
    attached = {**properties({0x3701: b"Level 4.1 m"}, {0x3705: 1}), "__substg1.0_3707001E": "水位.txt".encode("big5")}
    tree = message({0x0037: "x", 0x1000: "See it."}, {**MOMENT, 0x3FFD: 950}, recipients=[person], attached=[attached])
    found = read_msg(tree).text
    assert "To: 張毓倫" in found
    assert "水位.txt" in found


def test_rich_text_alone_is_read() -> None:
    rich = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}{\colortbl;\red0;}\f0 Caf\'e9 \u8364?5"
        rb"\par {\f1 \'ed\'e0\'f1\'ee\'f1}\par {\*\generator x}A {\b bold} word\tab end \{x\}}"
    )
    assert shown(read_msg(message({0x0037: "x", 0x1009: packed(rich)}, MOMENT))) == [
        "Café €5\nнасос\nA bold word\tend {x}"
    ]


def test_a_page_inside_of_rich_text_is_taken_out() -> None:
    rich = (
        rb"{\rtf1\ansi\fromhtml1{\*\htmltag64 <html><body>}{\*\htmltag64 <p>}\htmlrtf {\b \htmlrtf0 The pump\htmlrtf }"
        rb"\htmlrtf0{\*\htmltag72 </p>}\htmlrtf\par\htmlrtf0{\*\htmltag64 <ul><li>}one{\*\htmltag72 </li></ul>}}"
    )
    assert read_rich_text_body(rich) == (True, "<html><body><p>The pump</p><ul><li>one</li></ul>")
    document = read_msg(message({0x0037: "x", 0x1009: packed(rich)}, MOMENT))
    assert shown(document) == ["The pump", "- one"]


def test_headings_and_items_of_rich_text_are_lines_of_words() -> None:
    rich = rb"{\rtf1\ansi\outlinelevel1 Pumps\par\pard\ilvl1 one\par\pard two\par}"
    assert read_rich_text_body(rich) == (False, "Pumps\none\ntwo\n")


def test_rich_text_is_unpacked_as_the_specification_says() -> None:
    data = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpack_rich_text(data) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert unpack_rich_text(data[:30]).startswith(b"{\\rtf1\\ansi")
    with pytest.raises(UnreadableFile):
        unpack_rich_text(struct.pack("<II4sI", 12, 2**31, b"LZFu", 0))


def test_files_and_messages_inside_are_read() -> None:
    within = message({**PUMP, 0x0037: "Seal", 0x1000: "Torn."}, MOMENT, is_inside=True)
    picture = {**properties({0x3707: "a.png", 0x370E: "image/png", 0x3701: b"\x89PNG", 0x3712: "a@b"}, {0x3705: 1})}
    linked = properties({0x3707: "far.doc"}, {0x3705: 2})
    tree = message(PUMP, MOMENT, attached=[file("log.csv", b"day,bar\n1,2\n2,3\n"), inner(within), picture, linked])
    document = read_msg(tree)
    assert (2, "2025-03-12 13:05, Anna Weber (attached)") in headings(document)
    assert "Attachments: log.csv (1 KB); far.doc (empty)" in shown(document)
    assert len(document.tables) == 1
    assert "Torn." in shown(document)


def test_a_message_of_outlook_attached_to_mail_is_read() -> None:
    data = compound(message(PUMP, MOMENT))
    document = read_mail(mixed(part("See below."), attached("pump.msg", data)))
    assert (2, "2025-03-12 13:05, Anna Weber (attached)") in headings(document)
    cut = read_mail(mixed(part("See below."), attached("pump.msg", data[:900])))
    assert "See below." in shown(cut)
    assert [finding.name for finding in cut.findings] == ["lost-part"]


def test_a_signed_message_is_read_and_of_a_sealed_one_the_headers() -> None:
    signed = b"Content-Type: multipart/signed; boundary=e\n\n--e\n" + part("Signed words.") + b"\n--e--\n"
    kind = {**PUMP, 0x001A: "IPM.Note.SMIME.MultipartSigned", 0x1000: ""}
    assert shown(read_msg(message(kind, MOMENT, attached=[file("smime.p7m", signed, "multipart/signed")]))) == [
        "Signed words."
    ]
    sealed = file("smime.p7m", b"\x30\x80", "application/pkcs7-mime")
    document = read_msg(message({**kind, 0x001A: "IPM.Note.SMIME"}, MOMENT, attached=[sealed]))
    assert shown(document)[0] == "The text of this message is encrypted."
    assert [finding.name for finding in document.findings] == ["encrypted-file"]


def test_an_appointment_says_when_and_where() -> None:
    names = {
        "__substg1.0_00020102": UUID("00062002-0000-0000-c000-000000000046").bytes_le,
        "__substg1.0_00030102": struct.pack("<IHHIHH", 0x820D, 6, 0, 0x8208, 6, 1),
    }
    tree = message(
        {**PUMP, 0x001A: "IPM.Appointment", 0x8001: "Pier 4"},
        {**MOMENT, 0x8000: datetime(2025, 4, 2, 8, tzinfo=UTC)},
        others={"__nameid_version1.0": names},
    )
    assert shown(read_msg(tree))[0] == "When: 2025-04-02 08:00 (UTC)\nWhere: Pier 4"


@pytest.mark.parametrize("name", ["a.msg", "a.oft", "a.doc", "a"])
def test_a_message_is_known_under_any_name(name: str) -> None:
    assert choose_parser(Raw(name, compound(message(PUMP)))) == "msg"


def test_a_document_that_keeps_a_message_is_none() -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.doc", compound({"WordDocument": b"x", "ObjectPool": message(PUMP)})))
    assert "Word" in str(caught.value)


def test_messages_in_messages_end_at_a_depth() -> None:
    tree: Tree = message(PUMP, MOMENT, is_inside=True)
    for _ in range(30):
        tree = message(PUMP, MOMENT, attached=[inner(tree)], is_inside=True)
    document = read_msg({**tree, **properties(PUMP, MOMENT, 32)})
    assert "inside" in document.findings[0].message


def test_what_streams_hold_together_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.parsers.office.compound_file._MAX_READ_BYTES", 2**16)
    with pytest.raises(UnreadableFile) as caught:
        read_msg(message(PUMP, attached=[file("a.bin", bytes(2**17))]))
    assert caught.value.name == "too-large-file"


@pytest.mark.parametrize("number", [30, pytest.param(120, marks=pytest.mark.slow)])
def test_damaged_messages_are_read_or_refused_in_one_line(number: int) -> None:
    within = message(PUMP, MOMENT, is_inside=True)
    whole = compound(
        message({**PUMP, 0x1013: b"<p>page</p>" * 900}, MOMENT, attached=[inner(within)], recipients=[TOM])
    )
    dice = random.Random("msg")
    for _ in range(number):
        data = bytearray(whole)
        for _ in range(dice.choice((1, 5, 50))):
            data[dice.randrange(8, len(data))] = dice.randrange(256)
        if dice.random() < 0.3:
            del data[dice.randrange(len(data)) :]
        is_read_or_refused(Raw("a.msg", bytes(data)))
