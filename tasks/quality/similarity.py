"""Similar texts, found in linear time: documents by MinHash and banded hashing, passages by containment (Broder 1997).

A text is the set of its runs of five words, or of Chinese characters. Two sketches agree in as many places as the
sets overlap (Jaccard); sketches that agree in a whole band of places are compared, no others. Of passages the runs are
kept whose hash is a multiple of four ("MOD m"). The share of them that an earlier chunk has is the share of the text
that it contains.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np

Sketch = str
"""128 minima of 32 bits, little-endian, in base64 (RFC 4648); nothing where a text is too short to be compared."""

_PLACES = 128
_BAND = 8
_SEED = 7
_RUN = 5
_MIN_RUNS = 20
_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Repetition:
    """Two of a list, by their places in it, and the share of the later one that the earlier one holds.

    Of documents it is the share of runs that they have in common; of passages, what stands in the earlier's document.
    """

    earlier: int
    later: int
    share: float


def make_sketch(text: str) -> Sketch:
    """The sketch of a text; case and punctuation do not matter."""
    import numpy as np
    from rensa import RMinHash

    runs = list_word_runs(text)
    if not runs:
        return ""
    minhash = RMinHash(num_perm=_PLACES, seed=_SEED)
    minhash.update(list(runs))
    return b64encode(np.array(minhash.digest(), dtype="<u4").tobytes()).decode()


def list_word_runs(text: str) -> set[str]:
    """The runs of five words; none where they are too few to say what a text is like."""
    words = _TOKEN.findall(text.lower())
    runs = {" ".join(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)}
    return runs if len(runs) >= _MIN_RUNS else set()


def find_similar(sketches: Sequence[Sketch], minimum: float) -> list[Repetition]:
    """For each text the earlier one most like it, where they have at least `minimum` in common."""
    import numpy as np

    kept = [place for place, each in enumerate(sketches) if each]
    if len(kept) < 2:
        return []
    matrix = np.frombuffer(b"".join(b64decode(sketches[place]) for place in kept), dtype="<u4").reshape(-1, _PLACES)
    best: dict[int, tuple[float, int]] = {}
    for earlier, later in _iter_candidates(matrix):
        similarity = float((matrix[earlier] == matrix[later]).mean())
        if similarity >= minimum:
            best[later] = max(best.get(later, (0.0, 0)), (similarity, -earlier))
    return [Repetition(kept[-first], kept[later], similarity) for later, (similarity, first) in sorted(best.items())]


def _iter_candidates(matrix: np.ndarray) -> Iterator[tuple[int, int]]:
    """Each text with the first that has the same band, band by band."""
    import numpy as np

    seen: set[tuple[int, int]] = set()
    for start in range(0, _PLACES, _BAND):
        band = np.ascontiguousarray(matrix[:, start : start + _BAND]).view(f"V{4 * _BAND}").ravel()
        _, first, group = np.unique(band, return_index=True, return_inverse=True)
        for later, earlier in enumerate(first[group]):
            pair = (int(earlier), later)
            if earlier != later and pair not in seen:
                seen.add(pair)
                yield pair


Sample = str
"""The kept hashes of a text, 32 bits each, little-endian, in base64 (RFC 4648); nothing where it is too short."""

_KEPT_OF = 4


@dataclass(frozen=True, slots=True)
class SampledPassage:
    """A stretch of a document: its sample, the number of the document, and where it stands in its text."""

    sample: Sample
    document: int
    start: int
    end: int

    def is_apart(self, other: SampledPassage) -> bool:
        """Whether they share no place of a document, as a passage and its overlapping neighbour do."""
        return self.document != other.document or self.end <= other.start or other.end <= self.start


def make_sample(text: str) -> Sample:
    """The sample of a text; case and punctuation do not matter."""
    import numpy as np

    hashed = (crc32(run.encode()) for run in list_word_runs(text))
    kept = sorted(each for each in hashed if each % _KEPT_OF == 0)
    return b64encode(np.array(kept, dtype="<u4").tobytes()).decode()


def find_repetitions(passages: Sequence[SampledPassage], elsewhere: float, within: float) -> Iterator[Repetition]:
    """Each passage of which an earlier document holds the share `elsewhere`, or its own at another place `within`.

    It is paired with the passage there that holds most of it. What stands in several counts for the first of them.
    """
    import numpy as np

    kept = [np.frombuffer(b64decode(each.sample), dtype="<u4") for each in passages]
    if not any(map(len, kept)):
        return
    owner = np.repeat(np.arange(len(kept)), [len(each) for each in kept])
    _, first, which = np.unique(np.concatenate(kept), return_index=True, return_inverse=True)
    holders = np.split(owner[first[which]], np.cumsum([len(each) for each in kept])[:-1])
    for later, found in enumerate(holders):
        if not len(found) or (found != later).mean() < min(elsewhere, within):
            continue
        passage = passages[later]
        apart = [int(each) for each in found if passages[each].is_apart(passage)]
        documents = Counter(passages[each].document for each in apart)
        document, count = max(documents.items(), key=lambda each: (each[1], -each[0]), default=(0, 0))
        minimum = within if document == passage.document else elsewhere
        if count and count >= minimum * len(found):
            most = Counter(each for each in apart if passages[each].document == document)
            yield Repetition(most.most_common(1)[0][0], later, count / len(found))
