"""Reports of `kalends evaluate --model`: embedding models side by side, as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from dashboards.cli.text_output import iter_row_lines
from dashboards.serializers.grid_reports import format_difference, serialize_grid
from tasks.evaluate.answers import JUDGES
from tasks.evaluate.experiments.grid_outcome import GridFindings
from tasks.evaluate.experiments.model_comparison import ModelComparison, shorten_model_names
from tasks.quality.phrases import format_count

WIDTH = 80  # Columns that the tables keep to, for models with names of up to 15 characters.
_GAP = 2  # Columns between those of a table.
_SLOWEST = "ms 95 %"


def iter_model_report_lines(comparison: ModelComparison) -> Iterator[str]:
    """The lines of the report: the cost of each model, its results beside those of the first, its other measures."""
    outcome, short = comparison.outcome, shorten_model_names(comparison.models)
    if comparison.rows:
        questions = comparison.rows[0].trial.record.questions
        counts = (
            f"{questions} questions over {outcome.documents} documents, {format_count(len(comparison.models), 'model')}"
        )
        yield f"{outcome.exam}: {counts}"
        yield from (
            *iter_row_lines(_iter_cost_rows(comparison, short)),
            "",
            *iter_row_lines(_iter_change_rows(comparison, short)),
            "",
        )
        yield from (*iter_row_lines(_iter_measure_rows(comparison, short)), "")
    yield from (f"failed: {name}: {reason}" for name, reason in outcome.failed.items())
    yield from (f"note: {note}" for note in outcome.notes if note)
    if not comparison.rows:
        return
    judge, _, rest = outcome.measure.partition(" ")
    if rest and judge in JUDGES:
        yield f"{judge}: a hit counts where {JUDGES[judge].description}"
    if len(comparison.models) > 1:
        yield f"change: from {short.get(comparison.first, comparison.first)}, paired by question, with its interval"
        yield "p: paired randomization test; won, lost: questions"
    yield "ms: median time of a search without the vector of its question"
    yield f"{_SLOWEST}: 95th percentile of these times"
    yield "ingest s: time of the ingest, which reuses what other ingests made"


def serialize_model_comparison(findings: GridFindings, comparison: ModelComparison) -> dict[str, Any]:
    """All results as of a grid, each with its model, its ranking, and by measure the change from the first model."""
    rows = {row.trial.name: row for row in comparison.rows}
    whole = serialize_grid(findings)
    trials = []
    for trial in whole["trials"]:
        row = rows[trial["name"]]
        against = {label: asdict(change) for label, change in row.against.items()}
        trials.append({"embed_model": row.model, "part": row.part, **trial, "against": against})
    return {**whole, "first": comparison.first, "trials": trials}


def _iter_cost_rows(comparison: ModelComparison, short: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """A header and a row a model: the identity that its vectors are kept by, and what the ingest made."""
    yield ("model", "identity", "vectors", "MB", "ingest s")
    records = {row.model: row.trial.record for row in comparison.rows}
    for model in comparison.models:
        record = records[model]
        costs = f"{record.vectors:,}", f"{record.index_bytes / 1e6:.1f}", f"{record.ingest_seconds:.1f}"
        yield (short[model], record.model, *costs)


def _iter_change_rows(comparison: ModelComparison, short: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """A header and a row a ranking and model, for the measure that decides."""
    label = comparison.outcome.measure
    yield ("", label, "change", "95 %", "p", "won", "lost", "ms")
    for row in comparison.rows:
        change, change_cells = row.against.get(label), ("", "", "", "", "")
        if change and row.flips:
            won, lost = len(row.flips.won), len(row.flips.lost)
            change_cells = (*format_difference(change), f"{change.p:.3f}", str(won), str(lost))
        record = row.trial.record
        yield (
            f"{row.part} {short[row.model]}",
            f"{row.trial.measures[label].mean:.3f}",
            *change_cells,
            f"{record.p50:.1f}",
        )


def _iter_measure_rows(comparison: ModelComparison, short: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """A header and a row a ranking and model: the other measures, as many as fit, and the slowest searches."""
    names = {row.trial.name: f"{row.part} {short[row.model]}" for row in comparison.rows}
    room = WIDTH - max(map(len, names.values())) - _GAP - len(_SLOWEST)
    labels = list(
        _select_fitting_labels(
            [label for label in comparison.rows[0].trial.measures if label != comparison.outcome.measure], room
        )
    )
    yield ("", *labels, _SLOWEST)
    for row in comparison.rows:
        measures = row.trial.measures
        figures = (f"{measures[label].mean:.3f}" if label in measures else "" for label in labels)
        yield (names[row.trial.name], *figures, f"{row.trial.record.p95:.1f}")


def _select_fitting_labels(labels: Sequence[str], room: int) -> Iterator[str]:
    """The first labels of columns that take no more than `room`."""
    for label in labels:
        room -= _GAP + len(label)
        if room < 0:
            return
        yield label
