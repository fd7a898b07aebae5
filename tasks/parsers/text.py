"""Plain text in any encoding, including logs and other texts without structure.

Only certain structure is used: paragraphs, underlined and capital headings, lists, lines broken to a width. A text
whose first or last lines give its title and when it was written is a note.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from types import MappingProxyType

from tasks.parsers.assembly import Assembly, BlockContent
from tasks.parsers.dated_lines import are_separate_lines, detect_log_type
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.document_head import HEAD_LENGTH, TAIL_LENGTH, find_datelines, find_text_title, make_title_claims
from tasks.parsers.notes.properties import (
    CREATION_PROPERTIES,
    find_first_words,
    find_value,
    find_written_properties,
    iter_tags,
    list_authors,
    list_property_claims,
)
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.plain_text.aligned_tables import read_aligned
from tasks.parsers.plain_text.printed_lines import collect_words, split_word
from tasks.parsers.plain_text.spoken_turns import choose_talk_kind, join_speakers
from tasks.parsers.plain_text.text_tables import split_tables
from tasks.parsers.written_dates import is_date_heading, parse_closing_date, parse_line_entry
from warehouse.records import Attributes, BlockKind, DateClaim, DateOrigin, Document, Kind
from warehouse.records.calendars import DAY

_ITEM = re.compile(r"\s*(?:[-*+•‣▪◦·–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S")
_UNDERLINE = re.compile(r"\s*([=\-~^*#+])\1{2,}\s*")
_MAX_MARKS = 6  # The most marks of a heading of a wiki.
_MARKED_HEADING = re.compile(r"(?P<marks>={1,6})[ \t]*(?P<title>[^=\s](?:.{0,88}[^=\s])?)[ \t]*(?P=marks)")
"""A heading of a wiki: the highest level has the fewest marks in MediaWiki, the most in DokuWiki and Zim."""
_LONG_MARKS = re.compile(r"^={5,6}[^=\n]{1,90}={5,6}[ \t]*$", re.MULTILINE)
_CHAPTER = re.compile(
    r"(?:chapter|part|appendix)\s+(?:\d+|[IVXLC]+|[A-Z])\b[^.!?。]*|第[一二三四五六七八九十百\d]+[章篇部][^。]*",
    re.IGNORECASE,
)
_NUMBERED_HEADING = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,4})\.?\s+[^\W\d_][^.!?。;；]*")
_CHANGELOG_ENTRY = re.compile(r"\S+ \(\S+\)(?: [\w.-]+)+; urgency=\w+.*|commit [0-9a-f]{7,64}(?: \(.*\))?")
"""The first line of an entry of a Debian changelog, or of the log of Git."""
_CAPITAL_HEADING = re.compile(r"[^a-z]*[A-Z]{3}[^a-z]*[^a-z.,;!?]")
_SOUND_NOTE = re.compile(r"[^:]{1,40}:\s*[\[(].*[\])]")  # "AUDIENCE: [LAUGHTER]" in the transcript of a talk.
_SPLIT_WORD_END = re.compile(r"[^\W\d_][-\u00ad\u2010][^\S\n]*\n[^\S\n]*\w")
_WORD_PREFIX = re.compile(r"\S+-")  # The only word of a line; a prefix in a list of them.
_COLUMNS = re.compile(r"\S(?:\t| {3,})\S")
_MARGIN_NUMBER = re.compile(r"\d{1,2}(?P<below>(?:\.\d{1,2})*)\.?\s+(?=\S)")
_PAGE_NUMBER = re.compile(r"\b(?:page|seite|p\.)\s*#|\A\W*#\W*\Z", re.IGNORECASE)
_MIN_INDENTED_SHARE = 0.6  # The share of indented lines in a text in which only headings begin at the margin.
_MIN_MARGIN_HEADINGS = 2
_MIN_PAGES = 3  # Pages from which on headers and footers can be recognized.
_MAX_HEADING_LENGTH = 90  # Characters.
_MIN_LETTERS = 6  # Letters of a heading in capitals.
_MAX_LENGTH = 4_000  # Characters of a paragraph.
_MAX_DAY_LENGTH = 50  # Characters of a line that is a day with its hour and zone.
_MIN_WIDTH, _MAX_WIDTH = 45, 130
_MAX_TITLE_LINES = 3
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d{2}(?!\d)")
_NEW_LINE_START = re.compile(r"\s*[\[(<\"']*(?:\d|[A-ZÀ-Þ])")
_CUT_POINT = re.compile(r"[.!?]\s|[。！？；]|\s")
_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_TABLE = re.compile(r"<TABLE>(.*?)(?:</TABLE>|(?=<TABLE>|<PAGE>)|\Z)", re.DOTALL | re.IGNORECASE)
_COLUMN_TAG = re.compile(r"<[SC]>", re.IGNORECASE)
_NOTES_TAG = re.compile(r"<FN>", re.IGNORECASE)
_PAGE = re.compile(
    r"(?:^[ \t]*(?:[A-Z]{0,2}-?\d{1,4}|- ?\d{1,4} ?-)[ \t]*\n)?\s*^[ \t]*<PAGE>[ \t]*\d{0,4}[ \t]*$", re.MULTILINE
)
_TAG = re.compile(r"</?(?:S|C|CAPTION|TABLE|PAGE|FN|F\d{1,2}|R|TEXT)>", re.IGNORECASE)
_SECTION = re.compile(
    r"(?:\A|(?<=\n))[ \t]*(?P<words>(?P<part>PART\s(?:I|II|III|IV)\b[^a-z\n]{0,80})"
    r"|(?:ITEM|Item)\s+\d{1,2}[A-Z]?[.:\s][^\n]{0,120}(?:\n[ \t]+[^a-z\n]{4,})*)[ \t]*(?=\n[ \t]*\n|\Z|(?<![a-z,])\n)"
)
"""The names of parts and items of Form 10-K and Form 10-Q, on separate lines or above their text."""
_PART_LEVEL = 1
_FILING_TAGS = re.compile(r"^[ \t]*<S>.*<C>|<TABLE>\s", re.MULTILINE | re.IGNORECASE)
_CODE_LINE = re.compile(
    r"[{};\\][ \t]*$|^[ \t]*(?:[$#%] |>>>|#!|//|/\*|</?[a-z!?])"
    r"|^[ \t]*(?:import|def|class|return|function|const|let|var|public|SELECT) |\w\([^)]*\)[;:{]?[ \t]*$"
    r"|[^=<>!]=[^=]|[=-]>|::",
    re.MULTILINE,
)
"""A line of a program, its output or a command."""
_MAX_CODE_SHARE = 0.2  # The share of such lines in what is no code.
_PROSE_LINE = re.compile(r"[^\W\d_]{2,}[,;:]?(?: [^\W\d_]+[’'-]?[^\W\d_]*[,;:.]?){4}")
_MIN_PROSE_SHARE = 0.5  # The share of lines of words in what is prose.


class PlainText:
    """Paragraphs between blank lines, lists, tables, and headings where they are certain."""

    version = 14
    media_type = "text/plain"
    suffixes = (".txt", ".text", ".log", ".tid")
    heavy = False
    signature: Signature | None = None

    def measure_confidence(self, raw: Raw) -> float:
        """Any text with low confidence, higher with a suffix of plain text; not XML."""
        beginning = decode_head(raw.data).lstrip()
        if not beginning or beginning.startswith("<?xml"):
            return 0.0
        return 0.4 if raw.suffix in self.suffixes else 0.3

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text_assembly, text = Assembly(), decode_text(raw.data)
        add_plain_text(text_assembly, text)
        assembly = join_speakers(text_assembly)
        media_type, beginning = detect_log_type(text) or self.media_type, assembly.list_beginning(HEAD_LENGTH)
        datelines = find_datelines(beginning, ending=assembly.list_ending(TAIL_LENGTH))
        properties = find_written_properties(assembly.contents)
        title, created = find_first_words(properties, "title"), find_value(properties, *CREATION_PROPERTIES)
        if not title and not created:
            title, day = _find_dated_title(assembly.contents)
            title = title or find_text_title(text, beginning, assembly.headings)
            claims = [DateClaim(day, DateOrigin.DATELINE)] if day else datelines or make_title_claims(title)
            kind = choose_talk_kind(assembly) if assembly is not text_assembly else Kind.NOTE if day else Kind.TEXT
            return assembly.finish(kind, media_type, title=title, dates=claims)
        return assembly.finish(
            Kind.NOTE,
            media_type,
            title=title,
            authors=list_authors(properties),
            dates=[*list_property_claims(properties), *datelines],
            attributes=Attributes(tags=tuple(dict.fromkeys(iter_tags(properties)))),
        )


def _find_dated_title(blocks: Sequence[BlockContent]) -> tuple[str, date | None]:
    """The first line of a note or the record of a talk, and its day; "" and None for other texts.

    The day is on the second line of the same paragraph, with the hour there or on the third: programs write so, and a
    press release has no hour.
    """
    lines = blocks[0].text.split("\n") if blocks and blocks[0].kind is BlockKind.PARAGRAPH else []
    if not 1 < len(lines) <= _MAX_TITLE_LINES or len(lines[0]) > _MAX_HEADING_LENGTH or parse_line_entry(lines[0]):
        return "", None
    days = parse_line_entry(lines[1])
    is_moment = days is not None and days[1] - days[0] == DAY and _CLOCK.search(" ".join(lines[1:]))
    return (lines[0], days[0]) if days and is_moment else ("", None)


def add_preformatted(assembly: Assembly, text: str, code: str = "") -> None:
    """Adds preformatted text of a page or note: code, or the blocks and tables of a text.

    `code` is the code as written in a note; then text with only prose is code as well.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    is_code = sum(bool(_CODE_LINE.search(line)) for line in lines) > _MAX_CODE_SHARE * len(lines)
    prose_count = sum(bool(_PROSE_LINE.search(line)) for line in lines)
    is_prose = not code and len(lines) > 1 and prose_count >= _MIN_PROSE_SHARE * len(lines)
    tables = (part.rows for part in split_tables(text) if not isinstance(part, str))
    if is_code or not (is_prose or any(len(rows) > 1 and len(rows[0]) > 1 for rows in tables)):
        assembly.add(BlockKind.CODE, code or text)
    else:
        add_plain_text(assembly, text)


