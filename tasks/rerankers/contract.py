"""What a reranker promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np


class Reranker(Protocol):
    """Reads question and passage together. Opening one is cheap: weights are read by the first call of `fits`."""

    @property
    def share(self) -> float:
        """How much of a hit's score it decides, in [0, 1]; the rest is the search's."""

    def fits(self, question: str, passages: Sequence[str]) -> np.ndarray:
        """How well each passage answers, in [0, 1], shape (len(passages),); no passage is cut off.

        Of a passage longer than the model's window the best window counts. A passage's fit does not depend on the
        others.
        """
