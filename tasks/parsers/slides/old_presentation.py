"""The slides of a PowerPoint 97 to 2003 file ([MS-PPT]) with their shapes, tables and notes.

Objects of the file are found by numbers, whose places the last edit of the file lists. Shapes are those of Office
drawings ([MS-ODRAW]). Comments, charts and other objects of programs, which are files of their own, are left out.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tasks.parsers import refusals
from tasks.parsers.office.compound_file import CompoundStorage, refuse_damage
from tasks.parsers.picture_words import list_description
from tasks.parsers.slides.old_text import CENTRE_TITLE, NOTES, TITLE, Bullets, OldText, iter_texts, read_master_bullets
from tasks.parsers.slides.slide_package import Placeholder
from tasks.parsers.slides.slide_shapes import ReadSlide, SlideShape, order_by_gaps, order_for_reading
from tasks.parsers.slides.slide_text import SlideLine
from tasks.parsers.table_form import RowPlace, SpanCell, lay_out
from warehouse.records import Box

NOUN = "old PowerPoint file"
Record = tuple[int, int, bytes]
"""Kind, number among those of the kind, and content."""
_SLIDE_LIST, _SLIDE_REFERENCE, _DOCUMENT_ATOM = 0x0FF0, 0x03F3, 0x03E9
_SLIDE_ATOM, _SHOW_SETTINGS, _FOOTERS, _TEXT_STRING = 0x03EF, 0x03F9, 0x0FD9, 0x0FBA
_MASTER_STYLES, _DRAWING = 0x0FA3, 0x040C
_USER_EDIT, _PERSIST_DIRECTORY = 0x0FF5, 0x1772
_SLIDE_PAGES, _MASTER_PAGES, _NOTES_PAGES = 0, 1, 2
_ENCRYPTED_TOKEN = 0xF3D1C4DF
_HIDDEN_FLAG = 0x04
_DRAWING_ROOT, _GROUP, _SHAPE, _SHAPE_ATOM, _GROUP_FRAME = 0xF002, 0xF003, 0xF004, 0xF00A, 0xF009
_TEXT_BOX, _CHILD_ANCHOR, _CLIENT_ANCHOR, _CLIENT_DATA = 0xF00D, 0xF00F, 0xF010, 0xF011
_PLACEHOLDER, _OBJECT = 0x0BC3, 0x0BC1
_OPTION_TABLES = (0xF00B, 0xF121, 0xF122)
_DELETED_FLAG = 0x08
_WORD_ART_OPTION, _DESCRIPTION_OPTION, _TABLE_OPTION, _HIDDEN_OPTION = 0x00C0, 0x0381, 0x039F, 0x03BF
_IS_HIDDEN_SET = 0x20000
_NOTES_KIND = "notes"
_PLACEHOLDER_KINDS = {
    **dict.fromkeys((0x0D, 0x0F, 0x11, 1, 3), "title"), 0x0E: "body", 0x12: "body", 0x10: "subTitle",
    7: "dt", 8: "sldNum", 9: "ftr", 10: "hdr", 12: _NOTES_KIND, 6: _NOTES_KIND,
}  # fmt: skip
"""Kinds of placeholders (2.13.22) by the names of newer files."""
_UNITS_PER_POINT = 8.0  # Units of places in a point.
_EDGE_TOLERANCE = 2.0  # Points in which two edges of cells are one.
_OLDER_STREAMS = frozenset({"pp40", "persistentstorage directory"})
"""Streams that PowerPoint 4 and 95 wrote."""
_MAX_DEPTH = 20  # Groups inside each other.
_MAX_OBJECTS = 2**20  # Objects of a file whose places are read.


def iter_records(data: bytes, start: int = 0) -> Iterator[Record]:
    """The records in a container, up to the first incomplete one."""
    while start + 8 <= len(data):
        head, kind, size = struct.unpack_from("<HHI", data, start)
        yield kind, head >> 4, data[start + 8 : start + 8 + size]
        start += 8 + size


@dataclass(frozen=True, slots=True)
class _Entry:
    """A slide in the list of slides: its place, the number that others refer to it by, and its texts in the outline."""

    place: int
    number: int
    texts: list[OldText]


@dataclass(slots=True)
class _GroupFrame:
    """How places inside a group are mapped to the slide: scaled, then moved."""

    scale: tuple[float, float] = (1 / _UNITS_PER_POINT, 1 / _UNITS_PER_POINT)
    offset: tuple[float, float] = (0.0, 0.0)

    def to_box(self, left: int, top: int, right: int, bottom: int) -> Box:
        """A place on the slide, in points."""
        xs = sorted(x * self.scale[0] + self.offset[0] for x in (left, right))
        ys = sorted(y * self.scale[1] + self.offset[1] for y in (top, bottom))
        return Box(xs[0], ys[0], xs[1], ys[1])

    @classmethod
    def from_group(cls, place: Box, left: int, top: int, right: int, bottom: int) -> _GroupFrame:
        """The mapping inside a group with the box `place` and these coordinates inside."""
        across, down = (place.x1 - place.x0) / ((right - left) or 1), (place.bottom - place.top) / ((bottom - top) or 1)
        return cls((across, down), (place.x0 - left * across, place.top - top * down))


@dataclass(slots=True)
class _OldShape:
    """A shape as stored in the file."""

    place: tuple[int, int, int, int] | None = None
    frame: tuple[int, int, int, int] | None = None
    placeholder: int = 0
    is_hidden: bool = False
    is_table: bool = False
    lines: list[SlideLine] = field(default_factory=list)
    kind: int = -1


class OldPresentation:
    """The presentation in a file."""

    def __init__(self, data: bytes) -> None:
        """Raises `UnreadableFile` for a damaged, encrypted or older file."""
        root = CompoundStorage.open(data, NOUN)
        storage = root.find_storage("PP97_DUALSTORAGE") or root
        self._data = storage.read_stream("PowerPoint Document") or b""
        if _OLDER_STREAMS.intersection(storage.names):
            raise refusals.too_old("a PowerPoint 95 file", "PPTX")
        if not self._data:
            raise refusals.damaged(NOUN, "there are no slides in it")
        self.properties = root.read_properties()
        with refuse_damage(NOUN):
            self._places = self._read_places(storage.read_stream("Current User") or b"")
            document = self._read_object(self._document)
            sizes = next((content for kind, _, content in iter_records(document) if kind == _DOCUMENT_ATOM), b"")
            width, height = struct.unpack_from("<ii", sizes)
            self._slide_size = Box(0, 0, max(width, 0) / _UNITS_PER_POINT, max(height, 0) / _UNITS_PER_POINT)
            records = [(number, data) for kind, number, data in iter_records(document) if kind == _SLIDE_LIST]
            lists = {number: list(_iter_entries(data)) for number, data in records}
            self._slides = lists.get(_SLIDE_PAGES, [])
            self._entries = {(kind, entry.number): entry for kind, entries in lists.items() for entry in entries}
            self._masters: dict[int, Bullets] = {}

    def iter_slides(self) -> Iterator[ReadSlide]:
        """The slides in the order of the show; one whose part is missing is skipped, the numbers of others stay."""
        seen_places = set[int]()
        for number, entry in enumerate(self._slides, 1):
            place = self._places.get(entry.place)
            if place is not None and place not in seen_places:
                seen_places.add(place)
                with refuse_damage(NOUN):
                    slide = self._read_slide(number, entry)
                yield slide

    def _read_slide(self, number: int, entry: _Entry) -> ReadSlide:
        parts = {kind: data for kind, _, data in reversed(list(iter_records(self._read_object(entry.place))))}
        master, notes_number = struct.unpack_from("<II", parts.get(_SLIDE_ATOM, b"").ljust(24, b"\0"), 12)
        reader = _DrawingReader(number, entry.texts, self._read_bullets(master), self._slide_size)
        shapes = reader.read(parts.get(_DRAWING, b""))
        return ReadSlide(
            number,
            [*order_for_reading(shapes), *self._iter_footers(parts.get(_FOOTERS, b""))],
            list(self._iter_notes(notes_number)),
            is_hidden=bool(parts.get(_SHOW_SETTINGS, b"").ljust(12, b"\0")[10] & _HIDDEN_FLAG),
            has_lost=reader.has_lost,
        )

    def _read_places(self, current_user: bytes) -> dict[int, int]:
        """Where the objects of the file are by their numbers, those of the last edit first (2.1.2)."""
        token, edit = struct.unpack_from("<II", current_user, 12) if len(current_user) >= 20 else (0, 0)
        if token == _ENCRYPTED_TOKEN:
            raise refusals.encrypted()
        if self._data[edit + 2 : edit + 4] != struct.pack("<H", _USER_EDIT):
            edit = self._data.rfind(struct.pack("<HHI", 0, _USER_EDIT, 28))
        places: dict[int, int] = {}
        self._document = 0
        seen_directories = set[int]()
        while len(places) < _MAX_OBJECTS:
            kind, _, data = next(iter_records(self._data, edit), (0, 0, b"")) if edit >= 0 else (0, 0, b"")
            if kind != _USER_EDIT:
                break
            if len(data) >= 32:
                raise refusals.encrypted()
            previous_edit, directory, document = struct.unpack_from("<III", data, 8)
            if directory in seen_directories:
                break
            self._document = self._document or document
            for number, place in _iter_places(next(iter_records(self._data, directory), (0, 0, b""))):
                places.setdefault(number, place)
            seen_directories.add(directory)
            if not previous_edit or previous_edit >= edit:
                break
            edit = previous_edit
        return places

    def _read_object(self, number: int) -> bytes:
        """The content of an object, nothing where there is none."""
        place = self._places.get(number, len(self._data))
        return next(iter_records(self._data, place), (0, 0, b""))[2]

    def _find_entry(self, kind: int, number: int) -> _Entry:
        """The master, or the page of notes, that a slide refers to by a number."""
        return self._entries.get((kind, number), _Entry(-1, number, []))

    def _read_bullets(self, master: int) -> Bullets:
        """The bullets of a master's texts."""
        if master not in self._masters:
            records = iter_records(self._read_object(self._find_entry(_MASTER_PAGES, master).place))
            self._masters[master] = read_master_bullets(record for record in records if record[0] == _MASTER_STYLES)
        return self._masters[master]

    def _iter_notes(self, number: int) -> Iterator[SlideLine]:
        """The lines of the notes on a page of notes, each page once."""
        page = self._find_entry(_NOTES_PAGES, number)
        drawing = next((data for kind, _, data in iter_records(self._read_object(page.place)) if kind == _DRAWING), b"")
        self._places.pop(page.place, None)
        for shape in order_for_reading(_DrawingReader(0, page.texts, {}, self._slide_size).read(drawing)):
            if shape.placeholder is None or shape.placeholder.kind == _NOTES_KIND:
                yield from shape.lines

    def _iter_footers(self, data: bytes) -> Iterator[SlideShape]:
        """The texts in the footer and the header of a slide."""
        for kind, _, text in iter_records(data):
            if kind == _TEXT_STRING and (words := text.decode("utf-16-le", "replace").strip("\0 \r")):
                yield SlideShape(self._slide_size, Placeholder("ftr", ""), [SlideLine(words)])


