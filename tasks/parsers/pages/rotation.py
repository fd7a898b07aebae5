"""Text that runs up or down an upright page, read as if the page were turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pages.rows import read_rows
from tasks.parsers.pages.rules import RuledLine, RuledLines
from tasks.parsers.pages.words import Char, read_words
from warehouse.records import Box

_MOSTLY = 0.5


class Way(Enum):
    """Which way the text runs."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class PageRotation:
    """A page `width` by `height` points, upright, whose text runs `way`; turned, it is `height` wide."""

    way: Way
    width: float
    height: float

    def turned(self, box: Box) -> Box:
        """Where a box of the upright page stands on the turned one."""
        if self.way is Way.UP:
            return Box(self.height - box.bottom, box.x0, self.height - box.top, box.x1)
        return Box(box.top, self.width - box.x1, box.bottom, self.width - box.x0)

    def upright(self, box: Box) -> Box:
        """Where a box of the turned page stands on the upright one."""
        if self.way is Way.UP:
            x0, top, x1, bottom = box.top, self.height - box.x1, box.bottom, self.height - box.x0
        else:
            x0, top, x1, bottom = self.width - box.bottom, box.x0, self.width - box.top, box.x1
        return Box(round(x0, 2), round(top, 2), round(x1, 2), round(bottom, 2))

    def chars(self, chars: Sequence[Char]) -> list[Char]:
        """The characters on the turned page: those that ran up or down are upright there, the others are not."""
        return [self._char(char) for char in chars]

    def _char(self, char: Char) -> Char:
        box = self.turned(Box(char["x0"], char["top"], char["x1"], char["bottom"]))
        return {
            **char,
            "upright": not char["upright"],
            "x0": box.x0,
            "x1": box.x1,
            "top": box.top,
            "bottom": box.bottom,
            "doctop": box.top,
            "width": box.x1 - box.x0,
            "height": box.bottom - box.top,
            "size": box.bottom - box.top,
        }

    def rules(self, rules: RuledLines) -> RuledLines:
        """The lines of the page on the turned one: level ones stand upright there."""
        level = [self._rule(rule, level=False) for rule in rules.upright]
        upright = [self._rule(rule, level=True) for rule in rules.level]
        curves = tuple(map(self.turned, rules.curves))
        return RuledLines(tuple(sorted(level, key=_place)), tuple(sorted(upright, key=_place)), curves)

    def _rule(self, rule: RuledLine, *, level: bool) -> RuledLine:
        box = Box(rule.start, rule.at, rule.end, rule.at) if level else Box(rule.at, rule.start, rule.at, rule.end)
        found = self.turned(box)
        if level:
            return replace(rule, at=found.x0, start=found.top, end=found.bottom)
        return replace(rule, at=found.top, start=found.x0, end=found.x1)


def turn_of(chars: Sequence[Char], width: float, height: float) -> PageRotation | None:
    """How a page has to be turned to read the text that runs up or down it; None where there is none.

    The way is that in which one character of the text follows the other.
    """
    turned = [char for char in chars if not char["upright"] and not char["text"].isspace()]
    if not turned:
        return None
    steps = [after["top"] - before["top"] for before, after in pairwise(turned) if _follows(before, after)]
    down = sum(step > 0 for step in steps)
    return PageRotation(Way.DOWN if 2 * down > len(steps) else Way.UP, width, height)


def is_turned(chars: Sequence[Char]) -> bool:
    """Whether most of a page's text runs up or down it."""
    inked = [char["upright"] for char in chars if not char["text"].isspace()]
    return inked.count(False) > _MOSTLY * len(inked)


def lines_across(chars: Sequence[Char], turn: PageRotation, page: int) -> tuple[AssembledLine, ...]:
    """The upright text of a page whose other text runs up or down it, with its boxes on the turned page."""
    return tuple(AssembledLine(row.text, page, turn.turned(row.box)) for row in read_rows(read_words(chars)))


def lines_along(chars: Sequence[Char], turn: PageRotation, page: int) -> tuple[AssembledLine, ...]:
    """The text that runs up or down a page whose other text is upright, with its boxes on the upright page."""
    rows = read_rows(read_words(turn.chars(chars)))
    return tuple(AssembledLine(row.text, page, turn.upright(row.box)) for row in rows)


def _follows(before: Char, after: Char) -> bool:
    """Whether two characters stand above each other."""
    return bool(abs(before["x0"] - after["x0"]) < max(before["width"], 1.0) and before["top"] != after["top"])


def _place(rule: RuledLine) -> tuple[float, float]:
    return rule.at, rule.start
