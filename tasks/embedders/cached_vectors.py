"""Vectors of fixed texts, such as the glossary's phrases: computed once for each model, cached in the user's folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from tasks.embedders.embedder import Embedder
from warehouse.identity import digest
from warehouse.store.layout import find_cache_folder, open_atomically
from warehouse.store.vectors.vector_index import DAMAGED_ARRAY


def load_or_embed(kind: str, texts: Sequence[str], embedder: Embedder) -> np.ndarray:
    """The unit vectors of the texts, float32, shape (len(texts), dimension); `kind` names their folder in the cache.

    Texts that the model cannot read have zeros; of a text longer than its window the first window counts. A damaged
    file of the cache is replaced.
    """
    folder = find_cache_folder()
    file = folder and folder / kind / f"{digest(embedder.model, list(texts))}.npy"
    cached_vectors = _read(file) if file else None
    if cached_vectors is not None and cached_vectors.shape == (len(texts), embedder.dimension):
        return cached_vectors
    readable = [index for index, text in enumerate(texts) if embedder.can_read(text)]
    vectors = np.zeros((len(texts), embedder.dimension), np.float32)
    vectors[readable] = embedder.embed([embedder.cut_windows("", texts[index])[0] for index in readable])
    if file:
        _write(file, vectors)
    return vectors


def _read(file: Path) -> np.ndarray | None:
    """The vectors in a file of the cache; None if it is missing or damaged."""
    try:
        vectors: np.ndarray = np.load(file, allow_pickle=False)
    except DAMAGED_ARRAY:
        return None
    return vectors


def _write(file: Path, vectors: np.ndarray) -> None:
    with suppress(OSError):  # If the folder cannot be written, the vectors are computed again next time.
        file.parent.mkdir(parents=True, exist_ok=True)
        with open_atomically(file) as stream:
            np.save(stream, vectors)
