"""The content of a Word document, or of one of its other stories, as pieces in reading order.

Tables have their cells (ECMA-376 part 1, 17.4), and each piece has the notes that it refers to. The words of a
paragraph are those that Word shows: results of fields, insertions, equations, marks of notes. An equation (OMML,
ECMA-376 part 1, 22.1) is one line in the linear form of Unicode Technical Note 28.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Protocol

from tasks.parsers import reader, refusals
from tasks.parsers.numerals import format_numeral, raise_mark
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.office.office_properties import FileDescription
from tasks.parsers.office.symbol_fonts import decode_run, decode_symbol
from tasks.parsers.parser_contract import Raw
from tasks.parsers.picture_words import list_description
from tasks.parsers.slides.chart_data import read_chart, read_diagram, read_extended_chart
from tasks.parsers.table_form import LaidTable, SpanCell, lay_out, parse_span
from tasks.parsers.trees import collect_text, get_tag
from tasks.parsers.word.word_package import find_child, get_value, is_on, iter_drawings, iter_inside, iter_visible
from tasks.parsers.word.word_styles import BULLET, LEVELS, Numbering, ParagraphStyle, Styles, get_outline_level
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Document, Finding

if TYPE_CHECKING:
    from lxml.etree import _Element


_MAX_FILES = 100  # Files in a text, and in those files, that are read: each may be referred to many times.
_REMAINING_FILES: ContextVar[list[int] | None] = ContextVar("_REMAINING_FILES", default=None)


class WordParts(Protocol):
    """The parts of a Word file that are read; for an old file they are built."""

    @property
    def body(self) -> _Element:
        """The element that contains the text."""

    def read_related_part(self, kind: str) -> _Element | None:
        """The root of the part of this kind ("styles", "numbering", "footnotes"), if there is one."""

    def iter_headers_or_footers(self, kind: str) -> Iterator[_Element]:
        """The headers or footers ("header", "footer") of all sections."""

    def find_drawing(self, reference: _Element) -> _Element | None:
        """The root of the chart or of the data of the diagram that a drawing shows, if it is there."""

    def find_chunk(self, reference: _Element) -> Raw | None:
        """The file of another format in the text at this place, if it is there."""

    def read_properties(self) -> FileDescription:
        """Title, authors and days."""


@dataclass(frozen=True, slots=True)
class StoryPart:
    """A paragraph, or a table, and the notes that it refers to.

    `level` is that of a heading, from 1, or the depth of an item, from 0. `mark` is an item's or heading's number.
    """

    kind: BlockKind
    text: str = ""
    level: int = 0
    mark: str = ""
    is_title: bool = False
    is_caption: bool = False
    table: LaidTable | None = None
    notes: tuple[Note, ...] = ()

    @property
    def line(self) -> str:
        """The words with their mark, on one line."""
        return " ".join(filter(None, (self.mark, " ".join(self.text.split()))))


class StoryReader:
    """Reads the stories of one document; lists and notes are numbered through all of them."""

    def __init__(self, package: WordParts) -> None:
        self._styles = Styles(package.read_related_part("styles"))
        self._numbering = Numbering(package.read_related_part("numbering"))
        self._paragraph_reader = ParagraphReader(self._styles)
        self._package = package
        self._remaining_files = _REMAINING_FILES.get() or [_MAX_FILES]
        self.findings: list[Finding] = []

    def iter_pieces(self, story: _Element) -> Iterator[StoryPart]:
        """The contents of an element, in order; a text box follows the paragraph that contains it."""
        unfinished = ""
        for block in iter_inside(story, "p", "tbl", "altChunk"):
            if get_tag(block) != "p":
                yield from self._read_table(block) if get_tag(block) == "tbl" else self._read_chunk(block)
                continue
            text = unfinished + self._paragraph_reader.read_paragraph(block)
            unfinished = text if _continues_in_next_paragraph(block) else ""
            if not unfinished and (piece := self._read_paragraph(block, text)):
                yield piece
            for drawing in iter_drawings(block):
                yield from (
                    self.iter_pieces(drawing) if get_tag(drawing) == "txbxContent" else self._read_drawing(drawing)
                )
        if unfinished:
            yield StoryPart(BlockKind.PARAGRAPH, unfinished, notes=self._collect_notes())

    def _read_drawing(self, reference: _Element) -> Iterator[StoryPart]:
        """A chart as its title and the tables of its figures, a diagram as texts, a picture as its description."""
        yield from (
            StoryPart(BlockKind.PARAGRAPH, line) for line in list_description(get_attribute(reference, "descr"))
        )
        root = self._package.find_drawing(reference)
        if root is None:
            return
        if get_tag(reference) == "relIds":
            yield from (
                StoryPart(BlockKind.LIST, text, level, BULLET) for text, level in read_diagram(root, collect_text)
            )
            return
        chart = read_extended_chart(root) if root.find("chartData") is not None else read_chart(root)
        if chart.title:
            yield StoryPart(BlockKind.PARAGRAPH, chart.title, is_caption=True)
        yield from (
            StoryPart(BlockKind.TABLE, table=LaidTable(table.rows, int(table.has_header), [])) for table in chart.tables
        )

    def _read_chunk(self, reference: _Element) -> Iterator[StoryPart]:
        """A file of another format at the place where Word would convert it."""
        raw = self._package.find_chunk(reference)
        if raw is None:
            return
        self._remaining_files[0] -= 1
        if self._remaining_files[0] < 0:
            if self._remaining_files[0] == -1:
                problem = f"there are more than {_MAX_FILES} of them"
                self.findings.append(refusals.report_lost_part("a file in the text", problem))
            return
        token = _REMAINING_FILES.set(self._remaining_files)
        try:
            document = reader.read(raw)
        except UnreadableFile as error:
            self.findings.append(refusals.report_lost_part("a file in the text", str(error)))
            return
        finally:
            _REMAINING_FILES.reset(token)
        self.findings += [finding for finding in document.findings if finding.start is None]
        yield from iter_parts(document)

    def _collect_notes(self) -> tuple[Note, ...]:
        notes = tuple(self._paragraph_reader.notes)
        self._paragraph_reader.notes.clear()
        return notes

    def _read_paragraph(self, paragraph: _Element, text: str) -> StoryPart | None:
        """The piece of a paragraph; None for one without words, which is still counted in its list."""
        style = self._styles.get_style(paragraph)
        properties = find_child(paragraph, "pPr")
        mark, depth = self._find_mark(properties, style)
        notes = self._collect_notes()
        if not style.is_code and (not text.strip() or style.is_hidden):
            return None
        outline = get_outline_level(properties)
        level = style.level if outline is None or style.level else outline
        depths = (style.contents_level, depth, None if is_on(properties, "numPr") else style.list_level)
        depth = next((depth for depth in depths if depth is not None), None)
        if level and text.strip():
            return StoryPart(BlockKind.HEADING, text, level, mark, is_title=style.is_title, notes=notes)
        if style.is_code:
            return StoryPart(BlockKind.CODE, text, notes=notes)
        if depth is not None:
            return StoryPart(BlockKind.LIST, text, depth, mark, notes=notes)
        return StoryPart(BlockKind.PARAGRAPH, text, is_caption=style.is_caption, notes=notes)

    def _find_mark(self, properties: _Element | None, style: ParagraphStyle) -> tuple[str, int | None]:
        """The number of a paragraph and its depth; None if it is not an item of a numbered or bulleted list."""
        number = get_value(properties, "numPr", "numId") or style.number
        if not number or number == "0":
            return "", None
        level_text = get_value(properties, "numPr", "ilvl")
        if level_text.isdigit():
            level = int(level_text)
        elif style.number_level is not None and number == style.number:
            level = style.number_level
        else:
            level = self._numbering.find_level(number, style.style_id)
        level = min(level, LEVELS - 1)
        return self._numbering.number_paragraph(number, level), max(level, style.list_level or 0)

    def _read_table(self, table: _Element) -> Iterator[StoryPart]:
        """A table and after it those inside its cells; one of a single row or column is a frame around its content."""
        rows = [row for row in iter_inside(table, "tr") if find_child(row, "trPr", "del") is None]
        parts: list[StoryPart] = []
        cells: list[list[SpanCell]] = []
        for row in read_cells(rows):
            cells.append([])
            for cell in row:
                cell_parts = [] if cell.node is None else list(self.iter_pieces(cell.node))
                parts += cell_parts
                text = "\n".join(part.line for part in cell_parts if part.table is None)
                cells[-1].append(SpanCell(text, cell.rows, cell.columns))
        layout = lay_out(cells)
        if not layout.is_table:
            yield from parts
            return
        header_rows = sum(1 for _ in takewhile(lambda row: is_on(row, "trPr", "tblHeader"), rows)) or None
        notes = tuple(note for part in parts if part.table is None for note in part.notes)
        yield StoryPart(BlockKind.TABLE, table=replace(layout, header_rows=header_rows), notes=notes)
        yield from (part for part in parts if part.table is not None)


def _continues_in_next_paragraph(paragraph: _Element) -> bool:
    """Whether the next paragraph continues this one: its end is deleted, or it is a drop cap (17.3.1.11)."""
    drop = get_attribute(find_child(paragraph, "pPr", "framePr"), "dropCap")
    return drop in ("drop", "margin") or find_child(paragraph, "pPr", "rPr", "del") is not None


def iter_parts(document: Document) -> Iterator[StoryPart]:
    """The blocks of a document as pieces of a story, without furniture."""
    for block in document.blocks:
        text = document.text[block.start : block.end]
        if block.table is not None:
            table = document.tables[block.table - 1]
            if table.caption and table.caption not in document.text:
                yield StoryPart(BlockKind.PARAGRAPH, table.caption, is_caption=True)
            layout = LaidTable([list(row) for row in table.rows], table.header_rows, list(table.merges))
            yield StoryPart(BlockKind.TABLE, table=layout)
        elif block.kind is BlockKind.LIST:
            for line in text.split("\n"):
                yield StoryPart(block.kind, line.strip(), (len(line) - len(line.lstrip(" "))) // 2)
        elif block.kind is not BlockKind.FURNITURE:
            yield StoryPart(block.kind, text, block.level)


@dataclass(slots=True)
class WordCell:
    """A cell as written: its content, None if a row begins later than its table, and the rows and columns it covers."""

    node: _Element | None
    rows: int = 1
    columns: int = 1


def read_cells(rows: list[_Element]) -> list[list[WordCell]]:
    """The cells of each row; a cell that continues the one above or before it makes that one larger instead."""
    rows_of_cells: list[list[WordCell]] = []
    above: dict[int, WordCell] = {}
    for row in rows:
        cells_before = get_value(row, "trPr", "gridBefore")
        cells = (
            [WordCell(None) for _ in range(min(parse_span(cells_before), 200))] if cells_before not in ("", "0") else []
        )
        column, cells_below = len(cells), dict[int, WordCell]()
        for node in iter_inside(row, "tc"):
            width = parse_span(get_value(node, "tcPr", "gridSpan"))
            is_merged = find_child(node, "tcPr", "vMerge") is not None
            if get_value(node, "tcPr", "hMerge") == "continue" and cells:
                cells[-1].columns += width
            elif is_merged and get_value(node, "tcPr", "vMerge") != "restart" and column in above:
                above[column].rows += 1
                cells_below[column] = above[column]
            else:
                cells.append(WordCell(node, columns=width))
                if is_merged:
                    cells_below[column] = cells[-1]
            column += width
        rows_of_cells.append(cells)
        above = cells_below
    return rows_of_cells


_SIGN_TEXTS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTE_KINDS = {"footnoteReference": ("footnotes", "decimal"), "endnoteReference": ("endnotes", "lowerRoman")}
_SINGLE_TERM = re.compile(r"[^\W_]*[\u0300-\u036f\u20d0-\u20ff]?|[\d.,]+")
_COMBINING_MARKS = {"¯": "\u0305", "^": "\u0302", "~": "\u0303", "˙": "\u0307"}


@dataclass(frozen=True, slots=True)
class Note:
    """A note that the text refers to: `story` is "footnotes" or "endnotes", `mark` the reference in the text."""

    story: str
    note_id: str
    mark: str


class ParagraphReader:
    """Reads paragraphs in document order and collects in `notes` the notes they refer to, each once."""

    def __init__(self, styles: Styles) -> None:
        self.notes: list[Note] = []
        self._styles = styles
        self._notes_by_key: dict[tuple[str, str], Note] = {}
        self._note_counts: Counter[str] = Counter()
        self._open_field_codes: list[bool] = []

    def read_paragraph(self, paragraph: _Element) -> str:
        """The words of one paragraph without its text boxes.

        A field whose code has not ended by the end of the paragraph is broken, and hides nothing of the next one.
        """
        self._open_field_codes.clear()
        return self._read_text(paragraph)

    def _read_text(self, node: _Element) -> str:
        tag = get_tag(node)
        if tag == "fldChar":
            # A field begins with its code; its result follows the separator.
            position = get_attribute(node, "fldCharType")
            if position == "begin":
                self._open_field_codes.append(True)
            elif self._open_field_codes and position == "separate":
                self._open_field_codes[-1] = False
            elif self._open_field_codes and position == "end":
                self._open_field_codes.pop()
            return ""
        if tag == "r":
            words = "" if self._styles.is_run_hidden(node) else self._read_children(node)
            return raise_mark(words) if get_value(node, "rPr", "vertAlign") == "superscript" else words
        if tag == "txbxContent" or (any(self._open_field_codes) and not len(node)):
            return ""
        if tag == "ruby":
            base, reading = (self._read_children(find_child(node, tag)) for tag in ("rubyBase", "rt"))
            return f"{base}({reading})" if reading else base
        return self._read_leaf(node, tag) if not len(node) or tag == "oMath" else self._read_children(node)

    def _read_children(self, node: _Element | None) -> str:
        if node is None:
            return ""
        separator = "\n" if get_tag(node) == "oMathPara" else ""
        return separator.join(map(self._read_text, iter_visible(node)))

    def _read_leaf(self, node: _Element, tag: str) -> str:
        if tag == "t":
            text, run = node.text or "", node.getparent()
            if text.isascii():
                return text
            # The font that the run itself names for its characters, not its style.
            fonts = None if run is None else find_child(run, "rPr", "rFonts")
            return decode_run(get_attribute(fonts, "ascii") or get_attribute(fonts, "hAnsi"), text)
        if tag == "oMath":
            following = node.getnext()
            return format_equation(node) + (" " if following is not None and get_tag(following) == "oMath" else "")
        if tag == "sym":
            return decode_symbol(get_attribute(node, "font"), get_attribute(node, "char"))
        return self._number_note(node, *_NOTE_KINDS[tag]) if tag in _NOTE_KINDS else _SIGN_TEXTS.get(tag, "")

    def _number_note(self, node: _Element, story: str, numerals: str) -> str:
        """The mark in brackets, since a raised 1 after 2024 would read 20241; empty if the author's mark follows."""
        key = (story, get_attribute(node, "id"))
        if key not in self._notes_by_key:
            has_custom_mark = get_attribute(node, "customMarkFollows") in ("1", "true", "on")
            self._note_counts[story] += not has_custom_mark
            mark = "" if has_custom_mark else f"[{format_numeral(self._note_counts[story], numerals)}]"
            self._notes_by_key[key] = Note(*key, mark)
            self.notes.append(self._notes_by_key[key])
        return self._notes_by_key[key].mark


