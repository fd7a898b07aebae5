"""Counts of mentions and of documents over time, and the days that are worth drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

from tasks.coverage import Interval, list_companies
from warehouse.reader import Warehouse
from warehouse.store.catalog import read_queries

_SQL = read_queries(Path(__file__).with_name("queries.sql"))

MAX_DAYS = {
    Interval.DAY: 1,
    Interval.MONTH: 36,
    Interval.QUARTER: 100,
    Interval.YEAR: 380,
    Interval.DECADE: 3_660,
    Interval.CENTURY: 36_600,
}
"""Days of the longest period that is counted in one bar; fiscal periods may be some days longer than the calendar's."""
_NAMES = {"Company": "d.company", "Topic": "d.attributes.topic", "Kind": "d.kind", "Calendar": "t.calendar"}
GROUPINGS = tuple(_NAMES)  # Properties that bars can be grouped by; `Calendar` separates calendar and fiscal periods.
OTHERS, NONE = "others", "none"  # Names of the bars that sum all other names, and of the bars of what has no name.
TRIMMED_SHARE = 0.02  # Share of the mentions that is left out on either side of the days drawn by default.
_SLIGHTLY = 1.5  # All days are drawn by default where they are at most so many times the days without both tails.
MAX_AUTOMATIC_BARS = 100
"""Bars of a chart whose interval is automatic: 12 pixels each on a desktop screen, 3 on a phone."""
MAX_CHOSEN_BARS = 400  # Bars of a chart whose interval the reader chooses: 3 pixels each on a desktop screen.
_ENOUGH = 0.6
"""Share of the mentions that the automatic interval should draw; the others are of periods longer than a bar."""
_DAYS = {
    Interval.DAY: 1,
    Interval.MONTH: 30,
    Interval.QUARTER: 91,
    Interval.YEAR: 365,
    Interval.DECADE: 3_652,
    Interval.CENTURY: 36_525,
}

_MIDDLE = "(t.start_date + ((t.end_date - t.start_date) // 2)::INT)"  # The day at which a mention is drawn.


@dataclass(frozen=True, slots=True)
class TimelineQuery:
    """Selection of a chart: bars of an interval from `since` to before `until`, grouped by one of `GROUPINGS`."""

    interval: Interval
    by: str
    since: date
    until: date
    names: tuple[str, ...] = ()  # Names as documents write them, of which bars are drawn; empty for all.

    def build_sql(self, query: str) -> str:
        """A query by its name, with its placeholders replaced."""
        text = _SQL[query].replace("{within}", _SQL["within"])
        return text.replace("{name}", _NAMES[self.by]).replace("{middle}", _MIDDLE)

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of the queries."""
        return {"since": self.since, "until": self.until, "names": list(self.names)}


@dataclass(frozen=True, slots=True)
class TimelineCounts:
    """Counts of mentions and of documents (rows of `count_mentions_over_time`), and the periods mentioned most.

    `longer_mentions` are of periods longer than a bar.
    """

    mentions: list[dict[str, Any]]
    documents: list[dict[str, Any]]
    periods: pa.Table
    longer_mentions: int
    mentions_outside: OutsideCounts
    documents_outside: OutsideCounts


def count_timeline(warehouse: Warehouse, query: TimelineQuery, max_periods: int) -> TimelineCounts:
    """All counts of a selection, and the `max_periods` periods that are mentioned most."""
    ((before, after),) = warehouse.snapshot.query_rows(query.build_sql("outside"), query.parameters)
    return TimelineCounts(
        count_mentions_over_time(warehouse, query),
        count_documents_over_time(warehouse, query),
        warehouse.snapshot.query_table(query.build_sql("periods"), {**query.parameters, "most": max_periods}),
        count_longer_mentions(warehouse, query),
        OutsideCounts(int(before), int(after)),
        count_documents_outside(warehouse, query),
    )


def count_mentions_over_time(warehouse: Warehouse, query: TimelineQuery) -> list[dict[str, Any]]:
    """Mentions by `name` and `period` (first day of the bar), with their `count`; each counts at its middle day."""
    sql = query.build_sql("mentions") + " AND t.end_date - t.start_date <= $longest GROUP BY ALL"
    parameters = {**query.parameters, "unit": query.interval.value, "longest": MAX_DAYS[query.interval]}
    return warehouse.snapshot.query_records(sql, parameters)


def count_longer_mentions(warehouse: Warehouse, query: TimelineQuery) -> int:
    """Mentions of periods that are longer than a bar."""
    parameters = {**query.parameters, "longest": MAX_DAYS[query.interval]}
    return int(warehouse.snapshot.query_rows(query.build_sql("coarse"), parameters)[0][0])


def count_documents_over_time(warehouse: Warehouse, query: TimelineQuery) -> list[dict[str, Any]]:
    """Documents by name and period, like `count_mentions_over_time`; grouped by calendar they have no name."""
    if query.by == "Calendar":
        by_kind = replace(query, by="Kind", names=())
        return [{**row, "name": ""} for row in count_documents_over_time(warehouse, by_kind)]
    return warehouse.snapshot.query_records(
        query.build_sql("documents"), {**query.parameters, "unit": query.interval.value}
    )


@dataclass(frozen=True, slots=True)
class DateExtent:
    """Half-open days: `typical` of nearly all mentions, `full` of all mentions and documents."""

    typical: tuple[date, date]
    full: tuple[date, date]


@dataclass(frozen=True, slots=True)
class OutsideCounts:
    """Number of mentions or documents `before` the days that are drawn, `after` them, and without a date."""

    before: int
    after: int
    undated: int = 0


def find_date_extent(warehouse: Warehouse) -> DateExtent | None:
    """Days of mentions, or of documents where nothing is mentioned; None where no document has a date either."""
    parameters = {"tail": TRIMMED_SHARE, "longest": MAX_DAYS[Interval.YEAR]}
    ((since, until, first, last, oldest, newest),) = warehouse.snapshot.query_rows(_SQL["range"], parameters)
    if oldest is not None:
        newest = newest + timedelta(days=1) if newest < date.max else newest
        first, last = min(first or oldest, oldest), max(last or newest, newest)
    if first is None:
        return None
    if since is None or (last - first) <= _SLIGHTLY * (until - since):
        return DateExtent((first, last), (first, last))
    return DateExtent((since, until), (first, last))


def choose_interval(warehouse: Warehouse, query: TimelineQuery) -> Interval:
    """The finest interval with bars wide enough to see that most mentions fit into; the query's own is not read."""
    days = (query.until - query.since).days
    possible = [interval for interval in Interval if days / _DAYS[interval] <= MAX_AUTOMATIC_BARS] or [Interval.CENTURY]
    lengths = dict(warehouse.snapshot.query_rows(query.build_sql("lengths"), query.parameters))
    every = sum(lengths.values())
    counts_drawn = {
        interval: sum(n for length, n in lengths.items() if length <= MAX_DAYS[interval]) for interval in possible
    }
    enough = (interval for interval in possible if counts_drawn[interval] >= _ENOUGH * every)
    return next(enough, max(possible, key=lambda interval: counts_drawn[interval]))


