"""Query expansion: second searches, with other words for the same items or with names of the first hit.

`QueryExpansion` finds candidates near the words of the glossary that answers to such questions contain, only inside
documents that the question names: there the words of a question about a ratio hardly distinguish pages, but the lines
of a statement do. Elsewhere they would find the same statement of every other company: over 278 financial contexts
(TAT-QA) a share of .5 lowered the MRR of the questions they apply to from .61 to .38.

`TableRows` finds the passages that show the rows of the same items, inside the same documents. The vector of a
statement of forty rows is not near any of them, and a question seldom uses the words of the row; so the label of each
row has a vector of its own, which is compared with the labels of the items. For an item of a primary statement, that
statement is preferred to a note or a summary that repeats it.

`RelevanceFeedback` finds passages about what the first hit names. "Which band did the director of Tank Girl play in"
needs two passages, and the words of the question find only the one that names the other (the bridge of Yang et al.
2018, HotpotQA). Each name of the first hit that the question does not have is searched together with the words of the
question that the hit does not have, pseudo relevance feedback on one passage (Lavrenko & Croft 2001): "Rachel Talalay"
with "band play". The fit of a passage is its score divided by the highest that the name and those words could give, and
less than a third of that unless it begins with the name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from math import sqrt
from types import MappingProxyType

import numpy as np

from warehouse.records import Item, Mode, RelatedWords
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal, gather_candidates, scale_scores
from warehouse.search.signals.metadata import measure_nearness
from warehouse.store.words import list_segments, split_content_words, split_words

EXPANDED_SHARE = 0.25
"""The share of the items' labels in the score of meaning and words, if the question asks for items.

295 questions to seven filings, each in four rewordings: the evidence page first .717 and in five hits .965 at .2, .725
and .966 at .25, .720 and .962 at .3; with one text of the labels of all items, at .2, .710 and .962.
"""
VECTORS_SHARE = 0.3  # The share of the vectors among them: a list of labels is matched by its words.

ROWS_SHARE = 1 / 6
"""The share of the rows in the score, if a question asks for an item of a statement.

With the constants below it was chosen among 576 combinations on 99 questions to seven filings, each asked in five
wordings, and 50 more to their statements (docs/measurements.md, Filings).
"""
MIN_COSINE = 0.6  # The cosine up to which two labels count as unrelated.
MIN_CONFIDENCE = 0.5  # The confidence up to which items do not count, the least that the glossary gives.
OWN_STATEMENT_FIT = 0.4  # The amount that a row's own statement adds to the fit of its label.
MAX_ROW_PASSAGES = 50  # The most passages that the rows add, those that fit best.

FEEDBACK_SHARE = 0.45
"""The share of the names in the score of meaning and words.

Chosen on HotpotQA, whole and cut to three words, and on the tuned half of `benchmarks/multihop.py`; from .3 to .6, and
over 3 to 8 names, 3 to 10 passages each and a fit of .3 to .7 for names further down, nDCG@10 stayed within .015.
Compared with a share of .2 for all names in one query, without the unanswered words, as before: HotpotQA nDCG@10
.891 to .938, the half held out .914 to .957, TAT-QA and PubMedQA within .001 (docs/measurements.md).
"""
MAX_NAMES = 5  # How many names are searched.
MAX_PASSAGES_OF_NAME = 5  # The most passages for each name.
COMMON_SHARE, COMMON_COUNT = 0.02, 5
"""A name is too common if each of its words is in more passages than this share of all, and than this number."""
OPENING_LENGTH = 100  # Characters at the beginning of a passage that name its subject, as a title does.
MIN_EQUAL_SHARE = 0.9
"""The share of the best score from which a passage is considered equal to the first hit, and keeps its rank.

