"""An embedder that makes each vector of a text once: the rankings that are compared ask the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tasks.embedders.embedder import Embedder, EmbedderWrapper
from warehouse.identity import make_vector_id


class CachedEmbedder(EmbedderWrapper):
    """Another embedder with a memory: vectors by `vector_id`, those it is given and those it makes.

    All else is the inner embedder's, the vectors of tokens too where it shows them; those are not kept.
    """

    def __init__(self, inner: Embedder, known: dict[str, np.ndarray]) -> None:
        """`inner` embeds what is not known, and what it makes is added to `known`."""
        super().__init__(inner)
        self.known = known

    @cached_property
    def for_questions(self) -> CachedEmbedder:
        """The inner one's with the same memory, in which its vectors have other names."""
        question_embedder = self.inner.for_questions
        return self if question_embedder is self.inner else CachedEmbedder(question_embedder, self.known)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """The inner one's vectors, each computed once."""
        names = [make_vector_id(self.model, text) for text in texts]
        new = {name: text for name, text in zip(names, texts, strict=True) if name not in self.known}
        if new:
            self.known.update(zip(new, self.inner.embed(list(new.values())), strict=True))
        return np.array([self.known[name] for name in names], np.float32).reshape(len(texts), self.dimension)
