"""What cells are asked for, and how that is asked in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dashboards.facts.tables.listed import Days


@dataclass(frozen=True, slots=True)
class CellsWanted:
    """What cells must satisfy; an empty field asks for nothing.

    Every word of `row` stands in the names of the row, of `column` in those of the column, of `named` in the document's
    title, source or company. `units` are units or currencies, of several one is enough. `during` is a time that the
    cell is of, `least` and `most` bound its value. Only `figures`, or dashes and words as well.
    """

    row: str = ""
    column: str = ""
    named: str = ""
    units: tuple[str, ...] = ()
    during: Days | None = None
    least: float | None = None
    most: float | None = None
    figures: bool = True


def conditions(wanted: CellsWanted) -> tuple[str, dict[str, Any]]:
    """What `cells c` of `documents d` must satisfy, and the parameters: nothing that anybody said stands in the SQL."""
    asked, given = _words(wanted)
    if wanted.figures:
        asked.append('c."value" IS NOT NULL')
    if wanted.units:
        asked.append("(c.unit IN (SELECT unnest($units)) OR c.currency IN (SELECT unnest($units)))")
        given["units"] = list(wanted.units)
    if wanted.during:
        asked.append(
            "c.period_start < coalesce($until, DATE 'infinity') AND c.period_end > coalesce($since, DATE '-infinity')"
        )
        given["since"], given["until"] = wanted.during
    for name, sign, value in (("least", ">=", wanted.least), ("highest", "<=", wanted.most)):
        if value is not None:
            asked.append(f'c."value" {sign} ${name}')
            given[name] = value
    return " AND ".join(["true", *asked]), given


def _words(wanted: CellsWanted) -> tuple[list[str], dict[str, Any]]:
    asked: list[str] = []
    given: dict[str, Any] = {}
    places = {
        "row": (wanted.row, "lower(c.row_header)"),
        "column": (wanted.column, "lower(c.column_header)"),
        "name": (wanted.named, "lower(concat_ws(' ', d.title, d.source, d.company))"),
    }
    for name, (said, where) in places.items():
        for place, word in enumerate(said.lower().split()):
            asked.append(f"contains({where}, ${name}{place})")
            given[f"{name}{place}"] = word
    return asked, given
