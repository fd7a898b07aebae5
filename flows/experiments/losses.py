"""Questions that one configuration lost against another, and the first stage whose output differs at the answer.

Read from the kept trials and their warehouses; nothing is searched again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flows.experiments.grids import read_outcome
from tasks.evaluate.experiments.experiment import format_value, get_short_name
from tasks.evaluate.experiments.grid_outcome import TrialOutcome, read_settings
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import GoldPlace, TrialQuestion, TrialRecord
from warehouse.store import trials
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout

RANK = "rank"  # If all stored outputs at the answer are the same, the search decided the order.


@dataclass(frozen=True, slots=True)
class LostQuestion:
    """A question answered worse than before, and the stage that differs. Ranks are from 1; None is not found."""

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
    """The lost questions of a dataset, the worst first, by the first measure.

    `differences` names the settings in which the two trials differ.
    """

    exam: str
    measure: str
    questions: int
    before: TrialRecord
    after: TrialRecord
    differences: tuple[str, ...]
    lost_questions: tuple[LostQuestion, ...]


def explain_losses(home: Layout, before: str, after: str) -> LossReport:
    """The questions lost from one trial to another, each named by its configuration or the start of its id.

    Raises `BadInput` where there is no such trial, or the two have different questions.
    """
    one, other = _find_pair(Lake(home.lake), before, after)
    measure = next(iter(one.measures))
    outputs = ConfigurationOutputs(home, one.record), ConfigurationOutputs(home, other.record)
    new_questions = {question.question: question for question in other.questions}
    losses = []
    for question in one.questions:
        mark, new_mark = (trial.values[question.question].get(measure, 0.0) for trial in (one, other))
        if new_mark < mark:
            new_question = new_questions[question.question]
            stage, reason = next(
                compare_stages(outputs, question.gold), (RANK, _describe_ranking(question, new_question))
            )
            ranks = question.rank, new_question.rank
            losses.append(LostQuestion(question.question, question.text, mark, new_mark, *ranks, stage, reason))
    losses.sort(key=lambda loss: (loss.after - loss.before, loss.question))
    old, new = read_settings(one.record), read_settings(other.record)
    differences = tuple(
        f"{get_short_name(name)} {format_value(old.get(name), name)}, now {format_value(new.get(name), name)}"
        for name in {**old, **new}
        if old.get(name) != new.get(name)
    )
    return LossReport(
        one.record.exam, measure, len(one.questions), one.record, other.record, differences, tuple(losses)
    )


def _find_pair(lake: Lake, before: str, after: str) -> tuple[TrialOutcome, TrialOutcome]:
    """The latest two of these names that were asked the same questions."""
    records = trials.read_trials(lake)[::-1]
    firsts, seconds = _select_trials(records, before), _select_trials(records, after)
    for first in firsts:
        for second in seconds:
            if (first.exam, first.questions, first.day) == (second.exam, second.questions, second.day):
                one, other = read_outcome(lake, first.trial_id), read_outcome(lake, second.trial_id)
                if one.values.keys() == other.values.keys() and one.measures.keys() == other.measures.keys():
                    return one, other
    raise BadInput(f"'{before}' and '{after}' were not asked the same questions", "put both into one grid")


def _select_trials(records: Sequence[TrialRecord], name: str) -> list[TrialRecord]:
    matches = [record for record in records if name and (record.name == name or record.trial_id.startswith(name))]
    if not matches:
        names = ", ".join(f"'{name}'" for name in dict.fromkeys(record.name for record in records)) or "none"
        raise BadInput(f"there is no trial named '{name}'", f"the trials are {names}")
    return matches


def _describe_ranking(before: TrialQuestion, after: TrialQuestion) -> str:
    """How many other passages came before the answer."""
    answering_ids = {hit.chunk_id for hit in before.hits[: before.rank]}
    ahead = after.hits[: after.rank - 1] if after.rank else after.hits
    if new := sum(hit.chunk_id not in answering_ids for hit in ahead):
        return f"the same passages, {new} others came before the one that answers"
    return "fewer of the passages that answer were found"


_STAGES = ("parse", "tables", "chunk", "embed")
_QUERIES = {
    "parse": "SELECT text[$start + 1:$end] FROM contents WHERE document_id = $id",
    "tables": """
        SELECT row_header, column_header, text, value, period_start, period_end FROM cells
        WHERE document_id = $id AND start < $end AND "end" > $start
    """,
    "chunk": """
        SELECT text, prefix FROM chunks
        WHERE document_id = $id AND start < $end AND "end" > $start ORDER BY start, "end"
    """,
    "embed": """
        SELECT v.vector_id FROM chunk_vectors v JOIN chunks c USING (chunk_id)
        WHERE c.document_id = $id AND c.start < $end AND c."end" > $start ORDER BY ALL
    """,
}
"""The queries of each stage's output for a span of a document's text."""

Rows = list[tuple[Any, ...]]


class ConfigurationOutputs:
    """The outputs of one configuration for the documents."""

    def __init__(self, home: Layout, record: TrialRecord) -> None:
        """`record` is of a trial whose warehouse is in the same folder as `home`."""
        folder = home.experiments / record.fingerprint
        self._warehouse = Warehouse(folder).pin_generation(record.generation)

    def read_keys(self, document_id: str) -> dict[str, str]:
        """The key of each stage's output for a document; the same key is the same output."""
        sql = "SELECT stage, key FROM outputs WHERE document_id = $id"
        return dict(self._warehouse.snapshot.query_rows(sql, {"id": document_id}))

    def read_rows(self, stage: str, place: GoldPlace) -> Rows:
        """The output of a stage for a place."""
        rows, document, start, end = self._warehouse.snapshot.query_rows, place.document_id, place.start, place.end
        if start is None or end is None:
            # If the span is not known, that of the page, else that of the document.
            sql = 'SELECT coalesce(min(start), 0), coalesce(max("end"), 0) FROM blocks WHERE document_id = $id'
            page = {} if place.page is None else {"page": place.page}
            ((start, end),) = rows(sql + (" AND page = $page" if page else ""), {"id": document, **page})
        return rows(_QUERIES[stage], {"id": document, "start": start, "end": end})


