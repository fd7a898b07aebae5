"""Messages saved by Outlook ([MS-OXMSG]) as messages of mail: headers, bodies, attachments, messages inside of them.

A compound file ([MS-CFB]) has a storage for the message, one for each recipient and each attachment, and in each a
stream of short properties and a stream for each long one. Headers are those with which the message came, where it was
ever sent, else what Outlook knows of sender, recipients and time.
"""

from __future__ import annotations

import re
import struct
from base64 import encodebytes
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.parser import HeaderParser
from email.policy import compat32
from email.utils import format_datetime
from typing import TYPE_CHECKING

from tasks.parsers.assembly import clean
from tasks.parsers.mail.header_fields import decode_bytes
from tasks.parsers.mail.rich_text_body import read_rich_text_body, unpack_rich_text
from tasks.parsers.office.compound_file import CompoundStorage
from tasks.parsers.office.rich_text import get_codepage_name
from tasks.parsers.trees import collapse_spaces

if TYPE_CHECKING:
    from olefile import OleDirectoryEntry, OleFileIO

_PROPERTIES = "__properties_version1.0"
_NOUN = "Outlook message"
_WIDE, _NARROW, _BINARY, _STORAGE = 0x1F, 0x1E, 0x102, 0x0D
_ENTRY = struct.Struct("<HHI8s")
_HEADER_SIZES = (32, 24, 8)  # Bytes before the short properties: of a file, of a message inside, of anything else.
_MAX_DEPTH = 8  # Messages inside each other.
_BY_VALUE, _MESSAGE = 1, 5  # How a file is attached.
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_APPOINTMENT = "00062002-0000-0000-c000-000000000046"
_START, _END, _PLACE = 0x820D, 0x820E, 0x8208
_CONTACT_FIELDS = (
    (0x3001, "Name"), (0x3A16, "Company"), (0x3A17, "Title"), (0x3A08, "Business phone"), (0x3A1C, "Mobile phone"),
    (0x3A09, "Home phone"), (0x3A15, "Address"),
)  # fmt: skip
_SIGNED = "multipart/signed"
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
_BODY_HEADERS = ("content-type", "content-transfer-encoding", "content-disposition", "mime-version", "content-id")


def read_outlook_file(data: bytes) -> Message:
    """The message of a file, as mail. Raises `UnreadableFile` where the file is cut or damaged."""
    return _make_message(_Storage.open(data, _NOUN), 0)


