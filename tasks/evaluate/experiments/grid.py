"""A grid: the product of the values of some dimensions, without some of its points and with some single ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from tasks.evaluate.experiments.dimensions import short

Point = Mapping[str, object]
"""Values by the whole names of dimensions."""


@dataclass(frozen=True, slots=True)
class ParameterGrid:
    """What is tried. `fixed` is the same in all, `axes` are the values of each dimension that varies.

    A point of the product that has all values of one of `exclude` is left out; the points of `include` come after it,
    each beside what is fixed.
    """

    fixed: Point = field(default_factory=dict)
    axes: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    exclude: tuple[Point, ...] = ()
    include: tuple[Point, ...] = ()

    def points(self) -> Iterator[Point]:
        """What varies, point by point: the last axis fastest, none twice."""
        seen: list[Point] = []
        for point in (*self._product(), *self.include):
            if point not in seen:
                seen.append(point)
                yield point

    def size(self) -> int:
        """How many points the product has before anything is left out, and those beside it."""
        count = 1 if self.axes else 0
        for values in self.axes.values():
            count *= len(values)
        return count + len(self.include)

    def _product(self) -> Iterator[Point]:
        if not self.axes:
            return
        for values in product(*self.axes.values()):
            point = dict(zip(self.axes, values, strict=True))
            if not any(self._has(point, excluded) for excluded in self.exclude):
                yield point

    def _has(self, point: Point, excluded: Point) -> bool:
        whole = {**self.fixed, **point}
        return all(name in whole and whole[name] == value for name, value in excluded.items())


def name_of(point: Point) -> str:
    """What a point is called: "chunker=fixed size=400"."""
    return " ".join(f"{short(name)}={value_text(value)}" for name, value in point.items()) or "base"


def value_text(value: object) -> str:
    """A value as YAML has it, without spaces."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ",".join(map(value_text, value))
    return "default" if value is None or value == "" else str(value)
