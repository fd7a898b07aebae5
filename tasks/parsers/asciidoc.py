"""AsciiDoc (.adoc, .asciidoc, .asc): manuals, release notes and books, read without the files that they include.

https://docs.asciidoctor.org/asciidoc/latest/. Comments are left out, code is kept as it is written. Contents of
compound blocks (examples, sidebars, quotes) are read as surrounding text.
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_right
from collections import defaultdict

from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.document_head import HEAD_LENGTH, find_datelines
from tasks.parsers.notes.note_blocks import is_badge
from tasks.parsers.notes.properties import DATE_PROPERTIES, list_property_claims
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.table_form import SpanCell, lay_out
from tasks.parsers.text import add_preformatted
from tasks.parsers.written_dates import find_day_order
from warehouse.records import Attributes, BlockKind, Document, Kind

_ATTRIBUTE = re.compile(r":(!?[A-Za-z0-9_][\w-]*!?):(?:[ \t]+(.*))?")
_REFERENCE = re.compile(r"(?<!\\)\{([A-Za-z0-9_][\w-]*)\}")
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*")
_UNDERLINE = re.compile(r"([=\-~^+])\1{2,}[ \t]*")
_LEVELS = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_REVISION = re.compile(
    r"(?:[vV]?(?P<number>\d[\w.-]*),[ \t]*)?(?P<date>[^:\n]*\d{4}[^:\n]*?)(?::[ \t]+(?P<remark>.*))?"
)
_AUTHOR = r"[^\W\d_][\w.'’-]*(?:[ \t]+[\w.'’-]+){0,3}(?:[ \t]+<[^<>\n]+>)?"
_AUTHORS = re.compile(rf"{_AUTHOR}(?:;[ \t]*{_AUTHOR}){{0,20}}")
_VERBATIM_FENCE = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|```)(?:[\w+-]*)[ \t]*")
_COMPOUND_FENCE = re.compile(r"(?:={4,}|\*{4,}|_{4,}|--)[ \t]*")
_TABLE = re.compile(r"([|,:!])={3,}[ \t]*")
_OPTIONS = re.compile(r"\[(?:[\w.#%\"',*+|:;<>^= \t~/@{}()&!?$-]*)\][ \t]*")
_ANCHOR = re.compile(r"\[\[[^\[\]\n]+\]\][ \t]*")
_TITLE = re.compile(r"\.(?=[^\s.])(.+)")
_ITEM = re.compile(r"[ \t]*(?:\*{1,6}|-|\.{1,6}|\d{1,9}\.|[A-Za-z]\.|<(?:\d+|\.)>)[ \t]+(?=\S)")
_TERM = re.compile(r"[ \t]*(?!//)\S.{0,400}?(?::{2,4}|;;)(?:[ \t]+\S.*)?[ \t]*")
_DIRECTIVE = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::[^\[\n]*\[(.*)\][ \t]*")
_BREAK = re.compile(r"(?:'{3,}|<{3,})[ \t]*")
_CELL = re.compile(
    r"(?<![^\s|])(?:(?P<copies>\d{1,2})\*|(?P<columns>\d{1,3})?(?:\.(?P<rows>\d{1,3}))?\+)?"
    r"(?:[<^>]?(?:\.[<^>])?)[adehlmsv]?(?P<bar>(?<!\\)[|!])|(?<!\\)(?P<alone>[|!])"
)
_INNER_TABLE = re.compile(
    r"(?:^(?P<options>\[[^\]\n]*\])[ \t]*\n)?^!={3,}[ \t]*\n(?P<lines>.*?)^!={3,}[ \t]*$", re.MULTILINE | re.DOTALL
)
_COLUMNS = re.compile(r"\bcols=(?:\"([^\"]*)\"|([^,\]]+))")
_FORMAT = re.compile(r"\bformat=\"?(csv|dsv|tsv)\b")
_SEPARATORS = {",": ",", ":": ":", "csv": ",", "dsv": ":", "tsv": "\t"}
_HEADER = re.compile(r"%(?:[\w%]*%)?header|\bopt(?:ion)?s=\"?[^\]\"]*header")
_LINK = re.compile(
    r"(?:\blink:|(?=https?://))([^\s\[\]<>]{1,1000})\[([^\]\n]{0,1000})\]"
    r"|\b(?:xref|mailto):([^\s\[\]]{1,300})\[([^\]\n]{0,1000})\]"
)
_XREF = re.compile(r"<<([^<>,\n]{1,300})(?:,[ ]*([^<>\n]{1,300}))?>>")
_IMAGE = re.compile(r"\b(?:image|video|audio)::?([^\s\[\]]{1,300})\[\"?([^\],\n\"]*)[^\]\n]*\]")
_NOTE = re.compile(r"\bfootnote:([\w-]{0,100})\[([^\]\n]{0,2000})\]")
_CONTROL = re.compile(r"\b(?:kbd|btn|menu):([^\s\[\]:]{0,100})\[([^\]\n]{1,1000})\]")
"""Keys, buttons and menus."""
_ANCHORS = re.compile(r"\[\[\[?[\w:.-]{1,200}(?:,[^\]\n]{0,300})?\]\]\]?|\banchor:[\w-]+\[[^\]\n]*\]")
_UNCONSTRAINED = re.compile(r"(\*\*|__|``|##)(?=\S)([^\n]{1,400}?)(?<=\S)\1")
_CONSTRAINED = re.compile(r"(?<![\w*_`#\\])(?:\[[\w.#% -]+\])?([*_`#])(?=\S)([^\n]{1,400}?)(?<=\S)\1(?![\w*_`#])")
_HARD_BREAK = re.compile(r"[ \t]\+$", re.MULTILINE)
_HEADER_DATES = ("revdate", *DATE_PROPERTIES, "docdate")
_WEAK_MARKS = (
    re.compile(r"^= \S", re.MULTILINE),
    re.compile(r"^:[a-z][\w-]*!?:(?:[ \t]|$)", re.MULTILINE),
    re.compile(r"^(?:-{4}|={4}|\|={3})$|^\[(?:source|cols|NOTE|quote|options)\b", re.MULTILINE),
)
_STRONG_MARKS = (
    re.compile(r"\A(?:[ \t]*\n|//.*\n)*= \S.*[^=\s]\n"),
    re.compile(r"^={2,5} \S.*[^=\s]$(?!\n[=\-~^+]{3})", re.MULTILINE),
    re.compile(r"^\[(?:(?:verse|source|NOTE|TIP|WARNING|quote|listing|horizontal)\b|\w+=)[^\]\n]*\]$", re.MULTILINE),
    re.compile(r"\b(?:link(?:git)?|xref|include|image|ifdef|toc)::?[^\s\[\]:]*\[[^\]\n]*\]"),
    re.compile(r"^(?=\S).{1,80}[^:\s]::\n[ \t]*[^\s:]", re.MULTILINE),
)
"""Marks of AsciiDoc that are rare in plain text, Markdown, reStructuredText and the markup of wikis."""
_MAX_COPIES = 50  # Copies of a cell that one mark may state.
_PAGE_SETTINGS = frozenset(
    (
        *("toc", "toclevels", "toc-title", "icons", "iconsdir", "doctype", "source-highlighter", "highlightjs-theme"),
        *("imagesdir", "includedir", "stylesheet", "stylesdir", "sectnums", "sectnumlevels", "sectanchors", "idprefix"),
        *("idseparator", "experimental", "encoding", "backend"),
    )
)
"""Attributes of the layout of pages, which are not shown."""


class _AsciiDocWalk:
    """Adds the lines of a file."""

    def __init__(self, assembly: Assembly, text: str) -> None:
        self.title = ""
        self.fields: dict[str, str] = {}
        self.links: list[str] = []
        self._assembly = assembly
        self._lines = text.split("\n")
        self._paragraph: list[str] = []
        self._items: list[str] = []
        self._is_attached = False
        self._inner_tables: list[re.Match[str]] = []
        self._options = ""
        self._caption = ""
        self._ends: defaultdict[str, list[int]] = defaultdict(list)
        """The positions of the lines that can end a block, by their text."""
        for place, line in enumerate(self._lines):
            if _VERBATIM_FENCE.fullmatch(line) or _TABLE.fullmatch(line):
                self._ends[line.rstrip()].append(place)

    def _find_end(self, fence: str, place: int) -> int:
        """The next line after a place that is this fence; 0 for none."""
        ends = self._ends[fence]
        index = bisect_right(ends, place)
        return ends[index] if index < len(ends) else 0

    def add_lines(self) -> None:
        """Adds every line."""
        place = self._add_header()
        while place < len(self._lines):
            place = self._add_element(place)
        self._flush()
        self._flush_caption()

    def _add_header(self) -> int:
        """Adds title, author, revision and attributes above the first empty line; returns the line after them."""
        place = 0
        while place < len(self._lines) and not self._lines[place].strip():
            place += 1
        state = 0  # 1 after the title, 2 after the authors, 3 after the revision.
        while place < len(self._lines) and (line := self._lines[place].rstrip()):
            if match := _ATTRIBUTE.fullmatch(line):
                self._set_attribute(match)
            elif line.startswith("= ") and not self.title:
                self.title = self._get_words(line[2:].strip())
                self._assembly.add_heading(self.title, 1)
                state = 1
            elif state == 1 and _AUTHORS.fullmatch(line):
                self.fields.setdefault("author", re.sub(r"[ \t]*<[^<>]*>", "", line).replace(";", ","))
                self._assembly.add(BlockKind.PARAGRAPH, self._get_words(line))
                state = 2
            elif state and (match := _REVISION.fullmatch(line)):
                self.fields.setdefault("revdate", match["date"])
                self._assembly.add(BlockKind.PARAGRAPH, self._get_words(line))
                state = 3
            elif not line.startswith("//") or line.startswith("////"):
                break
            place += 1
        return place

    def _set_attribute(self, match: re.Match[str]) -> None:
        """Sets an attribute of the document; one with a value is also shown, except for settings of the page."""
        name, value = match[1].lower(), (match[2] or "").strip()
        if name.startswith("!") or name.endswith("!"):
            self.fields.pop(name.strip("!"), None)
        else:
            self.fields[name] = self._replace_references(value)
        if value and name not in _PAGE_SETTINGS:
            self._assembly.add(BlockKind.PARAGRAPH, f"{match[1]}: {value}")

    def _replace_references(self, text: str) -> str:
        return _REFERENCE.sub(lambda match: (self.fields.get(match[1].lower()) or match[0])[:1000], text)

    def _get_words(self, text: str) -> str:
        """The words of a passage as the page shows them; adds the addresses of links to `links`."""

        def replace_link(match: re.Match[str]) -> str:
            target, words = match[1] or match[3], match[2] or match[4] or ""
            if target.startswith(("http:", "https:")):
                self.links.append(target)
            return words.rstrip("^") or target

        words = _HARD_BREAK.sub("", self._replace_references(text))
        words = _IMAGE.sub(
            lambda reference: "" if is_badge(reference[1], reference[2]) else reference[2] or reference[1], words
        )
        words = _CONTROL.sub(lambda control: " > ".join(filter(None, control.groups())), words)
        words = _NOTE.sub(lambda reference: f"[{': '.join(filter(None, reference.groups()))}]", words)
        words = _ANCHORS.sub("", _LINK.sub(replace_link, words))
        words = _XREF.sub(lambda reference: reference[2] or reference[1], words)
        return _CONSTRAINED.sub(r"\2", _CONSTRAINED.sub(r"\2", _UNCONSTRAINED.sub(r"\2", words)))

    def _flush(self) -> None:
        if self._paragraph:
            self._assembly.add(BlockKind.PARAGRAPH, self._get_words("\n".join(self._paragraph)))
        if self._items:
            self._assembly.add(BlockKind.LIST, self._get_words("\n".join(self._items)))
        self._paragraph.clear()
        self._items.clear()

    def _flush_caption(self) -> None:
        self._assembly.add(BlockKind.PARAGRAPH, self._get_words(self._caption))
        self._caption = self._options = ""

    def _add_element(self, place: int) -> int:
        """Adds the element that begins at a line; returns the line after it."""
        line = self._lines[place].rstrip()
        next_line = self._lines[place + 1].rstrip() if place + 1 < len(self._lines) else ""
        if not line or line == "+" or _BREAK.fullmatch(line) or _COMPOUND_FENCE.fullmatch(line):
            self._flush()
            self._is_attached = line == "+"
            if line and line != "+":
                self._flush_caption()
            return place + 1
        if (match := _TABLE.fullmatch(line)) and (end := self._find_end(line, place)):
            self._flush()
            self._add_table(match[1], self._lines[place + 1 : end])
            return end + 1
        match = _VERBATIM_FENCE.fullmatch(line)
        if match and (end := self._find_end(line if match[1] != "```" else "```", place)):
            self._flush()
            self._flush_caption()
            if not line.startswith("////"):
                text = "\n".join(self._lines[place + 1 : end])
                add_preformatted(self._assembly, text, text)
            return end + 1
        if line.startswith("//") and not line.startswith("///"):
            return place + 1
        if match := _DIRECTIVE.fullmatch(line):
            if match[1]:
                self._paragraph.append(match[1])
            return place + 1
        if (match := _ATTRIBUTE.fullmatch(line)) and not self._paragraph:
            self._flush()
            self._set_attribute(match)
            return place + 1
        if match := _HEADING.fullmatch(line):
            self._add_heading(match[2], len(match[1]))
            return place + 1
        underline = _UNDERLINE.fullmatch(next_line)
        if underline and not self._paragraph and abs(len(next_line) - len(line)) < 2 and line[0].isalnum():
            self._add_heading(line, _LEVELS[underline[1]])
            return place + 2
        return self._add_text_line(line, place)

    def _add_heading(self, words: str, level: int) -> None:
        self._flush()
        self._flush_caption()
        if level == 1 and not self.title and not self._assembly.end:
            self.title = self._get_words(words)
        self._assembly.add_heading(self._get_words(words), level)

    def _add_text_line(self, line: str, place: int) -> int:
        """Adds a line of a paragraph or a list, or sets the caption or options of the block below it."""
        if not self._paragraph and (_OPTIONS.fullmatch(line) or _ANCHOR.fullmatch(line)):
            self._flush()
            self._options = line
            if quoted := re.match(r"\[(?:(?:quote|verse),[ ]*|(?=[A-Z]+\]))(.+)\]", line):
                self._caption = " ".join(filter(None, (self._caption, quoted[1].strip())))
        elif not self._paragraph and (match := _TITLE.fullmatch(line)):
            self._flush()
            self._flush_caption()
            self._caption = match[1]
        elif (not self._paragraph or self._is_attached) and (_ITEM.match(line) or _TERM.fullmatch(line)):
            if not self._items:
                self._flush()
                self._flush_caption()
            self._items.append(line)
        elif self._items:
            self._items[-1] += f" {line.strip()}"
        else:
            if not self._paragraph:
                self._flush_caption()
            self._paragraph.append(line.strip())
        return place + 1

    def _add_table(self, bar: str, lines: list[str]) -> None:
        """Adds a table; its first line is its header where an empty line follows it."""
        options, caption = self._options, self._get_words(self._caption)
        self._options = self._caption = ""
        is_headed = _HEADER.search(options) is not None or (
            len(lines) > 2 and bool(lines[0].strip()) and not lines[1].strip() and "noheader" not in options
        )
        format_match = _FORMAT.search(options)
        if separator := _SEPARATORS.get(format_match[1] if format_match else bar):
            source = [line for line in lines if line.strip()]
            rows = [[SpanCell(self._get_words(cell)) for cell in row] for row in _split_records(source, separator)]
        else:
            rows = self._split_rows(bar, lines, options)
        layout = lay_out(rows, 1 if is_headed else None)
        header_rows, merges = layout.header_rows, layout.merges
        block = self._assembly.add_table(layout.rows, header_rows=header_rows, caption=caption, merges=merges)
        if block is None or block.table is None:
            self._assembly.add(BlockKind.PARAGRAPH, caption)
        inner, self._inner_tables = self._inner_tables, []
        for table in inner:
            self._options = table["options"] or ""
            self._add_table("!", table["lines"].rstrip("\n").split("\n"))

    def _extract_inner_table(self, table: re.Match[str]) -> str:
        self._inner_tables.append(table)
        return ""

    def _split_rows(self, bar: str, lines: list[str], options: str) -> list[list[SpanCell]]:
        """The cells of a table in rows of as many columns as it declares or its first line has.

        Tables inside cells are removed from them and added after the table.
        """
        text = "\n".join(lines).strip()
        marks = [mark for mark in _CELL.finditer(text) if (mark["bar"] or mark["alone"]) == bar]
        cells, first_line_width = list[SpanCell](), 0
        if marks and text[: marks[0].start()].strip():
            cells.append(SpanCell(self._get_words(text[: marks[0].start()])))
        for mark, next_mark in zip(marks, [*marks, None][1:], strict=True):
            words = text[mark.end() : next_mark.start() if next_mark else len(text)].strip().replace("\\|", "|")
            words = _INNER_TABLE.sub(self._extract_inner_table, words)
            columns, height = int(mark["columns"] or 1), int(mark["rows"] or 1)
            count = min(int(mark["copies"] or 1), _MAX_COPIES)
            cells += [SpanCell(self._get_words(words), height, columns)] * max(count, 1)
            if "\n" not in text[: mark.start()]:
                first_line_width += columns * count
        column_option = _COLUMNS.search(options)
        width = _count_columns(column_option[1] or column_option[2]) if column_option else first_line_width
        rows, row, covered_columns = list[list[SpanCell]](), list[SpanCell](), defaultdict[int, int](int)
        width_so_far = 0
        for cell in cells or [SpanCell(text)]:
            row.append(cell)
            width_so_far += cell.columns
            for row_offset in range(1, min(cell.rows, 200)):
                covered_columns[len(rows) + row_offset] += cell.columns
            if width_so_far + covered_columns[len(rows)] >= max(width, 1):
                rows.append(row)
                row, width_so_far = [], 0
        return [*rows, row] if row else rows


def _split_records(lines: list[str], separator: str) -> list[list[str]]:
    """The cells of lines; quotes are ignored where one is never closed, so that a cell would be too long."""
    try:
        return list(csv.reader(lines, delimiter=separator))
    except csv.Error:
        return [line.split(separator) for line in lines]


def _count_columns(value: str) -> int:
    """How many columns `cols` declares: "1,2", "3*", "2*,1a"."""
    if value.strip().isdigit():
        return 1
    copies = (re.match(r"\s*(\d{1,3})\*", part) for part in re.split(r"[,;]", value))
    return sum(int(copy[1]) if copy else 1 for copy in copies)


class AsciiDoc:
    """The visible words of the page, and its attributes; code as it is written."""

    version = 2
    media_type = "text/asciidoc"
    suffixes: tuple[str, ...] = (".adoc", ".asciidoc", ".asc")
    heavy = False
    signature: Signature | None = None

    def measure_confidence(self, raw: Raw) -> float:
        """Any text with a suffix of the format except PGP signatures and keys, and `.asc` only with signs of markup.

        With another suffix, such as manuals in `.txt`, a text with several marks that no other format has.
        """
        beginning = decode_head(raw.data)
        if raw.suffix not in self.suffixes:
            return 0.65 if sum(mark.search(beginning) is not None for mark in _STRONG_MARKS) > 1 else 0.0
        if "-----BEGIN PGP" in beginning:
            return 0.0
        is_likely = raw.suffix != ".asc" or any(bar.search(beginning) for bar in _WEAK_MARKS)
        return float(bool(beginning.strip()) and is_likely)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text = decode_text(raw.data).replace("\r\n", "\n")
        assembly = Assembly()
        walk = _AsciiDocWalk(assembly, text)
        walk.add_lines()
        order = find_day_order(assembly.headings, text)
        return assembly.finish(
            Kind.TEXT,
            self.media_type,
            title=walk.title,
            authors=re.split(r"[,;]\s*", walk.fields.get("author") or walk.fields.get("authors", "")),
            dates=[
                *list_property_claims(walk.fields, order, _HEADER_DATES),
                *find_datelines(assembly.list_beginning(HEAD_LENGTH)),
            ],
            attributes=Attributes(links=tuple(dict.fromkeys(walk.links)), day_order=order),
        )


member = AsciiDoc()
