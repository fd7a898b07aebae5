"""An embedder that embeds each text once: chunkers cut the same sentences, and only their vectors matter here."""

from __future__ import annotations

from functools import cache

from tasks.embedders.embedder import open_embedder
from tasks.evaluate.cached_embedder import CachedEmbedder


@cache
def remembering(name: str) -> CachedEmbedder:
    """The embedder of this name with its memory, the same object each time."""
    return CachedEmbedder(open_embedder(name), {})
