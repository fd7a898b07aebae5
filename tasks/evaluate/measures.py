"""What ranked answers are worth, by the measures of `ir_measures` and `pytrec_eval`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from tasks.evaluate.answers import Answer, page_names, ranked_documents, ranked_hits
from tasks.evaluate.contract import Exam, Judged


class Unit(Enum):
    """What is ranked: documents by their best passage, or hits by the document or the evidence page they show."""

    DOCUMENT = auto()
    HIT_OF_DOCUMENT = auto()
    HIT_OF_PAGE = auto()


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: its label here, its name in `ir_measures`, and what it ranks."""

    label: str
    name: str
    unit: Unit = Unit.DOCUMENT


DOCUMENT_MEASURES = (
    Measure("nDCG@10", "nDCG@10"),
    Measure("recall@5", "R@5"),
    Measure("recall@10", "R@10"),
    Measure("MRR@10", "RR@10"),
    Measure("hit@5", "Success@5"),
    Measure("recall@1", "R@1"),
)
PAGE_MEASURES = (
    Measure("page@5", "Success@5", Unit.HIT_OF_PAGE),
    Measure("page@1", "Success@1", Unit.HIT_OF_PAGE),
    Measure("page@10", "Success@10", Unit.HIT_OF_PAGE),
    Measure("MRR@10", "RR@10", Unit.HIT_OF_PAGE),
    Measure("doc@5", "Success@5", Unit.HIT_OF_DOCUMENT),
)
DEEPEST = 10
"""The deepest cut of the measures above."""


def measures_of(exam: Exam, cuts: Iterable[int] = ()) -> tuple[Measure, ...]:
    """The measures of an exam, the one that decides first; recall, or pages, at further cuts come last."""
    if exam.paged:
        more = [Measure(f"page@{k}", f"Success@{k}", Unit.HIT_OF_PAGE) for k in cuts]
        return tuple(dict.fromkeys((*PAGE_MEASURES, *more)))
    return tuple(dict.fromkeys((*DOCUMENT_MEASURES, *(Measure(f"recall@{k}", f"R@{k}") for k in cuts))))


def judge(
    questions: Sequence[Judged], answers: Mapping[str, Sequence[Answer]], measures: Sequence[Measure]
) -> dict[str, dict[str, float]]:
    """The values of each question by its name and the measure's label; `answers` are the hits of each, best first."""
    found: dict[str, dict[str, float]] = {question.name: {} for question in questions}
    for unit in Unit:
        labels = {measure.name: measure.label for measure in measures if measure.unit is unit}
        for name, measure, value in _values(questions, answers, list(labels), unit):
            found[name][labels[measure]] = value
    return {name: {each.label: values[each.label] for each in measures} for name, values in found.items()}


def _values(
    questions: Sequence[Judged], answers: Mapping[str, Sequence[Answer]], names: Sequence[str], unit: Unit
) -> Iterable[tuple[str, str, float]]:
    if not names:
        return
    import ir_measures

    judged = {question.name: _relevant(question, unit) for question in questions}
    run = {name: _scored(_ranked(judged[name], answers[name], unit)) for name in judged}
    for found in ir_measures.iter_calc([ir_measures.parse_measure(name) for name in names], judged, run):
        yield found.query_id, str(found.measure), float(found.value)


def _scored(ranked: Sequence[str]) -> dict[str, float]:
    """Scores that fall with the rank: where those of the search tie, its order counts, not that of the names."""
    return {name: 1.0 / rank for rank, name in enumerate(ranked, 1)}


def _relevant(question: Judged, unit: Unit) -> dict[str, int]:
    if unit is Unit.HIT_OF_PAGE:
        return {name: gold.grade for gold in question.gold for name in page_names(gold.document, [gold.page])}
    return {gold.document: gold.grade for gold in question.gold}


def _ranked(relevant: Mapping[str, int], answers: Sequence[Answer], unit: Unit) -> list[str]:
    if unit is Unit.DOCUMENT:
        return ranked_documents(answers)
    if unit is Unit.HIT_OF_PAGE:
        return ranked_hits(relevant, [page_names(answer.document, answer.pages) for answer in answers])
    return ranked_hits(relevant, [[answer.document] for answer in answers])
