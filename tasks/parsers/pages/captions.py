"""Titles above tables and notes below them, among the lines of the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.parsers.pages.found import FoundTable
from tasks.parsers.pages.lines import TextLine
from tasks.parsers.pages.regions import CAPTION

Item = TextLine | FoundTable

_NEAR = 2.2
_MOST_CAPTION = 4
_MOST_NOTES = 12
_LONGEST = 160
_NOTE = re.compile(
    r"(?:\(?(?:\d{1,2}|[a-zA-Z]|\*+)\)|[*†‡§¹²³⁴-⁹]+|\d{1,2}\s|\[\d+\]|"
    r"(?:notes?|sources?|n\.?b\.?|see accompanying|remarks?|注|资料来源|数据来源)\b\s*[:.(\d]?)\s*\S?",
    re.IGNORECASE,
)
_UNITS = re.compile(r"\(?\s*(?:in|dollars? in|amounts? in|\$ ?in|expressed in|单位)\b|unaudited", re.IGNORECASE)
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
    lines: list[str] = []
    top, size = table.box.top, 0.0
    for item in reversed(items[:number]):
        if not isinstance(item, TextLine) or id(item) in aside or len(lines) == _MOST_CAPTION:
            break
        size = size or item.size
        far = top - item.box.bottom > _NEAR * item.size
        beside = item.box.x0 > table.box.x1 or item.box.x1 < table.box.x0
        if far or beside or not _is_title(item, has_more=bool(lines)):
            break
        lines.insert(0, item.text)
        if CAPTION.match(item.text):
            return " ".join(lines)
        top = item.box.top
    if not lines:
        return _below(items, number, table)
    return " ".join(lines)


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
        if _NOTE.match(item.text) and gap < _NEAR * item.size:
            notes.append(item.text)
        elif notes and gap < 0.6 * item.size:
            notes[-1] += f" {item.text}"
        else:
            break
        bottom = item.box.bottom
    return tuple(notes)