def _iter_places(directory: Record) -> Iterator[tuple[int, int]]:
    """The numbers and places in a directory (2.3.4)."""
    kind, _, data = directory
    place = 0
    while kind == _PERSIST_DIRECTORY and place + 4 <= len(data):
        (head,) = struct.unpack_from("<I", data, place)
        first, count = head & 0xFFFFF, head >> 20
        for index in range(count):
            place += 4
            if place + 4 <= len(data):
                yield first + index, *struct.unpack_from("<I", data, place)
        place += 4


def _iter_entries(data: bytes) -> Iterator[_Entry]:
    """The slides in a list of them, with their texts (2.4.14.3)."""
    entries: list[tuple[_Entry, list[Record]]] = []
    for record in iter_records(data):
        if record[0] == _SLIDE_REFERENCE:
            place, _, _, number = struct.unpack_from("<IIiI", record[2])
            entries.append((_Entry(place, number, []), []))
        elif entries:
            entries[-1][1].append(record)
    for entry, text_records in entries:
        entry.texts.extend(text for text in iter_texts(text_records) if isinstance(text, OldText))
        yield entry


class _DrawingReader:
    """Reads the shapes of one slide."""

    def __init__(self, number: int, texts: Sequence[OldText], bullets: Bullets, slide_size: Box) -> None:
        self._number, self._texts, self._bullets, self._slide_size = number, texts, bullets, slide_size
        self.has_lost = False
        self._used_texts: set[int] = set()

    def read(self, drawing: bytes) -> list[SlideShape]:
        """The shapes of a slide with content; texts of the outline that none of them shows follow."""
        drawing_root = next((data for kind, _, data in iter_records(drawing) if kind == _DRAWING_ROOT), b"")
        group = next((data for kind, _, data in iter_records(drawing_root) if kind == _GROUP), b"")
        shapes = list(self._iter_shapes(group, _GroupFrame(), 0))
        for text in (text for number, text in enumerate(self._texts) if number not in self._used_texts):
            shape = _OldShape(kind=text.kind, lines=text.build_lines(self._bullets))
            shapes += [SlideShape(self._slide_size, _find_placeholder(shape), shape.lines)] if shape.lines else []
        return shapes

    def _iter_shapes(
        self, group: bytes, frame: _GroupFrame, depth: int, *, with_empty: bool = False
    ) -> Iterator[SlideShape]:
        """The shapes in a group, the first of which is the group itself."""
        for number, (kind, _, data) in enumerate(iter_records(group)):
            if kind == _SHAPE and number:
                old_shape = self._read_shape(data)
                shape = SlideShape(self._find_box(old_shape, frame), _find_placeholder(old_shape), old_shape.lines)
                if not old_shape.is_hidden and (with_empty or not shape.is_empty):
                    yield shape
            elif kind == _GROUP and depth < _MAX_DEPTH:
                group_shape = self._read_shape(
                    next((content for inner_kind, _, content in iter_records(data) if inner_kind == _SHAPE), b"")
                )
                place = self._find_box(group_shape, frame)
                inner_frame = _GroupFrame.from_group(place, *group_shape.frame) if group_shape.frame else frame
                shapes = (
                    []
                    if group_shape.is_hidden
                    else list(self._iter_shapes(data, inner_frame, depth + 1, with_empty=group_shape.is_table))
                )
                table = _build_table(shapes, place, self._number) if group_shape.is_table else None
                if table is not None:
                    yield table
                elif inner := [shape for shape in shapes if not shape.is_empty]:
                    yield SlideShape(place, inner=order_by_gaps(inner))

    def _find_box(self, shape: _OldShape, frame: _GroupFrame) -> Box:
        return self._slide_size if shape.place is None else frame.to_box(*shape.place)

    def _read_shape(self, shape: bytes) -> _OldShape:
        old_shape = _OldShape()
        for kind, number, data in iter_records(shape):
            if kind == _SHAPE_ATOM:
                old_shape.is_hidden |= bool(struct.unpack_from("<I", data, 4)[0] & _DELETED_FLAG)
            elif kind == _GROUP_FRAME:
                old_shape.frame = struct.unpack_from("<4i", data)
            elif kind == _CHILD_ANCHOR:
                old_shape.place = struct.unpack_from("<4i", data)
            elif kind == _CLIENT_ANCHOR:
                top, left, right, bottom = struct.unpack_from("<4h" if len(data) < 16 else "<4i", data)
                old_shape.place = left, top, right, bottom
            elif kind in _OPTION_TABLES:
                self._read_options(old_shape, dict(_iter_options(number, data)))
            elif kind == _CLIENT_DATA:
                client = {client_kind: content for client_kind, _, content in iter_records(data)}
                old_shape.placeholder = client.get(_PLACEHOLDER, bytes(5))[4]
                self.has_lost |= _OBJECT in client and not old_shape.is_hidden
            elif kind == _TEXT_BOX:
                self._read_text(old_shape, data)
        return old_shape

    def _read_text(self, shape: _OldShape, data: bytes) -> None:
        for text_or_number in iter_texts(iter_records(data)):
            if isinstance(text_or_number, int) and text_or_number >= len(self._texts):
                continue
            if isinstance(text_or_number, int):
                self._used_texts.add(text_or_number)
            text = self._texts[text_or_number] if isinstance(text_or_number, int) else text_or_number
            shape.kind = text.kind
            shape.lines += text.build_lines(self._bullets)

    def _read_options(self, shape: _OldShape, options: Mapping[int, tuple[int, bytes]]) -> None:
        """Applies the options of a shape ([MS-ODRAW] 2.3)."""
        shape.is_table |= bool(options.get(_TABLE_OPTION, (0, b""))[0] & 1)
        flags = options.get(_HIDDEN_OPTION, (0, b""))[0]
        shape.is_hidden |= bool(flags & _IS_HIDDEN_SET and flags & _IS_HIDDEN_SET >> 16)
        word_art = _decode_words(options.get(_WORD_ART_OPTION, (0, b""))[1])
        shape.lines += [SlideLine(words) for words in word_art.splitlines() if words.strip()]
        description = _decode_words(options.get(_DESCRIPTION_OPTION, (0, b""))[1])
        shape.lines += [] if word_art else map(SlideLine, list_description(description))


