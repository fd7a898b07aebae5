"""Reports of `kalends evaluate` for people: rankings on one set of questions, and the configurations of a grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from dashboards.cli.text_output import iter_row_lines
from dashboards.serializers.grid_reports import (
    build_effect_rows,
    build_measure_rows,
    build_trial_rows,
    format_difference,
)
from tasks.evaluate.answers import JUDGES
from tasks.evaluate.bootstrap import describe_clusters
from tasks.evaluate.configurations import DEFAULT
from tasks.evaluate.experiments.grid_outcome import GridFindings, GridOutcome, Price
from tasks.evaluate.measures import CHARACTER_MEASURES, SHOWN_HITS
from tasks.evaluate.outcomes import Evaluation, Trial, find_flips

_CHARACTERS = frozenset(measure.label for measure in CHARACTER_MEASURES)


def iter_grid_report_lines(findings: GridFindings) -> Iterator[str]:
    """The report of a grid: configurations, the best one and its cost, the effect of each value."""
    grid, price = findings.grid, findings.price
    count = grid.trials[0].record.questions if grid.trials else 0
    yield f"{grid.exam}: {count} questions over {grid.documents} documents, {len(grid.trials)} configurations"
    if price:
        yield from (
            *iter_row_lines(build_trial_rows(findings, price)),
            "",
            *iter_row_lines(build_measure_rows(findings)),
            "",
        )
        yield from _iter_best_lines(findings.grid, price)
        yield ""
        if findings.effects:
            yield f"The effect of each value on {price.measure}, all else being equal:"
            yield from (*iter_row_lines(build_effect_rows(findings)), "")
    yield from (f"failed: {name}: {reason}" for name, reason in grid.failed.items())
    yield from (f"note: {note}" for note in grid.notes)
    if price:
        yield from _iter_measure_lines(price)
    yield "95 %: interval, bootstrap over documents, of differences paired; p: paired randomization test"
    yield "ms: median time of a search; ms 95 %: 95th percentile; both without the embedding of the question"
    yield "ingest s: time of the ingest, which reuses results of earlier configurations"


def _iter_best_lines(grid: GridOutcome, price: Price) -> Iterator[str]:
    highest = price.best.measures[price.measure].mean
    equal = sum(each.measures[price.measure].mean == highest for each in grid.trials)
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
    judge, _, rest = price.measure.partition(" ")
    if rest and judge in JUDGES:
        yield f"{judge}: a hit counts where {JUDGES[judge].description}"
    if _CHARACTERS & price.best.measures.keys():
        counted_characters = (
            f"of the characters that answer, those in the first {SHOWN_HITS} passages or their excerpts"
        )
        yield f"recall of passages and excerpts: {counted_characters}; IoU: intersection over union"


def iter_evaluation_lines(evaluation: Evaluation) -> Iterator[str]:
    """The mean measures of the rankings, their notes and certainty, then the measures of characters."""
    trials, labels = evaluation.trials, list(evaluation.trials[0].means)
    counted = [label for label in labels if label in _CHARACTERS]
    counts = f"{evaluation.questions} questions over {evaluation.documents} documents"
    yield f"{evaluation.exam}: {counts}, {evaluation.model}"
    yield from iter_row_lines(_iter_ranking_rows(trials, [label for label in labels if label not in _CHARACTERS]))
    yield from (f"note: {note}" for note in (*evaluation.notes, describe_clusters(evaluation.clusters)) if note)
    if counted:
        yield f"{evaluation.judge}: a hit counts where {JUDGES[evaluation.judge].description}"
    yield "ms: median time of a search without the embedding of the question" + (
        f", which took {evaluation.question_milliseconds:.1f} ms" if evaluation.question_milliseconds else ""
    )
    yield ""
    yield from iter_row_lines(_iter_certainty_rows(trials, labels[0]))
    yield "[ ]: 95 % interval, bootstrap; p: paired randomization test; won, lost: questions"
    if counted:
        yield ""
        yield from iter_row_lines([("", *counted), *(_format_figures(trial, counted) for trial in trials)])
        yield f"of the characters of the first {SHOWN_HITS} hits and of those that answer; IoU: intersection over union"


def serialize_evaluation(evaluation: Evaluation) -> dict[str, object]:
    """The record with the figures that are made from it."""
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
    yield ("", *labels, "ms", f"{labels[0]} against {DEFAULT}")
    for trial in trials:
        change = trial.against.get(labels[0])
        against = f"{change.difference:+.3f} [{change.low:+.3f}, {change.high:+.3f}]" if change else ""
        yield (*_format_figures(trial, labels), f"{trial.median_milliseconds:.1f}", against)


def _iter_certainty_rows(trials: Sequence[Trial], label: str) -> Iterator[tuple[str, ...]]:
    """Rows of the first measure: interval, p value, questions won and lost against the default, slowest times."""
    default = next((trial for trial in trials if trial.name == DEFAULT), None)
    yield ("", label, "", f"p against {DEFAULT}", "won", "lost", "ms, 95th percentile")
    for trial in trials:
        mean = trial.estimates[label]
        estimate_cells = (trial.name, f"{mean.mean:.3f}", f"[{mean.low:.3f}, {mean.high:.3f}]")
        against, change = ("", "", ""), trial.against.get(label)
        if change and default:
            changes = find_flips(trial, default, label)
            against = (f"{change.p:.3f}", str(len(changes.won)), str(len(changes.lost)))
        yield (*estimate_cells, *against, f"{trial.p95_milliseconds:.1f}")


def _format_figures(trial: Trial, labels: Sequence[str]) -> tuple[str, ...]:
    return (trial.name, *(f"{trial.means[label]:.3f}" for label in labels))
