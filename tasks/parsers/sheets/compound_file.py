"""Compound files ([MS-CFB]), in which old Excel workbooks are kept: checks, streams, and what a file says of itself.

xlrd finds the streams. It does not look at all circles: of sectors of short streams, which fill the memory, and of
entries of the folder. They are sought here first.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from io import StringIO

from tasks.parsers import refusals

OLD_WORKBOOK, UNFIT = "XLS file", "its parts do not fit together"
_HEADER, _SHIFT, _FOLDER, _SHORT_TABLE, _TABLES = 512, 30, 48, 60, 76
"""A compound file's header in bytes, and where in it the size of sectors stands (a power of two), the first sector of
the folder and of the table of short sectors, and those of the table of sectors (2.2)."""
_SHIFTS, _NO_SECTOR = (9, 12), 0xFFFFFFFA
_ENTRY, _LINKS, _NO_ENTRY = 128, 68, 0xFFFFFFFF
"""An entry of the folder in bytes, and where in it the entries to its left, right and below it stand (2.6.1)."""
_SUMMARY = "\x05SummaryInformation"
_TITLE, _AUTHOR, _CREATED, _CHANGED, _CODE_PAGE = 2, 4, 12, 13, 1
"""Properties of a document ([MS-OLEPS] 2.25.1 and 3.1.2)."""
_NARROW, _WIDE, _TIME = 0x1E, 0x1F, 0x40
_UTF_8, _UTF_16 = 65001, 1200
_MOST_PROPERTIES = 1_000
FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
)
"""What xlrd raises for damaged files beside errors of its own."""


class NoLog(StringIO):
    """A file that keeps nothing: xlrd writes its warnings to one."""

    def write(self, text: str, /) -> int:
        """Drops the text."""
        return len(text)


def check_old(data: bytes) -> None:
    """Refuses an .xls whose end is missing, or whose sectors or entries follow each other in a circle."""
    if len(data) < _HEADER:
        raise refusals.truncated(OLD_WORKBOOK)
    if data[_SHIFT] not in _SHIFTS:
        raise refusals.damaged(OLD_WORKBOOK, UNFIT)
    size = 1 << data[_SHIFT]
    tables = [sector for sector in struct.unpack_from("<109I", data, _TABLES) if sector < _NO_SECTOR]
    folder, short = (struct.unpack_from("<I", data, place)[0] for place in (_FOLDER, _SHORT_TABLE))
    if any((sector + 1) * size >= len(data) for sector in [folder, *tables]):
        raise refusals.truncated(OLD_WORKBOOK)
    following = _numbers(data, tables, size)
    shorts = _numbers(data, _chain(following, short), size)
    if _has_circle(following) or _has_circle(shorts) or _is_tangled(_numbers(data, _chain(following, folder), size)):
        raise refusals.damaged(OLD_WORKBOOK, UNFIT)


def _numbers(data: bytes, sectors: Iterable[int], size: int) -> list[int]:
    """The numbers in some sectors, one after the other."""
    found: list[int] = []
    for sector in sectors:
        part = data[(sector + 1) * size : (sector + 2) * size]
        found += struct.unpack(f"<{len(part) // 4}I", part[: len(part) // 4 * 4])
    return found


def _chain(following: Sequence[int], first: int) -> Iterator[int]:
    """The sectors from one on, at most all there are."""
    for _ in following:
        if first >= len(following):
            return
        yield first
        first = following[first]


def _has_circle(following: Sequence[int]) -> bool:
    """Whether sectors lead back to themselves; `following` is the next one of each."""
    seen = [0] * len(following)
    for start in range(len(following)):
        sector = start
        while sector < len(following) and not seen[sector]:
            seen[sector] = start + 1
            sector = following[sector]
        if sector < len(following) and seen[sector] == start + 1:
            return True
    return False


def _is_tangled(folder: Sequence[int]) -> bool:
    """Whether an entry is reached by two ways from the root, which xlrd would follow again and again."""
    width, seen, left = _ENTRY // 4, set[int](), [0]
    while left:
        entry = left.pop()
        if entry in seen:
            return True
        seen.add(entry)
        links = folder[entry * width + _LINKS // 4 :][:3]
        left += [link for link in links if link != _NO_ENTRY and link < len(folder) // width]
    return False


class CompoundFile:
    """The streams of a compound file; to be checked before."""

    def __init__(self, data: bytes) -> None:
        """Raises `UnreadableFile` for a damaged file."""
        from xlrd.compdoc import CompDoc, CompDocError

        self._failures = (*FAILURES, CompDocError)
        try:
            # Some programs note sectors twice in the table; a circle is found by the length of the stream.
            self._file = CompDoc(data, logfile=NoLog(), ignore_workbook_corruption=True)
        except self._failures as error:
            raise refusals.damaged(OLD_WORKBOOK, UNFIT) from error

    def workbook(self) -> bytes:
        """The stream of the workbook; raises `UnreadableFile` where there is none, or a damaged one."""
        try:
            for name in ("Workbook", "Book"):
                data, start, length = self._file.locate_named_stream(name)
                if data:
                    return bytes(data[start : start + length])
        except self._failures as error:
            raise refusals.damaged(OLD_WORKBOOK, UNFIT) from error
        raise refusals.damaged(OLD_WORKBOOK, "there is no workbook in it")

    def properties(self) -> tuple[str, str, list[datetime]]:
        """Title, author, and the times of creation and of the last change, as far as they can be read."""
        try:
            return properties_of(self._file.get_named_stream(_SUMMARY) or b"")
        except self._failures:
            return "", "", []


def properties_of(stream: bytes) -> tuple[str, str, list[datetime]]:
    """The properties of a stream ([MS-OLEPS] 2.21)."""
    if len(stream) < 48:
        return "", "", []
    section = stream[struct.unpack_from("<I", stream, 44)[0] :]
    number = min(struct.unpack_from("<I", section, 4)[0], _MOST_PROPERTIES)
    places = dict(struct.unpack_from("<II", section, 8 + 8 * each) for each in range(number))
    code_page = struct.unpack_from("<H", section, places[_CODE_PAGE] + 4)[0] if _CODE_PAGE in places else 1252
    encoding = {_UTF_8: "utf-8", _UTF_16: "utf-16-le"}.get(code_page, f"cp{code_page}")
    title, author = (_text(section, places[key], encoding) if key in places else "" for key in (_TITLE, _AUTHOR))
    times = [_time(section, places[key]) for key in (_CREATED, _CHANGED) if key in places]
    return title, author, [time for time in times if time]


def _text(section: bytes, place: int, encoding: str) -> str:
    kind, length = struct.unpack_from("<II", section, place)
    if kind not in (_NARROW, _WIDE):
        return ""
    data = section[place + 8 :][: length if kind == _NARROW else 2 * length]
    text = data.decode("utf-16-le" if kind == _WIDE else encoding, "replace")
    return text.partition("\0")[0].strip()


def _time(section: bytes, place: int) -> datetime | None:
    """A time of Windows, counted in ten millionths of a second; None for what is none."""
    kind, ticks = struct.unpack_from("<IQ", section, place)
    return datetime(1601, 1, 1) + timedelta(microseconds=ticks // 10) if kind == _TIME and ticks else None  # noqa: DTZ001
