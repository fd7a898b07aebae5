"""PowerPoint 97 files written by hand ([MS-PPT]), so that a test says exactly what stands in them."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from tests.tasks.parsers.raw_msg import compound
from warehouse.records import Document

TITLE, BODY, NOTES, OTHER = 0, 1, 2, 4
_TITLE_PLACE, _BODY_PLACE, _NOTES_PLACE = 0x0D, 0x0E, 0x0C


def record(kind: int, *content: bytes, number: int = 0) -> bytes:
    """A record, or a container of records."""
    data = b"".join(content)
    return struct.pack("<HHI", number << 4, kind, len(data)) + data


def text(words: str, kind: int = OTHER, styles: bytes = b"") -> bytes:
    """The records of a text; one of plain letters takes one byte for each."""
    letters = (0x0FA8, words.encode("latin-1")) if words.isascii() else (0x0FA0, words.encode("utf-16-le"))
    return record(0x0F9F, struct.pack("<I", kind)) + record(*letters) + (record(0x0FA1, styles) if styles else b"")


def levels(*runs: tuple[int, int, bool | None]) -> bytes:
    """The properties of paragraphs: so many characters, their level, and whether they have bullets."""
    found = b""
    for count, level, bullet in runs:
        mask = 0x0801 if bullet is not None else 0x0800
        found += struct.pack("<IHI", count, level, mask)
        found += (struct.pack("<H", bullet) if bullet is not None else b"") + b"\0\0"
    return found


def shape(
    content: bytes = b"",
    box: tuple[int, int, int, int] = (0, 0, 800, 400),
    *,
    place: int = 0,
    inside: bool = False,
    options: bytes = b"",
    client: bytes = b"",
    flags: int = 0,
) -> bytes:
    """A shape at left, top, right, bottom; `place` is the kind of a placeholder."""
    left, top, right, bottom = box
    anchor = (
        record(0xF00F, struct.pack("<4i", *box))
        if inside
        else record(0xF010, struct.pack("<4h", top, left, right, bottom))
    )
    client += record(0x0BC3, struct.pack("<iBBH", 0, place, 0, 0)) if place else b""
    return record(
        0xF004, record(0xF00A, struct.pack("<II", 1, flags)), options, anchor,
        record(0xF011, client) if client else b"", record(0xF00D, content) if content else b"",
    )  # fmt: skip


def group(*shapes: bytes, box: tuple[int, int, int, int] = (0, 0, 800, 400), is_table: bool = False) -> bytes:
    """A group of shapes, or a table of cells."""
    mark = record(0xF122, struct.pack("<HI", 0x039F, 1), number=1) if is_table else b""
    left, top, right, bottom = box
    own = record(
        0xF004,
        record(0xF009, struct.pack("<4i", *box)),
        mark,
        record(0xF010, struct.pack("<4h", top, left, right, bottom)),
    )
    return record(0xF003, own, *shapes)


def title(words: str) -> bytes:
    """The title of a slide."""
    return shape(text(words, TITLE), (0, 0, 4000, 300), place=_TITLE_PLACE)


def body(words: str, styles: bytes = b"") -> bytes:
    """The text of a slide below its title."""
    return shape(text(words, BODY, styles), (0, 400, 4000, 3000), place=_BODY_PLACE)


def slide(*shapes: bytes, hidden: bool = False, notes: int = 0, footer: str = "", kind: int = 0x03EE) -> bytes:
    """A slide, or a page of notes."""
    own = record(0x03EF, struct.pack("<I8sIIHH", 0, b"", 0x80000001, notes, 0, 0))
    show = record(0x03F9, struct.pack("<IIBBH2x", 0, 0, 0, 0, 4)) if hidden else b""
    foot = record(0x0FD9, record(0x0FBA, footer.encode("utf-16-le"), number=2)) if footer else b""
    whole = record(0xF003, record(0xF004), *shapes)
    return record(kind, own, show, foot, record(0x040C, record(0xF002, whole)))


def notes(words: str) -> bytes:
    """A page of notes."""
    return slide(shape(text("1"), place=8), shape(text(words, NOTES), place=_NOTES_PLACE), kind=0x03F0)


def ppt(
    *slides: bytes,
    pages: Sequence[bytes] = (),
    bullets: Sequence[bool] = (),
    outline: bytes = b"",
    token: int = 0xE391C05F,
    **streams: bytes,
) -> bytes:
    """The bytes of a file; `pages` are those of notes, numbered from 1, `outline` the texts of the first slide."""
    level = b"".join(struct.pack("<IH", 1, each) + bytes(4) for each in bullets)
    master = record(0x03F8, record(0x0FA3, struct.pack("<H", len(bullets)) + level, number=BODY))
    objects = [b"", master, *slides, *pages]
    first = 3 + len(slides)
    lists = [
        (1, [(2, 0x80000001, b"")]),
        (0, [(3 + at, 256 + at, outline if not at else b"") for at in range(len(slides))]),
        (2, [(first + at, 1 + at, b"") for at in range(len(pages))]),
    ]
    listed = b"".join(
        record(
            0x0FF0,
            *(record(0x03F3, struct.pack("<IIiII", place, 0, 0, name, 0)) + more for place, name, more in each),
            number=number,
        )
        for number, each in lists
    )
    objects[0] = record(0x03E8, record(0x03E9, struct.pack("<ii", 5760, 4320)), listed)
    places, stream = [], b""
    for each in objects:
        places.append(len(stream))
        stream += each
    directory = len(stream)
    stream += record(0x1772, struct.pack(f"<I{len(places)}I", len(places) << 20 | 1, *places))
    edit = len(stream)
    stream += record(0x0FF5, struct.pack("<IIIIIIHH", 0, 0, 0, directory, 1, 9, 0, 0))
    user = record(0x0FF6, struct.pack("<III", 20, token, edit))
    return compound({"PowerPoint Document": stream, "Current User": user, **streams})


def read_ppt(*slides: bytes, **more: object) -> Document:
    """The document of such a file."""
    return parse_as("ppt", Raw("a.ppt", ppt(*slides, **more)))  # type: ignore[arg-type]
