"""Vectors of fixed texts, as of the glossary's phrases: made once for each model, kept in the user's cache folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from tasks.embedders.embedder import Embedder
from warehouse.identity import digest
from warehouse.store.layout import find_cache_folder, whole_file
from warehouse.store.vectors.vector_index import DAMAGED_ARRAY


def load_or_embed(kind: str, texts: Sequence[str], embedder: Embedder) -> np.ndarray:
    """The unit vectors of the texts, float32, shape (len(texts), dimension); `kind` names their folder in the cache.

    What the model does not read has zeros; of a text longer than its window the first one counts. A damaged file of the
    cache is made again.
    """
    folder = find_cache_folder()
    file = folder and folder / kind / f"{digest(embedder.model, list(texts))}.npy"
    kept = _read(file) if file else None
    if kept is not None and kept.shape == (len(texts), embedder.dimension):
        return kept
    read = [place for place, text in enumerate(texts) if embedder.can_read(text)]
    vectors = np.zeros((len(texts), embedder.dimension), np.float32)
    vectors[read] = embedder.embed([embedder.cut_windows("", texts[place])[0] for place in read])
    if file:
        _write(file, vectors)
    return vectors


def _read(file: Path) -> np.ndarray | None:
    """What a file of the cache holds; None where there is none, or a damaged one."""
    try:
        kept: np.ndarray = np.load(file, allow_pickle=False)
    except DAMAGED_ARRAY:
        return None
    return kept


def _write(file: Path, vectors: np.ndarray) -> None:
    with suppress(OSError):  # Where the folder cannot be written, the vectors are computed again.
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file) as stream:
            np.save(stream, vectors)
