"""What is measured of the answers to an exam."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from tasks.evaluate.contract import Dataset
from tasks.evaluate.judgement import DEFAULT


class Unit(Enum):
    """What is ranked, or what is counted.

    Documents are ranked by their best passage, hits by the document, the evidence page or the gold they show. Counted
    are the pieces of gold, and the characters of the passages and of the excerpts, that the first hits show.
    """

    DOCUMENT = auto()
    HIT_OF_DOCUMENT = auto()
    HIT_OF_PAGE = auto()
    HIT_OF_GOLD = auto()
    GOLD = auto()
    PASSAGE = auto()
    EXCERPT = auto()


RANKED = (Unit.DOCUMENT, Unit.HIT_OF_DOCUMENT, Unit.HIT_OF_PAGE, Unit.HIT_OF_GOLD)
SHOWN = 5
"""So many hits are read: what a search gives where nobody asks for another number."""


@dataclass(frozen=True, slots=True)
class EvaluationMeasure:
    """A measure: its label here, its name in `ir_measures` or in `Overlap`, and what it is of."""

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
"""Of the characters that the first five hits show."""
DEEPEST = 10
"""The deepest cut of the measures above."""


def gold_measures(judge: str, cuts: Iterable[int] = ()) -> tuple[EvaluationMeasure, ...]:
    """The measures by what a judge counts as a hit, whose name their labels begin with."""
    return (
        EvaluationMeasure(f"{judge} nDCG@10", "nDCG@10", Unit.HIT_OF_GOLD),
        EvaluationMeasure(f"{judge} MRR@10", "RR@10", Unit.HIT_OF_GOLD),
        *(EvaluationMeasure(f"{judge} hit@{k}", f"Success@{k}", Unit.HIT_OF_GOLD) for k in (1, SHOWN, DEEPEST)),
        *(EvaluationMeasure(f"{judge} recall@{k}", f"R@{k}", Unit.GOLD) for k in (SHOWN, *cuts)),
    )


def measures_of(exam: Dataset, cuts: Iterable[int] = (), judge: str = DEFAULT) -> tuple[EvaluationMeasure, ...]:
    """The measures of an exam, the one that decides first; recall, or pages, at further cuts come last."""
    further = tuple(cuts)
    by_gold = (*gold_measures(judge, further), *CHARACTER_MEASURES) if exam.located else ()
    if exam.paged:
        more = [EvaluationMeasure(f"page@{k}", f"Success@{k}", Unit.HIT_OF_PAGE) for k in further]
        return tuple(dict.fromkeys((*PAGE_MEASURES, *more, *by_gold)))
    if by_gold:
        return tuple(dict.fromkeys((*by_gold, EvaluationMeasure("doc@5", "Success@5", Unit.HIT_OF_DOCUMENT))))
    return tuple(dict.fromkeys((*DOCUMENT_MEASURES, *(EvaluationMeasure(f"recall@{k}", f"R@{k}") for k in further))))
