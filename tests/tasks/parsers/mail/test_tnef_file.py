"""What Outlook packs into winmail.dat."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.mail.tnef_file import SIGNATURE, unpack_files
from tests.tasks.parsers.raw_mail import attached, headings, mixed, part, read_mail, shown


def attribute(level: int, name: int, value: bytes) -> bytes:
    return struct.pack("<BII", level, name, len(value)) + value + struct.pack("<H", sum(value) & 0xFFFF)


FILE = (
    SIGNATURE
    + b"\x01\x00"
    + b"".join(
        [
            attribute(1, 0x00089006, b"\x00\x00\x01\x00"),
            attribute(2, 0x00069002, bytes(14)),
            attribute(2, 0x00018010, b"readings.csv\0"),
            attribute(2, 0x0006800F, b"day,bar\n2025-03-10,3.1\n"),
            attribute(2, 0x00069002, bytes(14)),
            attribute(2, 0x0006800F, b"Some words."),
            attribute(2, 0x00018010, b"note.txt\0"),
        ]
    )
)


def test_the_files_are_read_as_if_they_were_attached() -> None:
    assert unpack_files(FILE) == ("", [("readings.csv", b"day,bar\n2025-03-10,3.1\n"), ("note.txt", b"Some words.")])
    document = read_mail(mixed(part("See the file."), attached("winmail.dat", FILE, "application/ms-tnef")))
    assert [words for level, words in headings(document) if level == 3] == [
        "Attachment: readings.csv",
        "Attachment: note.txt",
    ]
    assert document.tables[0].rows == (("day", "bar"), ("2025-03-10", "3.1"))
    assert "winmail.dat" not in " ".join(shown(document))


def test_a_file_of_nothing_is_named() -> None:
    document = read_mail(mixed(part("x"), attached("winmail.dat", SIGNATURE + b"\x01\x00junk", "application/ms-tnef")))
    assert ["winmail.dat" in finding.message for finding in document.findings] == [True]


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    unpack_files(SIGNATURE + b"\x01\x00" + data)
    unpack_files(FILE[: len(data)] + data)
