"""Headers as senders meant them, however they are written."""

from __future__ import annotations

from email import message_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.mail.header_fields import (
    Address,
    decode_base64,
    decode_words,
    find_sent_moment,
    get_file_name,
    get_raw_header,
    parse_addresses,
    parse_message_ids,
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("=?utf-8?q?M=C3=BCller=2C_Jan?=", "Müller, Jan"),
        ("=?GB2312?B?1tDOxA==?= =?GB2312?B?1tDOxA==?= x", "中文中文 x"),
        ("=?utf-8?q?a=E4=B8?= =?utf-8?q?=AD?=", "a中"),
        ("=?no-such-charset?q?abc?=", "abc"),
        ("=?utf-8?b?%%%?= rest", "rest"),
        ("=?iso-8859-1*de?Q?gr=FCn?=", "grün"),
        ("plain  text", "plain text"),
    ],
)
def test_encoded_words_are_decoded(written: str, meant: str) -> None:
    assert decode_words(written) == meant


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "cp1252"])
def test_headers_of_eight_bits_are_decoded_by_what_they_are(encoding: str) -> None:
    text = "水泵的维修报告" if encoding != "cp1252" else "Müller prüft die Pumpe für den Pier"
    message = message_from_bytes(b"Subject: " + text.encode(encoding) + b"\n\n")
    assert get_raw_header(message, "subject") == text


@pytest.mark.parametrize(
    ("header", "people"),
    [
        ('"Weber, Anna" <a@x.org>, b@y.org', [Address("Weber, Anna", "a@x.org"), Address("", "b@y.org")]),
        ("Weber, Anna <a@x.org>", [Address("Weber, Anna", "a@x.org")]),
        ("a@x.org (Anna)", [Address("Anna", "a@x.org")]),
        ("Team: a@x.org, Bo <b@y.org>;", [Address("", "a@x.org"), Address("Bo", "b@y.org")]),
        ("undisclosed-recipients:;", []),
        ("=?utf-8?q?M=C3=BCller=2C_Jan?= <j@x.org>", [Address("Müller, Jan", "j@x.org")]),
        ("a@x.org <a@x.org>", [Address("", "a@x.org")]),
        ("Anna", [Address("Anna", "")]),
    ],
)
def test_people_are_told_apart(header: str, people: list[Address]) -> None:
    assert parse_addresses([header]) == people


@pytest.mark.parametrize(
    "header",
    [
        "Content-Disposition: attachment; filename*0*=utf-8''%E4%B8; filename*1*=%AD.pdf",
        "Content-Disposition: attachment; filename*=utf-8''%E4%B8%AD.pdf",
        'Content-Disposition: attachment; filename="中.pdf"',
        'Content-Type: application/pdf; name="=?utf-8?b?5LitLnBkZg==?="',
        'Content-Disposition: attachment; filename="C:\\\\private\\\\中.pdf"',
        'Content-Disposition: attachment; filename="../../中.pdf"',
    ],
)
def test_names_of_files_are_read_in_every_form(header: str) -> None:
    assert get_file_name(message_from_bytes(f"{header}\n\n".encode())) == "中.pdf"


@pytest.mark.parametrize(
    ("headers", "day"),
    [
        ("Date: Wed, 12 Mar 2025 23:30:00 -0800", "2025-03-12"),
        ("Date: Wed, 32 Mar 2025 23:30:00 -0800\nReceived: by x; Thu, 13 Mar 2025 08:00:00 +0100", "2025-03-13"),
        ("Date: Fri, 1 Jan 2038 10:00:00 +0000\nReceived: by x; Thu, 13 Mar 2025 08:00:00 +0100", "2025-03-13"),
        ("Date: 2025-03-12T10:00:00+01:00", "2025-03-12"),
        ("Date: nonsense\nDelivery-Date: Wed, 12 Mar 2025 10:00:00 +0000", "2025-03-12"),
        ("Received: by x; no date", ""),
    ],
)
def test_a_message_is_of_the_day_that_its_sender_had(headers: str, day: str) -> None:
    found = find_sent_moment(message_from_bytes(f"{headers}\n\n".encode()))
    assert str(found.day if found else "") == day


def test_the_line_of_a_mailbox_dates_what_has_no_other_date() -> None:
    found = find_sent_moment(message_from_bytes(b"Subject: x\n\n"), "Wed Mar 12 13:05:00 2025")
    assert found is not None
    assert str(found.day) == "2025-03-12"


def test_base64_is_read_as_far_as_it_goes() -> None:
    assert decode_base64(b"aGVs\nbG8*=\n!") == b"hello"
    assert decode_base64(b"aGk=aG8=") == b"hiho"
    assert decode_base64(b"a") == b""


def test_ids_are_read_once() -> None:
    assert parse_message_ids(["<a@b> junk <c@d>", "<a@b>"]) == ["a@b", "c@d"]


@given(st.text(max_size=200))
def test_no_header_is_a_failure(text: str) -> None:
    message = message_from_bytes(
        f"Subject: {text}\nFrom: {text}\nDate: {text}\nContent-Disposition: {text}".encode("utf-8", "replace") + b"\n\n"
    )
    decode_words(get_raw_header(message, "subject"))
    parse_addresses([text])
    find_sent_moment(message, text)
    get_file_name(message)