def compare_stages(
    outputs: tuple[ConfigurationOutputs, ConfigurationOutputs], gold: Sequence[GoldPlace]
) -> Iterator[tuple[str, str]]:
    """The stages, in order, whose outputs differ at the place of the answer, with the difference."""
    for stage in _STAGES:
        for place in gold:
            keys = [configuration.read_keys(place.document_id).get(stage) for configuration in outputs]
            if keys[0] == keys[1]:
                continue
            rows_of_both = [configuration.read_rows(stage, place) for configuration in outputs]
            if rows_of_both[0] != rows_of_both[1]:
                yield stage, _describe_difference(stage, *rows_of_both)


def _describe_difference(stage: str, before: Rows, after: Rows) -> str:
    """The difference in words."""
    if stage == "chunk":
        if [text for text, _ in before] == [text for text, _ in after]:
            return f"the same passages, embedded with {_describe_prefix(before)}, now with {_describe_prefix(after)}"
        return f"the answer lay in {_describe_lengths(before)}, now in {_describe_lengths(after)}"
    if stage == "parse":
        return "the text there was read otherwise"
    noun, same = {
        "embed": ("vectors of its passages", "other vectors"),
        "tables": ("cells there", "cells were read otherwise"),
    }[stage]
    return f"{len(before)} {noun}, now {len(after)}" if len(before) != len(after) else same


def _describe_lengths(rows: Rows) -> str:
    sizes = sorted((len(row[0]) for row in rows), reverse=True)
    if len(sizes) == 1:
        return f"a passage of {sizes[0]} characters"
    return f"{len(sizes)} passages of up to {sizes[0]} characters" if sizes else "no passage"


def _describe_prefix(rows: Rows) -> str:
    prefix_text = next((prefix for _, prefix in rows if prefix), "")
    return f"'{' '.join(prefix_text.split())[:60]}' before them" if prefix_text else "nothing before them"
