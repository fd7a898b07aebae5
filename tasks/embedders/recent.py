"""The vectors of texts that were embedded lately: in a conversation the same passages are read again and again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from tasks.embedders.contract import Embedder

MOST = 4096
"""Vectors that a process keeps, those used last: 6 MiB at 384 numbers each, the sentences of some 800 passages."""

_recent: OrderedDict[tuple[str, str], np.ndarray] = OrderedDict()
"""By model and text. A cache: whatever leaves it is computed again."""
_changing = Lock()


def vectors_of(embedder: Embedder, texts: Sequence[str]) -> np.ndarray:
    """What `embedder.embed` gives, of texts embedded lately without its work; raises as it does."""
    model, found = embedder.model, dict[str, np.ndarray]()
    with _changing:
        for text in dict.fromkeys(texts):
            if (model, text) in _recent:
                _recent.move_to_end((model, text))
                found[text] = _recent[model, text]
    new = [text for text in dict.fromkeys(texts) if text not in found]
    if new:
        found.update(zip(new, embedder.embed(new), strict=True))
        _keep(model, {text: found[text] for text in new})
    return np.array([found[text] for text in texts], np.float32).reshape(len(texts), embedder.dimension)


def _keep(model: str, vectors: dict[str, np.ndarray]) -> None:
    with _changing:
        # A copy, as a row would keep all of its batch.
        _recent.update({(model, text): vector.copy() for text, vector in vectors.items()})
        while len(_recent) > MOST:
            _recent.popitem(last=False)
