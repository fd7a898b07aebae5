"""The glossary: the items of reports that a question asks for, in any words.

A question for the quick ratio is answered by a balance sheet that never names it, and one for what the suppliers are
still owed by the row of accounts payable. A glossary is a TOML file of entries: how people ask for an item (`asked`),
what rows and sentences call it (`labels`) and which statement has it (`statement`). An entry is found by its words in
the question, or by the similarity of their meaning (query expansion with a thesaurus; Voorhees 1994), after the words
that analysts shorten (`shorthand`) are spelt out.

Meaning is compared twice: by the model's vectors, and by the same after a within-class covariance normalisation (Hatch,
Kajarekar and Stolcke 2006), the entries being the classes: directions in which phrases for one item differ count less
than those in which items do.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

import numpy as np

from tasks.embedders.cached_vectors import load_or_embed
from tasks.embedders.embedder import Embedder, embed_question
from warehouse.records import Item, StatementKind
from warehouse.store.words import split_content_words, split_words

MIN_SIMILARITY = 0.5  # The minimum cosine of an entry that a question asks for in other words.
MIN_SHARE_OF_BEST = 0.85  # The minimum similarity of an entry, as a share of the best entry's.
MAX_ITEMS = 3
COVERAGE_WEIGHT = 0.25
"""Added to the similarity of an entry whose phrases and labels have all words of the question.

Of 402 wordings of 210 items that were not used in choosing the phrases, the right item is first in .819 by the cosine
alone, in .864 with the words and the normalised vectors.
"""
SHRINKAGE = 3.0
"""The share of the mean variance that is added to each direction's within entries, which have only nine phrases each.

Values from 1 to 10 differ by at most .01 of the wordings above.
"""
MIN_PHRASE_SIMILARITY = 0.6
"""The similarity of an entry of which a question has one phrase among many other words.

"Unrecognized SBC" asks for less than the row of stock-based compensation, "JPY revenue exposure" for less than revenue.
"""


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """An item: how people ask for it, what reports call it, and the statement with it."""

    asked: tuple[str, ...]
    labels: tuple[str, ...]
    statement: StatementKind | None = None


class Glossary:
    """The entries of one file."""

    def __init__(self, entries: tuple[GlossaryEntry, ...], shorthand: Mapping[str, str]) -> None:
        """`entries` in the order of the file; `shorthand` maps short forms, in small letters, to the full words."""
        self.entries = entries
        self.shorthand = shorthand

    @cached_property
    def texts(self) -> list[str]:
        """All phrases and labels, entry by entry."""
        return [text for entry in self.entries for text in (*entry.asked, *entry.labels)]

    @cached_property
    def bounds(self) -> np.ndarray:
        """The index in `texts` at which each entry begins, shape (entries,)."""
        counts = [len(entry.asked) + len(entry.labels) for entry in self.entries]
        return np.cumsum([0, *counts[:-1]])

    def find_phrases(self, question: str) -> dict[int, float]:
        """The index and similarity of each entry of which a question has a phrase of several words or an abbreviation.

        Endings of words do not matter; the similarity grows with the phrase's share of the question's content words.

        Of several phrases that begin at the same word the longest counts, and its words are not read again. A single
        common word, such as "profit", may mean something else: only its meaning counts.
        """
        stems, content_words = split_words(question), set(split_content_words(question))
        similarities = {index: 1.0 for phrase, index in self._chinese if phrase in question}
        position = 0
        while position < len(stems):
            phrase_entries = self._english.get(stems[position], {})
            phrases = (phrase for phrase in phrase_entries if tuple(stems[position : position + len(phrase)]) == phrase)
            longest = max(phrases, key=len, default=())
            share = min(1.0, len(set(longest)) / max(1, len(content_words)))
            for index in phrase_entries.get(longest, ()):
                similarities[index] = max(
                    similarities.get(index, 0.0), MIN_PHRASE_SIMILARITY + (1 - MIN_PHRASE_SIMILARITY) * share
                )
            position += max(1, len(longest))
        return similarities

    def spell_out(self, question: str) -> str:
        """A question with its shortened words in full: "op exp" is "operating expense", "rev." is "revenue"."""
        return self._shorthand_pattern.sub(lambda match: self.shorthand[match[1].lower()], question)

    def measure_coverage(self, question: str) -> np.ndarray:
        """The share of a question's content words that each entry has anywhere, weighted by IDF, shape (entries,)."""
        weights = {word: self._compute_weight(word) for word in split_content_words(question)}
        shared_weights = [sum(weights[word] for word in weights.keys() & words) for words in self._words]
        return np.array(shared_weights) / max(sum(weights.values()), 1e-9)

    def _compute_weight(self, word: str) -> float:
        """The inverse document frequency of a word, entries being the documents."""
        return math.log(1 + len(self.entries) / max(1, self._frequencies[word]))

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        """The content words of each entry; Chinese phrases are found uncut."""
        texts = ((*entry.asked, *entry.labels) for entry in self.entries)
        return [frozenset(split_content_words(" ".join(filter(str.isascii, phrases)))) for phrases in texts]

    @cached_property
    def _frequencies(self) -> Counter[str]:
        return Counter(word for words in self._words for word in words)

    @cached_property
    def _shorthand_pattern(self) -> re.Pattern[str]:
        words = "|".join(map(re.escape, self.shorthand))
        return re.compile(rf"(?<![\w'’&/-])({words})\b\.?(?![\w'’&/-])", re.IGNORECASE)

    @cached_property
    def _chinese(self) -> list[tuple[str, int]]:
        # Cutting a Chinese phrase would read jieba's dictionary, .8 s, for a question in English.
        return [(text, index) for index, entry in enumerate(self.entries) for text in entry.asked if not text.isascii()]

    @cached_property
    def _english(self) -> dict[str, dict[tuple[str, ...], set[int]]]:
        """The entries of each phrase, by its first word, stemmed as in the keyword index."""
        phrases: dict[str, dict[tuple[str, ...], set[int]]] = {}
        for index, entry in enumerate(self.entries):
            for phrase in filter(str.isascii, entry.asked):
                stems = tuple(split_words(phrase))
                if len(stems) > 1 or (stems and not phrase.islower()):
                    phrases.setdefault(stems[0], {}).setdefault(stems, set()).add(index)
        return phrases


