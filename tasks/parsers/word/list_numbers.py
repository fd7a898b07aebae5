"""The marks of numbered paragraphs, counted as Word counts them (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tasks.parsers.word.elements import attribute, child, is_on, name, value
from tasks.parsers.word.numerals import numeral

if TYPE_CHECKING:
    from lxml.etree import _Element

LEVELS = 9
BULLET = "-"
_PLACEHOLDER = re.compile(r"%([1-9])")
_LARGEST = 10**6


@dataclass(frozen=True, slots=True)
class _Level:
    """How one level counts. `restart` is the level (from 1) whose use restarts it, 0 for never, None for any above."""

    start: int = 1
    numerals: str = "decimal"
    text: str = ""
    legal: bool = False
    restart: int | None = None
    style: str = ""


@dataclass(frozen=True, slots=True)
class _List:
    """What a `num` element stands for: its counters, shared by all of one abstract list, and where it begins anew."""

    counters: str
    levels: tuple[_Level, ...]
    anew: tuple[int, ...]


class Numbering:
    """The lists of one document and how far each has counted. Marks must be asked for in document order."""

    def __init__(self, root: _Element | None) -> None:
        parts = [] if root is None else list(root)
        self._abstract = {attribute(part, "abstractNumId"): part for part in parts if name(part) == "abstractNum"}
        self._nums = {attribute(part, "numId"): part for part in parts if name(part) == "num"}
        self._linked = {value(part, "styleLink"): key for key, part in self._abstract.items()}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[str] = set()
        self._list = cache(self._read)

    def level_of(self, number: str, style: str) -> int:
        """The level of a list that belongs to a paragraph style, 0 where none does."""
        levels = found.levels if (found := self._list(number)) else ()
        return next((place for place, level in enumerate(levels) if style and level.style == style), 0)

    def mark(self, number: str, level: int) -> str:
        """Counts one paragraph and returns its mark: "3.", "(b)", "iv)", "第二章", "-" for a bullet, or nothing."""
        found = self._list(number)
        if found is None:
            return ""
        counts = self._counts.setdefault(found.counters, [None] * LEVELS)
        if number not in self._begun:
            self._begun.add(number)
            for place in found.anew:
                counts[place] = None
        own = found.levels[level]
        before = counts[level]
        counts[level] = own.start if before is None else min(before + 1, _LARGEST)
        for deeper in range(level + 1, LEVELS):
            restart = found.levels[deeper].restart
            if restart is None or 0 < level + 1 <= restart:
                counts[deeper] = None
        return BULLET if own.numerals == "bullet" else _shown(own, found.levels, counts)

    def _read(self, number: str) -> _List | None:
        num = self._nums.get(number)
        key = value(num, "abstractNumId")
        link = value(self._abstract.get(key), "numStyleLink")
        abstract = self._abstract.get(self._linked.get(link, key) if link else key)
        if num is None or abstract is None:
            return None
        overrides = {_place(part): part for part in num if name(part) == "lvlOverride"}
        written = {_place(part): part for part in abstract if name(part) == "lvl"}
        written |= {place: lvl for place, part in overrides.items() if (lvl := child(part, "lvl")) is not None}
        starts = {place: value(part, "startOverride") for place, part in overrides.items()}
        levels = tuple(_level(written.get(place), starts.get(place, "")) for place in range(LEVELS))
        anew = tuple(place for place, start in starts.items() if start and 0 <= place < LEVELS)
        return _List(attribute(abstract, "abstractNumId"), levels, anew)


def _place(part: _Element) -> int:
    level = attribute(part, "ilvl")
    return int(level) if level.isdigit() else 0


def _level(lvl: _Element | None, start: str) -> _Level:
    begins = start or value(lvl, "start")
    restart = value(lvl, "lvlRestart")
    return _Level(
        start=min(int(begins), _LARGEST) if begins.isdigit() else 0 if lvl is None else 1,
        numerals=_numerals(lvl),
        text=value(lvl, "lvlText"),
        legal=is_on(lvl, "isLgl"),
        restart=int(restart) if restart.isdigit() else None,
        style=value(lvl, "pStyle"),
    )


def _numerals(lvl: _Element | None) -> str:
    """The number format; one that only newer programs know stands beside the one for older ones."""
    formats = [] if lvl is None else [attribute(part, "val") for part in lvl.iter("numFmt")]
    return next((found for found in formats if found and found != "custom"), "decimal")


def _shown(own: _Level, levels: tuple[_Level, ...], counts: list[int | None]) -> str:
    """The level's text, its placeholders filled; a level above that was not used yet counts as its start."""

    def fill(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        count = counts[place]
        count = levels[place].start if count is None else count
        return numeral(count, "decimal" if own.legal else levels[place].numerals)

    return _PLACEHOLDER.sub(fill, own.text).strip()
