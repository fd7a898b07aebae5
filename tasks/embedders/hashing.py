"""Feature hashing (Weinberger et al. 2009): vectors without a model, for tests and for measurements of other parts.

Texts that share words have a higher cosine; meaning plays no part.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tasks.embedders.embedder import LATIN, Device, UncutSpan, WindowCutter, is_written_in
from warehouse.errors import BadInput

_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class HashingEmbedder:
    """Each lower-cased word adds the square root of its count, with a hashed sign, to a hashed place."""

    dimension: int = 384
    window: int = 256

    @property
    def model(self) -> str:
        """Depends on the dimension alone."""
        return f"hashing@{self.dimension}"

    @property
    def is_loaded(self) -> bool:
        """It has no weights."""
        return True

    def can_read(self, text: str) -> bool:
        """Only scripts with spaces between words, such as Latin."""
        return is_written_in(text, LATIN)

    def cut_windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """Counts a word or a punctuation mark as a token."""
        return tuple(
            WindowCutter(self.window, self.split_words, lambda part: len(_WORD.findall(part))).cut(prefix, text)
        )

    def split_words(self, text: str) -> list[UncutSpan]:
        """Runs of letters and digits, and single marks."""
        return [UncutSpan(match.start(), match.end(), 1) for match in _WORD.finditer(text)]

    @property
    def for_questions(self) -> HashingEmbedder:
        """The same embedder."""
        return self

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See the contract; a text without words is the first unit vector."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            words = _WORD.findall(text.lower())
            if len(words) > self.window:
                problem = f"a text of {len(words)} words exceeds the window of {self.model}, {self.window} words"
                raise BadInput(problem, "embed its windows")
            for word, count in Counter(words).items():
                word_hash = zlib.crc32(word.encode("utf-8", "surrogatepass"))
                row[(word_hash >> 1) % self.dimension] += (1 if word_hash & 1 else -1) * count**0.5
            length = np.linalg.norm(row)
            row[:] = row / length if length > 0 else np.eye(1, self.dimension)
        return vectors


def member(place: str = "", device: Device = "cpu") -> HashingEmbedder:
    """The embedder; `place` must be empty, and the processor computes whatever the device."""
    if place:
        raise BadInput(f"hashing takes no place, but '{place}' was given", "choose hashing")
    return HashingEmbedder()
