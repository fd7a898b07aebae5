"""Answers: what hits show, which of them a judge counts, ranked lists of them, and how much of the gold they cover.

Recall, precision and intersection over union are counted by character, as in `chunking_evaluation` (Smith & Troynikov
2024) by token, so that no model's tokens decide: what two passages both show counts twice in what is shown and once in
what is found.
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
    """A half-open span of the canonical text of a document, which has its name in the corpus."""

    document: str
    start: int
    end: int

    @property
    def length(self) -> int:
        """The length in characters."""
        return self.end - self.start

    def count_common(self, other: AnswerSpan) -> int:
        """How many characters both share."""
        return max(0, min(self.end, other.end) - max(self.start, other.start)) if self.document == other.document else 0


@dataclass(frozen=True, slots=True)
class HitAnswer:
    """What a hit shows: a document, by its name in the corpus, and the pages that its passage stands on.

    `text` are the words of the passage, `places` where it stands, its own place first, then those of passages that say
    the same; `excerpt` is the part that a reader is shown. `golds` are the places of gold that it answers with, by
    their numbers in the question, as a judge has it. `score` is that of the search.
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

    Some corpora hold their questions as documents; BEIR leaves those out of the results (`ignore_identical_ids`), and
    so does this, except where the question is judged to answer itself.
    """
    excluded = {question.name} - {gold.document for gold in question.gold}
    return [answer for answer in answers if answer.document not in excluded]


def rank_hits(wanted: Collection[str], shown: Sequence[Sequence[str]]) -> list[str]:
    """A name a hit: the first that is `wanted` of those it shows and that none before it showed, else one of its own.

    So a hit counts once whatever it shows, and takes a rank though it shows nothing that is wanted.
    """
    left = set(wanted)
    ranked = []
    for rank, names in enumerate(shown):
        found = next((name for name in names if name in left), f"#{rank}")
        left.discard(found)
        ranked.append(found)
    return ranked


def rank_golds(wanted: Collection[int], answers: Sequence[HitAnswer]) -> tuple[list[str], list[str]]:
    """The names of what can be found, and a name a hit: what one hit is the first to show has one name together."""
    left, found, ranked = set(wanted), [], []
    for rank, answer in enumerate(answers):
        fresh = answer.golds & left
        left -= fresh
        ranked.append(f"gold {min(fresh)}" if fresh else f"#{rank}")
        found += [ranked[-1]] if fresh else []
    return [*found, *(f"gold {number}" for number in sorted(left))], ranked


@dataclass(frozen=True, slots=True)
class Overlap:
    """Shares in [0, 1]; `shown` is in characters."""

    recall: float
    precision: float
    iou: float
    shown: int


def measure_overlap(gold: Iterable[AnswerSpan], shown: Sequence[AnswerSpan]) -> Overlap:
    """How far the places that are `shown` cover the places of `gold`, of which at least one is not empty."""
    wanted, seen = _merge_spans(gold), _merge_spans(shown)
    hit = sum(
        max(0, min(end, stop) - max(start, begin))
        for document, spans in wanted.items()
        for start, end in spans
        for begin, stop in seen.get(document, ())
    )
    length = sum(place.length for place in shown)
    whole = sum(end - start for spans in wanted.values() for start, end in spans)
    return Overlap(hit / whole, hit / length if length else 0.0, hit / (length + whole - hit), length)


def _merge_spans(places: Iterable[AnswerSpan]) -> dict[str, list[tuple[int, int]]]:
    """The spans of each document in order, those that touch being one."""
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for place in sorted(places, key=lambda place: (place.document, place.start)):
        spans = found[place.document]
        if spans and place.start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], place.end))
        else:
            spans.append((place.start, place.end))
    return found


DEFAULT = "span"


@dataclass(frozen=True, slots=True)
class Judge:
    """Says which hits answer with the words of a piece of gold, which has a text and a span.

    `description` is when a hit counts, in words that end "a hit counts where …"; `decide` says it of each answer.
    """

    description: str
    decide: Callable[[Gold, Sequence[HitAnswer], Embedder], list[bool]]


JUDGES: Family[Judge] = Family("tasks.evaluate.judges", "judge of hits")


def judge_answers(
    question: JudgedQuestion, answers: Sequence[HitAnswer], judge: Judge, embedder: Embedder
) -> list[HitAnswer]:
    """The answers, each with the gold that it answers with.

    Gold without words is its page, or its document where no page is known: nobody needs a judge for it. Gold whose
    words are not found in the documents is left out of account.
    """
    golds: list[set[int]] = [set() for _ in answers]
    for number, gold in enumerate(question.gold):
        if gold.is_known:
            if gold.text:
                verdicts = judge.decide(gold, answers, embedder)
            else:
                verdicts = [gold.document == each.document and gold.page in (None, *each.pages) for each in answers]
            for place, right in enumerate(verdicts):
                golds[place] |= {number} if right else set()
    return [replace(answer, golds=frozenset(each)) for answer, each in zip(answers, golds, strict=True)]
