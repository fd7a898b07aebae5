"""The straight lines that a page draws: strokes, thin boxes, the edges of shades, joined where they meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from tasks.parsers.pdf.characters.character_settings import CHARACTERS
from warehouse.records import Box

if TYPE_CHECKING:
    from pdfplumber.page import Page


@dataclass(frozen=True, slots=True)
class RuledLine:
    """A straight line: level ones lie at height `at` from `start` to `end` across, upright ones the other way round.

    `drawn` distinguishes a stroke from the edge of a shade.
    """

    at: float
    start: float
    end: float
    drawn: bool = True

    @property
    def length(self) -> float:
        """The length in points."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class RuledLines:
    """The lines of a page, each kind ordered by its place, and the boxes around its curves."""

    level: tuple[RuledLine, ...] = ()
    upright: tuple[RuledLine, ...] = ()
    curves: tuple[Box, ...] = ()


class _Kind(Enum):
    """How a shape shows: as a line, by its outline, or by its colour."""

    STROKE = 0
    FRAME = 1
    SHADE = 2


def read_rules(page: Page) -> RuledLines:
    """All lines of a page that run straight across or down. A drawing of many thousand strokes is no table."""
    drawings = [*page.lines, *page.rects, *page.curves]
    if len(drawings) > CHARACTERS.most_drawings:
        long_drawings = (
            thing for thing in drawings if max(thing["width"], thing["height"]) > 10 * CHARACTERS.shortest_rule
        )
        drawings = list(islice(long_drawings, CHARACTERS.most_drawings))
    level: list[RuledLine] = []
    upright: list[RuledLine] = []
    for shape, kind in _iter_shapes(drawings, (page.width, page.height)):
        wide, high = shape.x1 - shape.x0, shape.bottom - shape.top
        if kind is _Kind.STROKE and wide >= high:
            level.append(RuledLine((shape.top + shape.bottom) / 2, shape.x0, shape.x1))
        elif kind is _Kind.STROKE:
            upright.append(RuledLine((shape.x0 + shape.x1) / 2, shape.top, shape.bottom))
        else:
            line = kind is _Kind.FRAME
            level += [RuledLine(edge, shape.x0, shape.x1, line) for edge in (shape.top, shape.bottom)]
            upright += [RuledLine(edge, shape.top, shape.bottom, line) for edge in (shape.x0, shape.x1)]
    # The boxes of paths that run other than along the axes.
    bent_drawings = (
        thing for thing in drawings if thing["object_type"] == "curve" and not _is_box(thing.get("pts") or [])
    )
    curves = (
        _make_box(each) for each in bent_drawings if min(each["width"], each["height"]) > CHARACTERS.shortest_rule
    )
    return RuledLines(_sort_rules(level), _sort_rules(upright), tuple(curves))


def _sort_rules(rules: Sequence[RuledLine]) -> tuple[RuledLine, ...]:
    """Strokes joined with strokes, edges of shades with such edges, by their place."""
    strokes = _join_rules(rule for rule in rules if rule.drawn)
    edges = _join_rules(rule for rule in rules if not rule.drawn)
    return tuple(sorted([*strokes, *edges], key=lambda rule: (rule.at, rule.start)))


def _iter_shapes(drawings: Iterable[dict[str, Any]], page: tuple[float, float]) -> Iterator[tuple[Box, _Kind]]:
    """Each straight stroke, and each box with an outline or a shade that shows.

    A shade inside one of the same colour that was drawn just before, as word processors put behind each paragraph of a
    cell, has no edge that anyone sees.
    """
    last: tuple[object, Box] | None = None
    for thing in drawings:
        shape = _make_box(thing)
        if min(thing["width"], thing["height"]) <= CHARACTERS.thickest_rule:
            yield shape, _Kind.STROKE
        elif thing["object_type"] == "rect" or _is_box(thing.get("pts") or []):
            if thing.get("stroke"):
                yield shape, _Kind.FRAME
                continue
            color = thing.get("non_stroking_color")
            is_small = thing["width"] * thing["height"] < CHARACTERS.background_share * page[0] * page[1]
            is_nested = last is not None and last[0] == color and _holds(last[1], shape)
            if is_small and not is_nested and not _is_white(color):
                last = (color, shape)
                yield shape, _Kind.SHADE


def _make_box(thing: Mapping[str, Any]) -> Box:
    return Box(float(thing["x0"]), float(thing["top"]), float(thing["x1"]), float(thing["bottom"]))


def _holds(box: Box, other: Box) -> bool:
    return box.x0 <= other.x0 and box.top <= other.top and box.x1 >= other.x1 and box.bottom >= other.bottom


def _is_box(points: Sequence[tuple[float, float]]) -> bool:
    """Whether a path runs along the axes only."""
    return len(points) > 2 and all(
        abs(before[0] - after[0]) < CHARACTERS.same_place or abs(before[1] - after[1]) < CHARACTERS.same_place
        for before, after in pairwise(points)
    )


def _is_white(color: object) -> bool:
    """Whether a fill is that of paper, in gray, RGB or CMYK."""
    parts = color if isinstance(color, (list, tuple)) else (color,)
    numbers = [part for part in parts if isinstance(part, (int, float))]
    if len(numbers) == 4:
        return max(numbers) < 0.02
    return not numbers or min(numbers) > 0.98


def _join_rules(rules: Iterable[RuledLine]) -> Iterator[RuledLine]:
    """Lines at one place put together where they touch or leave a dash's gap; what stays short is dropped."""
    groups: list[list[RuledLine]] = []
    for rule in sorted(rules, key=lambda rule: rule.at):
        if groups and rule.at - groups[-1][0].at <= CHARACTERS.same_place:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    for group in groups:
        at = sum(rule.at for rule in group) / len(group)
        runs: list[tuple[float, float]] = []
        for rule in sorted(group, key=lambda rule: rule.start):
            if runs and rule.start - runs[-1][1] <= CHARACTERS.dash_gap:
                runs[-1] = runs[-1][0], max(runs[-1][1], rule.end)
            else:
                runs.append((rule.start, rule.end))
        long = ((start, end) for start, end in runs if end - start >= CHARACTERS.shortest_rule)
        yield from (RuledLine(at, start, end, group[0].drawn) for start, end in long)