@cache
def load_glossary() -> Glossary:
    """The glossary of financial reports."""
    content = tomllib.loads(files("tasks.query").joinpath("glossaries", "finance.toml").read_text(encoding="utf-8"))
    return Glossary(
        tuple(
            GlossaryEntry(
                tuple(entry["asked"]),
                tuple(entry["labels"]),
                StatementKind(entry["statement"]) if "statement" in entry else None,
            )
            for entry in content["entry"]
        ),
        content["shorthand"],
    )


def find_items(query: str, vector: np.ndarray, embedder: Embedder) -> tuple[Item, ...]:
    """The items that a question asks for, the most similar first, at most `MAX_ITEMS`.

    `query` is the question without the names and times that choose documents; `vector` is its vector, of shape
    (dimension,). A question in a script that the model cannot read is compared by words alone.
    """
    glossary = load_glossary()
    if (full_query := glossary.spell_out(query)) != query:
        query, vector = full_query, embed_question(embedder, full_query)
    scores = glossary.find_phrases(query)
    space = get_phrase_space(embedder)
    if embedder.can_read(query):
        cosines, normalised = space.compare_entries(vector)
        similarities = (cosines + normalised) / 2 + COVERAGE_WEIGHT * glossary.measure_coverage(query)
        for index in np.flatnonzero(cosines >= MIN_SIMILARITY).tolist():
            scores[index] = max(scores.get(index, 0.0), float(similarities[index]))
    highest = max(scores.values(), default=0.0)
    ranked_indexes = sorted(
        (index for index in scores if scores[index] >= MIN_SHARE_OF_BEST * highest),
        key=lambda index: -scores[index],
    )
    return tuple(
        _build_item(glossary, index, min(scores[index], 1.0), space.vectors) for index in ranked_indexes[:MAX_ITEMS]
    )


def _build_item(glossary: Glossary, index: int, similarity: float, vectors: np.ndarray) -> Item:
    entry = glossary.entries[index]
    first = int(glossary.bounds[index]) + len(entry.asked)
    label_vectors = vectors[first : first + len(entry.labels)]
    return Item(entry.asked[0], similarity, entry.labels, label_vectors, entry.statement)


class PhraseSpace:
    """The vectors of all phrases and labels of a glossary, from the model and normalised within entries."""

    def __init__(self, vectors: np.ndarray, bounds: np.ndarray) -> None:
        """`vectors` of shape (texts, dimension), zeros for what the model does not read; `bounds` as `Glossary` has."""
        self.vectors = vectors
        self._bounds = bounds
        is_embedded = np.any(vectors, axis=1)
        entries = np.repeat(np.arange(len(bounds)), np.diff([*bounds, len(vectors)]))
        means = (
            np.add.reduceat(vectors, bounds) / np.maximum(np.add.reduceat(is_embedded, bounds, dtype=int), 1)[:, None]
        )
        deviations = (vectors - means[entries])[is_embedded]
        covariance = deviations.T @ deviations / max(1, len(deviations))
        shrunk_covariance = covariance + (SHRINKAGE * np.trace(covariance) / len(covariance) + 1e-9) * np.eye(
            len(covariance)
        )
        values, directions = np.linalg.eigh(shrunk_covariance)
        self._mean = vectors.sum(axis=0) / max(1, is_embedded.sum())
        self._whitening = directions * values**-0.5 @ directions.T
        self._normalised = self._normalize(vectors) * is_embedded[:, None]

    def compare_entries(self, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Cosines of a question to each entry's nearest text, without and with normalisation, of shape (entries,)."""
        cosines, normalised = self.vectors @ vector, self._normalised @ self._normalize(vector)
        return np.maximum.reduceat(cosines, self._bounds), np.maximum.reduceat(normalised, self._bounds)

    def _normalize(self, vectors: np.ndarray) -> np.ndarray:
        """Vectors of unit length, of the same shape."""
        whitened = (vectors - self._mean) @ self._whitening
        return np.asarray(whitened / np.maximum(np.linalg.norm(whitened, axis=-1, keepdims=True), 1e-9))


_phrase_spaces: dict[str, PhraseSpace] = {}  # By model.


def get_phrase_space(embedder: Embedder) -> PhraseSpace:
    """The phrases and labels in order, with their vectors.

    The vectors are made once for each model, about a second, and cached in the user's folder.
    """
    if embedder.model not in _phrase_spaces:
        glossary = load_glossary()
        vectors = load_or_embed("glossaries", glossary.texts, embedder)
        _phrase_spaces[embedder.model] = PhraseSpace(vectors, glossary.bounds)
    return _phrase_spaces[embedder.model]
