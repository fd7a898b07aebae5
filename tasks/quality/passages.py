"""Passages that stand in an earlier chunk already, found in linear time: the containment of Broder (1997).

A text is the set of its runs of five words, or of Chinese characters; of these the ones are kept whose hash is a
multiple of four ("MOD m"). The share of them that an earlier chunk has is the share of the text that it contains.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from tasks.quality.similarity import runs_of_words

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


@dataclass(frozen=True, slots=True)
class Repetition:
    """Two of a list, by their places in it: `share` of the later one stands in the document of the earlier one."""

    earlier: int
    later: int
    share: float


def sample(text: str) -> Sample:
    """The sample of a text; case and punctuation do not matter."""
    hashed = (crc32(run.encode()) for run in runs_of_words(text))
    kept = sorted(each for each in hashed if each % _KEPT_OF == 0)
    return b64encode(np.array(kept, dtype="<u4").tobytes()).decode()


def repetitions(passages: Sequence[SampledPassage], elsewhere: float, within: float) -> Iterator[Repetition]:
    """Each passage of which an earlier document holds the share `elsewhere`, or its own at another place `within`.

    It is paired with the passage there that holds most of it. What stands in several counts for the first of them.
    """
    kept = [np.frombuffer(b64decode(each.sample), dtype="<u4") for each in passages]
    if not any(map(len, kept)):
        return
    owner = np.repeat(np.arange(len(kept)), [len(each) for each in kept])
    _, first, which = np.unique(np.concatenate(kept), return_index=True, return_inverse=True)
    holders = np.split(owner[first[which]], np.cumsum([len(each) for each in kept])[:-1])
    for later, found in enumerate(holders):
        if not len(found) or (found != later).mean() < min(elsewhere, within):
            continue
        apart = [int(each) for each in found if _are_apart(passages[each], passages[later])]
        documents = Counter(passages[each].document for each in apart)
        document, count = max(documents.items(), key=lambda each: (each[1], -each[0]), default=(0, 0))
        least = within if document == passages[later].document else elsewhere
        if count and count >= least * len(found):
            most = Counter(each for each in apart if passages[each].document == document)
            yield Repetition(most.most_common(1)[0][0], later, count / len(found))


def _are_apart(one: SampledPassage, other: SampledPassage) -> bool:
    """Whether two passages share no place of a document, as one and its overlapping neighbour do."""
    return one.document != other.document or one.end <= other.start or other.end <= one.start
