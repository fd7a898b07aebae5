"""The blocks of an Org file: headlines, planning lines, drawers, lists, tables, blocks, keywords and footnotes.

https://orgmode.org/worg/org-syntax.html. The timestamp of a headline is moved to its beginning: it is an entry of
its day. Comments are left out, code is kept as it is written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field

from tasks.parsers.assembly import Assembly, shorten_heading
from tasks.parsers.dated_lines import DatedSections
from tasks.parsers.text import split_paragraphs
from tasks.parsers.written_dates import find_day_order
from warehouse.records import BlockKind

_SINGLE_STAMP = r"[<\[]\d{4}-\d{2}-\d{2}(?![\d-])[^\[\]<>\n]{0,60}[>\]]"
STAMP = re.compile(rf"{_SINGLE_STAMP}(?:--{_SINGLE_STAMP})?")
"""A timestamp, active or inactive, or a range of two."""
_LINK_OR_CODE = re.compile(
    r"\[\[(?P<target>(?:[^\[\]\\\n]|\\.){1,1000})\](?:\[(?P<text>(?:[^\]]|\](?!\])){1,1000})\])?\]"
    rf"|(?P<stamp>{_SINGLE_STAMP})"
    r"|\[fn:(?P<note>[\w-]*)(?::(?P<inline>[^\[\]]{1,1000}))?\]"
    r"|<<<?(?P<place>[^<>\n]{1,200})>>>?"
    r"|(?P<address>https?://[^\s<>\[\]]+)"
    r"|(?<![^\s\-–—(\[{'\"])(?P<sign>[=~])(?=\S)(?P<code>[^\n]{1,400}?)(?<=\S)(?P=sign)(?![^\s\-–—.,:;!?'\")}\]\\|])"
)
"""Links, timestamps, footnotes and code, which are replaced by a placeholder before emphasis is read."""
_PLACEHOLDER = "\x01"  # A character that no text has: control characters are removed before.
_EMPHASIS = re.compile(
    rf"(?<![^\s\-–—(\[{{'\"*/_+{_PLACEHOLDER}])([*/_+])(?=\S)(.{{1,400}}?)(?<=\S)\1"
    rf"(?![^\s\-–—.,:;!?'\")}}\]\\|*/_+{_PLACEHOLDER}])",
    re.DOTALL,
)
_MAX_DEPTH = 4  # Marks of emphasis inside each other.
_TARGET = re.compile(r"\A(?:file\+?\w*|id|\w+-id):(?=\S)|\A[*#](?=\S)|::.*\Z")
HEADLINE = re.compile(r"(\*+)[ \t]+(\S.*)")
_TAGS = re.compile(r"(?:\A|[ \t]):((?:[\w@#%]+:)+)[ \t]*\Z")
_PLANNING = re.compile(r"[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[]")
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*")
_DRAWER_END = re.compile(r"[ \t]*:END:[ \t]*", re.IGNORECASE)
_PROPERTY = re.compile(r"[ \t]*:([\w-]+)(?<!:)\+?:[ \t]+(\S.*)")
_BEGIN = re.compile(r"[ \t]*#\+BEGIN_(\S+)[ \t]*(.*)", re.IGNORECASE)
_END = re.compile(r"[ \t]*#\+END_(\S+)[ \t]*", re.IGNORECASE)
_KEYWORD = re.compile(r"[ \t]*#\+([\w-]+)(?:\[([^\]\n]*)\])?:[ \t]*(.*)")
_COMMENT = re.compile(r"[ \t]*#(?:[ \t].*|\+TBLFM:.*)?", re.IGNORECASE)
_FIXED_WIDTH_LINE = re.compile(r"[ \t]*:(?:[ ].*)?")
_HORIZONTAL_RULE = re.compile(r"[ \t]*-{5,}[ \t]*")
_ROW = re.compile(r"[ \t]*\|")
_ROW_RULE = re.compile(r"[ \t]*\|-[-+|]*[ \t]*")
_COLUMN_COOKIE = re.compile(r"(?:<[lrc]?\d*>)?")
_FOOTNOTE_START = re.compile(r"\[fn:[\w-]+\]")
"""The beginning of a line that defines a footnote (Org syntax, footnote definitions)."""
_ITEM = re.compile(r"(?:[-+]|[ \t]+\*|\d{1,9}[.)])(?:[ \t]|\Z)")
_ESCAPED = re.compile(r"^([ \t]*),(?=,*(?:\*|#\+))", re.MULTILINE)
_KNOWN_DRAWERS = frozenset(["PROPERTIES", "LOGBOOK", "CLOCK"])
_VERBATIM_BLOCKS = frozenset(["src", "example", "export", "comment"])


@dataclass(slots=True)
class OrgMarkup:
    """The metadata of a file: the values of its keywords and first properties, by their names in lower case.

    `tags` are those of the file and of its headlines, `links` the addresses in it.
    """

    fields: dict[str, str] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def add_org(assembly: Assembly, text: str) -> OrgMarkup:
    """Adds the blocks of an Org file and returns its metadata."""
    walk = _OrgWalk(assembly, text)
    walk.add_lines()
    return walk.markup


class _OrgWalk:
    """Adds the lines of a file."""

    def __init__(self, assembly: Assembly, text: str) -> None:
        self.markup = OrgMarkup()
        self._assembly = assembly
        self._sections = DatedSections(assembly)
        self._order = find_day_order((), text)
        self._lines = text.split("\n")
        self._paragraph: list[str] = []
        self._keywords: list[str] = []
        self._caption = ""
        self._has_headline = False
        self._ends: defaultdict[str, list[int]] = defaultdict(list)
        """Where blocks end, by their names, drawers (":"), and sections (no name)."""
        for place, line in enumerate(self._lines):
            if HEADLINE.fullmatch(line):
                self._ends[""].append(place)
            elif match := _END.fullmatch(line):
                self._ends[match[1].lower()].append(place)
            elif _DRAWER_END.fullmatch(line):
                self._ends[":"].append(place)

    def _find_end(self, name: str, place: int) -> int:
        """The line after a place, and in its section, that ends the element which begins there; 0 for none."""
        first, limit = (self._find_next_end(block_name, place) for block_name in (name, ""))
        return first if first < limit else 0

    def _find_next_end(self, name: str, place: int) -> int:
        ends = self._ends[name]
        index = bisect_left(ends, place + 1)
        return ends[index] if index < len(ends) else len(self._lines)

    def add_lines(self) -> None:
        """Adds every line."""
        place = 0
        while place < len(self._lines):
            place = self._add_element(place)
        self._flush()

    def _add_element(self, place: int) -> int:
        """Adds the element that begins at a line; returns the line after it."""
        line = self._lines[place]
        if match := HEADLINE.fullmatch(line):
            self._flush()
            return self._add_headline(match, place)
        if (match := _BEGIN.fullmatch(line)) and (end := self._find_end(match[1].lower(), place)):
            return self._add_block(match, place, end)
        if (match := _DRAWER.fullmatch(line)) and (end := self._find_end(":", place)):
            self._add_drawer(match[1], place, end)
            return end + 1
        if (match := _KEYWORD.fullmatch(line)) and not _COMMENT.fullmatch(line):
            self._flush_paragraph()
            self._add_keyword(match[1], match[2] or "", match[3])
            return place + 1
        if not line.strip() or _COMMENT.fullmatch(line) or _HORIZONTAL_RULE.fullmatch(line) or self._is_marker(line):
            self._flush()
            return place + 1
        if _ROW.match(line):
            return self._add_table(place)
        if _FIXED_WIDTH_LINE.fullmatch(line):
            return self._add_fixed_width(place)
        if _ITEM.match(line if line[:1] != " " or line.lstrip()[:1] == "*" else line.lstrip()):
            return self._add_list(place)
        if _FOOTNOTE_START.match(line):
            self._flush_paragraph()
        self._flush_keywords()
        self._paragraph.append(line.strip())
        return place + 1

    @staticmethod
    def _is_marker(line: str) -> bool:
        """Whether a line ends a block whose contents are read as surrounding text."""
        match = _END.fullmatch(line)
        return match is not None and match[1].lower() not in _VERBATIM_BLOCKS

    def _flush(self) -> None:
        self._flush_paragraph()
        self._flush_keywords()

    def _flush_paragraph(self) -> None:
        if not self._paragraph:
            return
        for paragraph in split_paragraphs(self._get_words("\n".join(self._paragraph))):
            self._assembly.add(BlockKind.PARAGRAPH, paragraph)
        self._paragraph.clear()

    def _flush_keywords(self) -> None:
        if self._keywords:
            self._assembly.add(BlockKind.LIST, "\n".join(self._keywords))
        self._keywords.clear()
        self._caption = ""

    def _get_words(self, text: str) -> str:
        return get_visible_words(text, self.markup.links)

    def _add_headline(self, match: re.Match[str], place: int) -> int:
        """Adds a headline, its timestamp first, and its planning line; returns the line after them."""
        self._has_headline = True
        title = match[2].rstrip()
        if tags := _TAGS.search(title):
            self.markup.tags += tags[1].strip(":").split(":")
        if (stamp := STAMP.search(title)) and stamp.start():
            title = " ".join(f"{stamp[0]} {title[: stamp.start()]} {title[stamp.end() :]}".split())
        words = " ".join(self._get_words(title).split())
        heading = shorten_heading(words)
        days = self._sections.find_days(words, len(match[1]), self._order)
        self._sections.add_heading(heading, len(match[1]), days)
        if heading != words:
            self._assembly.add(BlockKind.PARAGRAPH, words)
        place += 1
        if place < len(self._lines) and _PLANNING.match(self._lines[place]):
            self._assembly.add(BlockKind.PARAGRAPH, self._get_words(self._lines[place].strip()))
            place += 1
        return place

    def _add_block(self, begin: re.Match[str], place: int, end: int) -> int:
        """Adds a block of code as written; the contents of other blocks are read as surrounding text."""
        name = begin[1].lower()
        self._flush_paragraph()
        if name not in _VERBATIM_BLOCKS:
            self._flush_keywords()
            self._assembly.add(BlockKind.PARAGRAPH, self._get_words(begin[2]))
            return place + 1
        self._flush_keywords()
        if name != "comment":
            self._assembly.add(BlockKind.CODE, _ESCAPED.sub(r"\1", "\n".join(self._lines[place : end + 1])))
        return end + 1

    def _add_drawer(self, name: str, place: int, end: int) -> None:
        """Adds the lines of a drawer, properties without the colon before them; of one unknown to Org also its name."""
        self._flush()
        lines = [] if name.upper() in _KNOWN_DRAWERS else [name]
        for line in self._lines[place + 1 : end]:
            if match := _PROPERTY.fullmatch(line):
                lines.append(f"{match[1]}: {match[2].strip()}")
                if not self._has_headline:
                    self.markup.fields.setdefault(match[1].lower(), match[2].strip())
            else:
                lines.append(line.strip())
        self._assembly.add(BlockKind.LIST, self._get_words("\n".join(filter(None, lines))))

    def _add_keyword(self, name: str, short_value: str, value: str) -> None:
        """Adds a keyword with its value; a caption belongs to the table below it, titles of several lines are one."""
        self._keywords.append(self._get_words(f"{name}: {' '.join(filter(None, (short_value, value)))}"))
        key = name.lower()
        if key == "caption":
            self._caption = " ".join(filter(None, (self._caption, self._get_words(value))))
        elif key == "filetags":
            self.markup.tags += [tag for tag in re.split(r"[:\s]+", value) if tag]
        elif value.strip():
            earlier_words = self.markup.fields.get(key, "") if key in ("title", "author") else ""
            self.markup.fields[key] = (
                ", ".join(filter(None, (earlier_words, value.strip())))
                if key == "author"
                else " ".join(filter(None, (earlier_words, self._get_words(value.strip()))))
            )

    def _add_table(self, place: int) -> int:
        """Adds a table; the rows above its first rule are its header."""
        self._flush_paragraph()
        caption = self._caption
        self._flush_keywords()
        rows: list[list[str]] = []
        header: int | None = None
        while place < len(self._lines) and _ROW.match(line := self._lines[place]):
            place += 1
            if _ROW_RULE.fullmatch(line):
                header = len(rows) if header is None and rows else header
                continue
            cells = [
                self._get_words(cell.strip()).replace("\\vert", "|") for cell in line.strip().strip("|").split("|")
            ]
            if not all(map(_COLUMN_COOKIE.fullmatch, cells)):
                rows.append(cells)
        is_headed = header is not None and header < len(rows)
        self._assembly.add_table(rows, header_rows=header if is_headed else None, caption=caption)
        return place

    def _add_fixed_width(self, place: int) -> int:
        """Adds lines of fixed width as they are."""
        self._flush()
        lines = []
        while place < len(self._lines) and _FIXED_WIDTH_LINE.fullmatch(self._lines[place]):
            lines.append(self._lines[place].strip().removeprefix(":").removeprefix(" "))
            place += 1
        self._assembly.add(BlockKind.CODE, "\n".join(lines))
        return place

    def _add_list(self, place: int) -> int:
        """Adds a list with the lists inside its items; indented lines continue the item above."""
        self._flush()
        items: list[str] = []
        while place < len(self._lines):
            line = self._lines[place]
            text = line.lstrip()
            is_indented = line[:1] in (" ", "\t")
            if not text:
                next_line = self._lines[place + 1] if place + 1 < len(self._lines) else ""
                if not next_line.strip() or not (next_line[:1] in (" ", "\t") or _ITEM.match(next_line)):
                    break
            elif _ITEM.match(text) or (is_indented and text.startswith("* ")):
                items.append(line.rstrip())
            elif not is_indented or _BEGIN.fullmatch(line) or _ROW.match(line) or _DRAWER.fullmatch(line):
                break
            elif not _COMMENT.fullmatch(line) and not self._is_marker(line):
                items[-1] += f" {text.rstrip()}"
            place += 1
        indent = min(len(item) - len(item.lstrip()) for item in items)
        self._assembly.add(BlockKind.LIST, self._get_words("\n".join(item[indent:] for item in items)))
        return place


def get_visible_words(text: str, links: list[str]) -> str:
    """The words of a passage as the exported page shows them; adds the addresses of links to `links`."""
    shown_texts: list[str] = []

    def store_match(match: re.Match[str]) -> str:
        shown_texts.append(_get_shown_text(match, links))
        return _PLACEHOLDER

    words = _LINK_OR_CODE.sub(store_match, text)
    for _ in range(_MAX_DEPTH):
        words, count = _EMPHASIS.subn(r"\2", words)
        if not count:
            break
    pieces = words.split(_PLACEHOLDER)
    return "".join(piece for pair in zip(pieces, [*shown_texts, ""], strict=True) for piece in pair)


def _get_shown_text(match: re.Match[str], links: list[str]) -> str:
    """The text of a link, a footnote's mark, a target of links, or code."""
    if target := match["target"] or match["address"]:
        if target.startswith(("http:", "https:")):
            links.append(target)
        return str(match["text"] or (target if match["address"] else _TARGET.sub("", target)))
    if match["note"] is not None:
        return f"[{': '.join(filter(None, (match['note'], match['inline'])))}]"
    return str(match["stamp"] or match["place"] or match["code"])
