r"""The text of Rich Text (Microsoft's RTF specification 1.9.1) with marks for its paragraphs, rows, cells and headings.

Rich Text is plain text with control words, `\par` as `\n`, in groups in braces, which limit their effect. Bytes
are of the code page of their font, characters beyond it are numbers with a substitute for older programs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from tasks.parsers import refusals
from tasks.parsers.mail.header_fields import decode_bytes
from tasks.parsers.office.symbol_fonts import decode_symbol

PARAGRAPH, ROW, CELL, HEADING_LEVEL, ITEM, ITEM_DEPTH = "\x1c\x1d\x1e\x1f\x0e\x0f"
"""Marks after a paragraph, a row and a cell, one for each level after a heading, before the number or sign of a list's
item, and one after that for each outer list."""
EDGES = "\x10"
"""Mark before the right edges of a row's cells, in twentieths of a point; an m before one of a merged cell."""
EDGE_LIST = re.compile(f"{EDGES}[-m\\d ]*")
INNER_CELL, INNER_ROW = "\x11\x12"
"""Marks after a cell and a row of a table inside a cell; tables inside that are words of its cell."""
_MARKS = b"\x1c\x1d\x1e\x1f\x0e\x0f\x10\x11\x12"
_TOKEN = re.compile(
    rb"\\(?:'(?P<hex>[0-9a-fA-F]{2})|(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|(?P<sign>[^a-zA-Z']))"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_SKIPPED_GROUPS = frozenset({
    "colortbl", "info", "pict", "object", "shprslt", "listtable", "listoverridetable", "revtbl", "generator",
    "themedata", "datastore", "latentstyles", "xmlnstbl", "rsidtbl", "pgdsctbl", "nonshppict", "mhtmltag", "annotation",
    "atnid", "atnauthor", "template", "filetbl", "bkmkstart", "bkmkend", "pnseclvl", "nonesttables",
})  # fmt: skip
"""Groups without text of the document."""
_SHAPE_GROUPS = frozenset({"shpinst", "do"})
"""Groups that describe a shape, in which its text is a group of `_BOX_GROUPS`."""
_BOX_GROUPS = frozenset({"shptxt", "dptxbxtext"})
_STORY_GROUPS = frozenset(["footnote", *(f"{kind}{of}" for kind in ("header", "footer") for of in ("", "l", "r", "f"))])
_STARRED_WORDS = frozenset({"cs", "ts", "ds", "htmltag", "nesttableprops"})
"""Words after a star whose group is not left out: styles, pieces of a web page, rows inside a cell."""
_NOTE = re.compile(r"\A(\[\d+\])\s*")
_SYMBOL = re.compile(r'\s*SYMBOL\s+(\d{1,5})(?:.*?\\f\s*"?([^"\\]*))?', re.IGNORECASE)
_PROPERTY_WORDS = ("title", "subject", "author", "company")
_MOMENT_WORDS = ("creatim", "revtim")
_SIGN_WORDS = {"line": "\n", "tab": "\t", "emdash": "—", "endash": "–", "lquote": "‘",
          "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ",
          "listtext": ITEM, "pntext": ITEM}  # fmt: skip
_INNER_MARKS = {"nestcell": INNER_CELL, "nestrow": INNER_ROW}
_CELL_WORDS = frozenset({"trowd", "clmrg", "cellx", "cell", "row", *_INNER_MARKS})
_ESCAPED_SIGNS = {b"~": "\u00a0", b"_": "-", b"-": "", b"\r": PARAGRAPH, b"\n": PARAGRAPH}
_STATE_CHANGES: dict[str, dict[str, Any]] = {
    "pard": {"level": 0, "depth": 0, "in_table": False, "nesting": 1, "is_drop": False}, "sectd": {"level": 0},
    "intbl": {"in_table": True}, "plain": {"font": -1}, "nesttableprops": {"is_inner_row": True},
}  # fmt: skip
"""The changes of state by words without a number."""
_NUMBERED_CHANGES: dict[str, Callable[[int], dict[str, Any]]] = {
    "ilvl": lambda number: {"depth": max(0, min(number, _MAX_LEVEL))},
    "itap": lambda number: {"nesting": number},
    "uc": lambda number: {"skipped": max(0, min(number, 100))},
    "dropcapt": lambda number: {"is_drop": number in (1, 2)},
}
"""The changes of state by words with a number."""
_CHARSETS = {0: 1252, 2: 42, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254,
             163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250}  # fmt: skip
"""The code page of a font's charset."""
_FILE_CODEPAGES = {"mac": 10000, "pc": 437, "pca": 850}
"""Code pages by the words for the charset of a file that is not of Windows."""
_HEADING_STYLE = re.compile(r"(?:heading|überschrift|titre|título|标题) ?(\d)", re.IGNORECASE)
_MAX_DEPTH = 10_000  # Groups inside each other.
_INNER_NESTING = 2  # The number of tables around a cell of a table inside a cell.
_MAX_LEVEL = 6  # The level of the lowest heading, and the depth of the deepest item.
_BEGINNING = re.compile(rb"\s*\{\\rtf")


def is_rich_text(data: bytes) -> bool:
    """Whether a file begins as Rich Text."""
    return _BEGINNING.match(data) is not None


@dataclass(frozen=True, slots=True)
class _State:
    """State of a group.

    Text is added to `sink`, None for groups without text; where `story` is None, shapes have none either. `skipped` is
    the number of bytes that substitute a Unicode character, `level` that of a heading, 0 for none, `depth` the number
    of outer lists, and `nesting` that of tables around the paragraph; `is_drop`: it is the drop cap of the next one.
    `is_inner_row`: the group describes a row of a table inside a cell. `style` is the number of the style that a group
    of the style sheet describes.
    """

    sink: list[str] | None
    story: list[str] | None = None
    font: int = -1
    style: int = -1
    is_hidden: bool = False
    skipped: int = 1
    level: int = 0
    depth: int = 0
    in_table: bool = False
    nesting: int = 1
    is_inner_row: bool = False
    is_drop: bool = False


@dataclass(slots=True)
class RichText:
    """Reads Rich Text token by token. Raises `UnreadableFile` for deep nesting.

    `text` is that of the document, with marks, text boxes and notes after the paragraph or table with them; the
    number of a note is in brackets at its reference and before it. `furniture` has the headers and footers of its
    pages, `properties` its title and authors, and `moments` the year, month and day of its creation and of its last
    change. `is_page`: whether the text is a web page.
    """

    data: bytes
    text: str = ""
    is_page: bool = False
    furniture: dict[str, list[list[str]]] = field(default_factory=dict)
    properties: dict[str, list[str]] = field(default_factory=dict)
    moments: dict[str, dict[str, int]] = field(default_factory=dict)
    _codepage: int = 1252
    _pending_bytes: bytearray = field(default_factory=bytearray)
    _charsets: dict[int, int] = field(default_factory=dict)
    _styles: dict[int, list[str]] = field(default_factory=dict)
    _outlines: dict[int, int] = field(default_factory=dict)
    _pieces: list[str] = field(default_factory=list)
    _boxes: list[list[str]] = field(default_factory=list)
    _note_count: int = 0
    _field_code: list[str] = field(default_factory=list)
    _state: _State = field(default_factory=lambda: _State(None))
    _stack: list[_State] = field(default_factory=list)
    _remaining_skipped: int = 0
    _font_table_depth: int = 0
    _style_sheet_depth: int = 0
    _font: int = -1
    _default_font: int = -1
    _moment: dict[str, int] | None = None
    _edges: list[str] = field(default_factory=list)
    _cell_count: int = 0
    _is_merged: bool = False
    _is_starred: bool = False

    def __post_init__(self) -> None:
        """Read the text."""
        self._state = replace(self._state, sink=self._pieces, story=self._pieces)
        place = 0
        while (match := _TOKEN.search(self.data, place)) is not None:
            place = match.end()
            kind = match.lastgroup
            if kind == "brace":
                self._read_brace(match[0])
            elif match["hex"]:
                self._add_bytes(bytes([int(match["hex"], 16)]))
            elif match["word"]:
                name = match["word"].decode("ascii")
                number = None if match["number"] is None else int(match["number"])
                if name == "bin" and number and number > 0:
                    place += number
                else:
                    self._read_word(name, number)
            elif match["sign"]:
                self._read_sign(match["sign"])
            else:
                self._add_bytes(match["text"].translate(None, _MARKS))
            if match["brace"] != b"{" and match["sign"] != b"*":
                self._is_starred = False
        self._flush()
        self._add_boxes()
        self.text = join_surrogates("".join(self._pieces))

    def _read_brace(self, brace: bytes) -> None:
        self._flush()
        if brace == b"{":
            if len(self._stack) >= _MAX_DEPTH:
                raise refusals.too_deep()
            self._stack.append(self._state)
        elif self._stack:
            sink, self._state = self._state.sink, self._stack.pop()
            if sink is self._field_code and self._state.sink is not sink:
                self._end_code()
            self._moment = None
            if len(self._stack) < self._font_table_depth:
                self._font_table_depth = 0
            if len(self._stack) < self._style_sheet_depth:
                self._style_sheet_depth = 0
        self._remaining_skipped = 0

    def _end_code(self) -> None:
        """Ends the code of a field; that of a symbol is shown."""
        if match := _SYMBOL.match("".join(self._field_code)):
            self._append_text(decode_symbol((match[2] or "").strip(), f"{int(match[1]):X}"))
        self._field_code = []

    def _add_boxes(self) -> None:
        """Adds the text boxes and notes so far, each with its paragraphs."""
        for box in self._boxes:
            self._pieces += [_NOTE.sub(r"\1 ", "".join(box)), PARAGRAPH]
        self._boxes.clear()

    def _read_sign(self, sign: bytes) -> None:
        if sign == b"*":
            self._is_starred = True
        elif sign in _ESCAPED_SIGNS:
            self._append_text(_ESCAPED_SIGNS[sign])
        elif sign in (b"\\", b"{", b"}"):
            self._add_bytes(sign)

    def _read_word(self, name: str, number: int | None) -> None:
        if self._is_starred and name not in _STARRED_WORDS:
            if name in _SHAPE_GROUPS or name in ("fldinst", "footnote"):  # LibreOffice writes a star before notes.
                self._begin_group(name)
            else:
                self._change_state(sink=None, story=None)
        elif name in _SIGN_WORDS:
            self._append_text(_SIGN_WORDS[name])
        elif name == "par" and self._state.is_drop:
            return
        elif name in ("par", "sect", "page"):
            marks = HEADING_LEVEL * self._state.level + ITEM_DEPTH * self._state.depth
            line = " " if self._state.nesting > 1 else "\n"
            self._append_text(line if self._state.in_table else f"{marks}{PARAGRAPH}")
            if self._boxes and self._state.sink is self._pieces and not self._state.in_table:
                self._add_boxes()
        elif name in _STATE_CHANGES:
            self._change_state(**_STATE_CHANGES[name])
        elif name in _CELL_WORDS:
            self._read_cell_word(name, number or 0)
        elif name in ("htmlrtf", "v", "deleted"):
            self._change_state(is_hidden=number != 0)
        elif name in ("fromhtml", "fromtext"):
            self.is_page = name == "fromhtml"
        elif number is not None:
            self._read_numbered_word(name, number)
        else:
            self._begin_group(name)

    def _read_cell_word(self, name: str, number: int) -> None:
        """Reads a word about a table row: the kind of its cells, their edges, and the ends of cells and row."""
        if name in _INNER_MARKS:
            self._append_text(_INNER_MARKS[name] if self._state.nesting == _INNER_NESTING else " ")
        if self._state.sink is None or self._state.is_inner_row or name in _INNER_MARKS:
            return
        if name == "trowd":
            self._edges.clear()
        elif name == "clmrg":
            self._is_merged = True
        elif name == "cellx":
            self._edges.append(f"{'m' if self._is_merged else ''}{number}")
            self._is_merged = False
        elif name == "cell":
            self._cell_count += 1
            self._append_text(CELL)
        else:
            has_edges = self._edges and self._cell_count >= len(self._edges)
            self._append_text(f"{EDGES}{' '.join(self._edges)}{ROW}" if has_edges else ROW)
            self._cell_count = 0

    def _begin_group(self, name: str) -> None:
        """Reads a word that begins a group."""
        if name in _FILE_CODEPAGES:
            self._codepage = _FILE_CODEPAGES[name]
        elif name in _PROPERTY_WORDS:
            self._change_state(sink=self.properties.setdefault(name, []))
        elif name in _MOMENT_WORDS:
            self._moment = self.moments.setdefault(name, {})
        elif name in _STORY_GROUPS and self._state.story is not None:
            self._begin_story(name)
        elif name in _BOX_GROUPS and self._state.story is not None:
            if self._state.story is self._pieces:
                self._boxes.append([])
            box = self._boxes[-1] if self._state.story is self._pieces else self._state.story
            box.append(PARAGRAPH)
            self._change_state(sink=box, level=0, in_table=False)
        elif name == "fldinst":
            self._change_state(sink=self._field_code, story=None)
        elif name == "fonttbl":
            self._font_table_depth = len(self._stack)
            self._change_state(sink=None)
        elif name == "stylesheet":
            self._style_sheet_depth = len(self._stack)
            self._change_state(sink=None)
        elif name in _SHAPE_GROUPS:
            self._change_state(sink=None)
        elif name in _SKIPPED_GROUPS:
            self._change_state(sink=None, story=None)

    def _begin_story(self, name: str) -> None:
        """Begins a note, or the header or footer of pages."""
        stories = self._boxes if name == "footnote" else self.furniture.setdefault(name[:6], [])
        stories.append([])
        if name == "footnote":
            self._note_count += 1
            self._append_text(f"[{self._note_count}]")
            stories[-1].append(f"[{self._note_count}]")
        self._change_state(sink=stories[-1], story=stories[-1], level=0, in_table=False)

    def _read_numbered_word(self, name: str, number: int) -> None:
        """Reads a word with a number."""
        if name == "ansicpg":
            self._codepage = number
        elif name == "deff":
            self._default_font = number
        elif name == "f":
            self._font = number
            self._change_state(font=number)
        elif name == "fcharset" and self._font_table_depth:
            self._charsets[self._font] = number
        elif name == "u":
            self._append_text(chr(number % 65536))
            self._remaining_skipped = self._state.skipped
        elif name == "s" and self._style_sheet_depth:
            self._change_state(sink=self._styles.setdefault(number, []), style=number)
        elif name == "s":
            heading = _HEADING_STYLE.match("".join(self._styles.get(number, ())).strip())
            self._change_state(level=min(int(heading[1]), _MAX_LEVEL) if heading else self._outlines.get(number, 0))
        elif name == "outlinelevel":
            level = number + 1 if 0 <= number < _MAX_LEVEL else 0
            if self._style_sheet_depth:
                self._outlines[self._state.style] = level
            else:
                self._change_state(level=level)
        elif name in _NUMBERED_CHANGES:
            self._change_state(**_NUMBERED_CHANGES[name](number))
        elif name in ("yr", "mo", "dy") and self._moment is not None:
            self._moment[name] = number

    def _change_state(self, **changes: Any) -> None:
        """Changes the state from here on."""
        self._flush()
        self._state = replace(self._state, **changes)

    def _add_bytes(self, data: bytes) -> None:
        """Adds bytes of text, except for those that substitute the Unicode character before them."""
        if self._remaining_skipped:
            skipped = min(self._remaining_skipped, len(data))
            self._remaining_skipped -= skipped
            data = data[skipped:]
        if self._state.sink is not None and not self._state.is_hidden:
            self._pending_bytes += data

    def _append_text(self, text: str) -> None:
        self._flush()
        if self._state.sink is not None and not self._state.is_hidden:
            self._state.sink.append(text)

    def _flush(self) -> None:
        """Decodes the collected bytes together, since the bytes of a character are separate tokens."""
        if self._pending_bytes and self._state.sink is not None:
            data = bytes(self._pending_bytes)
            text = data.decode("ascii") if data.isascii() else decode_bytes(data, self._find_codepage())
            self._state.sink.append(text)
        self._pending_bytes.clear()

    def _find_codepage(self) -> str:
        """The code page of the current font; of the default font only if its charset is more specific than "ANSI"."""
        if self._state.font >= 0:
            charset = self._charsets.get(self._state.font, -1)
        else:
            charset = self._charsets.get(self._default_font, -1) or -1
        return get_codepage_name(_CHARSETS.get(charset, self._codepage))


def join_surrogates(text: str) -> str:
    """A text whose pairs of surrogates are one character each."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_CODECS = {65001: "utf-8", 1200: "utf-16-le", 20127: "ascii", 10000: "mac_roman", 20866: "koi8-r", 21866: "koi8-u",
          50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp", 51932: "euc-jp", 51949: "euc-kr",
          936: "gb18030", 52936: "hz", 54936: "gb18030", 42: "cp1252", 1361: "johab", 51936: "gb2312"}  # fmt: skip


def get_codepage_name(number: int) -> str:
    """The name of a Windows code page; nothing where there is none."""
    if 28591 <= number <= 28605:
        return f"iso-8859-{number - 28590}"
    return _CODECS.get(number, f"cp{number}" if number > 0 else "")
