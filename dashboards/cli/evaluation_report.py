"""Reports of `kalends evaluate`: rankings on one set of questions, configurations of a grid, and embedding models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from dashboards.cli.text_output import iter_row_lines
from dashboards.serializers.grid_reports import (
    build_effect_rows,
    build_measure_rows,
    build_trial_rows,
    format_difference,
    serialize_grid,
)
from tasks.evaluate.answers import JUDGES
from tasks.evaluate.bootstrap import describe_clusters
from tasks.evaluate.configurations import DEFAULT_RANKING
from tasks.evaluate.experiments.grid_outcome import GridFindings, GridOutcome, Price
from tasks.evaluate.experiments.model_comparison import ModelComparison, shorten_model_names
from tasks.evaluate.measures import CHARACTER_MEASURES, SHOWN_HITS
from tasks.evaluate.outcomes import Evaluation, Trial, find_flips
from tasks.quality.phrases import format_count

_CHARACTERS = frozenset(measure.label for measure in CHARACTER_MEASURES)


def iter_grid_report_lines(findings: GridFindings) -> Iterator[str]:
    """The report of a grid: configurations, the best one and its cost, the effect of each value."""
    grid, price = findings.grid, findings.price
    count = grid.trials[0].record.questions if grid.trials else 0
    yield f"{grid.exam}: {count} questions over {grid.documents} documents, {len(grid.trials)} configurations"
    if price:
        for rows in (build_trial_rows(findings, price), build_measure_rows(findings)):
            yield from (*iter_row_lines(rows), "")
        yield from _iter_best_lines(findings.grid, price)
        yield ""
        if findings.effects:
            yield f"The effect of each value on {price.measure}, all else being equal:"
            yield from (*iter_row_lines(build_effect_rows(findings)), "")
    yield from (f"failed: {name}: {reason}" for name, reason in grid.failures.items())
    yield from (f"note: {note}" for note in grid.notes)
    if price:
        yield from _iter_measure_lines(price)
    yield "95 %: interval, bootstrap over documents, of differences paired; p: paired randomization test"
    yield "ms: median time of a search; ms 95 %: 95th percentile; both without the embedding of the question"
    yield "ingest s: time of the ingest, which reuses results of earlier configurations"


def _iter_best_lines(grid: GridOutcome, price: Price) -> Iterator[str]:
    highest = price.best.measures[price.measure].mean
    equal = sum(trial.measures[price.measure].mean == highest for trial in grid.trials)
    yield f"best by {price.measure}: {price.best.name}" + (f", the cheapest of {equal} equal ones" if equal > 1 else "")
    if price.cheapest is price.best:
        yield "no cheaper configuration is as good: all others are significantly worse or not cheaper"
        return
    difference, within = format_difference(price.gains[price.cheapest.name])
    yield (
        f"its cost compared with {price.cheapest.name}, which is not significantly worse ({difference} {within}): "
        f"{price.milliseconds:+.1f} ms a search, {price.vectors:+,} vectors, {price.bytes / 1e6:+.1f} MB of indexes"
    )


def _iter_measure_lines(price: Price) -> Iterator[str]:
    """Lines that explain the measures whose names do not say what they count."""
    yield from _iter_judge_lines(price.measure)
    if _CHARACTERS & price.best.measures.keys():
        counted = f"of the characters that answer, those in the first {SHOWN_HITS} passages or their excerpts"
        yield f"recall of passages and excerpts: {counted}; IoU: intersection over union"


def _iter_judge_lines(measure: str) -> Iterator[str]:
    judge, _, measure_name = measure.partition(" ")
    if measure_name and judge in JUDGES:
        yield f"{judge}: a hit counts where {JUDGES[judge].description}"


def iter_evaluation_lines(evaluation: Evaluation) -> Iterator[str]:
    """The mean measures of the rankings, their notes and certainty, then the measures of characters."""
    trials, labels = evaluation.trials, list(evaluation.trials[0].means)
    character_labels = [label for label in labels if label in _CHARACTERS]
    counts = f"{evaluation.questions} questions over {evaluation.documents} documents"
    yield f"{evaluation.exam}: {counts}, {evaluation.model}"
    yield from iter_row_lines(_iter_ranking_rows(trials, [label for label in labels if label not in _CHARACTERS]))
    yield from (f"note: {note}" for note in (*evaluation.notes, describe_clusters(evaluation.clusters)) if note)
    if character_labels:
        yield f"{evaluation.judge}: a hit counts where {JUDGES[evaluation.judge].description}"
    yield "ms: median time of a search without the embedding of the question" + (
        f", which took {evaluation.question_milliseconds:.1f} ms" if evaluation.question_milliseconds else ""
    )
    yield ""
    yield from iter_row_lines(_iter_certainty_rows(trials, labels[0]))
    yield "[ ]: 95 % interval, bootstrap; p: paired randomization test; won, lost: questions"
    if character_labels:
        yield ""
        yield from iter_row_lines(
            [("", *character_labels), *(_format_figures(trial, character_labels) for trial in trials)]
        )
        yield f"of the characters of the first {SHOWN_HITS} hits and of those that answer; IoU: intersection over union"


def serialize_evaluation(evaluation: Evaluation) -> dict[str, object]:
    """The record with the figures that are computed from it."""
    trials = [
        {
            **asdict(trial),
            "means": trial.means,
            "median_milliseconds": trial.median_milliseconds,
            "p95_milliseconds": trial.p95_milliseconds,
        }
        for trial in evaluation.trials
    ]
    return {**asdict(evaluation), "trials": trials}


def _iter_ranking_rows(trials: Sequence[Trial], labels: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Rows of the measures, the median time, and the difference of the first measure from the default."""
    yield ("", *labels, "ms", f"{labels[0]} against {DEFAULT_RANKING}")
    for trial in trials:
        change = trial.against.get(labels[0])
        against = f"{change.difference:+.3f} [{change.low:+.3f}, {change.high:+.3f}]" if change else ""
        yield (*_format_figures(trial, labels), f"{trial.median_milliseconds:.1f}", against)


