"""The values that filters can ask for, and those asked for that nothing has."""

from __future__ import annotations

from collections.abc import Iterator

from warehouse.records import Filters
from warehouse.store.snapshot import Snapshot

COLUMNS = {
    "kinds": "kind",
    "roots": "root",
    "topics": "attributes.topic",
    "journals": "attributes.journal",
    "paper_types": "attributes.paper_type",
    "tags": "unnest(attributes.tags)",
    "languages": "language",
}
"""Fields of `Filters` that name one of a few values, and where the table `documents` has them."""
SHOWN = 8
"""How many values a sentence lists at most."""


def values(snapshot: Snapshot, field: str) -> tuple[str, ...]:
    """What the documents have for one of `COLUMNS`, the most frequent first."""
    sql = (
        f"SELECT value FROM (SELECT {COLUMNS[field]} AS value FROM documents) "  # noqa: S608
        "WHERE value <> '' GROUP BY value ORDER BY count(*) DESC, value"
    )
    return tuple(str(value) for (value,) in snapshot.rows(sql))


def unheard(snapshot: Snapshot, filters: Filters) -> Iterator[str]:
    """A sentence for each value asked for that no document has, with some that there are."""
    for field in COLUMNS:
        asked = [str(value) for value in getattr(filters, field)]
        there = values(snapshot, field) if asked else ()
        known = {value.lower() for value in there}
        for value in asked:
            plain = value.strip().lstrip("#").strip("/").lower() if field == "tags" else value.lower()
            if not any(each == plain or (field == "tags" and each.startswith(f"{plain}/")) for each in known):
                yield _sentence(field.removesuffix("s").replace("_", " "), value, there)


def _sentence(what: str, value: str, there: tuple[str, ...]) -> str:
    if not there:
        return f"no document has a {what}, so none has '{value}'"
    more = ", …" if len(there) > SHOWN else ""
    return f"no document has the {what} '{value}'; there are {', '.join(there[:SHOWN])}{more}"
