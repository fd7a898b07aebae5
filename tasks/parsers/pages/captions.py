"""Titles above tables and notes below them, among the lines of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.line_kinds import CAPTION
from tasks.parsers.pages.lines import TextLine

Item = TextLine | FoundTable

_NEAR = 2.2
_MOST_CAPTION = 4
_MOST_ABOVE = 7
_TIGHT = 0.6
_MOST_NOTES = 12
_LONGEST = 160
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
    r"[(\[].{3,120}[)\]]$|\(?\s*(?:in|expressed in|单位)\b|"
    r".{0,40}\bin (?:thousands|millions|billions|percent)|unaudited",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.;]\s*$|[,]$")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a table: its caption and the notes below."""

    caption: str = ""
    notes: tuple[str, ...] = ()


def surroundings(items: Sequence[Item], number: int, aside: set[int]) -> Surroundings:
    """The caption and notes of the table `items[number]`; lines set aside are neither."""
    table = items[number]
    assert isinstance(table, FoundTable)
    return Surroundings(_caption(items, number, aside, table), _notes(items, number, aside, table))


def _caption(items: Sequence[Item], number: int, aside: set[int], table: FoundTable) -> str:
    """The numbered title above with all lines between, else the short lines right above that are no prose."""
    above = list(_above(items[:number], aside, table))
    titled = next((place for place, line in enumerate(above) if CAPTION.match(line.text)), None)
    if titled is not None:
        return " ".join(line.text for line in reversed(above[: titled + 1]))
    lines: list[TextLine] = []
    for line in above[:_MOST_CAPTION]:
        if not _is_title(line, has_more=bool(lines)):
            return " ".join(part.text for part in reversed(_without_tail(line, lines)))
        lines.append(line)
    return " ".join(line.text for line in reversed(lines)) or _below(items, number, table)


def _above(items: Sequence[Item], aside: set[int], table: FoundTable) -> Iterator[TextLine]:
    """The lines above a table, nearest first, as far as no table, head or wide gap stands between."""
    top = table.box.top
    for item in reversed(items[-_MOST_ABOVE:]):
        if not isinstance(item, TextLine) or id(item) in aside:
            return
        beside = item.box.x0 > table.box.x1 or item.box.x1 < table.box.x0
        if beside or top - item.box.bottom > _NEAR * item.size:
            return
        yield item
        top = item.box.top


def _without_tail(prose: TextLine, lines: Sequence[TextLine]) -> list[TextLine]:
    """Lines found from the table upwards, without those that are the end of the paragraph that `prose` belongs to."""
    kept = list(lines)
    last = prose
    while kept and kept[-1].box.top - last.box.bottom < _TIGHT * last.size and not kept[-1].bold:
        last = kept.pop()
    return kept


def _is_title(line: TextLine, *, has_more: bool) -> bool:
    """Whether a line reads as a title or a statement of units: short, and no sentence."""
    if CAPTION.match(line.text) or _UNITS.match(line.text):
        return True
    return (
        len(line.text) <= _LONGEST
        and not _ENDS.search(line.text)
        and (has_more or line.text[:1].isupper() or line.bold)
    )


def _below(items: Sequence[Item], number: int, table: FoundTable) -> str:
    """A numbered title below the table, as some journals set it."""
    if number + 1 < len(items) and isinstance(after := items[number + 1], TextLine):
        near = after.box.top - table.box.bottom < _NEAR * after.size
        if near and re.match(r"\s*(?:table|tab\.|表)\s*\d", after.text, re.IGNORECASE):
            return after.text
    return ""


def _notes(items: Sequence[Item], number: int, aside: set[int], table: FoundTable) -> tuple[str, ...]:
    notes: list[str] = []
    bottom = table.box.bottom
    for item in items[number + 1 : number + 1 + _MOST_NOTES]:
        if not isinstance(item, TextLine) or id(item) in aside:
            break
        gap = item.box.top - bottom
        if is_note(item) and gap < _NEAR * item.size:
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
