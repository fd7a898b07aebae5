"""An embedder that embeds each text once: chunkers cut the same sentences, and only their vectors matter here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from tasks.embedders.choosing import embedder
from tasks.embedders.contract import Embedder
from tasks.embedders.windowing import Word


class Remembering:
    """Another embedder with a memory of every vector."""

    def __init__(self, inner: Embedder) -> None:
        """`inner` embeds what is new."""
        self._inner = inner
        self._known: dict[str, np.ndarray] = {}

    @property
    def model(self) -> str:
        """The inner one's."""
        return self._inner.model

    @property
    def dimension(self) -> int:
        """The inner one's."""
        return self._inner.dimension

    @property
    def window(self) -> int:
        """The inner one's."""
        return self._inner.window

    def windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """The inner one's."""
        return self._inner.windows(prefix, text)

    def words(self, text: str) -> list[Word]:
        """The inner one's."""
        return self._inner.words(text)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """The inner one's vectors, each computed once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._inner.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


@cache
def remembering(name: str) -> Remembering:
    """The embedder of this name with its memory, the same object each time."""
    return Remembering(embedder(name))
