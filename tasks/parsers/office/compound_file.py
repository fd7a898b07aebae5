"""Compound files ([MS-CFB]): older Office files and messages of Outlook. Their kinds, streams and properties.

olefile finds the streams. Chains that it would follow endlessly in a damaged file are checked before.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Self

from tasks.parsers import refusals
from tasks.parsers.office.office_properties import EMPTY_DESCRIPTION, FileDescription, describe_file
from tasks.parsers.parser_contract import Raw
from warehouse.errors import UnreadableFile

if TYPE_CHECKING:
    from olefile import OleDirectoryEntry, OleFileIO

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of a compound file."""
INCONSISTENT = "its parts do not fit together"
_KINDS = {
    "worddocument": "doc", "powerpoint document": "ppt", "pp40": "ppt", "__properties_version1.0": "msg",
    "workbook": "xls", "book": "xls",
}  # fmt: skip
"""The kind of a file by a stream at its root. Files may contain others: kinds that contain others come first."""
_SUFFIXES = {
    ".doc": "doc", ".dot": "doc", ".ppt": "ppt", ".pps": "ppt", ".pot": "ppt", ".msg": "msg", ".oft": "msg",
    ".xls": "xls", ".xlt": "xls",
}  # fmt: skip
_ENCRYPTED = "encryptedpackage"
_DEFAULT_PASSWORD = "VelvetSweatshop"  # noqa: S105
_HEADER_BYTES, _SHIFT_OFFSET, _TABLE_COUNT_OFFSET, _FOLDER_OFFSET, _TABLES_OFFSET = 512, 30, 44, 48, 76
"""A compound file's header in bytes, and the offsets in it of the size of sectors (a power of two), the number of
tables of sectors, the first sector of the folder, and those of the tables (2.2)."""
_SHIFTS, _NO_SECTOR = (9, 12), 0xFFFFFFFA
_MAX_READ_BYTES = 256 * 2**20  # Of all streams of a file together.
_MAX_STORAGES = 2_000  # Of one kind in one storage: recipients, or attachments.
_SUMMARY = "\x05SummaryInformation"
_TITLE, _AUTHOR, _CREATED, _CHANGED, _CODE_PAGE = 2, 4, 12, 13, 1
"""Properties of a document ([MS-OLEPS] 2.25.1 and 3.1.2)."""
_NARROW_TEXT, _WIDE_TEXT, _TIME = 0x1E, 0x1F, 0x40
_UTF_8, _UTF_16 = 65001, 1200
_MAX_PROPERTIES = 1_000  # Properties of a stream that are read.


def identify_compound(raw: Raw) -> str:
    """The kind of a compound file: "doc", "ppt", "xls" or "msg", else nothing; never raises.

    By the streams at its root, by the suffix if they cannot be read, else by names anywhere in it.
    """
    if not raw.data.startswith(COMPOUND[:4]):
        return ""
    try:
        names = CompoundStorage.open(raw.data, "").names
    except UnreadableFile:
        names = ()
    kinds = [kind for name, kind in _KINDS.items() if name in names]
    if _ENCRYPTED in names:
        return ""
    if kinds:
        return kinds[0]
    if raw.suffix in _SUFFIXES and not contains_name(raw.data, _ENCRYPTED):
        return _SUFFIXES[raw.suffix]
    return "" if names else next((kind for name, kind in _KINDS.items() if contains_name(raw.data, name)), "")


@contextmanager
def refuse_damage(noun: str) -> Iterator[None]:
    """Turn the errors that a damaged file causes into a refusal."""
    try:
        yield
    except (LookupError, OverflowError, ValueError, struct.error) as error:
        raise refusals.damaged(noun, INCONSISTENT) from error


def decrypt(raw: Raw) -> Raw | None:
    """The file without its encryption, where its password is the default of Office; else None.

    Workbooks with a protected structure are encrypted so; Office opens them without asking ([MS-OFFCRYPTO]).
    """
    if not raw.data.startswith(COMPOUND):
        return None
    from msoffcrypto import OfficeFile
    from msoffcrypto.format.ooxml import OOXMLFile

    decrypted = BytesIO()
    try:
        file = OfficeFile(BytesIO(raw.data))
        if isinstance(file, OOXMLFile):
            file.load_key(_DEFAULT_PASSWORD, verify_password=True)
        else:
            file.load_key(_DEFAULT_PASSWORD)
        file.decrypt(decrypted)
    except Exception:
        # Damaged bytes may cause any error; the file remains encrypted and is refused as such.
        return None
    return replace(raw, data=decrypted.getvalue())


def contains_name(data: bytes, name: str) -> bool:
    """Whether a name of a stream is anywhere in a file, its letters in any case."""
    return f"{name}\0".encode("utf-16-le").lower() in data.lower()


