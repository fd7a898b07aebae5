"""Documents as the rows of a table, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from datetime import date

from dashboards.drawing.escaping import csv_cell
from warehouse.records import Holding, Kind


@dataclass(frozen=True, slots=True)
class Row:
    """What the library tells of one document. `pages` is None for formats without pages."""

    title: str
    kind: str
    date: date | None
    date_from: str
    pages: int | None
    tables: int
    chunks: int
    status: str
    reason: str
    root: str
    source: str

    @classmethod
    def of(cls, holding: Holding) -> Row:
        """The row of a document; one that has no title goes by its path."""
        return cls(
            title=holding.title or holding.file.path,
            kind=holding.kind.value,
            date=holding.document_date,
            date_from=holding.date_origin.value if holding.date_origin else "",
            pages=holding.total_pages,
            tables=holding.table_count,
            chunks=holding.chunk_count,
            status=holding.status.value,
            reason=holding.reason,
            root=holding.file.root,
            source=holding.file.source,
        )


COLUMNS = tuple(column.name for column in fields(Row))


def chosen(holdings: Iterable[Holding], kinds: Sequence[Kind], roots: Sequence[str], text: str) -> list[Holding]:
    """The documents of these kinds and roots whose title, source, people, tags or reason hold every word of `text`."""
    wanted = text.casefold().split()
    return [
        holding
        for holding in holdings
        if (not kinds or holding.kind in kinds)
        and (not roots or holding.file.root in roots)
        and all(word in _searched(holding) for word in wanted)
    ]


def as_csv(rows: Iterable[Row]) -> bytes:
    """The rows with a header, UTF-8 with the mark that spreadsheets look for."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([csv_cell(value) if isinstance(value, str) else value for value in astuple(row)])
    return text.getvalue().encode("utf-8-sig", "replace")


def _searched(holding: Holding) -> str:
    told = (holding.title, holding.file.source, holding.reason, *holding.authors, *holding.attributes.tags)
    return "\n".join(told).casefold()