Without it the names in one of many similar reports raised the same page of the others, against the requested time.
"""
LATE_NAME_FACTOR = 0.3  # The factor on the fit of a passage that has the name further down.

_CAPITALIZED_NAME = re.compile(
    r"[A-Z][\w'’-]*\w(?:(?: (?:of|the|de|von|van|and|du|la|le|der|al|for|&)){0,2} [A-Z0-9][\w'’.-]*\w)*"
)
"""Words with capitals side by side, also across prepositions and articles of names."""
_TABLE_LINE = re.compile(r"^\|", re.MULTILINE)


class QueryExpansion(SearchSignal):
    """How near candidates inside the question's documents are to the labels of its items."""

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the passages inside the question's documents that hold most of the labels of each item."""
        is_allowed = self._is_in_documents if self.mask is None else self._is_in_documents & self.mask
        if not self.question.related or not is_allowed.any():
            return pool
        questions = (
            replace(self.question, query=related.text, vector=related.vector) for related in self.question.related
        )
        pools = (gather_candidates(self.snapshot, question, is_allowed) for question in questions)
        return self.join_rows(pool, np.unique(np.concatenate([related_pool.rows for related_pool in pools])))

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their similarity to the labels of the item that they fit best, fused as the question's own scores are.

        So a passage with one of two possible items is not ranked behind one that has a little of both.
        """
        if not self.question.related:
            return None
        fits = np.max(
            [related.weight * self._fit(pool.rows.tolist(), related) for related in self.question.related], axis=0
        )
        return ScorePart("related", EXPANDED_SHARE, self._nearness[pool.rows] * fits, of_match=True)

    def _fit(self, rows: list[int], related_words: RelatedWords) -> np.ndarray:
        """How well each row fits the labels of one item, in [0, 1]."""
        cosines_by_row = self.snapshot.compute_cosines(related_words.vector, rows)
        bm25_by_row = self.snapshot.compute_scores(related_words.text, rows)
        cosines, bm25 = (np.array([scores.get(row, 0.0) for row in rows]) for scores in (cosines_by_row, bm25_by_row))
        return VECTORS_SHARE * scale_scores(cosines, -1.0) + (1 - VECTORS_SHARE) * scale_scores(bm25, 0.0)

    @cached_property
    def _nearness(self) -> np.ndarray:
        return measure_nearness(self.snapshot, self.question)

    @cached_property
    def _is_in_documents(self) -> np.ndarray:
        """The passages of the question's documents as a boolean mask; all if it names none."""
        return self._nearness > 0


class TableRows(SearchSignal):
    """How near the rows of figures in a candidate are to the items that the question asks for."""

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the passages whose rows fit best."""
        passages, fits = self._fits
        best_positions = np.argsort(-fits, kind="stable")[:MAX_ROW_PASSAGES]
        return self.join_rows(pool, np.sort(passages[best_positions[fits[best_positions] > 0]]))

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their fit."""
        passages, fits = self._fits
        if not fits.any():
            return None
        positions = np.minimum(np.searchsorted(passages, pool.rows), len(passages) - 1)
        return ScorePart("rows", ROWS_SHARE, np.where(passages[positions] == pool.rows, fits[positions], 0.0))

    @cached_property
    def _fits(self) -> tuple[np.ndarray, np.ndarray]:
        """The passages that show rows (rising), and how well each fits the likeliest of the items, in [0, 1]."""
        items = [item for item in self.question.items if item.statement and item.confidence > MIN_CONFIDENCE]
        if not items:
            return np.empty(0, np.int64), np.empty(0)
        nearness = measure_nearness(self.snapshot, self.question)
        is_in_documents = nearness > 0
        labels = self.snapshot.row_labels
        rows = labels.select_allowed(is_in_documents if self.mask is None else is_in_documents & self.mask)
        vectors = self.snapshot.vectors.read_vectors(labels.vectors[rows])
        passages, positions = np.unique(labels.passages[rows], return_inverse=True)
        fits = np.zeros(len(passages))
        for item in items:
            np.maximum(fits, _score_item(item, vectors, positions, labels.statements[rows], len(passages)), out=fits)
        return passages, nearness[passages] * np.minimum(fits, 1.0)


def _score_item(
    item: Item, vectors: np.ndarray, positions: np.ndarray, statements: np.ndarray, count: int
) -> np.ndarray:
    """How well each of `count` passages fits one item: by the best of its labels, by how many it has, by statement.

    `positions` are those of the passages of the rows. An item is seldom one row: a quick ratio is current assets and
    current liabilities.
    """
    best_cosines = np.zeros((count, len(item.labels)))
    np.maximum.at(best_cosines, positions, vectors @ item.vectors.T)
    weights = 1 / (1 + np.arange(len(item.labels)) / 2)
    fit = (best_cosines.max(axis=1) + best_cosines @ weights / weights.sum()) / 2
    fit = np.maximum(fit - MIN_COSINE, 0.0) / (1 - MIN_COSINE)
    in_statement = np.zeros(count, np.bool_)
    in_statement[positions[statements == item.statement]] = True
    confidence = (item.confidence - MIN_CONFIDENCE) / (1 - MIN_CONFIDENCE)
    return np.asarray(confidence * (fit + OWN_STATEMENT_FIT * (in_statement & (fit > 0))))