def add_plain_text(assembly: Assembly, text: str) -> None:
    """Adds the blocks and tables of a text, which may have tags of old filings, or pages with headers and footers."""
    body, furniture = _join_pages(text)
    (add_tagged_text if _FILING_TAGS.search(body) else add_text)(assembly, body)
    assembly.add(BlockKind.FURNITURE, furniture)


def _join_pages(text: str) -> tuple[str, str]:
    """A text without the first and last lines that its pages share except for numbers, and those lines, each once.

    A sentence that continues after a form feed is kept in one paragraph.
    """
    pages = [page.strip("\n").split("\n") for page in text.split("\f")]
    if len(pages) < _MIN_PAGES:
        return text, ""
    furniture = dict[str, None]()
    for edge in (0, -1):
        keys = [" ".join(page[edge].split()) for page in pages]
        keys = [masked_key if _PAGE_NUMBER.search(masked_key := re.sub(r"\d+", "#", key)) else key for key in keys]
        counts = Counter(keys)
        for page, key in zip(pages, keys, strict=True):
            if key and 2 * counts[key] >= len(pages):
                furniture[page.pop(edge).strip()] = None
                page[:] = page or [""]
    joined_text = ""
    for page in pages:
        body = "\n".join(page).strip("\n")
        is_continued = body.lstrip()[:1].islower() and not joined_text.endswith((".", "!", "?"))
        joined_text += (("\n" if is_continued else "\n\n") if joined_text else "") + body
    return joined_text, "\n".join(furniture)


