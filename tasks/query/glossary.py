"""The glossary: the items of reports that a question asks for, whatever words it uses.

A question for the quick ratio is answered by a balance sheet that never says so, and one for what the suppliers are
still owed by the row of accounts payable. A glossary, a TOML file of entries, knows how people ask for an item
(`asked`), how rows and sentences call it (`labels`) and in which statement it stands (`statement`). An entry is found
by its words in the question, or by the similarity of their meaning (query expansion with a thesaurus; Voorhees 1994),
once words that analysts shorten (`shorthand`) are spelt out.

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

from tasks.embedders.embedder import Embedder, embed_question
from tasks.embedders.kept_vectors import load_or_embed
from warehouse.records import Item, StatementKind
from warehouse.store.words import split_content_words, split_words

MIN_SIMILARITY = 0.5  # The least cosine of an entry that a question asks for in other words.
MIN_SHARE_OF_BEST = 0.85  # What an entry must have of the similarity of the best.
MAX_ITEMS = 3
COVERAGE = 0.25
"""What is added to the similarity of an entry that has all words of the question among those of its phrases and labels.

Of 402 wordings of 210 items that were not looked at when phrases were chosen, the right item is first in .819 by the
cosine alone, in .864 with the words and the normalised vectors.
"""
SHRINKAGE = 3.0
"""The share of the mean variance that is added to each direction's within entries: nine phrases an entry are few.

1 to 10 differ by no more than .01 of the wordings above.
"""
PHRASE = 0.6
"""The similarity of an entry of whose phrase a question has nothing but the phrase, and much else.

"Unrecognized SBC" asks for less than the row of stock-based compensation, "JPY revenue exposure" for less than revenue.
"""


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """An item: how people ask for it, how reports call it, the statement that it stands in."""

    asked: tuple[str, ...]
    labels: tuple[str, ...]
    statement: StatementKind | None = None


class Glossary:
    """The entries of one file."""

    def __init__(self, entries: tuple[GlossaryEntry, ...], shorthand: Mapping[str, str]) -> None:
        """`entries` in the order of the file; `shorthand` gives words by how they are shortened, in small letters."""
        self.entries = entries
        self.shorthand = shorthand

    @cached_property
    def texts(self) -> list[str]:
        """All phrases and labels, entry by entry."""
        return [text for entry in self.entries for text in (*entry.asked, *entry.labels)]

    @cached_property
    def bounds(self) -> np.ndarray:
        """The place in `texts` where each entry begins, shape (entries,)."""
        counts = [len(entry.asked) + len(entry.labels) for entry in self.entries]
        return np.cumsum([0, *counts[:-1]])

    def find_phrases(self, question: str) -> dict[int, float]:
        """The entries of which a question has a phrase of several words or an abbreviation, with its similarity.

        It is found whatever the endings, and the likelier the more of the telling words of the question it has.

        Of phrases that begin at one word the longest counts, and what it covers is not looked at again. A common word,
        as "profit", may be meant otherwise: it counts by its meaning alone.
        """
        stems, telling = split_words(question), set(split_content_words(question))
        found = {place: 1.0 for phrase, place in self._chinese if phrase in question}
        here = 0
        while here < len(stems):
            begun = self._english.get(stems[here], {})
            phrases = (phrase for phrase in begun if tuple(stems[here : here + len(phrase)]) == phrase)
            longest = max(phrases, key=len, default=())
            share = min(1.0, len(set(longest)) / max(1, len(telling)))
            for place in begun.get(longest, ()):
                found[place] = max(found.get(place, 0.0), PHRASE + (1 - PHRASE) * share)
            here += max(1, len(longest))
        return found

    def spell_out(self, question: str) -> str:
        """A question with its shortened words in full: "op exp" is "operating expense", "rev." is "revenue"."""
        return self._shortened.sub(lambda match: self.shorthand[match[1].lower()], question)

    def measure_coverage(self, question: str) -> np.ndarray:
        """The share of a question's telling words that each entry has anywhere, weighted by IDF, shape (entries,)."""
        weights = {word: self._weigh(word) for word in split_content_words(question)}
        shared = [sum(weights[word] for word in weights.keys() & words) for words in self._words]
        return np.array(shared) / max(sum(weights.values()), 1e-9)

    def _weigh(self, word: str) -> float:
        """The inverse document frequency of a word, entries being the documents."""
        return math.log(1 + len(self.entries) / max(1, self._frequencies[word]))

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        """The telling words of each entry; Chinese ones are found as whole phrases."""
        texts = ((*entry.asked, *entry.labels) for entry in self.entries)
        return [frozenset(split_content_words(" ".join(filter(str.isascii, each)))) for each in texts]

    @cached_property
    def _frequencies(self) -> Counter[str]:
        return Counter(word for words in self._words for word in words)

    @cached_property
    def _shortened(self) -> re.Pattern[str]:
        words = "|".join(map(re.escape, self.shorthand))
        return re.compile(rf"(?<![\w'’&/-])({words})\b\.?(?![\w'’&/-])", re.IGNORECASE)

    @cached_property
    def _chinese(self) -> list[tuple[str, int]]:
        # Cutting a Chinese phrase would read jieba's dictionary, .8 s, for a question in English.
        return [(text, place) for place, entry in enumerate(self.entries) for text in entry.asked if not text.isascii()]

    @cached_property
    def _english(self) -> dict[str, dict[tuple[str, ...], set[int]]]:
        """The entries of each phrase, by its first word as the keyword index cuts words."""
        found: dict[str, dict[tuple[str, ...], set[int]]] = {}
        for place, entry in enumerate(self.entries):
            for phrase in filter(str.isascii, entry.asked):
                stems = tuple(split_words(phrase))
                if len(stems) > 1 or (stems and not phrase.islower()):
                    found.setdefault(stems[0], {}).setdefault(stems, set()).add(place)
        return found