class _Storage(CompoundStorage):
    """A storage of a message: its properties, those of eight bytes in one stream, each other in its own."""

    def __init__(
        self, file: OleFileIO, node: OleDirectoryEntry, path: tuple[str, ...], left: list[int], noun: str
    ) -> None:
        super().__init__(file, node, path, left, noun)
        self._codepage = ""
        self._short = self._read_short_properties()
        pages = [
            struct.unpack_from("<I", self._short[number])[0] for number in (0x3FFD, 0x3FDE) if number in self._short
        ]
        self.body_codepage = get_codepage_name(pages[-1]) if pages else ""
        self._codepage = get_codepage_name(pages[0]) if pages else ""

    def iter_storages(self, beginning: str) -> Iterator[_Storage]:
        """The storages whose names begin so, in order; recipients and files are in the code page of their message."""
        for inner in super().iter_storages(beginning):
            inner._codepage = inner._codepage or self._codepage
            yield inner

    def _read_short_properties(self) -> dict[int, bytes]:
        """The values of eight bytes by the numbers of their properties."""
        data = self.read_stream(_PROPERTIES) or b""
        first = _HEADER_SIZES[0] if not self._path else _HEADER_SIZES[2]
        if self._path and self._path[-1].lower().endswith(f"{_STORAGE:04x}"):
            first = _HEADER_SIZES[1]
        last = first + (len(data) - first) // _ENTRY.size * _ENTRY.size
        entries = (_ENTRY.unpack_from(data, place) for place in range(first, last, _ENTRY.size))
        return {number: value for _, number, _, value in entries}

    def read_text(self, number: int) -> str:
        """A property of characters; empty where there is none."""
        unicode_data = self.read_stream(f"__substg1.0_{number:04x}{_WIDE:04x}")
        if unicode_data is not None:
            return unicode_data.decode("utf-16-le", "replace").rstrip("\0")
        codepage_data = self.read_stream(f"__substg1.0_{number:04x}{_NARROW:04x}")
        return decode_bytes(codepage_data.rstrip(b"\0"), self._codepage) if codepage_data else ""

    def read_line(self, *numbers: int) -> str:
        """The first of some properties that has characters, on one line."""
        return next(filter(None, (collapse_spaces(clean(self.read_text(number))) for number in numbers)), "")

    def read_bytes(self, number: int) -> bytes:
        """A property of bytes; empty where there is none."""
        return self.read_stream(f"__substg1.0_{number:04x}{_BINARY:04x}") or b""

    def read_integer(self, number: int) -> int | None:
        """A property that is a number."""
        value = self._short.get(number)
        return None if value is None else struct.unpack_from("<i", value)[0]

    def read_moment(self, *numbers: int) -> datetime | None:
        """The first of some properties that is a time of a calendar, in UTC."""
        for number in numbers:
            ticks = struct.unpack("<Q", self._short[number])[0] if number in self._short else 0
            try:
                if ticks:
                    return _EPOCH + timedelta(microseconds=ticks // 10)
            except OverflowError:
                continue
        return None

    def map_named_properties(self, guid: str) -> dict[int, int]:
        """The numbers under which this file keeps the properties that a set names by numbers ([MS-OXMSG], 2.2.3)."""
        from uuid import UUID

        names = self.find_storage("__nameid_version1.0")
        entries = (names and names.read_stream("__substg1.0_00030102")) or b""
        guids = (names and names.read_stream("__substg1.0_00020102")) or b""
        sets = [str(UUID(bytes_le=guids[place : place + 16])) for place in range(0, len(guids) // 16 * 16, 16)]
        numbers = {}
        for place in range(0, len(entries) // 8 * 8, 8):
            name, kind, index = struct.unpack_from("<IHH", entries, place)
            # The first three sets are known to all and not listed.
            set_index = (kind >> 1) - 3
            if not kind & 1 and 0 <= set_index < len(sets) and sets[set_index] == guid:
                numbers[name] = 0x8000 + index
        return numbers


def _make_message(storage: _Storage, depth: int) -> Message:
    message = Message(policy=compat32)
    sent_headers = HeaderParser(policy=compat32).parsestr(storage.read_text(0x007D).lstrip("\r\n"))
    for name, value in sent_headers.raw_items():
        if name.lower() not in (*_BODY_HEADERS, "subject"):
            message[name] = value
    for name, value in _iter_known_headers(storage):
        if value and name not in message:
            message[name] = value
    attachments = list(storage.iter_storages("__attach_version1.0_"))
    message["Content-Type"] = "multipart/mixed"
    bodies = [] if _is_signed(storage) and attachments else _list_bodies(storage)
    parts: list[Message | str] = [*_iter_details(storage), *bodies]
    parts += (part for file in attachments for part in _iter_attached(file, depth))
    message.set_payload(parts)
    return message


def _iter_known_headers(storage: _Storage) -> Iterator[tuple[str, str]]:
    """Headers made of Outlook's properties."""
    yield "Subject", storage.read_line(0x0037) or storage.read_line(0x003D) + storage.read_line(0x0E1D)
    sender = _format_person(storage, (0x0042, 0x0C1A), (0x5D02, 0x5D01, 0x0065, 0x0C1F))
    yield "From", sender
    people: dict[int, list[str]] = {1: [], 2: []}
    for recipient in storage.iter_storages("__recip_version1.0_"):
        kind = recipient.read_integer(0x0C15)
        people.setdefault(1 if kind is None else kind & 15, []).append(
            _format_person(recipient, (0x3001, 0x5FF6), (0x39FE, 0x3003))
        )
    for name, kind, line_number in (("To", 1, 0x0E04), ("Cc", 2, 0x0E03)):
        # Outlook parts the people of a line by semicolons.
        yield (
            name,
            ", ".join(filter(None, people[kind])) or ", ".join(_quote_names(storage.read_line(line_number).split(";"))),
        )
    moment = storage.read_moment(0x0039, 0x0E06, 0x3007, 0x3008)
    yield "Date", format_datetime(moment) if moment and moment.year < 9000 else ""
    yield "Message-ID", storage.read_line(0x1035)
    yield "In-Reply-To", storage.read_line(0x1042)
    yield "References", storage.read_line(0x1039)


def _quote_names(names: list[str]) -> Iterator[str]:
    for name in names:
        if unquoted := re.sub(r'["\\<>]', "", name).strip("' "):
            yield f'"{unquoted}"'


def _format_person(storage: _Storage, names: tuple[int, ...], addresses: tuple[int, ...]) -> str:
    """Name and address as a header has them; an address inside of an Exchange server is none."""
    texts = (storage.read_line(number) for number in addresses)
    address = next((text for text in texts if "@" in text and not re.search(r"[\s<>,]", text)), "")
    name = next(_quote_names([storage.read_line(*names)]), "")
    if name.strip('"') == address:
        name = ""
    return f"{name} <{address}>".strip() if address else name


def _is_signed(storage: _Storage) -> bool:
    """Whether the message is in a file attached to it, as it came."""
    return storage.read_line(0x001A).upper().startswith("IPM.NOTE.SMIME")


def _list_bodies(storage: _Storage) -> list[Message | str]:
    """The page and the plain text as alternatives; Rich Text where there is neither, or a page in it."""
    plain_text = storage.read_text(0x1000)
    page = _read_page(storage)
    if not page and (packed := storage.read_bytes(0x1009)):
        is_page, text = read_rich_text_body(unpack_rich_text(packed))
        page = _to_utf8(text) if is_page else b""
        plain_text = plain_text if plain_text.strip() or is_page else text
    alternatives: list[Message | str] = []
    if plain_text.strip():
        alternatives.append(_make_part("text/plain; charset=utf-8", _to_utf8(plain_text)))
    if page:
        alternatives.append(_make_part("text/html; charset=utf-8", page))
    if len(alternatives) < 2:
        return alternatives
    alternative = Message(policy=compat32)
    alternative["Content-Type"] = "multipart/alternative"
    alternative.set_payload(alternatives)
    return [alternative]


def _read_page(storage: _Storage) -> bytes:
    """The web page in UTF-8, nothing where there is none; its bytes are in the code page that the message names."""
    data = storage.read_bytes(0x1013)
    if data:
        return _to_utf8(decode_bytes(data, storage.body_codepage))
    return _to_utf8(storage.read_text(0x1013))


def _iter_details(storage: _Storage) -> Iterator[Message]:
    """The properties of appointments and contacts as lines of text."""
    kind = storage.read_line(0x001A).upper()
    lines: list[str] = []
    if kind.startswith(("IPM.APPOINTMENT", "IPM.SCHEDULE.MEETING")):
        numbers = storage.map_named_properties(_APPOINTMENT)
        times = (storage.read_moment(numbers.get(_START, 0), 0x0060), storage.read_moment(numbers.get(_END, 0), 0x0061))
        when = " to ".join(f"{moment:%Y-%m-%d %H:%M}" for moment in times if moment)
        place = storage.read_line(numbers[_PLACE]) if _PLACE in numbers else ""
        lines = [f"When: {when} (UTC)" if when else "", f"Where: {place}" if place else ""]
    elif kind.startswith("IPM.CONTACT"):
        lines = [f"{label}: {value}" for number, label in _CONTACT_FIELDS if (value := storage.read_line(number))]
    if text := "\n".join(filter(None, lines)):
        yield _make_part("text/plain; charset=utf-8", _to_utf8(text))


def _iter_attached(storage: _Storage, depth: int) -> Iterator[Message]:
    """A file or message as a part; of what is only linked, or is an object of a program, the name."""
    name = storage.read_line(0x3707, 0x3704, 0x3001)
    kind = storage.read_line(0x370E).lower()
    inner = storage.find_storage(f"__substg1.0_3701{_STORAGE:04x}")
    if storage.read_integer(0x3705) == _MESSAGE and inner is not None and depth < _MAX_DEPTH:
        part = Message(policy=compat32)
        part["Content-Type"] = "message/rfc822"
        part.set_payload([_make_message(inner, depth + 1)])
        yield part
        return
    data = storage.read_bytes(0x3701)
    if kind.startswith(_SIGNED) and data:
        yield message_from_bytes(data)
        return
    if not name and not data:
        return
    part = _make_part(
        kind if _TYPE.fullmatch(kind) and not kind.startswith("multipart/") else "application/octet-stream", data
    )
    quoted = re.sub(r'["\\\r\n]', "_", name)
    part["Content-Disposition"] = f'attachment; filename="{quoted}"' if quoted else "attachment"
    if content_id := storage.read_line(0x3712):
        # A picture that the page shows is no attachment of its own.
        part["Content-ID"] = f"<{content_id.strip('<>')}>"
        del part["Content-Disposition"]
        part["Content-Disposition"] = f'inline; filename="{quoted}"'
    yield part


def _make_part(kind: str, data: bytes) -> Message:
    part = Message(policy=compat32)
    part["Content-Type"] = kind
    part["Content-Transfer-Encoding"] = "base64"
    part.set_payload(encodebytes(data).decode("ascii"))
    return part


def _to_utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")