def add_tagged_text(assembly: Assembly, text: str) -> None:
    """Adds the blocks of plain text with the tags of old filings; page numbers are left out.

    `<TABLE>` encloses lines whose columns begin below `<S>` and `<C>` (EDGAR Filer Manual, volume II, 5.2.1).
    """
    source = _PAGE.sub("\n\n", text)
    position = 0
    for match in _TABLE.finditer(source):
        _add_sections(assembly, _TAG.sub("", source[position : match.start()]))
        _add_tagged_table(assembly, match[1])
        position = match.end()
    _add_sections(assembly, _TAG.sub("", source[position:]))


def _add_sections(assembly: Assembly, text: str) -> None:
    """Adds the blocks of a text, the names of its parts and items as headings."""
    position = 0
    for match in _SECTION.finditer(text):
        add_text(assembly, text[position : match.start()])
        assembly.add_heading(match["words"], _PART_LEVEL if match["part"] else _PART_LEVEL + 1)
        position = match.end()
    add_text(assembly, text[position:])


def _add_tagged_table(assembly: Assembly, text: str) -> None:
    """Adds the table of lines between tags, or their text where they have no columns, then its notes."""
    tagged_text, *notes = _NOTES_TAG.split(text, maxsplit=1)
    lines = tagged_text.split("\n")
    starts = next((columns for line in lines if (columns := _find_column_starts(line))), [])
    # A tag takes no space in a line: it is removed, or is a line of its own.
    source = [_TAG.sub("", line) for line in lines if not _find_column_starts(line)]
    top_and_table = read_aligned(source, starts)
    if top_and_table is None:
        add_text(assembly, "\n".join(source))
    else:
        top, table = top_and_table
        add_text(assembly, "\n".join(source[:top]))
        assembly.add_table(table.rows, header_rows=table.header_rows, merges=table.merges)
    add_text(assembly, _TAG.sub("", "".join(notes)))


