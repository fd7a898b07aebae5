"""Measures of the answers to a dataset's questions, by `ir_measures` and `pytrec_eval` and by the text of the hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from tasks.evaluate.answers import SPAN_JUDGE, AnswerSpan, HitAnswer, measure_overlap, rank_golds, rank_hits
from tasks.evaluate.dataset import Dataset, JudgedQuestion


class Unit(Enum):
    """The items that are ranked, or that are counted.

    Documents are ranked by their best passage, hits by the document, page or gold that they show. Counted are the gold
    and the characters of passages and excerpts that the first hits show.
    """

    DOCUMENT = auto()
    HIT_OF_DOCUMENT = auto()
    HIT_OF_PAGE = auto()
    HIT_OF_GOLD = auto()
    GOLD = auto()
    PASSAGE = auto()
    EXCERPT = auto()


RANKED_UNITS = (Unit.DOCUMENT, Unit.HIT_OF_DOCUMENT, Unit.HIT_OF_PAGE, Unit.HIT_OF_GOLD)
SHOWN_HITS = 5  # The number of hits that are read: the default of a search.


@dataclass(frozen=True, slots=True)
class EvaluationMeasure:
    """A measure: its label here, its name in `ir_measures` or in `Overlap`, and its unit."""

    label: str
    name: str
    unit: Unit = Unit.DOCUMENT


DOCUMENT_MEASURES = (
    EvaluationMeasure("nDCG@10", "nDCG@10"),
    EvaluationMeasure("recall@5", "R@5"),
    EvaluationMeasure("recall@10", "R@10"),
    EvaluationMeasure("MRR@10", "RR@10"),
    EvaluationMeasure("hit@5", "Success@5"),
    EvaluationMeasure("recall@1", "R@1"),
)
PAGE_MEASURES = (
    EvaluationMeasure("page@5", "Success@5", Unit.HIT_OF_PAGE),
    EvaluationMeasure("page@1", "Success@1", Unit.HIT_OF_PAGE),
    EvaluationMeasure("page@10", "Success@10", Unit.HIT_OF_PAGE),
    EvaluationMeasure("MRR@10", "RR@10", Unit.HIT_OF_PAGE),
    EvaluationMeasure("doc@5", "Success@5", Unit.HIT_OF_DOCUMENT),
)
CHARACTER_MEASURES = tuple(
    EvaluationMeasure(f"{unit.name.lower()} {label}", name, unit)
    for unit in (Unit.PASSAGE, Unit.EXCERPT)
    for label, name in (("recall", "recall"), ("precision", "precision"), ("IoU", "iou"))
)
"""Measures of the characters that the first five hits show."""
MAX_CUT = 10  # The deepest cut of the measures above.


def list_gold_measures(judge: str, cuts: Iterable[int] = ()) -> tuple[EvaluationMeasure, ...]:
    """The measures with a judge; their labels begin with its name."""
    return (
        EvaluationMeasure(f"{judge} nDCG@10", "nDCG@10", Unit.HIT_OF_GOLD),
        EvaluationMeasure(f"{judge} MRR@10", "RR@10", Unit.HIT_OF_GOLD),
        *(EvaluationMeasure(f"{judge} hit@{k}", f"Success@{k}", Unit.HIT_OF_GOLD) for k in (1, SHOWN_HITS, MAX_CUT)),
        *(EvaluationMeasure(f"{judge} recall@{k}", f"R@{k}", Unit.GOLD) for k in (SHOWN_HITS, *cuts)),
    )


def list_measures(dataset: Dataset, cuts: Iterable[int] = (), judge: str = SPAN_JUDGE) -> tuple[EvaluationMeasure, ...]:
    """The measures of a dataset, the one that decides first; recall, or pages, at further cuts come last."""
    deeper_cuts = tuple(cuts)
    gold_measures = (*list_gold_measures(judge, deeper_cuts), *CHARACTER_MEASURES) if dataset.is_located else ()
    if dataset.is_paged:
        page_measures = [EvaluationMeasure(f"page@{k}", f"Success@{k}", Unit.HIT_OF_PAGE) for k in deeper_cuts]
        return tuple(dict.fromkeys((*PAGE_MEASURES, *page_measures, *gold_measures)))
    if gold_measures:
        return tuple(dict.fromkeys((*gold_measures, EvaluationMeasure("doc@5", "Success@5", Unit.HIT_OF_DOCUMENT))))
    return tuple(
        dict.fromkeys((*DOCUMENT_MEASURES, *(EvaluationMeasure(f"recall@{k}", f"R@{k}") for k in deeper_cuts)))
    )


def score_answers(
    questions: Sequence[JudgedQuestion],
    answers: Mapping[str, Sequence[HitAnswer]],
    measures: Sequence[EvaluationMeasure],
) -> dict[str, dict[str, float]]:
    """The values of each question by its name and the measure's label; `answers` are the hits of each, best first.

    A question has no value of a measure that cannot judge it.
    """
    results: dict[str, dict[str, float]] = {question.name: {} for question in questions}
    for unit in RANKED_UNITS:
        labels = {measure.name: measure.label for measure in measures if measure.unit is unit}
        for name, measure, value in _iter_values(questions, answers, list(labels), unit):
            results[name][labels[measure]] = value
    unranked_measures = [measure for measure in measures if measure.unit not in RANKED_UNITS]
    for question in questions:
        results[question.name] |= _compute_counted(question, answers[question.name], unranked_measures)
    return {
        name: {measure.label: values[measure.label] for measure in measures if measure.label in values}
        for name, values in results.items()
    }


def find_first_rank(question: JudgedQuestion, answers: Sequence[HitAnswer], unit: Unit) -> int | None:
    """The rank, from 1, of the first answer in a list of this unit; None if there is none."""
    relevant, ranked_names = _rank_names(question, answers, unit)
    return next((rank for rank, name in enumerate(ranked_names, 1) if name in relevant), None)


def _iter_values(
    questions: Sequence[JudgedQuestion], answers: Mapping[str, Sequence[HitAnswer]], names: Sequence[str], unit: Unit
) -> Iterable[tuple[str, str, float]]:
    if not names:
        return
    import ir_measures

    lists = {question.name: _rank_names(question, answers[question.name], unit) for question in questions}
    grades = {name: relevant for name, (relevant, _) in lists.items() if relevant}
    # Scores from the ranks: for equal scores, the order of the search decides, not that of the names.
    run = {name: {document: 1.0 / rank for rank, document in enumerate(lists[name][1], 1)} for name in grades}
    for metric in ir_measures.iter_calc([ir_measures.parse_measure(name) for name in names], grades, run):
        yield metric.query_id, str(metric.measure), float(metric.value)


def _rank_names(question: JudgedQuestion, answers: Sequence[HitAnswer], unit: Unit) -> tuple[dict[str, int], list[str]]:
    """The grades of the right answers, by their names in a list, and the list."""
    if unit is Unit.HIT_OF_GOLD:
        known_golds = [number for number, gold in enumerate(question.gold) if gold.is_known]
        names, ranked_names = rank_golds(known_golds, answers)
        return dict.fromkeys(names, 1), ranked_names
    if unit is Unit.HIT_OF_PAGE:
        pages = {f"{gold.document}#{gold.page}": gold.grade for gold in question.gold}
        return pages, rank_hits(pages, [[f"{answer.document}#{page}" for page in answer.pages] for answer in answers])
    documents = {gold.document: gold.grade for gold in question.gold}
    if unit is Unit.DOCUMENT:
        # In order of their best passage.
        return documents, list(dict.fromkeys(answer.document for answer in answers))
    return documents, rank_hits(documents, [[answer.document] for answer in answers])


def _compute_counted(
    question: JudgedQuestion, answers: Sequence[HitAnswer], measures: Sequence[EvaluationMeasure]
) -> dict[str, float]:
    """The values of the measures that are not of rankings."""
    known_count = sum(gold.is_known for gold in question.gold)
    gold = [AnswerSpan(gold.document, *gold.span) for gold in question.gold if gold.span]
    spans = {
        Unit.PASSAGE: [answer.places[0] for answer in answers[:SHOWN_HITS] if answer.places],
        Unit.EXCERPT: [answer.excerpt for answer in answers[:SHOWN_HITS] if answer.excerpt],
    }
    values: dict[str, float] = {}
    for measure in measures:
        if measure.unit is Unit.GOLD and known_count:
            cut = int(measure.name.partition("@")[2])
            values[measure.label] = len(frozenset().union(*(answer.golds for answer in answers[:cut]))) / known_count
        elif measure.unit in spans and gold:
            values[measure.label] = getattr(measure_overlap(gold, spans[measure.unit]), measure.name)
    return values