def _iter_certainty_rows(trials: Sequence[Trial], label: str) -> Iterator[tuple[str, ...]]:
    """Rows of the first measure: interval, p value, questions won and lost against the default, slowest times."""
    default = next((trial for trial in trials if trial.name == DEFAULT_RANKING), None)
    yield ("", label, "", f"p against {DEFAULT_RANKING}", "won", "lost", "ms, 95th percentile")
    for trial in trials:
        mean = trial.estimates[label]
        estimate_cells = (trial.name, f"{mean.mean:.3f}", f"[{mean.low:.3f}, {mean.high:.3f}]")
        against, change = ("", "", ""), trial.against.get(label)
        if change and default:
            changes = find_flips(trial, default, label)
            against = (f"{change.p:.3f}", str(len(changes.gains)), str(len(changes.losses)))
        yield (*estimate_cells, *against, f"{trial.p95_milliseconds:.1f}")


def _format_figures(trial: Trial, labels: Sequence[str]) -> tuple[str, ...]:
    return (trial.name, *(f"{trial.means[label]:.3f}" for label in labels))


WIDTH = 80  # The width of the tables in columns, for models with names of up to 15 characters.
_GAP = 2  # Columns between those of a table.
_SLOWEST = "ms 95 %"


def iter_model_report_lines(comparison: ModelComparison) -> Iterator[str]:
    """The lines of the report: the cost of each model, its results next to those of the first, its other measures."""
    outcome, short = comparison.outcome, shorten_model_names(comparison.models)
    if comparison.rows:
        questions = comparison.rows[0].trial.record.questions
        models = format_count(len(comparison.models), "model")
        yield f"{outcome.exam}: {questions} questions over {outcome.documents} documents, {models}"
        for iter_rows in (_iter_cost_rows, _iter_change_rows, _iter_measure_rows):
            yield from (*iter_row_lines(iter_rows(comparison, short)), "")
    yield from (f"failed: {name}: {reason}" for name, reason in outcome.failures.items())
    yield from (f"note: {note}" for note in outcome.notes if note)
    if not comparison.rows:
        return
    yield from _iter_judge_lines(outcome.measure)
    if len(comparison.models) > 1:
        yield f"change: from {short.get(comparison.first, comparison.first)}, paired by question, with its interval"
        yield "p: paired randomization test; won, lost: questions"
    yield "ms: median time of a search without the vector of its question"
    yield f"{_SLOWEST}: 95th percentile of these times"
    yield "ingest s: time of the ingest, which reuses what other ingests made"


def serialize_model_comparison(findings: GridFindings, comparison: ModelComparison) -> dict[str, Any]:
    """All results as of a grid, each with its model, its ranking, and by measure the change from the first model."""
    rows = {row.trial.name: row for row in comparison.rows}
    grid_json = serialize_grid(findings)
    trials = []
    for trial in grid_json["trials"]:
        row = rows[trial["name"]]
        against = {label: asdict(change) for label, change in row.against.items()}
        trials.append({"embed_model": row.model, "part": row.part, **trial, "against": against})
    return {**grid_json, "first": comparison.first, "trials": trials}


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
            won_count, lost_count = len(row.flips.gains), len(row.flips.losses)
            change_cells = (*format_difference(change), f"{change.p:.3f}", str(won_count), str(lost_count))
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
    labels = []
    for label in comparison.rows[0].trial.measures:
        if label != comparison.outcome.measure:
            room -= _GAP + len(label)
            if room < 0:
                break
            labels.append(label)
    yield ("", *labels, _SLOWEST)
    for row in comparison.rows:
        measures = row.trial.measures
        figures = (f"{measures[label].mean:.3f}" if label in measures else "" for label in labels)
        yield (names[row.trial.name], *figures, f"{row.trial.record.p95:.1f}")
