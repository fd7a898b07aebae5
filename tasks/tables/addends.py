"""The currency of figures that are added: filings print it beside the first and the last only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from warehouse.records import Total, TotalOf

Spot = tuple[int, int, int]
"""A cell by table, row and column."""

_MOST_ROUNDS = 8
"""Grand totals hold subtotals hold parts: so deep is no table."""


def shared_currencies(totals: Sequence[Total], printed: Mapping[Spot, str]) -> dict[Spot, str]:
    """The currency of each spot that is added up with one of a known currency, none of the sum having another.

    Only amounts of one currency can be added, so what holds for a part or for the total holds for all of the sum.
    """
    known = dict(printed)
    sums = [tuple(_spots(total)) for total in totals if total.adds_up]
    for _ in range(_MOST_ROUNDS):
        before = len(known)
        for spots in sums:
            codes = {known[spot] for spot in spots if spot in known}
            if len(codes) == 1:
                known.update(dict.fromkeys(spots, codes.pop()))
        if len(known) == before:
            break
    return known


def _spots(total: Total) -> Iterator[Spot]:
    yield total.table, total.row, total.column
    for part in (*total.parts, *total.less):
        if total.of is TotalOf.ROWS:
            yield total.table, part, total.column
        else:
            yield total.table, total.row, part
