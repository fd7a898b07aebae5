"""Meanings joined with the signals and meanings beside them: "the first quarter" + "of" + "last year".

A language gives stages of joins. Each stage walks the items once from left to right and replaces what a join takes;
what it made may be taken again by the same stage, so the walk is linear in the items.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from tasks.temporal.grammar import GrammarItem
from tasks.temporal.meanings.contract import Meaning
from tasks.temporal.signals import Signal, SignalRole

SPACE = re.compile(r"[^\S\n]{0,3}\s?")
"""White space inside an expression: at most one line break, so never a paragraph's end."""

_WIDEST = 24
"""No gap is wider, in characters."""

Part = type | tuple[type, ...] | SignalRole


@dataclass(frozen=True, slots=True)
class JoinedItems:
    """Items of the given parts, one after the other with `gap` between them, become what `make` says.

    A part is a class of meanings (or some of them), or the word of a signal; there are two at least. `make` takes the
    items' values; None, `ValueError` or `OverflowError` mean that they do not join after all. `gap` matches the whole
    text between two neighbours; a list has one for each gap. The text of the joined item is that of all parts, or of
    the `extent` alone: TIMEX3 leaves out the "since" of "since 2019".
    """

    parts: tuple[Part, ...]
    make: Callable[..., Meaning | Signal | None]
    gap: re.Pattern[str] | Sequence[re.Pattern[str]] = SPACE
    extent: tuple[int, int | None] = (0, None)

    def fits(self, items: Sequence[GrammarItem], text: str) -> bool:
        """Whether the items, as many as there are parts, are of its parts with its gaps."""
        for item, part in zip(items, self.parts, strict=True):
            if not _may_be(_kind(item.value), part):
                return False
        gaps = [self.gap] * (len(items) - 1) if isinstance(self.gap, re.Pattern) else self.gap
        for gap, left, right in zip(gaps, items, items[1:], strict=False):
            if gap.fullmatch(text, left.end, right.start) is None:
                return False
        return True


class Composer:
    """The stages of a language, with the joins of each found by the two parts they end with."""

    def __init__(self, stages: Iterable[Sequence[JoinedItems]]) -> None:
        """The order of the joins of a stage decides between those that fit: the first wins."""
        self._stages = [cache(partial(_ending_with, tuple(joins))) for joins in stages]

    def composed(self, items: Iterable[GrammarItem], text: str) -> list[GrammarItem]:
        """The items after every stage, in order; signals that joined nothing are still among them."""
        found = list(items)
        for joins in self._stages:
            found = _staged(found, text, joins)
        return found


Kind = type | SignalRole
Ending = Callable[[Kind, Kind], Sequence[JoinedItems]]


def _ending_with(joins: Sequence[JoinedItems], before: Kind, last: Kind) -> Sequence[JoinedItems]:
    """The joins whose last two parts may be of these kinds."""
    return tuple(join for join in joins if _may_be(last, join.parts[-1]) and _may_be(before, join.parts[-2]))


def _staged(items: Iterable[GrammarItem], text: str, joins: Ending) -> list[GrammarItem]:
    done: list[GrammarItem] = []
    for item in items:
        done.append(item)
        while len(done) > 1 and done[-1].start - done[-2].end <= _WIDEST and _reduced(done, text, joins):
            pass
    return done


def _reduced(done: list[GrammarItem], text: str, joins: Ending) -> bool:
    """Join the last items where a join fits; whether one did. Each join makes the list shorter."""
    for join in joins(_kind(done[-2].value), _kind(done[-1].value)):
        size = len(join.parts)
        last = done[-size:]
        if len(last) == size and join.fits(last, text):
            made = _made(join, last)
            if made is not None:
                shown = last[slice(*join.extent)]
                done[-size:] = [GrammarItem(shown[0].start, shown[-1].end, made)]
                return True
    return False


def _made(join: JoinedItems, items: Iterable[GrammarItem]) -> Meaning | Signal | None:
    try:
        return join.make(*(item.value for item in items))
    except (ValueError, OverflowError):
        return None


def _kind(value: Meaning | Signal) -> Kind:
    """The class of a meaning, the word of a signal."""
    return value.word if isinstance(value, Signal) else type(value)


def _may_be(kind: Kind, part: Part) -> bool:
    if isinstance(part, SignalRole) or isinstance(kind, SignalRole):
        return kind is part
    return issubclass(kind, part)