def _find_column_starts(line: str) -> list[int]:
    """Where the columns begin that a line of tags marks; nothing in other lines."""
    return [match.start() for match in _COLUMN_TAG.finditer(line)] if not _COLUMN_TAG.sub("", line).strip() else []


def add_text(assembly: Assembly, text: str) -> None:
    """Adds the blocks and tables of a text."""
    headings = _find_margin_headings(text)
    words = collect_words(text.split("\n")) if _SPLIT_WORD_END.search(text) else None
    for part in split_tables(text.replace("\f", "\n\n")):
        if not isinstance(part, str):
            assembly.add_table(part.rows, header_rows=part.header_rows, merges=part.merges)
            continue
        for block in iter_blocks(part, headings, words):
            if block.kind is BlockKind.HEADING:
                assembly.add_heading(block.text, block.level)
            else:
                assembly.add(block.kind, block.text)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block of plain text; `level` is that of a heading, else 0."""

    kind: BlockKind
    text: str
    level: int = 0


def _find_margin_headings(text: str) -> dict[str, int]:
    """The level of each heading of a text whose other lines are indented, as those of manuals and RFCs are.

    They are the lines at the margin that occur once, with indented lines below and no mark of a sentence, an item
    or a program at their ends.
    """
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    if sum(line[0].isspace() for line in lines) < _MIN_INDENTED_SHARE * len(lines):
        return {}
    counts = Counter(lines)
    levels: dict[str, int] = {}
    for line, below in pairwise(lines):
        if line[0].isspace() or not below[0].isspace() or counts[line] > 1 or len(line) > _MAX_HEADING_LENGTH:
            continue
        number_match = _MARGIN_NUMBER.match(line)
        is_no_heading = _COLUMNS.search(line) or _CODE_LINE.search(line) or (_ITEM.match(line) and not number_match)
        if line[-1].isalnum() and line[0].isalnum() and not is_no_heading and not parse_line_entry(line):
            levels[line] = min(number_match["below"].count(".") + 1, 6) if number_match else 1
    return levels if len(levels) >= _MIN_MARGIN_HEADINGS else {}


def iter_blocks(
    text: str, headings: Mapping[str, int] = MappingProxyType({}), known_words: Collection[str] | None = None
) -> Iterator[TextBlock]:
    """The blocks of a text with plain line ends; a form feed separates blocks, and none is over 4,000 characters.

    `headings` are known headings with their levels; `known_words` are those of a text in which words are split at line
    ends.
    """
    is_top_longest = bool(_LONG_MARKS.search(text))
    for piece in split_paragraphs(text.replace("\f", "\n\n")):
        lines = piece.strip("\n").split("\n")
        if not piece.strip():
            continue
        while lines and (mark := _MARKED_HEADING.fullmatch(lines[0].strip())):
            depth = len(mark["marks"])
            yield TextBlock(BlockKind.HEADING, mark["title"], _MAX_MARKS + 1 - depth if is_top_longest else depth)
            del lines[0]
        if not lines:
            continue
        if (title := _find_underlined(lines)) is not None:
            yield title
            del lines[: 3 if _UNDERLINE.fullmatch(lines[0]) else 2]
        elif level := headings.get(lines[0].rstrip(), 0):
            yield TextBlock(BlockKind.HEADING, lines.pop(0), level)
        elif _CHANGELOG_ENTRY.fullmatch(lines[0]):
            yield TextBlock(BlockKind.HEADING, lines.pop(0), 2)
        elif len(lines) == 1 and (level := _get_heading_level(lines[0].strip())):
            yield TextBlock(BlockKind.HEADING, lines[0], level)
            continue
        yield from _iter_lists(lines, known_words) if lines else ()


def _join_split_words(lines: Sequence[str], known_words: Collection[str] | None) -> Sequence[str]:
    """The lines, each with the end of its last word where that is on the next one."""
    if known_words is None:
        return lines
    joined_lines = [line.rstrip() for line in lines]
    for place, below in enumerate(joined_lines[1:]):
        line_end, text = joined_lines[place], below.lstrip()
        is_separate = _WORD_PREFIX.fullmatch(lines[place].strip()) or _WORD_PREFIX.fullmatch(text) or _ITEM.match(below)
        line_start = None if is_separate else split_word(line_end, text, known_words)
        if line_start is not None:
            end, _, remainder = text.partition(" ")
            joined_lines[place : place + 2] = line_start + end, below[: len(below) - len(text)] + remainder.lstrip()
    return [line for line in joined_lines if line.strip()]


def _find_underlined(lines: list[str]) -> TextBlock | None:
    """A title above a line of signs of about its length, or between two such lines."""
    index = 1 if len(lines) > 2 and _UNDERLINE.fullmatch(lines[0]) else 0
    if len(lines) < index + 2 or not (rule := _UNDERLINE.fullmatch(lines[index + 1])):
        return None
    title, length = lines[index].strip(), len(lines[index + 1].strip())
    if (
        not 0 < len(title) <= _MAX_HEADING_LENGTH
        or not len(title) - 2 <= length <= 2 * len(title) + 2
        or _ITEM.match(title)
    ):
        return None
    if length > len(title) + 3 and title.isascii():
        return None
    return TextBlock(BlockKind.HEADING, title, 1 if index or rule[1] in "=#*" else 2)


def _get_heading_level(line: str) -> int:
    """1 to 6 for a separate line that can only be a heading, else 0."""
    if len(line) > _MAX_HEADING_LENGTH:
        return 0
    if _CHAPTER.fullmatch(line):
        return 1
    if (number_match := _NUMBERED_HEADING.fullmatch(line)) is not None:
        return min(number_match[1].count(".") + 1, 6)
    if parse_closing_date(line) and not _ITEM.match(line):
        return 2
    letters = sum(map(str.isalpha, line))
    is_capitals = _CAPITAL_HEADING.fullmatch(line) and letters >= max(_MIN_LETTERS, 0.6 * len(line))
    return 2 if is_capitals and not _COLUMNS.search(line) and not _SOUND_NOTE.fullmatch(line) else 0


def _iter_lists(lines: list[str], known_words: Collection[str] | None) -> Iterator[TextBlock]:
    """A paragraph, or a list with the line that introduces it; indented lines continue the item above."""
    first = next((number for number, line in enumerate(lines) if _ITEM.match(line)), len(lines))
    items: list[str] = []
    for line in _join_split_words(lines[first:], known_words):
        if _ITEM.match(line):
            items.append(line.rstrip())
        elif line[:2].isspace() or line.startswith("\t"):
            items[-1] += f" {line.strip()}"
        else:
            first = len(lines)
            break
    is_single_item = first == 0 and len(items) == 1 and len(lines) > 1 and not lines[1][:2].isspace()
    if first == len(lines) or is_single_item or (first > 0 and len(items) < 2):
        yield from _iter_paragraph(lines, known_words)
        return
    yield from _iter_paragraph(lines[:first], known_words)
    yield from (TextBlock(BlockKind.LIST, text) for text in _split_bounded("\n".join(items)))


def _iter_paragraph(lines: list[str], known_words: Collection[str] | None) -> Iterator[TextBlock]:
    joined_lines = _join_split_words(lines, known_words)
    text = " ".join(line.strip() for line in joined_lines) if _is_wrapped(lines) else "\n".join(joined_lines)
    yield from (TextBlock(BlockKind.PARAGRAPH, part) for part in _split_bounded(text) if part.strip())


def _is_wrapped(lines: list[str]) -> bool:
    """Whether the lines were broken to a width: the first word of each would not have fitted above it.

    Among four lines of prose one begins with a small letter; lines of a log or poem may have one width by chance.
    """
    begin_lines = all(_NEW_LINE_START.match(line) for line in lines)
    if len(lines) > _MAX_TITLE_LINES and begin_lines and any(map(str.islower, "".join(lines))):
        return False
    width = max(map(len, lines), default=0)
    if len(lines) < 2 or not _MIN_WIDTH <= width <= _MAX_WIDTH or any(map(_COLUMNS.search, lines)):
        return False
    if (len(lines) == 2 and len(lines[0]) < width) or any(
        len(line) <= _MAX_DAY_LENGTH and is_date_heading(line) for line in lines
    ):
        return False
    is_full = all(after.strip() and len(line) + 1 + len(after.split()[0]) > width for line, after in pairwise(lines))
    return is_full and not are_separate_lines(lines)


def _split_bounded(text: str) -> Iterator[str]:
    """The text in parts of at most 4,000 characters, cut after a sentence or else between words, if possible."""
    start = 0
    while len(text) - start > _MAX_LENGTH:
        window = text[start : start + _MAX_LENGTH]
        ends = [match.end() for match in _CUT_POINT.finditer(window, _MAX_LENGTH // 2)]
        sentence_ends = [end for end in ends if not window[end - 1].isspace() or window[end - 2] in ".!?"]
        cut = sentence_ends[-1] if sentence_ends else ends[-1] if ends else _MAX_LENGTH
        yield text[start : start + cut]
        start += cut
    yield text[start:]


def split_paragraphs(text: str) -> Iterator[str]:
    """Pieces between blank lines; one that is over 4,000 characters is cut further, at line ends only."""
    for piece in _BLANK_LINES.split(text):
        lines: list[str] = []
        size = 0
        for line in piece.split("\n"):
            if lines and len(piece) > _MAX_LENGTH and size + len(line) > _MAX_LENGTH:
                yield "\n".join(lines)
                lines, size = [], 0
            lines.append(line)
            size += len(line) + 1
        yield "\n".join(lines)


def is_list(text: str) -> bool:
    """Whether every line is an item."""
    return all(re.match(r"\s*(?:[-*+•‣▪]|\d{1,3}[.)])\s+\S", line) for line in text.strip().split("\n"))


member = PlainText()
