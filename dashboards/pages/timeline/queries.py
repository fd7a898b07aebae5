"""Counts of mentions and of documents over time, and the days that are worth drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import pyarrow as pa

from tasks.coverage.calendar import Interval
from tasks.coverage.companies import list_companies
from warehouse.reader import Warehouse

LONGEST = {
    Interval.DAY: 1,
    Interval.MONTH: 36,
    Interval.QUARTER: 100,
    Interval.YEAR: 380,
    Interval.DECADE: 3_660,
    Interval.CENTURY: 36_600,
}
"""Days of the longest period that stands in one bar; fiscal ones may be some days longer than those of the calendar."""
_NAMES = {
    "Company": "d.company",
    "Topic": "d.attributes.topic",
    "Kind": "d.kind",
    "Calendar": "t.calendar",
}
GROUPINGS = tuple(_NAMES)
"""What bars can be grouped by; `Calendar` says whether a period is one of the calendar or fiscal."""
OTHERS, NONE = "others", "none"
"""Bars of names that are not told apart, and of what has no name."""
TAIL = 0.02
"""The share of mentions that lies before, and that lies after, the days that are drawn where none are asked for."""
_SLIGHTLY = 1.5
"""All days are drawn where there are at most so many times as many as without both tails."""
MOST_BARS = 100
"""Bars of a chart whose interval is chosen here: 12 pixels each on a desk, 3 on a phone."""
MOST_ASKED = 400
"""Bars of a chart whose interval is asked for: 3 pixels each on a desk."""
_ENOUGH = 0.6
"""The share of the mentions that an interval should be able to draw: the others are of longer periods."""
_DAYS = {
    Interval.DAY: 1,
    Interval.MONTH: 30,
    Interval.QUARTER: 91,
    Interval.YEAR: 365,
    Interval.DECADE: 3_652,
    Interval.CENTURY: 36_525,
}

_MIDDLE = "(t.start_date + ((t.end_date - t.start_date) // 2)::INT)"
"""The day at which a mention is drawn."""
_WITHIN = """
    FROM timeline t JOIN documents d USING (document_id)
    WHERE {middle} >= $since AND {middle} < $until
        AND (len($names) = 0 OR list_contains($names, coalesce({name}, '')))
"""
_MENTIONS = (
    """
    SELECT coalesce({name}, '') AS name, sum(t.mentions)::BIGINT AS count,
        greatest(date_trunc($grain, {middle})::DATE, DATE '0001-01-01') AS period
"""
    + _WITHIN
)
_COARSE = "SELECT coalesce(sum(t.mentions), 0)::BIGINT" + _WITHIN + " AND t.end_date - t.start_date > $longest"
_LENGTHS = "SELECT t.end_date - t.start_date AS days, sum(t.mentions)::BIGINT" + _WITHIN + " GROUP BY days"
_DOCUMENTS = """
    SELECT coalesce({name}, '') AS name, count(*) AS count,
        greatest(date_trunc($grain, d.document_date)::DATE, DATE '0001-01-01') AS period
    FROM documents d
    WHERE d.status <> 'unreadable' AND d.document_date >= $since AND d.document_date < $until
        AND (len($names) = 0 OR list_contains($names, coalesce({name}, '')))
    GROUP BY ALL
"""
_OUTSIDE = """
    SELECT coalesce(sum(t.mentions) FILTER ({middle} < $since), 0)::BIGINT,
        coalesce(sum(t.mentions) FILTER ({middle} >= $until), 0)::BIGINT
    FROM timeline t JOIN documents d USING (document_id)
    WHERE len($names) = 0 OR list_contains($names, coalesce({name}, ''))
"""
_DOCUMENTS_OUTSIDE = """
    SELECT count(*) FILTER (d.document_date < $since), count(*) FILTER (d.document_date >= $until),
        count(*) FILTER (d.document_date IS NULL)
    FROM documents d
    WHERE d.status <> 'unreadable' AND (len($names) = 0 OR list_contains($names, coalesce({name}, '')))