def _decode_words(data: bytes) -> str:
    return data.decode("utf-16-le", "replace").strip("\0")


def _iter_options(count: int, data: bytes) -> Iterator[tuple[int, tuple[int, bytes]]]:
    """The options of a shape: a number, and the bytes of those that have more."""
    place = 6 * count
    for index in range(min(count, len(data) // 6)):
        name, value = struct.unpack_from("<HI", data, 6 * index)
        extra = data[place : place + value] if name & 0x8000 else b""
        place += value if name & 0x8000 else 0
        yield name & 0x3FFF, (value, extra)


def _find_placeholder(shape: _OldShape) -> Placeholder | None:
    """The placeholder of a shape; a title is also recognized by the kind of its text."""
    by_text = {TITLE: "title", CENTRE_TITLE: "title", NOTES: _NOTES_KIND}
    kind = _PLACEHOLDER_KINDS.get(shape.placeholder, "") or by_text.get(shape.kind, "")
    return Placeholder(kind, "") if kind or shape.placeholder else None


def _build_table(shapes: Sequence[SlideShape], place: Box, number: int) -> SlideShape | None:
    """The table whose cells are shapes of a slide; None if they form none. Lines are no cells."""
    cells = [
        shape
        for shape in shapes
        if shape.box.x1 - shape.box.x0 > _EDGE_TOLERANCE and shape.box.bottom - shape.box.top > _EDGE_TOLERANCE
    ]
    thin_shapes = set(shapes).difference(cells)
    if not cells or any(shape.inner for shape in shapes) or any(shape.lines for shape in thin_shapes):
        return None
    columns = _merge_edges([cell.box.x0 for cell in cells])
    tops = _merge_edges([cell.box.top for cell in cells])
    rows: list[list[tuple[int, SpanCell]]] = [[] for _ in tops]
    for cell in cells:
        left, right = (
            bisect_right(columns, edge + _EDGE_TOLERANCE / 2) for edge in (cell.box.x0, cell.box.x1 - _EDGE_TOLERANCE)
        )
        top, bottom = (
            bisect_right(tops, edge + _EDGE_TOLERANCE / 2) for edge in (cell.box.top, cell.box.bottom - _EDGE_TOLERANCE)
        )
        text = "\n".join(line.text for line in cell.lines)
        rows[top - 1].append((left, SpanCell(text, max(bottom - top, 0) + 1, max(right - left, 0) + 1)))
    layout = lay_out([[cell for _, cell in sorted(row, key=lambda entry: entry[0])] for row in rows])
    if not layout.is_table:
        return None
    ends = [*tops[1:], max(place.bottom, tops[-1])]
    places = [RowPlace(number, Box(place.x0, top, place.x1, end)) for top, end in zip(tops, ends, strict=True)]
    return SlideShape(place, table=layout, rows=places)


def _merge_edges(edges: Sequence[float]) -> list[float]:
    """The edges in order, those within the tolerance of each other once."""
    ordered = sorted(edges)
    return [
        edge
        for previous_edge, edge in pairwise([ordered[0] - 10 * _EDGE_TOLERANCE, *ordered])
        if edge - previous_edge > _EDGE_TOLERANCE
    ]
