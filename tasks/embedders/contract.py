"""What an embedder promises, and the names of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from tasks.embedders.model_windows import UncutSpan


class Embedder(Protocol):
    """Turns texts into unit vectors. Opening one is cheap: weights are read when `embed` is first called."""

    @property
    def model(self) -> str:
        """The model's identity: its name, `@`, a digest of its files.

        It takes part in every vector's name, so vectors of two models never meet. The number type that a CPU computes
        in is not part of it: bfloat16 and int8 lie within cosine 0.998 of float32, much closer than any two texts, and
        a warehouse must not be embedded again because it moved to another machine.
        """

    @property
    def is_loaded(self) -> bool:
        """Whether its weights are read, so that `embed` begins at once."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    @property
    def window(self) -> int:
        """How many tokens the model reads at once, its special tokens included."""

    def reads(self, text: str) -> bool:
        """Whether the model was trained for the script of a text; where not, its vectors say next to nothing."""

    def windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """The texts to embed for a chunk: itself if it fits the window, else pieces that hold every token of it."""

    def words(self, text: str) -> list[UncutSpan]:
        """The words of a text of any length in order, with the tokens that each makes; reads no weights."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, shape (len(texts), dimension); a text's vector does not depend on its neighbours.

        Raises `BadInput` for a text that does not fit the window: nothing is cut off silently.
        """


def question_vector(embedder: Embedder, question: str) -> np.ndarray:
    """The unit vector of a question of any length, float32, shape (dimension,).

    A question longer than the window is the normalised mean of its windows.
    """
    vectors = embedder.embed(embedder.windows("", question))
    mean = vectors.mean(axis=0)
    length = np.linalg.norm(mean)
    return np.asarray(mean / length if length > 0 else vectors[0], dtype=np.float32)
