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
    """A straight line from `start` to `end` at `position`: the height of a horizontal one, the x of a vertical one.

    `is_drawn` distinguishes a stroke from the edge of a shade.
    """

    position: float
    start: float
    end: float
    is_drawn: bool = True

    @property
    def length(self) -> float:
        """The length in points."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class RuledLines:
    """The lines of a page, each kind ordered by its place, and the boxes around its curves."""

    horizontal: tuple[RuledLine, ...] = ()
    vertical: tuple[RuledLine, ...] = ()
    curves: tuple[Box, ...] = ()


class _ShapeKind(Enum):
    """How a shape is visible: as a line, by its outline, or by its colour."""

    STROKE = 0
    FRAME = 1
    SHADE = 2


def read_rules(page: Page) -> RuledLines:
    """All lines of a page that run straight across or down. A drawing of many thousand strokes is no table."""
    drawings = [*page.lines, *page.rects, *page.curves]
    if len(drawings) > CHARACTERS.max_drawings:
        long_drawings = (
            drawing
            for drawing in drawings
            if max(drawing["width"], drawing["height"]) > 10 * CHARACTERS.min_rule_length
        )
        drawings = list(islice(long_drawings, CHARACTERS.max_drawings))
    horizontal: list[RuledLine] = []
    vertical: list[RuledLine] = []
    for shape, kind in _iter_shapes(drawings, (page.width, page.height)):
        width, height = shape.x1 - shape.x0, shape.bottom - shape.top
        if kind is _ShapeKind.STROKE and width >= height:
            horizontal.append(RuledLine((shape.top + shape.bottom) / 2, shape.x0, shape.x1))
        elif kind is _ShapeKind.STROKE:
            vertical.append(RuledLine((shape.x0 + shape.x1) / 2, shape.top, shape.bottom))
        else:
            is_drawn = kind is _ShapeKind.FRAME
            horizontal += [RuledLine(edge, shape.x0, shape.x1, is_drawn) for edge in (shape.top, shape.bottom)]
            vertical += [RuledLine(edge, shape.top, shape.bottom, is_drawn) for edge in (shape.x0, shape.x1)]
    # The boxes of paths that run other than along the axes.
    curved_drawings = (
        drawing
        for drawing in drawings
        if drawing["object_type"] == "curve" and not _is_axis_parallel(drawing.get("pts") or [])
    )
    curves = (
        _make_box(drawing)
        for drawing in curved_drawings
        if min(drawing["width"], drawing["height"]) > CHARACTERS.min_rule_length
    )
    return RuledLines(_sort_rules(horizontal), _sort_rules(vertical), tuple(curves))


def _sort_rules(rules: Sequence[RuledLine]) -> tuple[RuledLine, ...]:
    """Strokes joined with strokes, edges of shades with such edges, by their place."""
    strokes = _join_rules(rule for rule in rules if rule.is_drawn)
    edges = _join_rules(rule for rule in rules if not rule.is_drawn)
    return tuple(sorted([*strokes, *edges], key=lambda rule: (rule.position, rule.start)))


def _iter_shapes(drawings: Iterable[dict[str, Any]], page: tuple[float, float]) -> Iterator[tuple[Box, _ShapeKind]]:
    """Each straight stroke, and each box with an outline or a shade that shows.

    A shade inside one of the same colour that was drawn just before, as word processors put behind each paragraph of a
    cell, has no edge that anyone sees.
    """
    last_shade: tuple[object, Box] | None = None
    for drawing in drawings:
        shape = _make_box(drawing)
        if min(drawing["width"], drawing["height"]) <= CHARACTERS.max_rule_thickness:
            yield shape, _ShapeKind.STROKE
        elif drawing["object_type"] == "rect" or _is_axis_parallel(drawing.get("pts") or []):
            if drawing.get("stroke"):
                yield shape, _ShapeKind.FRAME
                continue
            color = drawing.get("non_stroking_color")
            is_small = drawing["width"] * drawing["height"] < CHARACTERS.background_share * page[0] * page[1]
            is_nested = last_shade is not None and last_shade[0] == color and _contains_box(last_shade[1], shape)
            if is_small and not is_nested and not _is_white(color):
                last_shade = (color, shape)
                yield shape, _ShapeKind.SHADE


def _make_box(drawing: Mapping[str, Any]) -> Box:
    return Box(float(drawing["x0"]), float(drawing["top"]), float(drawing["x1"]), float(drawing["bottom"]))


def _contains_box(box: Box, other: Box) -> bool:
    return box.x0 <= other.x0 and box.top <= other.top and box.x1 >= other.x1 and box.bottom >= other.bottom


def _is_axis_parallel(points: Sequence[tuple[float, float]]) -> bool:
    """Whether a path runs along the axes only."""
    return len(points) > 2 and all(
        abs(before[0] - after[0]) < CHARACTERS.place_tolerance or abs(before[1] - after[1]) < CHARACTERS.place_tolerance
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
    for rule in sorted(rules, key=lambda rule: rule.position):
        if groups and rule.position - groups[-1][0].position <= CHARACTERS.place_tolerance:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    for group in groups:
        position = sum(rule.position for rule in group) / len(group)
        runs: list[tuple[float, float]] = []
        for rule in sorted(group, key=lambda rule: rule.start):
            if runs and rule.start - runs[-1][1] <= CHARACTERS.max_dash_gap:
                runs[-1] = runs[-1][0], max(runs[-1][1], rule.end)
            else:
                runs.append((rule.start, rule.end))
        long_runs = ((start, end) for start, end in runs if end - start >= CHARACTERS.min_rule_length)
        yield from (RuledLine(position, start, end, group[0].is_drawn) for start, end in long_runs)
