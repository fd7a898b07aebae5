"""The models of `tasks.ask.certainty`, fitted anew to questions with known answers, and the curve of what they give.

Only questions of the half "choose" are used for the weights. Each quotation that a question could be answered with is
an example: right where it has the gold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np

from benchmarks.answer_exam.outcomes import fits
from benchmarks.answer_exam.questions import Asked
from dashboards.assistant.extract_answers import find_quotation_candidates
from dashboards.assistant.tools.contract import ToolContext
from tasks.ask.certainty import NAMES, CertaintyFeatures
from tasks.ask.extracts import Extract
from tasks.query.retrieval import find
from warehouse.records import SearchRequest

QUOTATIONS = 8
"""Quotations of a question that are examples."""
RIDGE = 0.3
"""The weight of the squared weights, which keeps those of features that hardly occur small."""
STEPS = 60
"""Newton steps at most."""


@dataclass(frozen=True)
class Example:
    """A quotation: its model, features, whether it is right, and its question."""

    model: str
    features: CertaintyFeatures
    right: bool
    question: str
    group: str
    half: str


def examples(asked: Asked, context: ToolContext, wanted: SearchRequest) -> Iterator[Example]:
    """The quotations that a question may be answered with."""
    found = find(context.warehouse, wanted, context.embedder, context.today)
    for each in find_quotation_candidates(context, wanted, found, QUOTATIONS)[1]:
        right = asked.answerable and fits([each.text], asked.rule, asked.gold)
        yield Example(
            _model(each, foreign=found.question.foreign), each.features, right, asked.id, asked.group, asked.half
        )


def _model(extract: Extract, *, foreign: bool) -> str:
    if extract.figure:
        return "FIGURE"
    return "FOREIGN" if foreign else "ROW" if extract.text.startswith("|") else "SENTENCE"


def fitted(found: Sequence[Example]) -> dict[str, tuple[float, np.ndarray]]:
    """Constant and weights of each model, by the likelihood of the examples."""
    return {name: _logistic(_own(name, found)) for name in ("SENTENCE", "ROW", "FIGURE", "FOREIGN")}


def _own(name: str, found: Sequence[Example]) -> list[Example]:
    """The examples of a model; those of rows are all of them, as if no lookup of figures had found some."""
    own = [each for each in found if each.model == name]
    if name == "ROW":
        rows = (each for each in found if each.model == "FIGURE")
        own += [
            replace(each, features=replace(each.features, label_fit=0.0, time_fit=0.0, margin=0.0)) for each in rows
        ]
    return own


def _logistic(found: Sequence[Example]) -> tuple[float, np.ndarray]:
    """Ridge logistic regression by Newton's method, no weight below 0: each sign speaks for a quotation."""
    every = np.array([[1.0, *astuple(each.features)] for each in found])
    right = np.array([each.right for each in found], float)
    free = np.ones(every.shape[1], bool)
    while True:
        weights = np.zeros(every.shape[1])
        weights[free] = _newton(every[:, free], right)
        wrong = np.flatnonzero((weights < 0) & (np.arange(len(weights)) > 0))
        if not len(wrong):
            return float(weights[0]), weights[1:]
        free[wrong] = False


def _newton(values: np.ndarray, right: np.ndarray) -> np.ndarray:
    weights = np.zeros(values.shape[1])
    ridge = RIDGE * np.eye(len(weights))
    ridge[0, 0] = 1e-6
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(values @ weights, -30, 30)))
        slope = values.T @ (right - chance) - ridge @ weights
        step = np.linalg.solve((values * (chance * (1 - chance))[:, None]).T @ values + ridge, slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def described(models: dict[str, tuple[float, np.ndarray]], found: Sequence[Example]) -> Iterator[str]:
    """The models as they are written in `tasks.ask.certainty`, and on how many examples."""
    yield f"# {', '.join(NAMES)}"
    for name, (constant, weights) in models.items():
        own = _own(name, found)
        yield f"{name} = Weights({constant:.2f}, ({', '.join(f'{weight:.2f}' for weight in weights)}))"
        yield f"# {len(own)} examples, {sum(each.right for each in own)} of them right"
