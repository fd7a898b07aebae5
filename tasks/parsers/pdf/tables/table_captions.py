"""Captions above tables and notes below them, among the lines of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.parsers.pdf.lines.page_rows import CAPTION, is_figure
from tasks.parsers.pdf.lines.text_lines import TextLine, extract_letters, is_title_case
from tasks.parsers.pdf.tables.found_tables import FoundTable
from tasks.parsers.pdf.tables.table_settings import TABLES

Item = TextLine | FoundTable

_NOTE = re.compile(
    r"(?:\(?(?:\d{1,2}|[a-zA-Z]{1,2}|\*+)\)|[*†‡§¹²³⁴-⁹]+|\d{1,2}/|\d{1,2}\s|\[\d+\]|"
    r"(?-i:\d{1,2}(?=[A-Z][a-z])|[a-z]\s(?=[A-Z]))|"
    r"(?:NA|N/A|NM|n\.a\.|[XZDrpe])\s*[=:–—-]\s|[rpe]\s(?=revised|preliminary|estimate)|"
    r"(?:notes?|sources?|n\.?b\.?|see (?:accompanying|notes to|footnotes?)|remarks?|注|资料来源|数据来源)\b\s*[:.(\d]?)"
    r"\s*\S?",
    re.IGNORECASE,
)
_HEADING = re.compile(r"(?:NOTE|Note)\s\d+\b(?!\))")
_UNITS = re.compile(
    r"[(\[（].{0,120}(?:\b(?:thousands?|millions?|billions?|crores?|lakhs?|percent\w*|dollars|euros?|(?:un)?audited|continued|amounts?"
    r"|except\w*|shares?|restated)\b|[$€£¥%]|'000|元|单位|千|万).{0,120}[)\]）]$"
    r"|\(?\s*(?:in|expressed in|单位)\b|[^a-z]{0,12}(?:\w+ ){0,4}in (?:thousands|millions|billions|percent)\b.{0,60}$"
    r"|unaudited",
    re.IGNORECASE,
)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_PERIOD_LINE = re.compile(
    r"(?:for |as (?:of|at) |at )?(?:the )?(?:(?:fiscal|first|second|third|fourth|three|six|nine|twelve|\d{1,2}) ?)*"
    rf"(?:weeks?|months?|years?|quarters?|{_MONTHS})\b.{{0,50}}(?:19|20)\d\d(?: \((?:un)?audited\))?",
    re.IGNORECASE,
)
"""A line that states a period and nothing else."""
_SENTENCE_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|as follows|the following|consist\w*|includ(?:es?|ed)|compris\w+|summari[sz]\w+"
    r"|sets? forth|shows?|shown|presents?|below)\b",
    re.IGNORECASE,
)
"""A verb of a sentence that introduces a table, which a title does not have."""
_NUMBERED_HEADING = re.compile(r"(?:note|item|part|section|chapter)\s+\w|\d{1,2}(?:\.\d+)*[.)]?\s", re.IGNORECASE)
"""A heading with a number: a line above it is no part of its name."""
_SENTENCE_END = re.compile(r"[.;。；，,][\"”’']?\s*$")


def find_caption(items: Sequence[Item], number: int, furniture_ids: set[int]) -> str:
    """The caption of the table `items[number]`; lines set aside are none.

    It is the numbered title above with all lines between, else the nearest heading and the units stated below it. A
    sentence that leads to the table is no title: the heading above it is looked for, and the sentence stands in its
    place only where there is none and it is a line long.
    """
    table = items[number]
    assert isinstance(table, FoundTable)
    above = list(_iter_lines_above(items[:number], furniture_ids, table))
    numbered_title = next((place for place, line in enumerate(above) if CAPTION.match(line.text)), None)
    if numbered_title is not None:
        return " ".join(line.text for line in reversed(above[: numbered_title + 1]))
    first = next((place for place, line in enumerate(above) if not _is_remark(line)), len(above))
    units, remaining_lines = above[:first], above[first:]
    start = next((place for place, line in enumerate(remaining_lines) if _is_title(line)), len(remaining_lines))
    lead_lines, title = remaining_lines[:start], _collect_title(remaining_lines[start:])
    if lead_lines and (not title or not _is_prominent(title[0], lead_lines)):
        title = lead_lines[:1] if _is_lead_sentence(lead_lines[0], remaining_lines[1:]) else []
    return " ".join(line.text for line in reversed([*units, *title])) or _find_title_below(items, number, table)


def _iter_lines_above(items: Sequence[Item], furniture_ids: set[int], table: FoundTable) -> Iterator[TextLine]:
    """The lines above a table, nearest first, as far as no table, head or wide gap stands between."""
    top = table.box.top
    for item in reversed(items[-TABLES.caption_reach :]):
        if not isinstance(item, TextLine) or id(item) in furniture_ids:
            return
        is_beside = item.box.x0 > table.box.x1 or item.box.x1 < table.box.x0
        distance = TABLES.bold_caption_distance if item.bold else TABLES.caption_distance
        if is_beside or top - item.box.bottom > distance * item.size:
            return
        yield item
        top = item.box.top


def _collect_title(lines: Sequence[TextLine]) -> list[TextLine]:
    """The first line and those above it that are one title with it: set alike, right above each other."""
    title = list(lines[:1])
    for line in lines[1 : TABLES.caption_lines]:
        below = title[-1]
        is_alike = line.bold == below.bold and abs(line.size - below.size) < TABLES.caption_size_tolerance
        is_close = below.box.top - line.box.bottom < TABLES.caption_gap * line.size
        if not (is_alike and is_close and _is_title(line)) or _NUMBERED_HEADING.match(below.text):
            break
        title.append(line)
    return title


def _is_remark(line: TextLine) -> bool:
    """Whether a line states units or a time and is no title by itself."""
    return _UNITS.match(line.text) is not None or _PERIOD_LINE.fullmatch(line.text.strip()) is not None


def _is_title(line: TextLine) -> bool:
    """Whether a line reads as a title: short, and no sentence nor the end of one."""
    text = line.text
    if (
        len(text) > TABLES.caption_max_length
        or len(extract_letters(text)) < TABLES.caption_letters
        or _SENTENCE_END.search(text)
    ):
        return False
    if is_note(line) or any(is_figure(piece.text) for piece in line.pieces[1:]):
        return False
    if line.bold or _SENTENCE_VERB.search(text) or text.endswith("："):
        return line.bold
    return not text[:1].islower() and (is_title_case(text) or len(text) <= TABLES.caption_short_length)


def _is_prominent(title: TextLine, lead_lines: Sequence[TextLine]) -> bool:
    """Whether a title stands out from the sentence below it: set in bold, larger, or numbered."""
    stands_out = title.bold > lead_lines[-1].bold or title.size > lead_lines[-1].size + TABLES.caption_size_tolerance
    return (
        stands_out or len(title.text) <= TABLES.caption_short_length or _NUMBERED_HEADING.match(title.text) is not None
    )


def _is_lead_sentence(line: TextLine, above: Sequence[TextLine]) -> bool:
    """Whether a line is a whole sentence that leads to the table: no paragraph's end."""
    is_apart = not above or line.box.top - above[0].box.bottom >= TABLES.paragraph_gap * line.size
    return is_apart and line.text[:1].isupper() and line.text.rstrip().endswith((":", "："))


