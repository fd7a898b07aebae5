"""Rich Text (.rtf): paragraphs, headings by their outline level, items of lists, tables by rows, notes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from datetime import datetime, time

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.course import as_course
from tasks.parsers.document_head import HEAD_LENGTH, TAIL_LENGTH, find_datelines, find_opening_title
from tasks.parsers.office.office_properties import describe_file
from tasks.parsers.office.rich_text import (
    CELL,
    EDGE_LIST,
    HEADING_LEVEL,
    INNER_CELL,
    INNER_ROW,
    ITEM,
    ITEM_DEPTH,
    PARAGRAPH,
    ROW,
    RichText,
    is_rich_text,
    join_surrogates,
)
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.table_form import LaidTable, SpanCell, lay_out
from tasks.parsers.written_dates import make_date
from warehouse.records import BlockKind, Document, Kind

_PART_MARK = re.compile(f"([{PARAGRAPH}{ROW}{CELL}])")
_LEVEL_MARKS = re.compile(f"[{HEADING_LEVEL}{ITEM_DEPTH}]")
_NOUN = "Rich Text file"
_EDGE_TOLERANCE = 40  # Twentieths of a point by which the edges of one column may differ.
_Row = tuple[list[str], list[str]]
"""The cells of a row and, where they are known, their right edges."""


class Rtf:
    """The text as a word processor shows it: hidden text, deleted text and comments are left out, pictures not read.

    Text boxes and notes follow the paragraph or table that contains them. Headers and footers are furniture, each text
    once.
    """

    version = 6
    media_type = "application/rtf"
    suffixes: tuple[str, ...] = (".rtf",)
    heavy = False
    signature: Signature | None = Signature(
        magic=re.compile(rb"\A\s*\{\\rtf"), confirms=lambda raw: is_rich_text(raw.data)
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for deep nesting, and where there is no Rich Text."""
        if not is_rich_text(raw.data):
            raise refusals.damaged(_NOUN, "it does not begin as one")
        source = RichText(raw.data)
        writer = _Writer()
        writer.add_furniture(source.furniture.get("header", ()))
        writer.add(source.text)
        writer.add_furniture(source.furniture.get("footer", ()))
        properties = {name: join_surrogates("".join(text)) for name, text in source.properties.items()}
        days = [make_date(*(moment.get(name, 0) for name in ("yr", "mo", "dy"))) for moment in source.moments.values()]
        times = (datetime.combine(day, time()) for day in days if day)
        title, authors, dates = describe_file(properties.get("title", ""), properties.get("author", ""), times)
        beginning = writer.assembly.list_beginning(HEAD_LENGTH)
        is_cut = not raw.data.rstrip(b"\0 \t\r\n").endswith(b"}")
        return as_course(
            writer.assembly.finish(
                Kind.REPORT,
                self.media_type,
                title=title or find_opening_title(beginning) or next(iter(writer.assembly.headings[:1]), ""),
                authors=authors,
                dates=[
                    *find_datelines(
                        beginning,
                        writer.assembly.list_first_tables(HEAD_LENGTH),
                        writer.assembly.list_ending(TAIL_LENGTH),
                    ),
                    *dates,
                ],
                findings=[refusals.report_lost_part("the end of the text", "the file ends too early")]
                if is_cut
                else [],
            )
        )