class RelevanceFeedback(SearchSignal):
    """How well candidates contain a name of the best candidate and the words that it leaves unanswered.

    `_fits`, by row, are those of passages outside the best candidate's document, `_document`; none exceeds the best
    candidate's score, so that it keeps its rank.
    """

    _fits: Mapping[int, float] = MappingProxyType({})
    _document = -1

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the passages that contain names of the best candidate, if the ranking allows it.

        A question about a document of many passages, such as a company's report, is answered there; the same holds if a
        table answers it.
        """
        ranking = self.question.ranking
        is_answered = any(subject.has_many_passages for subject in self.question.subjects)
        if not ranking.relevance_feedback or ranking.mode is not Mode.HYBRID or is_answered or not len(pool):
            return pool
        scores, document = pool.fused_scores.total, self.snapshot.passages.document
        best_row, best_score = int(pool.rows[np.argmax(scores)]), float(scores.max())
        text = self.snapshot.keywords.read_chunks(np.array([best_row]))[0].text
        if _TABLE_LINE.search(text):
            return pool
        fits = self._score_passages_of_names(text, int(document[best_row]))
        if not fits:
            return pool
        self._fits = {row: best_score * fit for row, fit in fits.items()}
        self._document = int(document[best_row])
        return self.join_rows(pool, np.array(sorted(fits), np.int64))

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their fit; that of passages equal to the first hit and of those of its document is at least their score.

        A document repeats the names in it: its passages would all be raised, and none distinguished from another.
        """
        if not self._fits:
            return None
        fits = np.array([self._fits.get(row, 0.0) for row in pool.rows.tolist()])
        scores = pool.fused_scores.total
        same_document = self.snapshot.passages.document[pool.rows] == self._document
        raised_scores = np.where(same_document | (scores >= MIN_EQUAL_SHARE * scores.max()), scores, 0.0)
        return ScorePart("bridge", FEEDBACK_SHARE, np.maximum(raised_scores, fits), of_match=True)

    def _score_passages_of_names(self, text: str, document_of_text: int) -> dict[int, float]:
        """The passages of other documents with the names in a text, by row, and their fit, up to 1."""
        keywords, document = self.snapshot.keywords, self.snapshot.passages.document
        text_words = set(split_words(text))
        unanswered_words = " ".join(
            segment for segment in list_segments(self.question.query) if not text_words.issuperset(split_words(segment))
        )
        matches = []
        for name in self._find_names(text):
            query = f"{name} {unanswered_words}"
            highest_score = keywords.compute_highest_score(query)
            hits = self.snapshot.find_matching(query, MAX_PASSAGES_OF_NAME, self.mask)
            matches += [
                (row, name, score / highest_score) for row, score in hits.items() if document[row] != document_of_text
            ]
        rows = list({row for row, _, _ in matches})
        openings = {
            row: set(split_words(chunk.text[:OPENING_LENGTH]))
            for row, chunk in zip(rows, keywords.read_chunks(np.array(rows, np.int64)), strict=True)
        }
        fits: dict[int, float] = {}
        for row, name, fit in matches:
            factor = 1.0 if openings[row].issuperset(split_words(name)) else LATE_NAME_FACTOR
            fits[row] = max(fits.get(row, 0.0), factor * min(1.0, fit))
        return fits

    def _find_names(self, text: str) -> list[str]:
        """The names that are typical of a text but not unique to it, the most distinctive first.

        A frequent name weighs more, by the square root of its count.
        """
        keywords = self.snapshot.keywords
        question_words = set(split_content_words(self.question.query))
        max_count = max(COMMON_COUNT, COMMON_SHARE * len(keywords))
        weights = {}
        for name, count in Counter(_CAPITALIZED_NAME.findall(text)).items():
            passage_counts = {
                word: keywords.count_passages(word) for word in split_content_words(name) if word not in question_words
            }
            if passage_counts and 1 < min(passage_counts.values()) <= max_count:
                weights[name] = sqrt(count) * sum(map(keywords.compute_idf, passage_counts))
        return sorted(weights, key=lambda name: -weights[name])[:MAX_NAMES]