class CompoundStorage:
    """A storage of a compound file. The total that is read is bounded, since streams may share the same bytes."""

    def __init__(
        self, file: OleFileIO, node: OleDirectoryEntry, path: tuple[str, ...], remaining_bytes: list[int], noun: str
    ) -> None:
        self._file, self._path, self._remaining_bytes, self._noun = file, path, remaining_bytes, noun
        self._children = {child.name.lower(): child for child in node.kids}

    @classmethod
    def open(cls, data: bytes, noun: str) -> Self:
        """The storage of a whole file; `noun` names its format in messages. Raises `UnreadableFile`."""
        import olefile

        class TolerantFile(olefile.OleFileIO):  # type: ignore[misc]
            """A file without the check whether two streams begin together, which is slow for many streams."""

            def _check_duplicate_stream(self, *_: object, **__: object) -> None:
                pass

        _check_header(data, noun)
        try:
            file = TolerantFile(BytesIO(data))
        except RecursionError as error:
            raise refusals.too_deep() from error
        except Exception as error:
            # olefile raises various errors on a damaged directory: KeyError, TypeError, its own.
            raise _make_damage_refusal(data, noun, "its directory cannot be read") from error
        if file.root is None:
            raise refusals.damaged(noun, "it has no directory")
        return cls(file, file.root, (), [_MAX_READ_BYTES], noun)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the streams and storages in it, in lower case."""
        return tuple(self._children)

    def iter_storages(self, prefix: str) -> Iterator[Self]:
        """The storages whose names begin so, in order."""
        names = sorted(name for name in self._children if name.startswith(prefix.lower()))
        for name in names[:_MAX_STORAGES]:
            if inner := self.find_storage(name):
                yield inner

    def find_storage(self, name: str) -> Self | None:
        """The storage of this name, if there is one."""
        node = self._children.get(name.lower())
        if node is None or not node.kids:
            return None
        return type(self)(self._file, node, (*self._path, node.name), self._remaining_bytes, self._noun)

    def read_stream(self, name: str) -> bytes | None:
        """The bytes of a stream; None where there is none. Raises `UnreadableFile` where a part of it is lost."""
        node = self._children.get(name.lower())
        if node is None or node.kids:
            return None
        size = max(int(node.size), 0)
        self._remaining_bytes[0] -= size
        if self._remaining_bytes[0] < 0:
            raise refusals.too_large(f"{_MAX_READ_BYTES // 2**20} MB when read")
        try:
            with self._file.openstream([*self._path, node.name]) as stream:
                data = bytes(stream.read())
        except Exception as error:
            # As above: a broken chain of sectors may end in any error.
            raise refusals.damaged(self._noun, "a part of it leads nowhere") from error
        if len(data) < size:
            raise refusals.truncated(self._noun)
        return data

    def read_properties(self) -> FileDescription:
        """The properties that a file states, as far as they can be read."""
        try:
            return describe_file(*parse_properties(self.read_stream(_SUMMARY) or b""))
        except (ArithmeticError, LookupError, UnreadableFile, ValueError, struct.error):
            return EMPTY_DESCRIPTION


def _check_header(data: bytes, noun: str) -> None:
    """Refuses a file whose end is missing, or whose header names more tables than it can have."""
    if len(data) < _HEADER_BYTES:
        raise refusals.truncated(noun)
    if data[_SHIFT_OFFSET] not in _SHIFTS:
        raise refusals.damaged(noun, INCONSISTENT)
    size = 1 << data[_SHIFT_OFFSET]
    tables = [sector for sector in struct.unpack_from("<109I", data, _TABLES_OFFSET) if sector < _NO_SECTOR]
    count, first_sector = (struct.unpack_from("<I", data, place)[0] for place in (_TABLE_COUNT_OFFSET, _FOLDER_OFFSET))
    if any((sector + 1) * size >= len(data) for sector in [first_sector, *tables]):
        raise refusals.truncated(noun)
    if count > 2 * len(data) // (size // 4 * size) + len(tables):
        raise refusals.damaged(noun, INCONSISTENT)


def _make_damage_refusal(data: bytes, noun: str, why: str) -> UnreadableFile:
    """The refusal of a file that cannot be read: it is cut where its tables refer to sectors that it does not have."""
    size = 1 << data[_SHIFT_OFFSET]
    sector_count = len(data) // size - 1
    for number, sector in enumerate(struct.unpack_from("<109I", data, _TABLES_OFFSET)):
        missing_entries = max(sector_count - number * size // 4, 0)
        if sector < _NO_SECTOR and missing_entries < size // 4:
            entries = data[(sector + 1) * size + 4 * missing_entries : (sector + 2) * size]
            if entries.strip(b"\xff"):
                return refusals.truncated(noun)
    return refusals.damaged(noun, why)


def parse_properties(stream: bytes) -> tuple[str, str, list[datetime]]:
    """Title, authors, and the times of creation and of the last change in a stream ([MS-OLEPS] 2.21)."""
    if len(stream) < 48:
        return "", "", []
    section = stream[struct.unpack_from("<I", stream, 44)[0] :]
    number = min(struct.unpack_from("<I", section, 4)[0], _MAX_PROPERTIES)
    places = dict(struct.unpack_from("<II", section, 8 + 8 * index) for index in range(number))
    code_page = struct.unpack_from("<H", section, places[_CODE_PAGE] + 4)[0] if _CODE_PAGE in places else 1252
    encoding = {_UTF_8: "utf-8", _UTF_16: "utf-16-le"}.get(code_page, f"cp{code_page}")
    title, author = (_parse_text(section, places[key], encoding) if key in places else "" for key in (_TITLE, _AUTHOR))
    times = [_parse_time(section, places[key]) for key in (_CREATED, _CHANGED) if key in places]
    return title, author, [time for time in times if time]


def _parse_text(section: bytes, place: int, encoding: str) -> str:
    kind, length = struct.unpack_from("<II", section, place)
    if kind not in (_NARROW_TEXT, _WIDE_TEXT):
        return ""
    data = section[place + 8 :][: length if kind == _NARROW_TEXT else 2 * length]
    text = data.decode("utf-16-le" if kind == _WIDE_TEXT else encoding, "replace")
    return text.partition("\0")[0].strip()


def _parse_time(section: bytes, place: int) -> datetime | None:
    """A time of Windows, counted in ten millionths of a second; None for other values."""
    kind, ticks = struct.unpack_from("<IQ", section, place)
    return datetime(1601, 1, 1) + timedelta(microseconds=ticks // 10) if kind == _TIME and ticks else None  # noqa: DTZ001
