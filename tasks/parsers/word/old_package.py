"""A file of Word 6 to 2003 as the parts of a newer one ([MS-DOC]), which are read as those are.

Paragraphs, tables, fields, notes, text boxes, headers and footers become elements of ECMA-376. Comments and pictures
are left out. A box inside a group of shapes follows the body, since its place there is not determined.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from lxml import etree

from tasks.parsers.office.compound_file import CompoundStorage, refuse_damage
from tasks.parsers.office.office_properties import FileDescription
from tasks.parsers.trees import with_xml_characters
from tasks.parsers.word.old_format import (
    BOXES,
    ENDNOTES,
    FOOTNOTES,
    HEADER_BOXES,
    HEADER_SHAPES,
    HEADERS,
    NOUN,
    SECTIONS,
    SHAPES,
    CharacterProperties,
    OldWordText,
    join_surrogates,
    to_number,
)
from tasks.parsers.word.old_styles import add_element, add_paragraph_properties, read_fonts, read_lists, read_styles
from tasks.parsers.word.older_format import OlderWordText, is_older

if TYPE_CHECKING:
    from lxml.etree import _Element

_BODY, _FOOTNOTE_TEXT, _HEADER_TEXT, _, _, _ENDNOTE_TEXT, _BOX_TEXT, _HEADER_BOX_TEXT = range(8)
"""The parts of the text in their order."""
_PARAGRAPH_END = re.compile("[\x07\x0c\r]")
_CELL_MARK, _SECTION_MARK = "\x07", "\x0c"
_CONTROL_CHARACTER = re.compile("([\x00-\x1f])")
_CONTROL_TAGS = {"\t": "tab", "\x0b": "br", "\x0c": "br", "\x0e": "br", "\x1e": "noBreakHyphen"}
_FIELD_MARKS = {"\x13": "begin", "\x14": "separate", "\x15": "end"}
_DRAWING_MARK = "\x08"
_PRIVATE_CHARACTER = re.compile("[\uf000-\uf0ff]")
_IN_TABLE, _ROW_END, _DEPTH, _INNER_CELL_END, _INNER_ROW_END = 0x2416, 0x2417, 0x6649, 0x244B, 0x244C
_COLUMNS, _HEADER_ROW = 0xD608, 0x3404
_FIRST_MERGED, _MERGED, _MERGED_DOWN, _MERGE_START = 0x01, 0x02, 0x20, 0x40
_CELL_SIZE = 20
_MAX_DEPTH = 20  # Tables inside each other.
_EDGE_TOLERANCE = 120  # Twentieths of a point in which two edges of cells are one.
_STORIES_PER_SECTION = 6  # Of notes' separators, and of headers and footers of a section.
_SHAPE_NUMBER_OFFSET = 14  # Of the number of its shape in the record of a box.


@dataclass(slots=True)
class _OldRow:
    """A row, where its cells begin and end from the left, and how they are merged."""

    node: _Element
    edges: tuple[int, ...]
    merged: list[int]


@dataclass(slots=True)
class _OldTable:
    """A table whose end is not reached yet."""

    node: _Element
    rows: list[_OldRow] = field(default_factory=list)
    row: _Element | None = None
    cell: _Element | None = None

    @property
    def open_cell(self) -> _Element:
        """The cell that paragraphs are added to."""
        if self.row is None:
            self.row = add_element(self.node, "tr")
        if self.cell is None:
            self.cell = add_element(self.row, "tc")
        return self.cell

    def end_row(self, properties: Mapping[int, bytes], *, is_deleted: bool) -> None:
        """Ends the row and adds its properties."""
        if self.row is not None:
            row_properties = etree.Element("trPr")
            self.row.insert(0, row_properties)
            if to_number(properties.get(_HEADER_ROW, b"")):
                add_element(row_properties, "tblHeader")
            if is_deleted:
                add_element(row_properties, "del")
            self.rows.append(_OldRow(self.row, *_read_columns(properties.get(_COLUMNS, b""))))
        self.row = self.cell = None

    def end(self) -> None:
        """Sets how many columns and rows each cell covers, by the edges of all rows."""
        edges = sorted({edge for row in self.rows for edge in row.edges})
        grid = [edge for previous, edge in pairwise([-(2**20), *edges]) if edge - previous > _EDGE_TOLERANCE]
        for row in self.rows:
            places = [bisect_right(grid, edge) - 1 for edge in row.edges]
            if places and places[0]:
                add_element(row.node[0], "gridBefore", val=str(places[0]))
            for cell, (left, right), merged in zip(
                row.node.iterchildren("tc"), pairwise(places), row.merged, strict=False
            ):
                cell_properties = add_element(cell, "tcPr")
                add_element(cell_properties, "gridSpan", val=str(max(right - left, 1)))
                if merged & (_FIRST_MERGED | _MERGED):
                    add_element(cell_properties, "hMerge", val="continue" if merged & _MERGED else "restart")
                if merged & _MERGED_DOWN:
                    add_element(cell_properties, "vMerge", val="restart" if merged & _MERGE_START else "continue")


def _read_columns(data: bytes) -> tuple[tuple[int, ...], list[int]]:
    """The edges of the cells of a row, and how each is merged (2.9.327)."""
    count = data[2] if len(data) > 2 else 0
    first = 3 + 2 * (count + 1)
    if len(data) < first:
        return (), []
    edges = struct.unpack_from(f"<{count + 1}h", data, 3)
    return edges, [to_number(data[place : place + 1]) for place in range(first, first + _CELL_SIZE * count, _CELL_SIZE)]


class OldWordPackage:
    """The package; `body` is the element that holds the text."""

    def __init__(self, data: bytes) -> None:
        """Raises `UnreadableFile` for a damaged or encrypted file."""
        with refuse_damage(NOUN):
            self._storage = CompoundStorage.open(data, NOUN)
            main = self._storage.read_stream("WordDocument") or b""
            self._text = (OlderWordText if is_older(main) else OldWordText)(self._storage, main)
            self._fonts = read_fonts(self._text)
            self._part_starts = [0, *accumulate(self._text.lengths)]
            self._sections = {place for place, _ in self._text.read_places(SECTIONS, 12)}
            self._notes: dict[int, tuple[str, int, bool]] = {}
            self._parts = {"styles": read_styles(self._text), "numbering": read_lists(self._text)}
            self._parts["footnotes"] = self._read_note_texts("footnote", FOOTNOTES, _FOOTNOTE_TEXT)
            self._parts["endnotes"] = self._read_note_texts("endnote", ENDNOTES, _ENDNOTE_TEXT)
            self._boxes = {
                **dict(self._iter_box_texts(SHAPES, _BODY, BOXES, _BOX_TEXT)),
                **dict(self._iter_box_texts(HEADER_SHAPES, _HEADER_TEXT, HEADER_BOXES, _HEADER_BOX_TEXT)),
            }
            self.body = etree.Element("body")
            self._add_story(self.body, 0, self._part_starts[1])
            spans = self._read_spans(HEADERS, 0, _HEADER_TEXT)
            first = _STORIES_PER_SECTION if self._text.has_stories else 0
            self._furniture = [self._build_story("hdr", *span) for span in spans[first:]]
            for start, end in self._boxes.values():
                self._add_story(self.body, start, end)

    def read_related_part(self, kind: str) -> _Element | None:
        """The root of a part of this kind ("styles", "footnotes"), if there is one."""
        return self._parts.get(kind)

    def iter_headers_or_footers(self, kind: str) -> Iterator[_Element]:
        """The headers or footers ("header", "footer") of all sections; where both are mixed, all are headers."""
        for place, root in enumerate(self._furniture):
            if (self._text.has_stories and place % _STORIES_PER_SECTION in (2, 3, 5)) == (kind == "footer"):
                yield root

    def find_drawing(self, _: _Element) -> None:
        """None: charts of old files are pictures, or files of other programs."""

    def find_chunk(self, _: _Element) -> None:
        """None: old files hold no others in their text."""

    def read_properties(self) -> FileDescription:
        """Title, authors and days."""
        return self._storage.read_properties()

    def _read_spans(self, table: int, size: int, part: int) -> list[tuple[int, int]]:
        """Where the stories of a part of the text begin and end."""
        first, last = self._part_starts[part], self._part_starts[part + 1]
        places = accumulate((min(first + place, last) for place, _ in self._text.read_places(table, size)), max)
        return list(pairwise(places))

    def _read_note_texts(self, kind: str, tables: tuple[int, int], part: int) -> _Element:
        """The texts of notes; notes where the body refers to them."""
        root = etree.Element(f"{kind}s")
        spans = self._read_spans(tables[1], 0, part)
        for number, ((place, data), span) in enumerate(zip(self._text.read_places(tables[0], 2), spans, strict=False)):
            if data:
                self._notes[place] = kind, number, not to_number(data)
                root.append(self._build_story(kind, *span, id=str(number)))
        return root

    def _iter_box_texts(self, shapes: int, part: int, table: int, text: int) -> Iterator[tuple[int, tuple[int, int]]]:
        """The text boxes by the places of their shapes; those of no known place below 0."""
        first = self._part_starts[part]
        anchors = {data[:4]: first + place for place, data in self._text.read_places(shapes, 26) if data}
        for (start, end), (_, data) in zip(
            self._read_spans(table, 22, text), self._text.read_places(table, 22), strict=False
        ):
            if self._text.text[start:end].strip():
                yield anchors.pop(data[_SHAPE_NUMBER_OFFSET : _SHAPE_NUMBER_OFFSET + 4], -1 - start), (start, end)

    def _build_story(self, tag: str, start: int, end: int, **attributes: str) -> _Element:
        root = etree.Element(tag, attributes)
        self._add_story(root, start, end)
        return root

    def _add_story(self, root: _Element, start: int, end: int) -> None:
        """Adds the paragraphs and tables of a story to an element."""
        tables: list[_OldTable] = []
        end = min(end, len(self._text.text))
        while start < end:
            stop = self._find_paragraph_end(start, end)
            style, properties = self._text.read_paragraph(stop - 1)
            paragraph_properties = dict(properties)
            depth = self._count_depth(paragraph_properties)
            while len(tables) > depth:
                tables.pop().end()
            while len(tables) < depth:
                tables.append(_OldTable(add_element(tables[-1].open_cell if tables else root, "tbl")))
            if tables and (
                to_number(paragraph_properties.get(_ROW_END, b""))
                or to_number(paragraph_properties.get(_INNER_ROW_END, b""))
            ):
                mark = next(self._text.iter_runs(stop - 1, stop))[2]
                tables[-1].end_row(paragraph_properties, is_deleted=mark.is_deleted)
            else:
                self._add_paragraph(tables[-1].open_cell if tables else root, style, paragraph_properties, start, stop)
                if tables and (
                    self._text.text[stop - 1] == _CELL_MARK or to_number(paragraph_properties.get(_INNER_CELL_END, b""))
                ):
                    tables[-1].cell = None
            start = stop
        while tables:
            tables.pop().end()

    def _count_depth(self, paragraph_properties: Mapping[int, bytes]) -> int:
        """The number of tables, one inside the other, that contain a paragraph."""
        if not to_number(paragraph_properties.get(_IN_TABLE, b"")):
            return 0
        return min(max(to_number(paragraph_properties.get(_DEPTH, b"")), 1), _MAX_DEPTH)

    def _find_paragraph_end(self, start: int, end: int) -> int:
        for match in _PARAGRAPH_END.finditer(self._text.text, start, end):
            if match[0] != _SECTION_MARK or match.end() in self._sections:
                return match.end()
        return end

    def _add_paragraph(
        self, parent: _Element, style: int, paragraph_properties: Mapping[int, bytes], start: int, end: int
    ) -> None:
        node = add_element(parent, "p")
        properties_node = add_element(node, "pPr")
        add_element(properties_node, "pStyle", val=str(style))
        add_paragraph_properties(properties_node, paragraph_properties)
        last = end - 1 if _PARAGRAPH_END.match(self._text.text[end - 1]) else end
        for first, stop, properties in self._text.iter_runs(start, end):
            if stop > last and properties.is_deleted:
                add_element(add_element(properties_node, "rPr"), "del")
            self._add_run(node, first, min(stop, last), properties)

    def _add_run(self, parent: _Element, start: int, end: int, properties: CharacterProperties) -> None:
        """Adds a run; one of a deletion in an element of its own."""
        if start >= end:
            return
        node = add_element(add_element(parent, "del") if properties.is_deleted else parent, "r")
        properties_node = add_element(node, "rPr")
        if properties.style:
            add_element(properties_node, "rStyle", val=str(properties.style))
        if properties.hidden is not None:
            add_element(properties_node, "vanish", val=str(int(properties.hidden)))
        text, position = self._text.text[start:end], start
        if properties.symbol is not None:
            number, code = properties.symbol
            for _ in text:
                add_element(node, "sym", font=self._get_font(number), char=f"{code:X}")
            return
        if _PRIVATE_CHARACTER.search(text):
            add_element(properties_node, "rFonts", ascii=self._get_font(properties.font))
        for note in [place for place in range(start, end) if place in self._notes]:
            self._add_words(node, text[position - start : note - start], position)
            kind, place, has_mark = self._notes[note]
            add_element(node, f"{kind}Reference", id=str(place), customMarkFollows=str(int(has_mark)))
            position = note
        self._add_words(node, text[position - start :], position)

    def _add_words(self, node: _Element, text: str, position: int) -> None:
        """Adds characters to a run; control characters as the elements that they encode."""
        for part in filter(None, _CONTROL_CHARACTER.split(text)):
            if part in _CONTROL_TAGS:
                add_element(node, _CONTROL_TAGS[part])
            elif part in _FIELD_MARKS:
                add_element(node, "fldChar", fldCharType=_FIELD_MARKS[part])
            elif part == _DRAWING_MARK and position in self._boxes:
                self._add_story(add_element(node, "txbxContent"), *self._boxes.pop(position))
            elif part >= " ":
                add_element(node, "t").text = with_xml_characters(join_surrogates(part))
            position += len(part)

    def _get_font(self, number: int) -> str:
        return self._fonts[number] if 0 <= number < len(self._fonts) else ""
