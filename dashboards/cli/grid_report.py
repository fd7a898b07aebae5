"""What a grid found, as lines for people: every configuration, the best and its price, and what each value is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dashboards.cli.grid import grid_lines
from tasks.evaluate.experiments.findings import Findings, varied
from tasks.evaluate.experiments.price import Price
from tasks.evaluate.outcomes import Change
from warehouse.records import Table

FEW = 3
"""So many measures beside those of characters are told; files have all of them."""
_CHARACTERS = ("passage recall", "excerpt recall", "excerpt IoU")
SHORT = 8
"""So much of a trial's id tells it from others."""

Rows = list[tuple[str, ...]]


def lines(found: Findings) -> Iterator[str]:
    """The report."""
    grid, chosen = found.grid, found.price
    count = grid.trials[0].record.questions if grid.trials else 0
    yield f"{grid.exam}: {count} questions over {grid.documents} documents, {len(grid.trials)} configurations"
    if chosen:
        yield from _drawn(trial_rows(found, chosen))
        yield from _drawn(measure_rows(found))
        yield from _best(chosen)
        yield ""
        if found.effects:
            yield f"What each value is worth by {chosen.measure}, all else being equal:"
            yield from _drawn(effect_rows(found))
    yield from (f"failed: {name}: {reason}" for name, reason in grid.failed.items())
    yield from (f"note: {note}" for note in grid.notes)
    yield "[ ]: 95 % interval, bootstrap over the questions, of differences paired; p: paired randomization test"
    yield "ms: half of the searches took no more, and 95 % no more; without the question's vector"
    yield "ingest s: as it ran, with what other configurations had made there already"


def trial_rows(found: Findings, chosen: Price) -> Rows:
    """A header and a row a configuration, the best first: how sure its figure is, and what it costs."""
    values = varied(found.grid)
    dimensions = list(values[chosen.best.name])
    rows: Rows = [("trial", *dimensions, chosen.measure, "", "against the best", "", "ms", "vectors", "MB")]
    for each in found.grid.ranked():
        mean, record = each.measures[chosen.measure], each.record
        gain = chosen.gains[each.name]
        loss = Change(-gain.difference, -gain.high, -gain.low, gain.p)
        rows.append(
            (
                record.trial_id[:SHORT],
                *values[each.name].values(),
                f"{mean.mean:.3f}",
                f"[{mean.low:.3f}, {mean.high:.3f}]",
                *(("", "") if each is chosen.best else interval(loss)),
                f"{record.p50:.1f}",
                f"{record.vectors:,}",
                f"{record.index_bytes / 1e6:.1f}",
            )
        )
    return rows


def measure_rows(found: Findings) -> Rows:
    """A header and a row a configuration, the best first: the other measures, the slowest searches, the ingest."""
    ranked = found.grid.ranked()
    held = ranked[0].measures
    labels = [*list(held)[1 : FEW + 1], *(label for label in _CHARACTERS if label in held)]
    rows: Rows = [("trial", *labels, "ms 95 %", "ingest s")]
    for each in ranked:
        figures = (f"{each.measures[label].mean:.3f}" if label in each.measures else "" for label in labels)
        record = each.record
        rows.append((record.trial_id[:SHORT], *figures, f"{record.p95:.1f}", f"{record.ingest_seconds:.1f}"))
    return rows


def effect_rows(found: Findings) -> Rows:
    """A header and a row a value of a dimension."""
    rows: Rows = [("", "value", "mean", "against the first", "", "p", "configurations")]
    for each in found.effects:
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
    difference, within = interval(chosen.gains[chosen.cheapest.name])
    yield (
        f"its price beside {chosen.cheapest.name}, which is not significantly worse ({difference} {within}): "
        f"{chosen.milliseconds:+.1f} ms a search, {chosen.vectors:+,} vectors, {chosen.bytes / 1e6:+.1f} MB of indexes"
    )


def _drawn(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield from grid_lines(Table(1, 0, 0, tuple(rows), ()))
    yield ""
