"""Centring: the part that all texts have in common is removed from the vectors of a model whose cosines are all high.

Unrelated texts have a cosine of .04 with the default model, and of .77 with multilingual-e5-small: all of its vectors
have one direction in common ("anisotropy"). Fusion, the glossary and the excerpts compare cosines with thresholds that
were fitted to the default model, for which .77 and .9 are nearly the same. So the mean of the vectors of some `PROBES`
is subtracted, as in "All-but-the-Top" (Mu & Viswanath 2018), and the rest scaled to length one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tasks.embedders.cached_vectors import load_or_embed
from tasks.embedders.embedder import EmbedderWrapper
from warehouse.identity import digest

MIN_MEAN_COSINE = 0.15
"""The least mean cosine of unrelated texts with which a model is centred; else its vectors are not changed."""
MIN_LENGTH = 1e-6

PROBES = (
    "The bridge was closed for repairs after the flood in March.",
    "Revenue rose by 12 percent to 4.3 billion dollars in the third quarter.",
    "Boil the potatoes for twenty minutes and drain them.",
    "The committee meets on the first Monday of each month.",
    "Patients who took the drug reported fewer headaches than those who took a placebo.",
    "A matrix is invertible if its determinant is not zero.",
    "She moved to Lisbon in 1998 and opened a small bookshop.",
    "The train to the airport leaves every fifteen minutes.",
    "Net cash provided by operating activities",
    "Photosynthesis turns light, water and carbon dioxide into sugar.",
    "The plaintiff appealed against the judgment of the lower court.",
    "He scored twice in the second half and was named player of the match.",
    "Version 2.4 fixes a memory leak in the image loader.",
    "The cathedral was begun in the twelfth century and finished three hundred years later.",
    "Volcanic ash makes the soil of the island fertile.",
    "The album was recorded in two weeks in a studio in Berlin.",
    "Unemployment fell in most regions, while prices went on rising.",
    "Please reset your password within the next 24 hours.",
    "The enzyme is found mainly in the liver.",
    "Their daughter was born in the spring of 2011.",
    "Total liabilities and shareholders' equity",
    "The river flows north through three countries before it reaches the sea.",
    "Students hand in the second problem set on Friday.",
    "The treaty ended a war that had lasted for eight years.",
    "Whales communicate over long distances by low sounds.",
    "The board approved a dividend of 35 cents per share.",
    "Add the flour slowly and stir until the dough is smooth.",
    "An electron has a negative charge.",
    "The novel tells of a family that leaves its village in search of work.",
    "Heavy snow is expected in the mountains from Thursday on.",
    "The server returned an error because the request had no valid token.",
    "The museum shows paintings of the Dutch masters on its second floor.",
    "Blood pressure was measured twice with the patient at rest.",
    "The mayor opened the new library on Saturday.",
    "Gradient descent moves the weights against the slope of the loss.",
    "Her first film won a prize at the festival in Venice.",
    "The lease ends in ten years and may be renewed once.",
    "Bees visit the flowers early in the morning.",
    "Our flight was cancelled, so we took the night bus.",
    "The algorithm sorts a list of n numbers in n log n steps.",
    "Depreciation of property, plant and equipment",
    "The old theatre was turned into a concert hall.",
    "Vaccination is recommended for children over the age of two.",
    "The team lost the final by a single goal.",
    "How many people live in the city?",
    "When was the company founded?",
    "What causes the northern lights?",
    "Who wrote the letter to the editor?",
    "Does exercise lower the risk of heart disease?",
    "How much did sales grow last year?",
    "Which river is the longest in the country?",
    "What is the difference between a virus and a bacterium?",
    "Where did the negotiations take place?",
    "How do I install the program on a new computer?",
    "Who was president when the law was passed?",
    "What did the team decide at its last meeting?",
    "Why did the price of oil fall in 2014?",
    "Which films did she direct before 1980?",
    "How long does the treatment last?",
    "What were the main risks named in the report?",
    "Is the function continuous at zero?",
    "When does the lease of the building end?",
    "Which team won the championship in 2006?",
    "What is the capital of the province?",
)
"""Texts of many subjects and forms that have nothing in common: statements, headings, notes, questions."""


class CentredEmbedder(EmbedderWrapper):
    """An embedder that removes the common part, if large, from the vectors of another one."""

    @property
    def model(self) -> str:
        """The inner embedder's, with a digest of the probes that decide the common part."""
        return f"{self.inner.model}-{digest(PROBES, MIN_MEAN_COSINE)[:4]}"

    @cached_property
    def for_questions(self) -> CentredEmbedder:
        """The same for questions, with a common part of their own if the model has another instruction for them."""
        question_embedder = self.inner.for_questions
        return self if question_embedder is self.inner else CentredEmbedder(question_embedder)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See the contract."""
        vectors = self.inner.embed(texts)
        return vectors if not texts or self._centre is None else remove_centre(vectors, self._centre)

    @cached_property
    def _centre(self) -> np.ndarray | None:
        """The mean vector of the probes, shape (dimension,); None if unrelated texts have low cosines."""
        return find_centre(load_or_embed("probes", PROBES, self.inner))


def find_centre(vectors: np.ndarray) -> np.ndarray | None:
    """The mean of unit vectors of unrelated texts, shape (dimension,); None if they have little in common.

    Those of texts that the model does not read are zeros and are left out.
    """
    nonzero = vectors[np.any(vectors != 0, axis=1)]
    count = len(nonzero)
    if count < 2:
        return None
    centre = np.asarray(nonzero.mean(axis=0, dtype=np.float64))
    mean_cosine = (count * centre @ centre - 1) / (count - 1)
    return centre.astype(np.float32) if mean_cosine > MIN_MEAN_COSINE else None


def remove_centre(vectors: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Unit vectors without the common part, of length one again, float32, of the same shape."""
    centred = vectors - centre
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    return np.where(lengths > MIN_LENGTH, centred / np.maximum(lengths, MIN_LENGTH), vectors).astype(np.float32)
