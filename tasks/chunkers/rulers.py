"""How long a stretch of a text is: in characters, or in the tokens of an embedder."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tasks.embedders.registry import embedder


class Ruler(Protocol):
    """Measures stretches of one text."""

    def length(self, start: int, end: int) -> int:
        """The length of `text[start:end]`."""

    def limit(self, start: int, size: int) -> int:
        """The last end up to which a stretch from `start` is no longer than `size`, one character on at least.

        It may lie beyond the end of the text.
        """


@dataclass(frozen=True, slots=True)
class Characters:
    """Counts characters."""

    def length(self, start: int, end: int) -> int:
        """See `Ruler`."""
        return end - start

    def limit(self, start: int, size: int) -> int:
        """See `Ruler`."""
        return start + max(1, size)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Counts tokens by where each begins in the text; those of one word are taken to be of one width."""

    starts: Sequence[int]
    end: int

    def length(self, start: int, end: int) -> int:
        """See `Ruler`."""
        return bisect_left(self.starts, end) - bisect_left(self.starts, start)

    def limit(self, start: int, size: int) -> int:
        """See `Ruler`."""
        place = bisect_left(self.starts, start) + size
        return max(start + 1, self.starts[place] if place < len(self.starts) else self.end)


def ruler_of(text: str, tokens_of: str) -> Ruler:
    """The ruler of a text: in tokens of the embedder of this name, whose weights are not read; unnamed, in characters.

    Raises `BadInput` for a name that no embedder has.
    """
    if not tokens_of:
        return Characters()
    starts: list[int] = []
    for word in embedder(tokens_of).words(text):
        width = word.end - word.start
        starts += (word.start + width * number // word.tokens for number in range(word.tokens))
    return Tokens(starts, len(text))
