"""Marks in texts, in columns: times and names, found by where they stand without a query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np

EPOCH = date(1970, 1, 1)
_PLACES = 32
"""Bits of a position in a text; no text is longer than 4 GiB."""


def day(moment: date) -> int:
    """A date as days since 1970."""
    return (moment - EPOCH).days


LONG_AGO = day(date.min)
"""The start of what has none."""
FAR_OFF = day(date.max)
"""The end of what has none."""


@dataclass(frozen=True, eq=False)
class Spans:
    """Columns of equal length, rising by document and start.

    `document` holds ordinals of `Passages.documents`; `start` and `end` the span in its text.
    """

    document: np.ndarray
    start: np.ndarray
    end: np.ndarray

    def __len__(self) -> int:
        """How many there are."""
        return len(self.document)

    @cached_property
    def _keys(self) -> np.ndarray:
        return _key(self.document, self.start)

    def bounds(self, document: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each stretch of text, the half-open run of the spans that start in it; all of one shape."""
        return np.searchsorted(self._keys, _key(document, start)), np.searchsorted(self._keys, _key(document, end))

    def inside(self, document: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The pairs of a stretch of text and a span that lies in it: places of the first, rows of the second.

        Rising by both. A span that a stretch cuts in two is not in it.
        """
        first, last = self.bounds(document, start, end)
        counts = last - first
        places = np.repeat(np.arange(len(counts)), counts)
        rows = np.arange(len(places)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
        whole = self.end[rows] <= end[places]
        return places[whole], rows[whole]

    def touched(self, chosen: np.ndarray, document: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Whether a `chosen` span (a boolean mask over spans) starts in each stretch of text."""
        so_far = np.concatenate([[0], np.cumsum(chosen)])
        first, last = self.bounds(document, start, end)
        return np.asarray(so_far[last] > so_far[first])


@dataclass(frozen=True, eq=False)
class Mentions(Spans):
    """The times that texts name, those without an interval left out; days count from 1970.

    An open side is `LONG_AGO` or `FAR_OFF`. `other_start` and `other_end` are the second reading, both 0 (an empty
    interval, which overlaps nothing) without one.
    """

    start_date: np.ndarray
    end_date: np.ndarray
    other_start: np.ndarray
    other_end: np.ndarray


@dataclass(frozen=True, eq=False)
class Names(Spans):
    """The names that texts have: `names[name[row]]` is a row's normalised form, `labels[label[row]]` its label."""

    name: np.ndarray
    label: np.ndarray
    names: Sequence[str]
    labels: Sequence[str]

    def codes(self, name: str) -> list[int]:
        """The codes of the names that are this one, whatever their case."""
        return self._codes.get(name.casefold(), [])

    @cached_property
    def _codes(self) -> dict[str, list[int]]:
        codes: defaultdict[str, list[int]] = defaultdict(list)
        for code, name in enumerate(self.names):
            codes[name.casefold()].append(code)
        return dict(codes)


def _key(document: np.ndarray, place: np.ndarray) -> np.ndarray:
    return np.asarray((document.astype(np.int64) << _PLACES) + place)