def is_too_fine(interval: Interval, since: date, until: date) -> bool:
    """Whether bars of an interval would be too thin to see."""
    return (until - since).days / _DAYS[interval] > MAX_CHOSEN_BARS


def count_documents_outside(warehouse: Warehouse, query: TimelineQuery) -> OutsideCounts:
    """Documents dated outside the days that are drawn, or not dated; a document has no calendar."""
    by_kind = replace(query, by="Kind", names=()) if query.by == "Calendar" else query
    ((before, after, undated),) = warehouse.snapshot.query_rows(
        by_kind.build_sql("documents_outside"), by_kind.parameters
    )
    return OutsideCounts(int(before), int(after), int(undated))


def list_group_names(warehouse: Warehouse, by: str) -> dict[str, str]:
    """The names of a grouping: each as documents write it, with its display name."""
    if by == "Company":
        return {name: company.name for company in list_companies(warehouse) for name in company.spellings}
    if by == "Calendar":
        return {"calendar": "calendar", "fiscal": "fiscal"}
    sql = f"SELECT DISTINCT {_NAMES[by]} AS name FROM documents d ORDER BY name"  # noqa: S608 - one of our own
    return {str(name): str(name) for (name,) in warehouse.snapshot.query_rows(sql) if name}


def list_most_frequent_names(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str], limit: int) -> list[str]:
    """The `limit` frequent display names of the rows, sorted by name; `names` are those of `list_group_names`."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums[names.get(row["name"], row["name"])] += row["count"]
    return sorted(sorted(filter(None, sums), key=lambda name: (-sums[name], name))[:limit])


def count_by_name(
    rows: Sequence[Mapping[str, Any]], names: Mapping[str, str], distinct: Collection[str]
) -> list[dict[str, Any]]:
    """The rows summed by display name and period: names that are not `distinct` as "others", no name as "none"."""
    sums: Counter[tuple[str, date]] = Counter()
    for row in rows:
        name = names.get(row["name"], row["name"])
        sums[name if name in distinct else OTHERS if name else NONE, row["period"]] += row["count"]
    return [{"name": name, "period": period, "count": count} for (name, period), count in sorted(sums.items())]
