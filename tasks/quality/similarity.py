"""Texts that say nearly the same, found in linear time: MinHash (Broder 1997) and its banded hashing (LSH).

A text is the set of its runs of five words, or of Chinese characters. Two sketches agree in as many places as the
sets overlap (Jaccard); sketches that agree in a whole band of places are compared, no others.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

Sketch = str
"""128 minima of 32 bits, little-endian, in base64 (RFC 4648); nothing where a text is too short to be compared."""

_PLACES = 128
_BAND = 8
_SEED = 7
_RUN = 5
_FEWEST_RUNS = 20
_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of a list, by their places in it, and the share of their runs of words that they have in common."""

    earlier: int
    later: int
    likeness: float


def sketch(text: str) -> Sketch:
    """The sketch of a text; case and punctuation do not matter."""
    from rensa import RMinHash

    runs = runs_of_words(text)
    if not runs:
        return ""
    minhash = RMinHash(num_perm=_PLACES, seed=_SEED)
    minhash.update(list(runs))
    return b64encode(np.array(minhash.digest(), dtype="<u4").tobytes()).decode()


def runs_of_words(text: str) -> set[str]:
    """The runs of five words; none where they are too few to say what a text is like."""
    words = _TOKEN.findall(text.lower())
    runs = {" ".join(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)}
    return runs if len(runs) >= _FEWEST_RUNS else set()


def similar(sketches: Sequence[Sketch], least: float) -> list[Pair]:
    """For each text the earlier one most like it, where they have at least `least` in common."""
    kept = [place for place, each in enumerate(sketches) if each]
    if len(kept) < 2:
        return []
    matrix = np.frombuffer(b"".join(b64decode(sketches[place]) for place in kept), dtype="<u4").reshape(-1, _PLACES)
    best: dict[int, tuple[float, int]] = {}
    for earlier, later in _candidates(matrix):
        likeness = float((matrix[earlier] == matrix[later]).mean())
        if likeness >= least:
            best[later] = max(best.get(later, (0.0, 0)), (likeness, -earlier))
    return [Pair(kept[-first], kept[later], likeness) for later, (likeness, first) in sorted(best.items())]


def _candidates(matrix: np.ndarray) -> Iterator[tuple[int, int]]:
    """Each text with the first that has the same band, band by band."""
    seen: set[tuple[int, int]] = set()
    for start in range(0, _PLACES, _BAND):
        band = np.ascontiguousarray(matrix[:, start : start + _BAND]).view(f"V{4 * _BAND}").ravel()
        _, first, group = np.unique(band, return_index=True, return_inverse=True)
        for later, earlier in enumerate(first[group]):
            pair = (int(earlier), later)
            if earlier != later and pair not in seen:
                seen.add(pair)
                yield pair
