"""Similar texts, found in linear time: documents by MinHash and banded hashing, passages by containment (Broder 1997).

A text is the set of its runs of five words, or of Chinese characters. The share of places in which two sketches agree
estimates the overlap of the sets (Jaccard); only sketches that agree in a whole band of places are compared. Samples of
passages have the runs whose hash is a multiple of four ("MOD m"). The share of them that an earlier chunk has is the
share of the text that it contains.
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
"""128 minima of 32 bits, little-endian, in base64 (RFC 4648); empty if a text is too short to be compared."""

_HASH_COUNT = 128
_BAND_SIZE = 8
_SEED = 7
_WORDS_PER_RUN = 5
_MIN_RUNS = 20
_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Repetition:
    """Two items of a list, by their indexes, and the share of the later one that the earlier one has.

    For documents it is the share of common runs; for passages, the share found in the document of the earlier one.
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
    minhash = RMinHash(num_perm=_HASH_COUNT, seed=_SEED)
    minhash.update(list(runs))
    return b64encode(np.array(minhash.digest(), dtype="<u4").tobytes()).decode()


def list_word_runs(text: str) -> set[str]:
    """The runs of five words; none if they are too few for a comparison."""
    words = _TOKEN.findall(text.lower())
    runs = {" ".join(words[start : start + _WORDS_PER_RUN]) for start in range(len(words) - _WORDS_PER_RUN + 1)}
    return runs if len(runs) >= _MIN_RUNS else set()


def find_similar(sketches: Sequence[Sketch], minimum: float) -> list[Repetition]:
    """For each text the earlier one most similar to it, if they have at least `minimum` in common."""
    import numpy as np

    indexes = [index for index, sketch in enumerate(sketches) if sketch]
    if len(indexes) < 2:
        return []
    matrix = np.frombuffer(b"".join(b64decode(sketches[index]) for index in indexes), dtype="<u4").reshape(
        -1, _HASH_COUNT
    )
    best: dict[int, tuple[float, int]] = {}
    for earlier, later in _iter_candidates(matrix):
        similarity = float((matrix[earlier] == matrix[later]).mean())
        if similarity >= minimum:
            best[later] = max(best.get(later, (0.0, 0)), (similarity, -earlier))
    return [
        Repetition(indexes[-first], indexes[later], similarity) for later, (similarity, first) in sorted(best.items())
    ]


def _iter_candidates(matrix: np.ndarray) -> Iterator[tuple[int, int]]:
    """Each text with the first one that has the same band, band by band."""
    import numpy as np

    known_pairs: set[tuple[int, int]] = set()
    for start in range(0, _HASH_COUNT, _BAND_SIZE):
        band = np.ascontiguousarray(matrix[:, start : start + _BAND_SIZE]).view(f"V{4 * _BAND_SIZE}").ravel()
        _, first, group = np.unique(band, return_index=True, return_inverse=True)
        for later, earlier in enumerate(first[group]):
            pair = (int(earlier), later)
            if earlier != later and pair not in known_pairs:
                known_pairs.add(pair)
                yield pair


Sample = str
"""The sampled hashes of a text, 32 bits each, little-endian, in base64 (RFC 4648); empty if it is too short."""

_SAMPLE_MODULUS = 4


@dataclass(frozen=True, slots=True)
class SampledPassage:
    """A stretch of a document: its sample, the number of the document, and its span in the text."""

    sample: Sample
    document: int
    start: int
    end: int

    def is_disjoint(self, other: SampledPassage) -> bool:
        """Whether they share no text of a document, unlike a passage and its overlapping neighbour."""
        return self.document != other.document or self.end <= other.start or other.end <= self.start


def make_sample(text: str) -> Sample:
    """The sample of a text; case and punctuation do not matter."""
    import numpy as np

    hashes = (crc32(run.encode()) for run in list_word_runs(text))
    sample = sorted(run_hash for run_hash in hashes if run_hash % _SAMPLE_MODULUS == 0)
    return b64encode(np.array(sample, dtype="<u4").tobytes()).decode()


def find_repetitions(passages: Sequence[SampledPassage], elsewhere: float, within: float) -> Iterator[Repetition]:
    """Each passage of which an earlier document has the share `elsewhere`, or its own at another place `within`.

    It is paired with the passage there that has most of it. A run that is in several counts for the first of them.
    """
    import numpy as np

    samples = [np.frombuffer(b64decode(passage.sample), dtype="<u4") for passage in passages]
    if not any(map(len, samples)):
        return
    owner = np.repeat(np.arange(len(samples)), [len(sample) for sample in samples])
    _, first, inverse = np.unique(np.concatenate(samples), return_index=True, return_inverse=True)
    holders = np.split(owner[first[inverse]], np.cumsum([len(sample) for sample in samples])[:-1])
    for later, owners in enumerate(holders):
        if not len(owners) or (owners != later).mean() < min(elsewhere, within):
            continue
        passage = passages[later]
        separate = [int(number) for number in owners if passages[number].is_disjoint(passage)]
        documents = Counter(passages[number].document for number in separate)
        document, count = max(documents.items(), key=lambda pair: (pair[1], -pair[0]), default=(0, 0))
        minimum = within if document == passage.document else elsewhere
        if count and count >= minimum * len(owners):
            counts = Counter(number for number in separate if passages[number].document == document)
            yield Repetition(counts.most_common(1)[0][0], later, count / len(owners))
