"""The text of an OpenDocument file as pieces in reading order (OpenDocument 1.3 part 3, 5 and 9).

Headings with their levels, lists with their numbers, tables with merged cells, notes below the text that refers to
them. Tracked deletions, comments and hidden text are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tasks.parsers.numerals import format_numeral
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.picture_words import list_description
from tasks.parsers.table_form import SpanCell, lay_out, parse_span
from tasks.parsers.trees import expand_entity, get_tag
from tasks.parsers.word.word_story import Note, StoryPart
from warehouse.records import BlockKind, Finding

if TYPE_CHECKING:
    from lxml.etree import _Element

_WHITESPACE = re.compile(r"[ \t\r\n]+")
_ENCODED_CHARACTER = re.compile(r"_([0-9a-f]{2,4})_")
_HEADING_STYLE = re.compile(r"heading (\d{1,2})", re.IGNORECASE)
_CODE_STYLE = re.compile(r"(?:preformatted|source|code|listing|quelltext|vorformatiert)", re.IGNORECASE)
_TITLE_STYLES = frozenset({"title", "titel", "titre", "título"})
_CAPTION_STYLES = frozenset({"caption", "table", "illustration", "figure", "drawing", "text"})
_WRAPPER_TAGS = frozenset({
    "section", "index-body", "index-title", "numbered-paragraph", "text-box", "list-item", "list-header", "text",
    "illustration-index", "table-index", "object-index", "user-index", "alphabetical-index", "bibliography", "g",
})  # fmt: skip
_IGNORED_TAGS = frozenset({
    "annotation", "annotation-end", "tracked-changes", "number", "hidden-text", "object", "object-ole", "image",
    "script", "forms",
})  # fmt: skip
"""Elements whose text is not part of the surrounding text."""
_SHAPE_TAGS = frozenset({"frame", "custom-shape", "rect", "ellipse", "line", "connector", "a", "g"})
_ROW_GROUP_TAGS = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_NUMERALS = {
    "": "none", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "1st": "ordinal",
    "01, 02, 03, ...": "decimalZero", "一, 二, 三, ...": "chineseCounting", "①, ②, ③, ...": "decimalEnclosedCircle",
    "甲, 乙, 丙, ...": "ideographTraditional",
}  # fmt: skip
"""Formats of numbers by their names in Word; all others are digits."""
_LEVEL_PLACEHOLDER = re.compile(r"%(\d{1,2})%")
_OUTLINE = "Outline"  # The list of the headings.
_MAX_REPEATED = 200  # Copies that a cell or a row may stand for.
_MAX_SPACES = 100  # Blanks that one element may stand for.
_MAX_LEVELS = 10
_BULLET = "•"


@dataclass(frozen=True, slots=True)
class _Style:
    """A style of paragraphs: its display name, its parent, the level of its headings, and whether its text is hidden.

    `list_style` is None where it is inherited from the parent, "" for no numbers.
    """

    name: str
    parent: str
    level: int
    list_style: str | None
    is_hidden: bool


class OpenStyles:
    """The styles of a document, of its two parts together, and its lists."""

    def __init__(self, *roots: _Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._lists: dict[str, dict[int, _Element]] = {}
        for root in roots:
            for node in () if root is None else root.iter("style", "list-style", "outline-style"):
                name = get_attribute(node, "name")
                if get_tag(node) != "style":
                    name = _OUTLINE if get_tag(node) == "outline-style" else name
                    levels = {get_attribute(level, "level"): level for level in node if get_attribute(level, "level")}
                    self._lists[name] = {int(level): node for level, node in levels.items() if level.isdecimal()}
                    continue
                is_hidden = any(
                    get_attribute(part, "display") == "none" for part in node if get_tag(part) == "text-properties"
                )
                attributes = {str(key).rpartition("}")[2]: str(value) for key, value in node.items()}
                self._styles[name] = _Style(
                    attributes.get("display-name")
                    or _ENCODED_CHARACTER.sub(lambda match: chr(int(match[1], 16)), name),
                    attributes.get("parent-style-name", ""),
                    _parse_level(attributes.get("default-outline-level", "")),
                    attributes.get("list-style-name"),
                    is_hidden,
                )

    def list_chain(self, name: str) -> list[_Style]:
        """A style and those it is based on, the nearest first."""
        chain: list[_Style] = []
        while name in self._styles and len(chain) < _MAX_LEVELS:
            chain.append(self._styles[name])
            name = chain[-1].parent
        return chain

    def is_hidden(self, name: str) -> bool:
        """Whether the text of a style is not shown."""
        style = self._styles.get(name)
        return style is not None and style.is_hidden

    def get_list_level(self, name: str, depth: int) -> _Element | None:
        """How the items of a list at a depth, from 1, are numbered."""
        return self._lists.get(name, {}).get(depth)

    def format_number(self, name: str, counts: list[int]) -> str:
        """The number of the item with these counts by level, with the outer numbers where the list shows them."""
        depth = len(counts)
        level = self.get_list_level(name, depth)
        formats = [get_attribute(self.get_list_level(name, level), "num-format") for level in range(1, depth + 1)]
        if not formats[-1]:
            return ""
        numbers = list(
            map(format_numeral, counts, (_NUMERALS.get(number_format, "decimal") for number_format in formats))
        )
        if pattern := get_attribute(level, "num-list-format"):
            return _LEVEL_PLACEHOLDER.sub(
                lambda match: "".join(numbers[int(match[1]) - 1 : int(match[1])]), pattern
            ).strip()
        level_count = max(1, min(parse_span(get_attribute(level, "display-levels")), depth))
        number = ".".join(filter(None, numbers[-level_count:]))
        return f"{get_attribute(level, 'num-prefix')}{number}{get_attribute(level, 'num-suffix')}".strip()


def _find_level(chain: list[_Style]) -> int:
    """The level of the headings of a style, 0 of paragraphs."""
    for style in chain:
        if match := _HEADING_STYLE.fullmatch(style.name):
            return int(match[1])
        if style.level:
            return style.level
    return 0


def _parse_level(value: str) -> int:
    return int(value[:2]) if value[:2].isdecimal() else 0


@dataclass(slots=True)
class _ListState:
    """A list that is being read: its style, the list that contains it, and how many items it has so far."""

    style: str
    parent: _ListState | None = None
    count: int = 0

    @property
    def depth(self) -> int:
        """The depth, from 1."""
        return self.parent.depth + 1 if self.parent else 1

    @property
    def counts(self) -> list[int]:
        """The numbers of the current items, the outermost list first."""
        return [*(max(count, 1) for count in (self.parent.counts if self.parent else ())), self.count]


@dataclass(slots=True)
class OpenTextReader:
    """Reads the content of a document, whose notes and lists are counted through."""

    styles: OpenStyles
    stories: dict[tuple[str, str], _Element] = field(default_factory=dict)
    """The bodies of the notes, by story and number."""
    findings: list[Finding] = field(default_factory=list)
    _notes: list[Note] = field(default_factory=list)
    _anchored_elements: list[_Element] = field(default_factory=list)
    _last_numbers: dict[str, int] = field(default_factory=dict)
    _heading_counts: list[int] = field(default_factory=lambda: [0] * _MAX_LEVELS)

    def iter_pieces(self, story: _Element) -> Iterator[StoryPart]:
        """The pieces of an element, in order; a text box follows the paragraph that contains it."""
        for node in story:
            yield from self._read_node(node)

    def _read_node(self, node: _Element) -> Iterator[StoryPart]:
        tag = get_tag(node)
        if tag in ("p", "h"):
            yield from self._read_paragraph(node)
        elif tag == "list":
            yield from self._read_list(node, None)
        elif tag == "table":
            yield from self._read_table(node)
        elif tag == "table-of-content":
            for piece in self.iter_pieces(node):
                is_entry = piece.kind is BlockKind.PARAGRAPH
                yield replace(piece, kind=BlockKind.LIST, level=0) if is_entry else piece
        elif (tag in _WRAPPER_TAGS or tag in _SHAPE_TAGS) and get_attribute(node, "display") != "none":
            has_picture = any(get_tag(part) == "image" for part in node)
            descriptions = (
                {get_tag(part): part.text for part in node if get_tag(part) in ("desc", "title")} if has_picture else {}
            )
            words = list_description(descriptions.get("desc") or descriptions.get("title"))
            yield from (StoryPart(BlockKind.PARAGRAPH, line) for line in words)
            yield from self.iter_pieces(node)

    def _read_paragraph(self, node: _Element) -> Iterator[StoryPart]:
        chain = self.styles.list_chain(get_attribute(node, "style-name"))
        names = [style.name.lower() for style in chain]
        text = self._read_words(node)
        notes, self._notes = tuple(self._notes), []
        anchored_elements, self._anchored_elements = self._anchored_elements, []
        is_title = bool(_TITLE_STYLES & set(names))
        is_code = any(map(_CODE_STYLE.match, names))
        level = self._find_heading_level(node, chain)
        if text.strip() and not any(style.is_hidden for style in chain):
            if level or is_title:
                mark = self._read_number(node) or self._number_heading(node, level, chain)
                yield StoryPart(BlockKind.HEADING, text, level or 1, mark, is_title=is_title, notes=notes)
            elif is_code:
                yield StoryPart(BlockKind.CODE, text, notes=notes)
            else:
                is_caption = bool(_CAPTION_STYLES & set(names))
                yield StoryPart(BlockKind.PARAGRAPH, text, is_caption=is_caption, notes=notes)
        elif is_code:
            yield StoryPart(BlockKind.CODE)
        for element in anchored_elements:
            yield from self._read_node(element)

    def _find_heading_level(self, node: _Element, chain: list[_Style]) -> int:
        """The level of a heading, 0 of a paragraph; by the element, else by the style."""
        return (_parse_level(get_attribute(node, "outline-level")) or 1) if get_tag(node) == "h" else _find_level(chain)

    def _number_heading(self, node: _Element, level: int, chain: list[_Style]) -> str:
        """The number of a heading in the outline, which is counted through the document (part 3, 16.34)."""
        list_style = next((style.list_style for style in chain if style.list_style is not None), _OUTLINE)
        is_counted = list_style == _OUTLINE and _find_level(chain) == level <= _MAX_LEVELS
        if get_tag(node) != "h" or get_attribute(node, "is-list-header") == "true" or not is_counted:
            return ""
        style = self.styles.get_list_level(_OUTLINE, level)
        start = get_attribute(node, "start-value") or get_attribute(style, "start-value")
        count = self._heading_counts[level - 1]
        if not count or get_attribute(node, "restart-numbering") == "true":
            count = int(start[:6]) - 1 if start.isdecimal() else 0
        self._heading_counts[level - 1 :] = [count + 1, *[0] * (_MAX_LEVELS - level)]
        return self.styles.format_number(_OUTLINE, [max(count, 1) for count in self._heading_counts[:level]])

    def _read_number(self, node: _Element) -> str:
        """The number of a heading or item as the program that wrote the file showed it, if it did."""
        return next((" ".join((part.text or "").split()) for part in node if get_tag(part) == "number"), "")

    def _read_words(self, node: _Element) -> str:
        """The words of an element, notes as marks."""
        pieces = [_WHITESPACE.sub(" ", node.text or "")]
        for part in node:
            pieces += [self._read_inline(part), _WHITESPACE.sub(" ", part.tail or "")]
        return "".join(pieces)

    def _read_inline(self, node: _Element) -> str:
        tag = get_tag(node)
        if tag in ("", "&"):
            return expand_entity(node)
        if tag == "s":
            count = get_attribute(node, "c")
            return " " * (min(int(count[:4]), _MAX_SPACES) if count.isdecimal() else 1)
        if tag in ("tab", "line-break"):
            return "\t" if tag == "tab" else "\n"
        if tag == "note":
            return self._read_note(node)
        if tag == "ruby":
            return self._read_ruby(node)
        if tag in ("frame", "custom-shape", "text-box"):
            self._anchored_elements.append(node)
            return ""
        if tag in _IGNORED_TAGS or self.styles.is_hidden(get_attribute(node, "style-name")):
            return ""
        return self._read_words(node)

    def _read_ruby(self, node: _Element) -> str:
        """A word followed by its reading."""
        texts = {get_tag(part): " ".join("".join(map(str, part.itertext())).split()) for part in node}
        base, reading = texts.get("ruby-base", ""), texts.get("ruby-text", "")
        return f"{base}({reading})" if reading else base

    def _read_note(self, node: _Element) -> str:
        """The mark of a note in brackets, since a raised 1 after 2024 would read 20241."""
        story = "endnotes" if get_attribute(node, "note-class") == "endnote" else "footnotes"
        parts = {get_tag(part): part for part in node}
        self._last_numbers[story] = self._last_numbers.get(story, 0) + 1
        citation = " ".join((parts["note-citation"].text or "").split()) if "note-citation" in parts else ""
        numeral_text = format_numeral(self._last_numbers[story], "lowerRoman" if story == "endnotes" else "decimal")
        note = Note(story, f"{story} {self._last_numbers[story]}", f"[{citation or numeral_text}]")
        if "note-body" in parts:
            self.stories[story, note.note_id] = parts["note-body"]
        self._notes.append(note)
        return note.mark

    def _read_list(self, node: _Element, parent: _ListState | None) -> Iterator[StoryPart]:
        """The items of a list, each paragraph of an item a line; headings and tables in it as outside of lists."""
        style = get_attribute(node, "style-name") or (parent.style if parent else "")
        state = _ListState(style, parent)
        is_continued = get_attribute(node, "continue-numbering") == "true" or bool(get_attribute(node, "continue-list"))
        key = f"{style} {state.depth}"
        first_number = get_attribute(self.styles.get_list_level(style, state.depth), "start-value")
        state.count = (
            self._last_numbers.get(key, 0)
            if is_continued
            else int(first_number[:6]) - 1
            if first_number.isdecimal()
            else 0
        )
        for item in node:
            if get_tag(item) not in ("list-item", "list-header"):
                continue
            mark = ""
            # An item that only contains a list continues the item before it.
            if get_tag(item) == "list-item" and any(get_tag(part) not in ("", "list") for part in item):
                start = get_attribute(item, "start-value")
                state.count = int(start[:6]) if start.isdecimal() else state.count + 1
                mark = self._format_mark(state)
            for part in item:
                if get_tag(part) == "list":
                    yield from self._read_list(part, state)
                    continue
                for piece in self._read_node(part):
                    if piece.kind is BlockKind.PARAGRAPH:
                        item_mark = self._read_number(item) or mark
                        yield replace(piece, kind=BlockKind.LIST, level=state.depth - 1, mark=item_mark)
                        mark = ""
                    elif piece.kind is BlockKind.HEADING and style != _OUTLINE and mark not in ("", _BULLET):
                        yield replace(piece, mark=self._read_number(item) or mark)
                    else:
                        yield piece
        self._last_numbers[key] = state.count

    def _format_mark(self, state: _ListState) -> str:
        """The number of an item, with the outer numbers where the list shows them, or its bullet."""
        level = self.styles.get_list_level(state.style, state.depth)
        if level is None or get_tag(level) not in ("list-level-style-number", "outline-level-style"):
            return get_attribute(level, "bullet-char") or _BULLET
        return self.styles.format_number(state.style, state.counts)

    def _read_table(self, table: _Element) -> Iterator[StoryPart]:
        """A table and after it those inside its cells; one of a single row or column is a frame around its content."""
        all_pieces: list[StoryPart] = []
        cells: list[list[SpanCell]] = []
        header_count = 0
        for row, is_header in _iter_rows(table, is_header=False):
            row_cells: list[SpanCell] = []
            for node in row:
                if get_tag(node) != "table-cell":
                    continue
                pieces = list(self.iter_pieces(node))
                all_pieces += pieces
                text = "\n".join(piece.line for piece in pieces if piece.table is None)
                cell = SpanCell(
                    text,
                    parse_span(get_attribute(node, "number-rows-spanned")),
                    parse_span(get_attribute(node, "number-columns-spanned")),
                )
                row_cells += [cell] * min(parse_span(get_attribute(node, "number-columns-repeated")), _MAX_REPEATED)
            repeat_count = min(parse_span(get_attribute(row, "number-rows-repeated")), _MAX_REPEATED)
            cells += [row_cells] * (repeat_count if any(cell.text for cell in row_cells) else 1)
            header_count += repeat_count if is_header else 0
        layout = lay_out(cells)
        if not layout.is_table:
            yield from all_pieces
            return
        notes = tuple(note for piece in all_pieces if piece.table is None for note in piece.notes)
        yield StoryPart(BlockKind.TABLE, table=replace(layout, header_rows=header_count or None), notes=notes)
        yield from (piece for piece in all_pieces if piece.table is not None)


def _iter_rows(node: _Element, *, is_header: bool) -> Iterator[tuple[_Element, bool]]:
    """The rows of a table, and whether each is one of its header."""
    for part in node:
        if get_tag(part) == "table-row":
            yield part, is_header
        elif get_tag(part) in _ROW_GROUP_TAGS:
            yield from _iter_rows(part, is_header=is_header or get_tag(part) == "table-header-rows")
