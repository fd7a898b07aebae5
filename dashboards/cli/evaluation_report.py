"""Reports of `kalends evaluate` for people: rankings on one set of questions, and the configurations of a grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from dashboards.cli.text_output import table_lines
from dashboards.serializers.grid_reports import difference_cells, effect_rows, measure_rows, trial_rows
from tasks.evaluate.configurations import DEFAULT
from tasks.evaluate.experiments.findings import Findings
from tasks.evaluate.experiments.price import Price
from tasks.evaluate.flips import flips
from tasks.evaluate.judgement import JUDGES
from tasks.evaluate.measures import CHARACTER_MEASURES, SHOWN
from tasks.evaluate.outcomes import Evaluation, Trial
from warehouse.records import Table

_CHARACTERS = frozenset(measure.label for measure in CHARACTER_MEASURES)


def grid_report_lines(found: Findings) -> Iterator[str]:
    """The report of a grid: configurations, the best one and its cost, the effect of each value."""
    grid, chosen = found.grid, found.price
    count = grid.trials[0].record.questions if grid.trials else 0
    yield f"{grid.exam}: {count} questions over {grid.documents} documents, {len(grid.trials)} configurations"
    if chosen:
        yield from _drawn(trial_rows(found, chosen))
        yield from _drawn(measure_rows(found))
        yield from _best(chosen)
        yield ""
        if found.effects:
            yield f"The effect of each value on {chosen.measure}, all else being equal:"
            yield from _drawn(effect_rows(found))
    yield from (f"failed: {name}: {reason}" for name, reason in grid.failed.items())
    yield from (f"note: {note}" for note in grid.notes)
    yield "[ ]: 95 % interval, bootstrap over the questions, of differences paired; p: paired randomization test"
    yield "ms: median time of a search; ms 95 %: 95th percentile; both without the embedding of the question"
    yield "ingest s: time of the ingest, which reuses results of earlier configurations"


def _best(chosen: Price) -> Iterator[str]:
    yield f"best by {chosen.measure}: {chosen.best.name}"
    if chosen.cheapest is chosen.best:
        yield "no cheaper configuration is as good: all others are significantly worse or not cheaper"
        return
    difference, within = difference_cells(chosen.gains[chosen.cheapest.name])
    yield (
        f"its cost compared with {chosen.cheapest.name}, which is not significantly worse ({difference} {within}): "
        f"{chosen.milliseconds:+.1f} ms a search, {chosen.vectors:+,} vectors, {chosen.bytes / 1e6:+.1f} MB of indexes"
    )


def _drawn(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield from table_lines(Table(1, 0, 0, tuple(rows), ()))
    yield ""


def evaluation_lines(found: Evaluation) -> Iterator[str]:
    """The mean measures of the rankings, their notes and certainty, then the measures of characters."""
    labels = list(found.trials[0].means)
    counted = [label for label in labels if label in _CHARACTERS]
    yield f"{found.exam}: {found.questions} questions over {found.documents} documents, {found.model}"
    yield from _grid(_ranked(found.trials, [label for label in labels if label not in _CHARACTERS]))
    yield from (f"note: {note}" for note in found.notes)
    if counted:
        yield f"{found.judge}: a hit counts where {JUDGES[found.judge].says}"
    yield "ms: median time of a search without the embedding of the question" + (
        f", which took {found.question_milliseconds:.1f} ms" if found.question_milliseconds else ""
    )
    yield ""
    yield from _grid(_certainty(found.trials, labels[0]))
    yield "[ ]: 95 % interval, bootstrap; p: paired randomization test; won, lost: questions"
    if counted:
        yield ""
        yield from _grid(_shown(found.trials, counted))
        yield f"of the characters of the first {SHOWN} hits and of those that answer; IoU: intersection over union"


def evaluation_json(found: Evaluation) -> dict[str, object]:
    """The record with the figures that are made from it."""
    trials = [
        {
            **asdict(trial),
            "means": trial.means,
            "median_milliseconds": trial.median_milliseconds,
            "p95_milliseconds": trial.p95_milliseconds,
        }
        for trial in found.trials
    ]
    return {**asdict(found), "trials": trials}


def _grid(rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield from table_lines(Table(1, 0, 0, tuple(rows), ()))


def _ranked(trials: Sequence[Trial], labels: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Rows of the measures, the median time, and the difference of the first measure from the default."""
    yield ("", *labels, "ms", f"{labels[0]} against {DEFAULT}")
    for trial in trials:
        change = trial.against.get(labels[0])
        against = f"{change.difference:+.3f} [{change.low:+.3f}, {change.high:+.3f}]" if change else ""
        yield (*_figures(trial, labels), f"{trial.median_milliseconds:.1f}", against)


def _certainty(trials: Sequence[Trial], label: str) -> Iterator[tuple[str, ...]]:
    """Rows of the first measure: interval, p value, questions won and lost against the default, slowest times."""
    default = next((trial for trial in trials if trial.name == DEFAULT), None)
    yield ("", label, "", f"p against {DEFAULT}", "won", "lost", "ms, 95th percentile")
    for trial in trials:
        mean = trial.estimates[label]
        own = (trial.name, f"{mean.mean:.3f}", f"[{mean.low:.3f}, {mean.high:.3f}]")
        yield (*own, *_moved(trial, default, label), f"{trial.p95_milliseconds:.1f}")


def _moved(trial: Trial, default: Trial | None, label: str) -> tuple[str, str, str]:
    change = trial.against.get(label)
    if change is None or default is None:
        return ("", "", "")
    found = flips(trial, default, label)
    return (f"{change.p:.3f}", str(len(found.won)), str(len(found.lost)))


def _shown(trials: Sequence[Trial], labels: Sequence[str]) -> Iterator[tuple[str, ...]]:
    yield ("", *labels)
    for trial in trials:
        yield _figures(trial, labels)


def _figures(trial: Trial, labels: Sequence[str]) -> tuple[str, ...]:
    return (trial.name, *(f"{trial.means[label]:.3f}" for label in labels))