def _find_title_below(items: Sequence[Item], number: int, table: FoundTable) -> str:
    """A numbered title below the table, as some journals set it."""
    if number + 1 < len(items) and isinstance(after := items[number + 1], TextLine):
        is_near = after.box.top - table.box.bottom < TABLES.caption_distance * after.size
        if is_near and re.match(r"\s*(?:table|tab\.|表)\s*\d", after.text, re.IGNORECASE):
            return after.text
    return ""


def find_notes(items: Sequence[Item], number: int, furniture_ids: set[int]) -> tuple[str, ...]:
    """The notes below the table `items[number]`; lines set aside are none."""
    notes: list[str] = []
    bottom = items[number].box.bottom
    for item in items[number + 1 : number + 1 + TABLES.max_notes]:
        if not isinstance(item, TextLine) or id(item) in furniture_ids:
            break
        gap = item.box.top - bottom
        if is_note(item) and gap < TABLES.caption_distance * item.size:
            notes.append(item.text)
        elif notes and gap < 0.6 * item.size:
            notes[-1] += f" {item.text}"
        else:
            break
        bottom = item.box.bottom
    return tuple(notes)


def is_note(line: TextLine) -> bool:
    """Whether a line begins a note of a table, and not a section of its own."""
    return _NOTE.match(line.text) is not None and not line.bold and not _HEADING.match(line.text)