@cache
def load_glossary() -> Glossary:
    """The glossary of financial reports."""
    listed = tomllib.loads(files("tasks.query").joinpath("glossaries", "finance.toml").read_text(encoding="utf-8"))
    return Glossary(
        tuple(
            GlossaryEntry(
                tuple(each["asked"]),
                tuple(each["labels"]),
                StatementKind(each["statement"]) if "statement" in each else None,
            )
            for each in listed["entry"]
        ),
        listed["shorthand"],
    )


def find_items(query: str, vector: np.ndarray, embedder: Embedder) -> tuple[Item, ...]:
    """The items that a question asks for, the likest first, at most `MAX_ITEMS`.

    `query` is the question without the names and times that choose documents; `vector` is its vector, of shape
    (dimension,). A script that the model does not read is compared by words alone.
    """
    known = load_glossary()
    if (spelt := known.spell_out(query)) != query:
        query, vector = spelt, embed_question(embedder, spelt)
    found = known.find_phrases(query)
    space = get_phrase_space(embedder)
    if embedder.can_read(query):
        cosines, normalised = space.compare_entries(vector)
        similarities = (cosines + normalised) / 2 + COVERAGE * known.measure_coverage(query)
        for place in np.flatnonzero(cosines >= MIN_SIMILARITY).tolist():
            found[place] = max(found.get(place, 0.0), float(similarities[place]))
    best = max(found.values(), default=0.0)
    chosen = sorted(
        (place for place in found if found[place] >= MIN_SHARE_OF_BEST * best), key=lambda place: -found[place]
    )
    return tuple(_build_item(known, place, min(found[place], 1.0), space.vectors) for place in chosen[:MAX_ITEMS])


def _build_item(known: Glossary, place: int, similarity: float, vectors: np.ndarray) -> Item:
    entry = known.entries[place]
    first = int(known.bounds[place]) + len(entry.asked)
    label_vectors = vectors[first : first + len(entry.labels)]
    return Item(entry.asked[0], similarity, entry.labels, label_vectors, entry.statement)


class PhraseSpace:
    """The vectors of all phrases and labels of a glossary, as the model gives them and normalised within entries."""

    def __init__(self, vectors: np.ndarray, bounds: np.ndarray) -> None:
        """`vectors` of shape (texts, dimension), zeros for what the model does not read; `bounds` as `Glossary` has."""
        self.vectors = vectors
        self._bounds = bounds
        read = np.any(vectors, axis=1)
        entries = np.repeat(np.arange(len(bounds)), np.diff([*bounds, len(vectors)]))
        means = np.add.reduceat(vectors, bounds) / np.maximum(np.add.reduceat(read, bounds, dtype=int), 1)[:, None]
        apart = (vectors - means[entries])[read]
        within = apart.T @ apart / max(1, len(apart))
        shrunk = within + (SHRINKAGE * np.trace(within) / len(within) + 1e-9) * np.eye(len(within))
        values, directions = np.linalg.eigh(shrunk)
        self._mean = vectors.sum(axis=0) / max(1, read.sum())
        self._whitening = directions * values**-0.5 @ directions.T
        self._normalised = self._normalize(vectors) * read[:, None]

    def compare_entries(self, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Cosines of a question to each entry's nearest text, without and with normalisation, of shape (entries,)."""
        cosines, normalised = self.vectors @ vector, self._normalised @ self._normalize(vector)
        return np.maximum.reduceat(cosines, self._bounds), np.maximum.reduceat(normalised, self._bounds)

    def _normalize(self, vectors: np.ndarray) -> np.ndarray:
        """Vectors of unit length, of the same shape."""
        turned = (vectors - self._mean) @ self._whitening
        return np.asarray(turned / np.maximum(np.linalg.norm(turned, axis=-1, keepdims=True), 1e-9))


_phrase_spaces: dict[str, PhraseSpace] = {}  # By model.


def get_phrase_space(embedder: Embedder) -> PhraseSpace:
    """The phrases and labels in their order, as the model sees them.

    Their vectors are made once for each model, about a second, and kept in the user's cache folder.
    """
    if embedder.model not in _phrase_spaces:
        known = load_glossary()
        vectors = load_or_embed("glossaries", known.texts, embedder)
        _phrase_spaces[embedder.model] = PhraseSpace(vectors, known.bounds)
    return _phrase_spaces[embedder.model]
