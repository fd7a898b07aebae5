"""An embedder that computes each vector once, as the rankings that are compared ask the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tasks.embedders.embedder import Embedder, EmbedderWrapper
from warehouse.identity import make_vector_id


class CachedEmbedder(EmbedderWrapper):
    """Another embedder with a cache of vectors by `vector_id`, those given to it and those it computes.

    Everything else is the inner embedder's, also vectors of tokens, which are not cached.
    """

    def __init__(self, inner: Embedder, vectors: dict[str, np.ndarray]) -> None:
        """`inner` embeds the texts that are not in `vectors`, and its vectors are added there."""
        super().__init__(inner)
        self.vectors = vectors

    @cached_property
    def for_questions(self) -> CachedEmbedder:
        """The inner embedder's, with the same cache, in which its vectors have other names."""
        question_embedder = self.inner.for_questions
        return self if question_embedder is self.inner else CachedEmbedder(question_embedder, self.vectors)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """The inner embedder's vectors, each computed once."""
        names = [make_vector_id(self.model, text) for text in texts]
        new_texts = {name: text for name, text in zip(names, texts, strict=True) if name not in self.vectors}
        if new_texts:
            self.vectors.update(zip(new_texts, self.inner.embed(list(new_texts.values())), strict=True))
        return np.array([self.vectors[name] for name in names], np.float32).reshape(len(texts), self.dimension)
