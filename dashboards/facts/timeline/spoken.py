"""What is spoken of when, and of when the documents are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

import pyarrow as pa

from dashboards.facts.timeline.companies import companies
from warehouse.reader import Warehouse


class Grain(StrEnum):
    """How long a bar of the chart is."""

    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


LONGEST = {Grain.MONTH: 36, Grain.QUARTER: 100, Grain.YEAR: 380}
"""Days of the longest period that stands in one bar; fiscal ones may be some days longer than those of the calendar."""
_NAMES = {
    "Company": "d.company",
    "Topic": "d.attributes.topic",
    "Kind": "d.kind",
    "Calendar": "t.calendar",
}
BY = tuple(_NAMES)
"""What bars can be parted by; `Calendar` says whether a period is one of the calendar or fiscal."""
OTHERS, NONE = "others", "none"
"""Bars of names that are not told apart, and of what has no name."""
TAIL = 0.02
"""The share of mentions that lies before, and that lies after, the days that are shown where none are asked for."""

_WITHIN = """
    FROM timeline t JOIN documents d USING (document_id)
    WHERE t.end_date > $since AND t.start_date < $until
        AND (len($names) = 0 OR list_contains($names, coalesce({name}, '')))
"""
_MENTIONS = (
    """
    SELECT coalesce({name}, '') AS name, sum(t.mentions)::BIGINT AS count,
        date_trunc($grain, t.start_date + ((t.end_date - t.start_date) // 2)::INT)::DATE AS period
"""
    + _WITHIN
)
_COARSE = "SELECT coalesce(sum(t.mentions), 0)::BIGINT" + _WITHIN + " AND t.end_date - t.start_date > $longest"
_DOCUMENTS = """
    SELECT coalesce({name}, '') AS name, count(*) AS count, date_trunc($grain, d.document_date)::DATE AS period
    FROM documents d
    WHERE d.document_date >= $since AND d.document_date < $until
        AND (len($names) = 0 OR list_contains($names, coalesce({name}, '')))
    GROUP BY ALL
"""
_RANGE = """
    WITH days AS (
        SELECT start_date, end_date, mentions, sum(mentions) OVER () AS every,
            sum(mentions) OVER (ORDER BY start_date, end_date, document_id) AS until_here
        FROM timeline WHERE end_date - start_date <= $longest
    )
    SELECT min(start_date), max(end_date) FROM days
    WHERE until_here >= $tail * every AND until_here - mentions <= (1 - $tail) * every
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
class Shown:
    """What is drawn: bars of a `grain` from `since` to before `until`, parted `by`; of some `names`, or of all."""

    grain: Grain
    by: str
    since: date
    until: date
    names: tuple[str, ...] = ()
    """As documents write them."""

    def sql(self, text: str) -> str:
        """A query with what the bars are parted by: one of our own expressions."""
        return text.replace("{name}", _NAMES[self.by])

    @property
    def parameters(self) -> dict[str, Any]:
        """What the queries about it are given."""
        return {"since": self.since, "until": self.until, "names": list(self.names)}


def mentions(warehouse: Warehouse, shown: Shown) -> list[dict[str, Any]]:
    """How often periods are named: `name`, `period` (its bar's first day), `count`; each stands at its middle day."""
    sql = shown.sql(_MENTIONS) + " AND t.end_date - t.start_date <= $longest GROUP BY ALL"
    given = {**shown.parameters, "grain": shown.grain.value, "longest": LONGEST[shown.grain]}
    return warehouse.snapshot.records(sql, given)


def coarse(warehouse: Warehouse, shown: Shown) -> int:
    """How often longer periods are named than the bars can hold."""
    given = {**shown.parameters, "longest": LONGEST[shown.grain]}
    return int(warehouse.snapshot.rows(shown.sql(_COARSE), given)[0][0])


def dated(warehouse: Warehouse, shown: Shown) -> list[dict[str, Any]]:
    """How many documents are dated when, in the shape of `mentions`; documents have no calendar."""
    if shown.by == "Calendar":
        return []
    return warehouse.snapshot.records(shown.sql(_DOCUMENTS), {**shown.parameters, "grain": shown.grain.value})


def usual_days(warehouse: Warehouse) -> tuple[date, date] | None:
    """The days between which nearly all mentions lie (see `TAIL`); None where no time is named."""
    given = {"tail": TAIL, "longest": LONGEST[Grain.YEAR]}
    ((since, until),) = warehouse.snapshot.rows(_RANGE, given)
    return (since, until) if since and until else None


def periods(warehouse: Warehouse, shown: Shown, most: int) -> pa.Table:
    """The periods named most."""
    return warehouse.snapshot.table(shown.sql(_PERIODS), {**shown.parameters, "most": most})


def written(warehouse: Warehouse, by: str) -> dict[str, str]:
    """Each name by which bars can be parted, as documents write it, with the name that is shown for it."""
    if by == "Company":
        return {name: company.name for company in companies(warehouse) for name in company.written}
    if by == "Calendar":
        return {"calendar": "calendar", "fiscal": "fiscal"}
    sql = f"SELECT DISTINCT {_NAMES[by]} AS name FROM documents d ORDER BY name"  # noqa: S608 - one of our own
    return {str(name): str(name) for (name,) in warehouse.snapshot.rows(sql) if name}


def most_named(rows: Sequence[Mapping[str, Any]], shown: Mapping[str, str], most: int) -> list[str]:
    """The most frequent of the names `shown` for those of the rows, in order."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums[shown.get(row["name"], row["name"])] += row["count"]
    return sorted(sorted(filter(None, sums), key=lambda name: (-sums[name], name))[:most])


def fewer(rows: Sequence[Mapping[str, Any]], shown: Mapping[str, str], kept: Collection[str]) -> list[dict[str, Any]]:
    """The rows by the names `shown` for theirs: all but those `kept` are "others", no name is "none"."""
    joined: Counter[tuple[str, date]] = Counter()
    for row in rows:
        name = shown.get(row["name"], row["name"])
        joined[name if name in kept else OTHERS if name else NONE, row["period"]] += row["count"]
    return [{"name": name, "period": period, "count": count} for (name, period), count in sorted(joined.items())]
