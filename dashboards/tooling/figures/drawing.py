"""Figures in words and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboards.tooling.figures.candidates import Figure
from dashboards.tooling.figures.finding import Fit
from dashboards.tooling.passages import days
from tasks.ask.token_budget import clipped
from warehouse.records import CatalogEntry

SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion", 1e4: "万", 1e8: "亿"}
"""What figures are printed in, in words."""
LABEL = 60
"""Tokens of a label that is shown."""
CAPTION = 100
"""Characters of a caption that are shown, its last: titles come before what is the table's own."""
ALSO = 4


def line(number: int, fit: Fit, entry: CatalogEntry, passage: str) -> str:
    """A figure on two lines: what it is and says, and where it stands."""
    figure = fit.figure
    told = [
        clipped(figure.row_header, LABEL),
        clipped(" / ".join(part for part in figure.column_header.split(" / ") if part), LABEL),
        days(figure.period_start, figure.period_end) or "no time of its own",
        f"IN DOUBT: {figure.doubt}" if figure.doubt else "",
    ]
    report = f"reports {entry.reported_name}" if entry.reported_name else ""
    place = [
        entry.attributes.company or entry.title,
        report,
        entry.file.source,
        f"page {figure.page}" if figure.page is not None else "",
        f"table {figure.table} row {figure.row + 1} column {figure.column + 1}",
        f"“{_tail(figure.caption)}”" if figure.caption else "",
        _also(fit.also),
        f"passage {passage}" if passage else "",
    ]
    said = " | ".join(part for part in told if part)
    return f"[{number}] {value_of(figure)} | {said}\n    {', '.join(part for part in place if part)}"


def value_of(figure: Figure) -> str:
    """What the cell says, and its value in units where that is more: "$ 3,642 (3,642,000,000 USD)"."""
    said = " ".join(figure.text.split())
    if figure.value is None:
        return f"{said} (no figure)"
    unit = " ".join(part for part in (figure.currency, figure.unit) if part)
    if figure.scale == 1.0:
        return said if not unit or unit in said or (figure.currency and "$" in said) else f"{said} {unit}"
    scale = SCALES.get(figure.scale, f"× {figure.scale:,.0f}")
    return f"{said} {scale} ({exact(figure.value)}{f' {unit}' if unit else ''})"


def as_data(fit: Fit, entry: CatalogEntry, passage: str) -> dict[str, Any]:
    """A figure for programs: value in units, period half-open, place."""
    figure = fit.figure
    return {
        "value": figure.value,
        "text": figure.text,
        "unit": figure.unit,
        "scale": figure.scale,
        "currency": figure.currency,
        "doubt": figure.doubt,
        "period_start": figure.period_start.isoformat() if figure.period_start else None,
        "period_end": figure.period_end.isoformat() if figure.period_end else None,
        "row": figure.row_header.split(" / "),
        "column": [part for part in figure.column_header.split(" / ") if part],
        "source": entry.file.source,
        "document_id": figure.document_id,
        "page": figure.page,
        "table": figure.table,
        "place": [figure.row, figure.column],
        "start": figure.start,
        "end": figure.end,
        "passage": passage,
        "also_in_tables": [each.table for each in fit.also],
        "score": round(fit.score, 4),
    }


def exact(value: float) -> str:
    """A value with its thousands apart, to six decimals."""
    rounded = round(value, 6)
    return f"{rounded:,.0f}" if rounded == int(rounded) else f"{rounded:,.6f}".rstrip("0")


def _also(others: Sequence[Figure]) -> str:
    if not others:
        return ""
    more = f" and {len(others) - ALSO} more" if len(others) > ALSO else ""
    return f"the same in table {', '.join(str(each.table) for each in others[:ALSO])}{more}"


def _tail(caption: str) -> str:
    text = " ".join(caption.split())
    return text if len(text) <= CAPTION else f"… {text[-CAPTION:].partition(' ')[2] or text[-CAPTION:]}"
