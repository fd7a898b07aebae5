"""What a grid found, as lines for people: every configuration, the best and its price, and what each value is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dashboards.cli.grid import grid_lines
from tasks.evaluate.experiments.effects import effects
from tasks.evaluate.experiments.outcome import GridOutcome, Outcome, change
from tasks.evaluate.experiments.price import Price, price
from tasks.evaluate.outcomes import Change
from warehouse.records import Table

FEW = 3
"""So many measures beside those of characters stand in the table; files have all of them."""
_CHARACTERS = ("passage recall", "excerpt recall", "excerpt IoU")

Rows = list[tuple[str, ...]]


def lines(found: GridOutcome) -> Iterator[str]:
    """The report."""
    count = found.trials[0].record.questions if found.trials else 0
    yield f"{found.exam}: {count} questions over {found.documents} documents, {len(found.trials)} configurations"
    if found.trials:
        chosen = price(found)
        yield from _drawn(trial_rows(found, chosen.best))
        yield from _best(chosen)
        worth = effect_rows(found)
        if len(worth) > 1:
            yield ""
            yield f"What each value is worth by {chosen.measure}, all else being equal:"
            yield from _drawn(worth)
    yield from (f"failed: {name}: {reason}" for name, reason in found.failed.items())
    yield from (f"note: {note}" for note in found.notes)
    yield "[ ]: 95 % interval, bootstrap over the questions; of differences paired. ms: without the question's vector"
    yield "ingest s: as it ran, with what other configurations had made there already"


def trial_rows(found: GridOutcome, best: Outcome) -> Rows:
    """A header and a row a configuration, the best first."""
    labels = [*list(best.measures)[:FEW], *(label for label in _CHARACTERS if label in best.measures)]
    first = labels[0]
    sizes = ("ms 50 %", "ms 95 %", "vectors", "index MB", "ingest s")
    rows: Rows = [("", first, "", "against the best", "", *labels[1:], *sizes)]
    for each in found.ranked():
        mean, record = each.measures[first], each.record
        against = ("", "") if each is best else interval(change(each, best, first))
        rows.append(
            (
                each.name,
                f"{mean.mean:.3f}",
                f"[{mean.low:.3f}, {mean.high:.3f}]",
                *against,
                *(f"{each.measures[label].mean:.3f}" if label in each.measures else "" for label in labels[1:]),
                f"{record.p50:.1f}",
                f"{record.p95:.1f}",
                f"{record.vectors:,}",
                f"{record.index_bytes / 1e6:.1f}",
                f"{record.ingest_seconds:.1f}",
            )
        )
    return rows


def effect_rows(found: GridOutcome) -> Rows:
    """A header and a row a value of a dimension."""
    rows: Rows = [("", "value", "mean", "against the first", "", "p", "configurations")]
    for each in effects(found.trials, found.measure):
        against = (*interval(each.change), f"{each.change.p:.3f}") if each.change else ("", "", "")
        rows.append((each.dimension, each.value, f"{each.mean:.3f}", *against, str(each.configurations)))
    return rows


def interval(found: Change) -> tuple[str, str]:
    """A difference and its interval."""
    return f"{found.difference:+.3f}", f"[{found.low:+.3f}, {found.high:+.3f}]"


def _best(chosen: Price) -> Iterator[str]:
    yield f"best by {chosen.measure}: {chosen.best.name}"
    if chosen.cheapest is chosen.best:
        yield "no cheaper configuration is as good: all others are significantly worse or cost as much"
        return
    difference, within = interval(chosen.gain)
    yield (
        f"its price beside {chosen.cheapest.name}, which is not significantly worse ({difference} {within}): "
        f"{chosen.milliseconds:+.1f} ms a search, {chosen.vectors:+,} vectors, {chosen.bytes / 1e6:+.1f} MB of indexes"
    )


def _drawn(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield from grid_lines(Table(1, 0, 0, tuple(rows), ()))
    yield ""
