"""An embedder that makes each vector of a text once: the rankings that are compared ask the same questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tasks.embedders.embedder import Embedder, UncutSpan
from tasks.rerankers.maxsim import TokenEmbedder
from warehouse.identity import vector_id


class RememberingEmbedder:
    """Another embedder with a memory: vectors by `vector_id`, those it is given and those it makes."""

    def __init__(self, inner: Embedder, known: Mapping[str, np.ndarray]) -> None:
        """`inner` embeds what is not known."""
        self._inner = inner
        self.known = dict(known)

    @property
    def model(self) -> str:
        """The inner one's."""
        return self._inner.model

    @property
    def is_loaded(self) -> bool:
        """The inner one's."""
        return self._inner.is_loaded

    @property
    def dimension(self) -> int:
        """The inner one's."""
        return self._inner.dimension

    @property
    def window(self) -> int:
        """The inner one's."""
        return self._inner.window

    def reads(self, text: str) -> bool:
        """The inner one's."""
        return self._inner.reads(text)

    def windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """The inner one's."""
        return self._inner.windows(prefix, text)

    def words(self, text: str) -> list[UncutSpan]:
        """The inner one's."""
        return self._inner.words(text)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """The inner one's vectors, each computed once."""
        names = [vector_id(self.model, text) for text in texts]
        new = {name: text for name, text in zip(names, texts, strict=True) if name not in self.known}
        if new:
            self.known.update(zip(new, self._inner.embed(list(new.values())), strict=True))
        return np.array([self.known[name] for name in names], np.float32).reshape(len(texts), self.dimension)


class RememberingTokens(RememberingEmbedder):
    """The same of an embedder that shows the vectors of tokens, which are not kept."""

    def __init__(self, inner: Embedder, tokens: TokenEmbedder, known: Mapping[str, np.ndarray]) -> None:
        """`tokens` is `inner` as what it is besides."""
        super().__init__(inner, known)
        self._tokens = tokens

    def token_vectors(self, texts: Sequence[str]) -> list[np.ndarray]:
        """The inner one's."""
        return self._tokens.token_vectors(texts)


def with_memory(inner: Embedder, known: Mapping[str, np.ndarray]) -> RememberingEmbedder:
    """An embedder with a memory that shows all that the inner one shows."""
    return (
        RememberingTokens(inner, inner, known)
        if isinstance(inner, TokenEmbedder)
        else RememberingEmbedder(inner, known)
    )
