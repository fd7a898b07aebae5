"""The rows of the page's tables: experiments, the configurations of one, and the effect of each value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from dashboards.facts.experiments.rounds import TrialGroup
from tasks.evaluate.contract import Judged
from tasks.evaluate.experiments.effects import Effect
from tasks.evaluate.experiments.outcome import Outcome
from tasks.evaluate.making import MAKERS, notes
from warehouse.records import TrialRecord


def round_table(held: Sequence[TrialGroup], titles: Sequence[str]) -> pa.Table:
    """A row an experiment, with its title and its best configuration."""
    rows = []
    for each, title in zip(held, titles, strict=True):
        best = each.ranked(each.measures[0])[0]
        rows.append(
            {
                "title": title,
                "exam": each.exam,
                "questions": best.questions,
                "documents": best.documents,
                "configurations": len(each.trials),
                "best": best.name,
                "measure": each.measures[0],
                "mean": best.measures[0].mean,
                "low": best.measures[0].low,
                "high": best.measures[0].high,
                "day": best.day,
            }
        )
    return pa.Table.from_pylist(rows)


def trial_table(ranked: Sequence[TrialRecord], measure: str) -> pa.Table:
    """A row a configuration: the measure with its interval, its price, and all other measures."""
    return pa.Table.from_pylist([_trial(each, measure) for each in ranked])


def effect_table(found: Sequence[Effect]) -> pa.Table:
    """A row a value of a dimension."""
    schema = pa.schema(
        [("dimension", "string"), ("value", "string"), ("mean", "double"), ("configurations", "int64")]
        + [(name, "double") for name in ("difference", "low", "high", "p")]
    )
    rows = []
    for each in found:
        change = each.change
        figures = {name: getattr(change, name) if change else None for name in ("difference", "low", "high", "p")}
        names = ("dimension", "value", "mean", "configurations")
        rows.append({**{name: getattr(each, name) for name in names}, **figures})
    return pa.Table.from_pylist(rows, schema=schema)


def question_notes(outcome: Outcome) -> tuple[str, ...]:
    """What questions that were made from the corpus can and cannot show; none for others."""
    asked = [Judged(each.question, each.text, ()) for each in outcome.questions]
    if not all(any(each.name.startswith(f"{kind}-") for kind in MAKERS) for each in asked):
        return ()
    return tuple(notes(asked))


def _trial(each: TrialRecord, measure: str) -> dict[str, Any]:
    found = {row.measure: row for row in each.measures}
    decides = found.get(measure)
    return {
        "configuration": each.name,
        "mean": decides.mean if decides else None,
        "low": decides.low if decides else None,
        "high": decides.high if decides else None,
        "p50": each.p50,
        "p95": each.p95,
        "chunks": each.chunks,
        "vectors": each.vectors,
        "megabytes": each.index_bytes / 1e6,
        "ingest_seconds": each.ingest_seconds,
        **{label: row.mean for label, row in found.items() if label != measure},
        "model": each.model,
        "day": each.day,
        "trial_id": each.trial_id,
    }