"""
_RANGE = """
    WITH days AS (
        SELECT start_date, end_date, mentions, sum(mentions) OVER () AS every,
            sum(mentions) OVER (ORDER BY start_date, end_date, document_id) AS until_here
        FROM timeline WHERE end_date - start_date <= $longest
    )
    SELECT min(start_date) FILTER (is_usual), max(end_date) FILTER (is_usual), min(start_date), max(end_date),
        (SELECT min(document_date) FROM documents), (SELECT max(document_date) FROM documents)
    FROM (
        SELECT *, until_here >= $tail * every AND until_here - mentions <= (1 - $tail) * every AS is_usual FROM days
    )
"""
_PERIODS = (
    """
    SELECT t.period, t.calendar, t.start_date AS since, t.end_date AS until, sum(t.mentions)::BIGINT AS mentions,
        count(DISTINCT t.document_id) AS documents
"""
    + _WITHIN
    + """
    GROUP BY t.period, t.calendar, t.start_date, t.end_date ORDER BY mentions DESC, since, until, t.period LIMIT $most
"""
)


@dataclass(frozen=True, slots=True)
class TimelineQuery:
    """What is drawn: bars of a `grain` from `since` to before `until`, grouped `by`; of some `names`, or of all."""

    grain: Interval
    by: str
    since: date
    until: date
    names: tuple[str, ...] = ()
    """As documents write them."""

    def sql(self, text: str) -> str:
        """A query with what the bars are grouped by, and the day of a mention: our own expressions."""
        return text.replace("{name}", _NAMES[self.by]).replace("{middle}", _MIDDLE)

    @property
    def parameters(self) -> dict[str, Any]:
        """What the queries about it are given."""
        return {"since": self.since, "until": self.until, "names": list(self.names)}


@dataclass(frozen=True, slots=True)
class TimelineCounts:
    """Counts of mentions and of documents (rows as `mention_counts` gives them), and the periods mentioned most.

    `longer` mentions are of periods longer than a bar.
    """

    mentions: list[dict[str, Any]]
    documents: list[dict[str, Any]]
    periods: pa.Table
    longer: int
    mentions_outside: OutsideCounts
    documents_outside: OutsideCounts


def timeline_counts(warehouse: Warehouse, shown: TimelineQuery, most_periods: int) -> TimelineCounts:
    """All of it for some days."""
    return TimelineCounts(
        mention_counts(warehouse, shown),
        document_counts(warehouse, shown),
        frequent_periods(warehouse, shown, most_periods),
        count_longer_mentions(warehouse, shown),
        mentions_outside(warehouse, shown),
        documents_outside(warehouse, shown),
    )


def mention_counts(warehouse: Warehouse, shown: TimelineQuery) -> list[dict[str, Any]]:
    """How often periods are named: `name`, `period` (its bar's first day), `count`; each stands at its middle day."""
    sql = shown.sql(_MENTIONS) + " AND t.end_date - t.start_date <= $longest GROUP BY ALL"
    given = {**shown.parameters, "grain": shown.grain.value, "longest": LONGEST[shown.grain]}
    return warehouse.snapshot.records(sql, given)


def count_longer_mentions(warehouse: Warehouse, shown: TimelineQuery) -> int:
    """How often longer periods are named than the bars can hold."""
    given = {**shown.parameters, "longest": LONGEST[shown.grain]}
    return int(warehouse.snapshot.rows(shown.sql(_COARSE), given)[0][0])


def document_counts(warehouse: Warehouse, shown: TimelineQuery) -> list[dict[str, Any]]:
    """How many documents are dated when, in the shape of `mention_counts`; those have no calendar to be grouped by."""
    if shown.by == "Calendar":
        plain = replace(shown, by="Kind", names=())
        return [{**row, "name": ""} for row in document_counts(warehouse, plain)]
    return warehouse.snapshot.records(shown.sql(_DOCUMENTS), {**shown.parameters, "grain": shown.grain.value})


@dataclass(frozen=True, slots=True)
class DateExtent:
    """The days, half-open, that are `usual` to draw, those of nearly all mentions; and the `whole` of what is dated."""

    usual: tuple[date, date]
    whole: tuple[date, date]


@dataclass(frozen=True, slots=True)
class OutsideCounts:
    """How many mentions or documents are dated `before` the days that are drawn, and `after`; `undated` ones."""

    before: int
    after: int
    undated: int = 0


def date_extent(warehouse: Warehouse) -> DateExtent | None:
    """Which days there are to draw; None where no time is mentioned and no document has a date.

    Without mentions the usual days are those of the documents.
    """
    given = {"tail": TAIL, "longest": LONGEST[Interval.YEAR]}
    ((since, until, first, last, oldest, newest),) = warehouse.snapshot.rows(_RANGE, given)
    if oldest is not None:
        newest = newest + timedelta(days=1) if newest < date.max else newest
        first, last = min(first or oldest, oldest), max(last or newest, newest)
    if first is None:
        return None
    if since is None or (last - first) <= _SLIGHTLY * (until - since):
        return DateExtent((first, last), (first, last))
    return DateExtent((since, until), (first, last))


def fitting_interval(warehouse: Warehouse, shown: TimelineQuery) -> Interval:
    """The finest interval with bars wide enough to see that most mentions fit into; `shown.grain` is not read."""
    days = (shown.until - shown.since).days
    possible = [grain for grain in Interval if days / _DAYS[grain] <= MOST_BARS] or [Interval.CENTURY]
    lengths = dict(warehouse.snapshot.rows(shown.sql(_LENGTHS), shown.parameters))
    every = sum(lengths.values())
    drawn = {grain: sum(n for length, n in lengths.items() if length <= LONGEST[grain]) for grain in possible}
    enough = (grain for grain in possible if drawn[grain] >= _ENOUGH * every)
    return next(enough, max(possible, key=lambda grain: drawn[grain]))


def is_too_fine(grain: Interval, since: date, until: date) -> bool:
    """Whether bars of an interval would be too thin to see."""
    return (until - since).days / _DAYS[grain] > MOST_ASKED


def mentions_outside(warehouse: Warehouse, shown: TimelineQuery) -> OutsideCounts:
    """The mentions that are not drawn for lying outside the days."""
    ((before, after),) = warehouse.snapshot.rows(shown.sql(_OUTSIDE), shown.parameters)
    return OutsideCounts(int(before), int(after))


def documents_outside(warehouse: Warehouse, shown: TimelineQuery) -> OutsideCounts:
    """The documents that are not drawn: dated outside the days, or not at all. A document has no calendar."""
    plain = replace(shown, by="Kind", names=()) if shown.by == "Calendar" else shown
    ((before, after, undated),) = warehouse.snapshot.rows(plain.sql(_DOCUMENTS_OUTSIDE), plain.parameters)
    return OutsideCounts(int(before), int(after), int(undated))


def frequent_periods(warehouse: Warehouse, shown: TimelineQuery, most: int) -> pa.Table:
    """The periods named most."""
    return warehouse.snapshot.table(shown.sql(_PERIODS), {**shown.parameters, "most": most})


def group_names(warehouse: Warehouse, by: str) -> dict[str, str]:
    """Each name by which bars can be grouped, as documents write it, with the name that is shown for it."""
    if by == "Company":
        return {name: company.name for company in list_companies(warehouse) for name in company.written}
    if by == "Calendar":
        return {"calendar": "calendar", "fiscal": "fiscal"}
    sql = f"SELECT DISTINCT {_NAMES[by]} AS name FROM documents d ORDER BY name"  # noqa: S608 - one of our own
    return {str(name): str(name) for (name,) in warehouse.snapshot.rows(sql) if name}


def most_frequent_names(rows: Sequence[Mapping[str, Any]], shown: Mapping[str, str], most: int) -> list[str]:
    """The most frequent of the names `shown` for those of the rows, in order."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums[shown.get(row["name"], row["name"])] += row["count"]
    return sorted(sorted(filter(None, sums), key=lambda name: (-sums[name], name))[:most])


def count_by_name(
    rows: Sequence[Mapping[str, Any]], shown: Mapping[str, str], kept: Collection[str]
) -> list[dict[str, Any]]:
    """The rows by the names `shown` for theirs: all but those `kept` are "others", no name is "none"."""
    joined: Counter[tuple[str, date]] = Counter()
    for row in rows:
        name = shown.get(row["name"], row["name"])
        joined[name if name in kept else OTHERS if name else NONE, row["period"]] += row["count"]
    return [{"name": name, "period": period, "count": count} for (name, period), count in sorted(joined.items())]
