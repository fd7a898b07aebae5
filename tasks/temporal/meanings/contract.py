"""A meaning is read against a context; the meanings that need nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from tasks.temporal.context import Context
from tasks.temporal.readings import UNRESOLVED, MentionFields
from warehouse.records import Grain, TimexType


class Meaning(Protocol):
    """Part of an expression, or the whole of it."""

    @property
    def grain(self) -> Grain | None:
        """The size of the unit it names."""
        ...

    def at(self, context: Context) -> MentionFields:
        """What it means there. Raises `ValueError` or `OverflowError` where there is no such date."""
        ...


@dataclass(frozen=True, slots=True)
class FixedDate:
    """A date that says everything itself."""

    reading: MentionFields

    @property
    def grain(self) -> Grain | None:
        """The reading's."""
        return self.reading.grain

    def at(self, context: Context) -> MentionFields:
        """The same everywhere."""
        return self.reading


@dataclass(frozen=True, slots=True)
class Vague:
    """A time without bounds: "now" (PRESENT_REF), "recently" (PAST_REF), "soon" (FUTURE_REF)."""

    value: str
    grain: Grain | None = None

    def at(self, context: Context) -> MentionFields:
        """The reference alone."""
        return MentionFields(self.value, None, None, TimexType.DATE)


def anchored(
    context: Context, grain: Grain | None, read: Callable[[date], MentionFields], blank: str = UNRESOLVED
) -> MentionFields:
    """What `read` makes of the anchor, marked relative; without one, an expression of unknown date, value `blank`."""
    day = context.anchor
    if day is None:
        return MentionFields(blank, None, grain, relative=True)
    return replace(read(day), relative=True, anchor=day)


_SIZES = {grain: size for size, grain in enumerate(Grain)}


def larger(grain: Grain, other: Grain) -> bool:
    """Whether a unit of the first grain holds several of the other's."""
    return _SIZES[grain] > _SIZES[other]


def from_last_mention(context: Context, grain: Grain, read: Callable[[date], MentionFields]) -> MentionFields:
    """The same from the day that the text last spoke of, if it was no vaguer than `grain`; else from the anchor."""
    spoken = context.spoken
    if spoken is None or spoken.closed is None or spoken.grain is None or larger(spoken.grain, grain):
        return anchored(context, grain, read)
    day = spoken.closed[0]
    return replace(read(day), relative=True, anchor=day)
