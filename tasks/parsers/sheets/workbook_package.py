"""The parts of an XLSX file: its sheets in order, their texts and formats (ECMA-376 part 1, 18)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.office.office_package import OfficePackage, get_attribute
from tasks.parsers.sheets.number_formats import BUILT_IN, NumberFormat, get_number_format
from tasks.parsers.trees import get_tag

if TYPE_CHECKING:
    from lxml.etree import _Element

MAIN_NAME = re.compile(r"(?:xl/)?workbook\d*\.xml", re.IGNORECASE)
"""What the part that names the sheets is called."""
_ESCAPED_CHARACTER = re.compile(r"_x([0-9A-Fa-f]{4})_")
_PLACE = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
_THREAD_NOTE = "[Threaded comment]"
"""How the note begins that Excel writes beside a thread of comments for programs that do not know threads."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells, from 1, its last row and column included."""

    top: int
    left: int
    bottom: int
    right: int

    def contains(self, row: int, column: int) -> bool:
        """Whether a cell lies in it."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A sheet as the workbook names it, and the name of its part."""

    name: str
    part: str
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class ListObject:
    """A table that Excel knows as one: its area and how many of its rows are header."""

    area: Area
    header_rows: int


class WorkbookPackage(OfficePackage):
    """The package of an XLSX file."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, "XLSX file", "xl/workbook.xml")
        workbook = self.read_xml_part(self.main_part)
        if workbook is None or get_tag(workbook) != "workbook":
            raise refusals.damaged(self.noun, "there is no workbook part in it")
        self._workbook = workbook
        self._related = self.read_relations(self.main_part)

    @cached_property
    def sheets(self) -> list[SheetEntry]:
        """The sheets in the order of their tabs, those of a chart too."""
        entries = []
        for sheet in self._workbook.iter("sheet"):
            kind, part = self._related.get(get_attribute(sheet, "id"), ("", ""))
            if kind in ("worksheet", "chartsheet"):
                state = get_attribute(sheet, "state")
                entries.append(SheetEntry(get_attribute(sheet, "name"), part, state in ("hidden", "veryHidden")))
        return entries

    @cached_property
    def date1904(self) -> bool:
        """Whether days are counted from 1904 on."""
        return is_true(get_attribute(self._workbook.find("workbookPr"), "date1904"))

    @cached_property
    def is_uncalculated(self) -> bool:
        """Whether the program that wrote it leaves it to Excel to calculate all formulas when it opens the file."""
        return is_true(get_attribute(self._workbook.find("calcPr"), "fullCalcOnLoad"))

    @cached_property
    def strings(self) -> list[str]:
        """The texts that cells share."""
        part = self._find_part("sharedStrings")
        return [read_rich_text(item) for item in self.iter_elements(part, "si")] if part else []

    @cached_property
    def formats(self) -> list[NumberFormat]:
        """The number format of each style of cells."""
        part = self._find_part("styles")
        root = self.read_xml_part(part) if part else None
        if root is None:
            return []
        codes = dict(BUILT_IN)
        for number_format in root.iterfind("numFmts/numFmt"):
            number = get_attribute(number_format, "numFmtId")
            if number.isdigit():
                codes[int(number)] = get_attribute(number_format, "formatCode")
        styles = (get_attribute(style, "numFmtId") for style in root.iterfind("cellXfs/xf"))
        return [get_number_format(codes.get(int(number) if number.isdigit() else 0, "General")) for number in styles]

    def list_objects(self, sheet: str) -> list[ListObject]:
        """The tables that Excel knows on the sheet of a part, apart from each other."""
        objects: list[ListObject] = []
        for root in self._iter_roots(sheet, "table"):
            area = parse_area(get_attribute(root, "ref"))
            rows = get_attribute(root, "headerRowCount") or "1"
            if area and not any(_has_overlap(area, other.area) for other in objects):
                objects.append(ListObject(area, int(rows) if rows.isdigit() else 1))
        return objects

    def read_notes(self, sheet: str) -> list[str]:
        """The notes and threads of comments on the cells of a sheet's part, in their order: "B7: checked twice"."""
        threads: dict[str, list[str]] = {}
        for root in self._iter_roots(sheet, "threadedComment"):
            for comment in root.iter("threadedComment"):
                text = "".join(element.text or "" for element in comment.iter("text"))
                threads.setdefault(get_attribute(comment, "ref"), []).append(unescape_text(text))
        notes = [(place, " – ".join(filter(None, texts))) for place, texts in threads.items()]
        for root in self._iter_roots(sheet, "comments"):
            for comment in root.iter("comment"):
                place, text = get_attribute(comment, "ref"), "".join(map(read_rich_text, comment.iter("text")))
                if place not in threads and not text.startswith(_THREAD_NOTE):
                    notes.append((place, text))
        notes.sort(key=lambda note: parse_place(note[0]) or (0, 0))
        lines = ((place, " ".join(text.split())) for place, text in notes)
        return [f"{place}: {line}" for place, line in lines if line]

    def _find_part(self, kind: str) -> str:
        return next((target for part_kind, target in self._related.values() if part_kind == kind), "")

    def _iter_roots(self, sheet: str, kind: str) -> Iterator[_Element]:
        """The roots of the parts that a sheet has such a relationship to."""
        return (root for part in list_linked_parts(self, sheet, kind) if (root := self.read_xml_part(part)) is not None)