class _Writer:
    """Adds a text with marks to an assembly."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self._items: list[str] = []
        self._cells: list[str] = []
        self._edges: list[str] = []
        self._rows: list[_Row] = []
        self._inner_tables: list[list[list[str]]] = []

    def add(self, text: str) -> None:
        """The paragraphs, lists and tables of a text."""
        parts = _PART_MARK.split(text)
        for part, mark in zip(parts[::2], [*parts[1::2], PARAGRAPH], strict=True):
            words, inner_rows = _extract_inner_rows(part)
            clean_words = _strip_marks(words)
            self._inner_tables += [inner_rows] if inner_rows else []
            if mark == CELL:
                self._cells.append(clean_words)
            elif mark == ROW:
                self._cells += [clean_words] if clean_words else []
                self._edges = edges[0][1:].split() if (edges := EDGE_LIST.findall(words)) else []
                self._end_row()
            elif clean_words:
                self._add_paragraph(clean_words, words)
        self._end_row()
        self._end_list()
        self._end_table()

    def add_furniture(self, stories: Iterable[list[str]]) -> None:
        """Adds headers or footers as furniture, each text once."""
        story_lines = (
            [_strip_marks(part) for part in _PART_MARK.split(join_surrogates("".join(story)))[::2]] for story in stories
        )
        for text in dict.fromkeys("\n".join(filter(None, lines)) for lines in story_lines):
            self.assembly.add(BlockKind.FURNITURE, text)

    def _add_paragraph(self, clean_words: str, words: str) -> None:
        self._end_row()
        self._end_table()
        if words.startswith(ITEM):
            self._items.append("  " * words.count(ITEM_DEPTH) + clean_words)
            return
        self._end_list()
        if level := words.count(HEADING_LEVEL):
            self.assembly.add_heading(clean_words, level)
        else:
            self.assembly.add(BlockKind.PARAGRAPH, clean_words)

    def _end_row(self) -> None:
        if self._cells:
            self._end_list()
            while 0 < len(self._edges) < len(self._cells) and not self._cells[-1]:
                self._cells.pop()  # After a table in a cell, programs end more cells than the row has.
            self._rows.append((self._cells, self._edges))
        self._cells, self._edges = [], []

    def _end_list(self) -> None:
        self.assembly.add(BlockKind.LIST, "\n".join(self._items))
        self._items = []

    def _end_table(self) -> None:
        if layout := _lay_out_merged(self._rows):
            self.assembly.add_table(layout.rows, merges=layout.merges)
        elif self._rows:
            self.assembly.add_table([cells for cells, _ in self._rows])
        for rows in self._inner_tables:
            self.assembly.add_table([[_strip_marks(cell) for cell in row] for row in rows])
        self._rows, self._inner_tables = [], []


def _lay_out_merged(rows: list[_Row]) -> LaidTable | None:
    """The rows of a table with merged cells in its columns; None where none are merged, or no row has all columns."""
    columns: list[int] = []
    for place in sorted({int(edge.lstrip("m")) for _, edges in rows for edge in edges}):
        columns += [place] if not columns or place - columns[-1] > _EDGE_TOLERANCE else []
    if (
        not rows
        or any(len(cells) != len(edges) for cells, edges in rows)
        or len(columns) != max(len(cells) for cells, _ in rows)
    ):
        return None
    if all(len(cells) == len(columns) and not any(edge.startswith("m") for edge in edges) for cells, edges in rows):
        return None
    span_rows: list[list[SpanCell]] = []
    for cells, edges in rows:
        span_rows.append([])
        left = 0
        for text, edge in zip(cells, edges, strict=True):
            right = bisect_left(columns, int(edge.lstrip("m")) - _EDGE_TOLERANCE) + 1
            previous = span_rows[-1].pop() if edge.startswith("m") and span_rows[-1] else SpanCell("", columns=0)
            span_rows[-1].append(SpanCell(f"{previous.text} {text}".strip(), columns=previous.columns + right - left))
            left = right
    return lay_out(span_rows)


def _extract_inner_rows(words: str) -> tuple[str, list[list[str]]]:
    """The words of a cell without the table inside it, and its rows; cells without the end of a row are words."""
    *row_parts, remainder = words.split(INNER_ROW)
    texts, rows = list[str](), list[list[str]]()
    for part in row_parts:
        start = part.rfind("\n", 0, part.find(INNER_CELL)) + 1 if INNER_CELL in part else len(part)
        texts.append(part[:start])
        rows += [part[start:].split(INNER_CELL)[:-1]] if start < len(part) else []
    return "\n".join([*texts, remainder]), rows


def _strip_marks(text: str) -> str:
    """A text without marks, with a blank after the number of an item."""
    words = _LEVEL_MARKS.sub("", EDGE_LIST.sub("", text)).replace(INNER_CELL, "\t").replace(INNER_ROW, "\n")
    if words.startswith(ITEM):
        words = words.replace(ITEM, "").replace("\t", " ", 1)
    return words.replace(ITEM, "").strip()


member = Rtf()
