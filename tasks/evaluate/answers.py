"""Answers: what hits show, which of them a judge counts, how they rank, and how much of the gold they cover.

Recall, precision and intersection over union are counted in characters; `chunking_evaluation` (Smith & Troynikov 2024)
counts tokens, which depend on a model. Text in two passages counts twice as shown and once as found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from tasks.embedders.embedder import Embedder
from tasks.evaluate.dataset import Gold, JudgedQuestion
from warehouse.registry import Family


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """A half-open span of the canonical text of a document, which is named as in the corpus."""

    document: str
    start: int
    end: int

    @property
    def length(self) -> int:
        """The length in characters."""
        return self.end - self.start

    def count_common(self, other: AnswerSpan) -> int:
        """The number of characters in both spans."""
        return max(0, min(self.end, other.end) - max(self.start, other.start)) if self.document == other.document else 0


@dataclass(frozen=True, slots=True)
class HitAnswer:
    """What a hit shows: a document, by its name in the corpus, and the pages of its passage.

    `text` is the passage, `places` are its span and those of passages with the same text; `excerpt` is the part that a
    reader sees. `golds` are the indexes of the question's gold that a judge finds in it. `score` is that of the search.
    """

    document: str
    pages: tuple[int, ...] = ()
    text: str = ""
    places: tuple[AnswerSpan, ...] = ()
    excerpt: AnswerSpan | None = None
    golds: frozenset[int] = frozenset()
    score: float = 0.0


def exclude_question(question: JudgedQuestion, answers: Iterable[HitAnswer]) -> list[HitAnswer]:
    """The answers that are not the question itself.

    Some corpora have their questions as documents; like BEIR (`ignore_identical_ids`), this leaves them out of the
    results, unless the question is judged to answer itself.
    """
    excluded_names = {question.name} - {gold.document for gold in question.gold}
    return [answer for answer in answers if answer.document not in excluded_names]


def rank_hits(names: Collection[str], names_by_hit: Sequence[Sequence[str]]) -> list[str]:
    """One name per hit: the first of its names that is among `names` and new in the ranking, else a name of its own.

    So a hit counts once whatever it shows, and takes a rank even if it shows none of `names`.
    """
    remaining_names = set(names)
    ranking = []
    for rank, hit_names in enumerate(names_by_hit):
        name_or_rank = next((name for name in hit_names if name in remaining_names), f"#{rank}")
        remaining_names.discard(name_or_rank)
        ranking.append(name_or_rank)
    return ranking


def rank_golds(golds: Collection[int], answers: Sequence[HitAnswer]) -> tuple[list[str], list[str]]:
    """The names of all gold, and one name per hit: all gold that a hit is the first to show has one common name."""
    remaining_golds, found_names, ranking = set(golds), [], []
    for rank, answer in enumerate(answers):
        new_golds = answer.golds & remaining_golds
        remaining_golds -= new_golds
        ranking.append(f"gold {min(new_golds)}" if new_golds else f"#{rank}")
        found_names += [ranking[-1]] if new_golds else []
    return [*found_names, *(f"gold {number}" for number in sorted(remaining_golds))], ranking


@dataclass(frozen=True, slots=True)
class Overlap:
    """How far the hits cover the gold, as shares of characters in [0, 1]."""

    recall: float
    precision: float
    iou: float


def measure_overlap(gold: Iterable[AnswerSpan], places: Sequence[AnswerSpan]) -> Overlap:
    """How far the shown `places` cover `gold`, of which at least one span is not empty."""
    gold_spans, shown_spans = _merge_spans(gold), _merge_spans(places)
    common_length = sum(
        max(0, min(end, stop) - max(start, begin))
        for document, spans in gold_spans.items()
        for start, end in spans
        for begin, stop in shown_spans.get(document, ())
    )
    length = sum(place.length for place in places)
    gold_length = sum(end - start for spans in gold_spans.values() for start, end in spans)
    return Overlap(
        common_length / gold_length,
        common_length / length if length else 0.0,
        common_length / (length + gold_length - common_length),
    )


def _merge_spans(places: Iterable[AnswerSpan]) -> dict[str, list[tuple[int, int]]]:
    """The spans of each document in order, with touching spans merged."""
    spans_by_document: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for place in sorted(places, key=lambda place: (place.document, place.start)):
        spans = spans_by_document[place.document]
        if spans and place.start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], place.end))
        else:
            spans.append((place.start, place.end))
    return spans_by_document


SPAN_JUDGE = "span"


@dataclass(frozen=True, slots=True)
class Judge:
    """Decides which hits answer with the words of a piece of gold, which has a text and a span.

    `description` says when a hit counts, as the end of "a hit counts where …"; `decide` decides it for each answer.
    """

    description: str
    decide: Callable[[Gold, Sequence[HitAnswer], Embedder], list[bool]]


JUDGES: Family[Judge] = Family("tasks.evaluate.judges", "judge of hits")


def judge_answers(
    question: JudgedQuestion, answers: Sequence[HitAnswer], judge: Judge, embedder: Embedder
) -> list[HitAnswer]:
    """The answers, each with the gold that it answers with.

    Gold without words is its page, or its document if no page is known, and needs no judge. Gold whose words are not
    found in the documents is ignored.
    """
    golds: list[set[int]] = [set() for _ in answers]
    for number, gold in enumerate(question.gold):
        if gold.is_known:
            verdicts = (
                judge.decide(gold, answers, embedder)
                if gold.text
                else [gold.document == answer.document and gold.page in (None, *answer.pages) for answer in answers]
            )
            for index, is_right in enumerate(verdicts):
                golds[index] |= {number} if is_right else set()
    return [replace(answer, golds=frozenset(gold)) for answer, gold in zip(answers, golds, strict=True)]
