"""Bodies and attachments of messages, however they are packed and damaged."""

from __future__ import annotations

from base64 import b64encode
from email.parser import BytesParser
from email.policy import compat32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.mail.mime_parts import MessageParts, collect_parts
from tests.tasks.parsers.mail.test_signed_data import signed
from tests.tasks.parsers.raw_mail import attached, mail, mixed, part

PAGE = "text/html; charset=utf-8"


def parts(data: bytes) -> MessageParts:
    return collect_parts(BytesParser(policy=compat32).parsebytes(data))


def bodies(data: bytes) -> list[str]:
    return [(body.page.decode("utf-8-sig") or body.text).strip() for body in parts(data).bodies]


@pytest.mark.parametrize(
    ("body", "encoding", "kind"),
    [
        (b"Pr=C3=BCfen=\n Sie", "quoted-printable", "text/plain; charset=utf-8"),
        (b"UHLDvGZlbiBTaWU=", "base64", "text/plain; charset=utf-8"),
        ("Prüfen Sie".encode("latin-1"), "8bit", "text/plain; charset=iso-8859-1"),
        ("Prüfen Sie".encode(), "8bit", "text/plain; charset=no-such-charset"),
        ("Prüfen Sie".encode(), "no-such-encoding", "text/plain"),
    ],
)
def test_a_body_is_decoded(body: bytes, encoding: str, kind: str) -> None:
    assert bodies(mail(body, f"Content-Transfer-Encoding: {encoding}", kind=kind)) == ["Prüfen Sie"]


def test_of_alternatives_the_page_is_read() -> None:
    assert bodies(mixed(part("plain"), part("<p>page</p>", PAGE), kind="alternative")) == ["<p>page</p>"]


def test_a_page_that_only_leads_to_another_is_not() -> None:
    plain = "The pump is repaired and holds its pressure of 4.2 bar. " * 4
    page = "<style>p { color: red }</style><p>View this online</p>"
    assert bodies(mixed(part(plain), part(page, PAGE), kind="alternative")) == [plain.strip()]


def test_what_a_page_shows_is_no_attachment() -> None:
    picture = part(b"\x89PNG", "image/png; name=logo.png", "Content-ID: <logo>")
    found = parts(mixed(part("<p>x</p>", PAGE), picture, attached("plan.png", b"\x89PNG", "image/png"), kind="related"))
    assert [file.name for file in found.files] == ["plan.png"]


def test_the_signature_of_a_whole_message_is_no_attachment() -> None:
    found = parts(mixed(part("signed"), attached("smime.p7s", b"0", "application/pkcs7-signature"), kind="signed"))
    assert ([body.text.strip() for body in found.bodies], found.files) == (["signed"], [])


@pytest.mark.parametrize(
    "data",
    [
        mixed(attached("a", b"Version: 1", "application/pgp-encrypted"), kind="encrypted"),
        mail(b"MIIB", "Content-Transfer-Encoding: base64", kind="application/pkcs7-mime; smime-type=enveloped-data"),
    ],
)
def test_encryption_is_a_problem(data: bytes) -> None:
    assert parts(data).problem == "encrypted"


def test_what_is_signed_in_one_part_is_read() -> None:
    packed = b64encode(signed(b"Content-Type: text/plain\r\n\r\nWe cancel it.", open_ended=True)).decode()
    kind = "application/pkcs7-mime; smime-type=signed-data"
    found = parts(mail(packed, "Content-Transfer-Encoding: base64", kind=kind))
    assert ([body.text for body in found.bodies], found.problem) == (["We cancel it."], "")


def test_uuencoded_files_are_taken_out_of_a_text() -> None:
    text = "Before.\nbegin 644 a.txt\n#0V%T\n`\nend\nAfter.\nbegin 644 no file\nwords\nend\n"
    found = parts(mail(text))
    assert [(file.name, file.data) for file in found.files] == [("a.txt", b"Cat")]
    assert found.bodies[0].text.split() == ["Before.", "After.", "begin", "644", "no", "file", "words", "end"]


def test_parts_that_are_not_there_leave_the_text() -> None:
    assert bodies(mail("Hello.", kind="multipart/mixed; boundary=none")) == ["Hello."]
    assert bodies(mail("Hello.", kind="nonsense")) == ["Hello."]


def test_deep_nesting_ends() -> None:
    data = part("deep")
    for number in range(60):
        data = part(b"--%d\n" % number + data + b"\n--%d--" % number, f"multipart/mixed; boundary={number}")
    assert "nested" in parts(data).problem


@given(st.binary(max_size=300))
def test_any_bytes_have_parts(data: bytes) -> None:
    parts(data)
    parts(mixed(part(data), attached("x", data)))