def list_linked_parts(package: OfficePackage, sheet: str, kind: str) -> list[str]:
    """The names of the parts that a sheet's part has such a relationship to."""
    return list(
        dict.fromkeys(target for part_kind, target in package.read_relations(sheet).values() if part_kind == kind)
    )


def iter_text_boxes(package: OfficePackage, sheet: str) -> Iterator[str]:
    """The texts of the shapes that are drawn on a sheet, a paragraph a line, and the titles of its charts."""
    for part in list_linked_parts(package, sheet, "drawing"):
        root = package.read_xml_part(part)
        for body in () if root is None else root.iter("txBody"):
            yield _read_paragraphs(body)
        for chart in (package.read_xml_part(chart_part) for chart_part in list_linked_parts(package, part, "chart")):
            title = None if chart is None else chart.find("chart/title")
            yield "" if title is None else _read_paragraphs(title)


def _read_paragraphs(node: _Element) -> str:
    lines = ("".join(text.text or "" for text in line.iter("t")) for line in node.iter("p"))
    return "\n".join(line for line in lines if line.strip())


def read_rich_text(item: _Element) -> str:
    """The words of a text with runs, without the readings above Chinese and Japanese characters."""
    if len(item) == 1 and _get_tag(item[0]) == "t":
        return unescape_text(item[0].text or "")
    pieces = []
    for part in item:
        if _get_tag(part) == "t":
            pieces.append(part.text or "")
        elif _get_tag(part) == "r":
            pieces += [text.text or "" for text in part if _get_tag(text) == "t"]
    return unescape_text("".join(pieces))


def unescape_text(text: str) -> str:
    """A text with the characters that XML cannot hold, which are written as `_x000D_`."""
    return _ESCAPED_CHARACTER.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def is_true(value: str) -> bool:
    """Whether an attribute says yes."""
    return value in ("1", "true", "on")


def parse_place(reference: str) -> tuple[int, int] | None:
    """The row and column of "B7", from 1; None for what names no cell of a sheet."""
    match = _PLACE.fullmatch(reference)
    if match is None:
        return None
    column = 0
    for letter in match[1].upper():
        column = 26 * column + ord(letter) - 64
    row = int(match[2])
    return (row, column) if 0 < row <= LAST_ROW and column <= LAST_COLUMN else None


def parse_area(reference: str) -> Area | None:
    """The area of "B7:D9", or of one cell."""
    first, _, last = reference.partition(":")
    start, end = parse_place(first), parse_place(last or first)
    if start is None or end is None:
        return None
    return Area(min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))


def format_column(column: int) -> str:
    """The letters of a column, from 1."""
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def _has_overlap(area: Area, other: Area) -> bool:
    return (
        area.top <= other.bottom and other.top <= area.bottom and area.left <= other.right and other.left <= area.right
    )


def _get_tag(node: _Element) -> str:
    """The tag without the namespace that elements read piece by piece keep."""
    return get_tag(node).rpartition("}")[2]
