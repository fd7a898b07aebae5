"""Passages that say the same: of near duplicates the best takes a place among the hits, the others stand behind it.

A text is the set of its runs of five words (shingles: Broder 1997, On the Resemblance and Containment of Documents).
One repeats another that holds nearly all of its runs. Passages that differ in a figure, a name or an ordinal say
different things, however alike they are: the same sentence of the next quarter is news, not a repetition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

RUN = 5
"""Words of a run."""
CONTAINED = 0.8
"""The share of a text's runs that the other must hold. Neighbours that overlap share half at the most."""

_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|\d+(?:[.,]\d+)*|[^\W\d_]+")
_TURNING = frozenset({"no", "not", "nor", "never", "without", "first", "second", "third", "fourth"})
"""Words in lower case that change what is said as a figure does."""


@dataclass(frozen=True)
class Wording:
    """A text as it is compared: without case, punctuation and white space."""

    text: str

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The words, and each Chinese character."""
        return tuple(_TOKEN.findall(self.text))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The tokens in lower case."""
        return tuple(token.lower() for token in self.tokens)

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        """The runs of `RUN` words; the whole of a text that has no more."""
        return frozenset(self.words[place : place + RUN] for place in range(max(len(self.words) - RUN, 0) + 1))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The different words."""
        return frozenset(self.words)

    @cached_property
    def telling(self) -> frozenset[str]:
        """The figures, names and turning words."""
        return frozenset(_telling(self.tokens))


def repeats(later: Wording, before: Wording) -> bool:
    """Whether a text says nothing that another does not say. What says more is no repetition."""
    if not later.tokens:
        return not before.tokens
    common = len(later.runs & before.runs)
    return common >= CONTAINED * len(later.runs) and later.telling <= before.vocabulary


def _telling(tokens: tuple[str, ...]) -> Iterator[str]:
    for token in tokens:
        if token[0].isdigit() or not token.islower() or token in _TURNING:
            yield token.lower()
