"""Why one configuration lost questions that another had: the first stage whose output differs where the answer stands.

Read from what is kept, without asking again: the trials, and the warehouses that they were asked of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flows.experiments.knowing import kept
from flows.experiments.parting import ConfigurationOutputs, parting
from tasks.evaluate.experiments.dimensions import short
from tasks.evaluate.experiments.grid import shown
from tasks.evaluate.experiments.outcome import Outcome, settings_of
from warehouse.errors import BadInput
from warehouse.records import TrialQuestion, TrialRecord
from warehouse.store import trials
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout

RANK = "rank"
"""Where all that is stored of the answer is the same, the order was decided by the search."""


@dataclass(frozen=True, slots=True)
class LostQuestion:
    """A question answered worse than before, and where the two ways part. Ranks are from 1; None is not found."""

    question: str
    text: str
    before: float
    after: float
    rank_before: int | None
    rank_after: int | None
    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class LossReport:
    """The lost questions of an exam, the worst first, by the measure that decides.

    `differences` say which settings of the two are not the same.
    """

    exam: str
    measure: str
    questions: int
    before: TrialRecord
    after: TrialRecord
    differences: tuple[str, ...]
    lost: tuple[LostQuestion, ...]


def explain(home: Layout, before: str, after: str) -> LossReport:
    """The questions lost from one trial to another, each named by its configuration or the beginning of its id.

    Raises `BadInput` where there is no such trial, or the two were asked different things.
    """
    one, other = _pair(Lake(home.lake), before, after)
    measure = next(iter(one.measures))
    ways = ConfigurationOutputs(home, one.record), ConfigurationOutputs(home, other.record)
    asked = {each.question: each for each in other.questions}
    lost = [
        _loss(ways, measure, each, asked[each.question], one, other)
        for each in one.questions
        if _mark(other, each.question, measure) < _mark(one, each.question, measure)
    ]
    lost.sort(key=lambda loss: (loss.after - loss.before, loss.question))
    return LossReport(
        one.record.exam, measure, len(one.questions), one.record, other.record, _differences(one, other), tuple(lost)
    )


def _pair(lake: Lake, before: str, after: str) -> tuple[Outcome, Outcome]:
    """The latest two of these names that were asked the same questions."""
    every = trials.kept(lake)[::-1]
    firsts, seconds = _named(every, before), _named(every, after)
    for first in firsts:
        for second in seconds:
            if (first.exam, first.questions, first.day) == (second.exam, second.questions, second.day):
                one, other = kept(lake, first.trial_id), kept(lake, second.trial_id)
                if one.values.keys() == other.values.keys() and one.measures.keys() == other.measures.keys():
                    return one, other
    raise BadInput(f"'{before}' and '{after}' were not asked the same questions", "try both in one grid")


def _named(every: Sequence[TrialRecord], name: str) -> list[TrialRecord]:
    found = [each for each in every if name and (each.name == name or each.trial_id.startswith(name))]
    if not found:
        names = ", ".join(f"'{each}'" for each in dict.fromkeys(record.name for record in every)) or "none"
        raise BadInput(f"no trial is named '{name}'", f"there are {names}")
    return found


def _loss(
    ways: tuple[ConfigurationOutputs, ConfigurationOutputs],
    measure: str,
    was: TrialQuestion,
    now: TrialQuestion,
    one: Outcome,
    other: Outcome,
) -> LostQuestion:
    stage, reason = next(parting(ways, was.gold), (RANK, _ranking(was, now)))
    marks = _mark(one, was.question, measure), _mark(other, was.question, measure)
    return LostQuestion(was.question, was.text, *marks, was.rank, now.rank, stage, reason)


def _ranking(was: TrialQuestion, now: TrialQuestion) -> str:
    """What came before the answer."""
    before = {hit.chunk_id for hit in was.hits[: was.rank]}
    ahead = now.hits[: now.rank - 1] if now.rank else now.hits
    new = sum(hit.chunk_id not in before for hit in ahead)
    return (
        f"the same passages, {new} others came before the one that answers"
        if new
        else "fewer of the passages that answer were found"
    )


def _differences(one: Outcome, other: Outcome) -> tuple[str, ...]:
    was, now = settings_of(one.record), settings_of(other.record)
    return tuple(
        f"{short(name)} {shown(was.get(name))}, now {shown(now.get(name))}"
        for name in {**was, **now}
        if was.get(name) != now.get(name)
    )


def _mark(outcome: Outcome, question: str, measure: str) -> float:
    return outcome.values[question].get(measure, 0.0)