def format_equation(node: _Element) -> str:
    """An equation or a part of one: fractions as `a/b`, scripts as `x_i^2`, roots as `√(x)`, matrices as `[a; b]`."""
    match get_tag(node):
        case "t":
            return node.text or ""
        case "f":
            upper, lower = _format_part(node, "num"), _format_part(node, "den")
            is_stacked = get_value(node, "fPr", "type") == "noBar"
            return f"({upper}¦{lower})" if is_stacked else f"{_group_term(upper)}/{_group_term(lower)}"
        case "sSup" | "sSub" | "sSubSup" | "limLow" | "limUpp":
            return _group_term(_format_part(node, "e")) + _format_scripts(node)
        case "sPre":
            return _format_scripts(node) + _format_part(node, "e")
        case "rad":
            degree, radicand = _format_part(node, "deg"), _format_part(node, "e")
            return f"√({degree}&{radicand})" if degree else f"√({radicand})"
        case "nary":
            sign = "∫" if find_child(node, "naryPr", "chr") is None else get_value(node, "naryPr", "chr")
            return f"{sign}{_format_scripts(node)} {_format_part(node, 'e')}"
        case "d":
            begin, separator, end = (
                default if find_child(node, "dPr", tag) is None else get_value(node, "dPr", tag)
                for tag, default in (("begChr", "("), ("sepChr", "|"), ("endChr", ")"))
            )
            return begin + separator.join(_iter_terms(node)) + end
        case "func":
            argument = _format_part(node, "e")
            space = "" if argument.startswith(("(", "[", "{")) else " "
            return f"{_format_part(node, 'fName')}{space}{argument}"
        case "acc":
            sign = get_value(node, "accPr", "chr") or "^"
            return _group_term(_format_part(node, "e")) + _COMBINING_MARKS.get(sign, sign)
        case "eqArr":
            return "; ".join(_iter_terms(node))
        case "m":
            return "[" + "; ".join(", ".join(_iter_terms(row)) for row in node if get_tag(row) == "mr") + "]"
        case _:
            return "".join(map(format_equation, iter_visible(node)))


def _iter_terms(node: _Element) -> Iterator[str]:
    return (format_equation(part) for part in node if get_tag(part) == "e")


def _format_part(node: _Element, tag: str) -> str:
    part = find_child(node, tag)
    return "" if part is None else format_equation(part)


def _group_term(text: str) -> str:
    """A term, in parentheses if it is more than one name or number and has none yet."""
    depths = list(accumulate((sign == "(") - (sign == ")") for sign in text))
    is_wrapped = text.startswith("(") and 0 in depths and depths.index(0) == len(text) - 1
    return text if is_wrapped or _SINGLE_TERM.fullmatch(text) else f"({text})"


def _format_scripts(node: _Element) -> str:
    lower, upper = _format_part(node, "sub") or _format_part(node, "lim"), _format_part(node, "sup")
    if get_tag(node) == "limUpp":
        lower, upper = "", lower
    return (f"_{_group_term(lower)}" if lower else "") + (f"^{_group_term(upper)}" if upper else "")
