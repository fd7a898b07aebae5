"""Columns of a generation: what ranking needs to know of every passage, time, name and document, as numpy arrays.

They are fetched from DuckDB as numpy's: Arrow's way there loads pandas, which takes longer than all else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np

from warehouse.errors import BadWarehouse
from warehouse.records.fiscal import FiscalCalendar
from warehouse.store.catalog import script
from warehouse.store.parquet import CURE, records_of


@dataclass(frozen=True, eq=False)
class Passages:
    """Columns of equal length; `documents[document[row]]` is the id of a row's document.

    `ids` are chunk ids; `start` and `end` the span in the document's text; `document` rises with the row, and `start`
    within a document. `quality` is in [0, 1]. `is_references` are those that list what their document cites. `day` and
    `day_end` (half-open, days since 1970, `UNKNOWN` where undated) are those of the entry of a diary that a passage
    stands in, `is_entry`, else its document's date.
    """

    ids: np.ndarray
    documents: tuple[str, ...]
    document: np.ndarray
    start: np.ndarray
    end: np.ndarray
    quality: np.ndarray
    is_references: np.ndarray
    day: np.ndarray
    day_end: np.ndarray
    is_entry: np.ndarray

    def __len__(self) -> int:
        """How many passages there are."""
        return len(self.ids)

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each chunk id."""
        return {chunk_id: row for row, chunk_id in enumerate(self.ids)}

    @cached_property
    def ordinal_of(self) -> dict[str, int]:
        """The ordinal of each document id."""
        return {document_id: ordinal for ordinal, document_id in enumerate(self.documents)}


EPOCH = date(1970, 1, 1)
_PLACES = 32  # Bits of a position in a text; no text is longer than 4 GiB.


def day(moment: date) -> int:
    """A date as days since 1970."""
    return (moment - EPOCH).days


LONG_AGO = day(date.min)  # The start of what has none.
FAR_OFF = day(date.max)  # The end of what has none.
UNKNOWN = np.iinfo(np.int32).min  # A day that nobody knows.


@dataclass(frozen=True, eq=False)
class Spans:
    """Columns of equal length, rising by document and start.

    `document` holds ordinals of `Passages.documents`; `start` and `end` the span in its text.
    """

    document: np.ndarray
    start: np.ndarray
    end: np.ndarray

    def __len__(self) -> int:
        """How many there are."""
        return len(self.document)

    @cached_property
    def _keys(self) -> np.ndarray:
        return _key(self.document, self.start)

    def bounds(self, document: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each stretch of text, the half-open run of the spans that start in it; all of one shape."""
        return np.searchsorted(self._keys, _key(document, start)), np.searchsorted(self._keys, _key(document, end))

    def inside(self, document: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The pairs of a stretch of text and a span that lies in it: places of the first, rows of the second.

        Rising by both. A span that a stretch cuts in two is not in it.
        """
        first, last = self.bounds(document, start, end)
        counts = last - first
        places = np.repeat(np.arange(len(counts)), counts)
        rows = np.arange(len(places)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
        whole = self.end[rows] <= end[places]
        return places[whole], rows[whole]

    def touched(self, chosen: np.ndarray, document: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Whether a `chosen` span (a boolean mask over spans) starts in each stretch of text."""
        so_far = np.concatenate([[0], np.cumsum(chosen)])
        first, last = self.bounds(document, start, end)
        return np.asarray(so_far[last] > so_far[first])


@dataclass(frozen=True, eq=False)
class Mentions(Spans):
    """The times that texts name, those without an interval left out; days count from 1970.

    An open side is `LONG_AGO` or `FAR_OFF`.
    """

    start_date: np.ndarray
    end_date: np.ndarray


@dataclass(frozen=True, eq=False)
class Names(Spans):
    """The names that texts have: `names[name[row]]` is a row's normalised form."""

    name: np.ndarray
    names: Sequence[str]

    def codes(self, name: str) -> list[int]:
        """The codes of the names that are this one, whatever their case."""
        return self._codes.get(name.casefold(), [])

    @cached_property
    def _codes(self) -> dict[str, list[int]]:
        codes: defaultdict[str, list[int]] = defaultdict(list)
        for code, name in enumerate(self.names):
            codes[name.casefold()].append(code)
        return dict(codes)


def _key(document: np.ndarray, place: np.ndarray) -> np.ndarray:
    return np.asarray((document.astype(np.int64) << _PLACES) + place)


Columns = dict[str, np.ndarray]


def fetched(connection: Any, sql: str, **missing: int) -> Columns:
    """The columns of a query; one with nulls is masked, unless a number is given for what is `missing` in it."""
    found: Columns = connection.sql(sql).fetchnumpy()
    return found | {name: np.asarray(np.ma.filled(found[name], number)) for name, number in missing.items()}


def passages_of(connection: Any) -> Passages:
    """Makes the table `passages` in the connection, and its columns."""
    connection.execute(script("passages.sql"))
    sql = """
        SELECT chunk_id, document_id, start, "end", quality, is_references, is_entry, day - DATE '1970-01-01' AS day,
            day_end - DATE '1970-01-01' AS day_end
        FROM passages ORDER BY rowid
    """
    found = fetched(connection, sql, day=UNKNOWN, day_end=UNKNOWN)
    documents = found["document_id"]
    first = np.ones(len(documents), dtype=np.bool_)
    first[1:] = documents[1:] != documents[:-1]
    return Passages(
        ids=found["chunk_id"],
        documents=tuple(documents[first].tolist()),
        document=np.cumsum(first) - 1,
        start=found["start"],
        end=found["end"],
        quality=found["quality"],
        is_references=np.asarray(found["is_references"], np.bool_),
        day=found["day"].astype(np.int64),
        day_end=found["day_end"].astype(np.int64),
        is_entry=np.asarray(found["is_entry"], np.bool_),
    )


def mentions_of(connection: Any) -> Mentions:
    """The times; the table `passages` must be there."""
    return Mentions(**fetched(connection, script("mentions.sql"), start_date=LONG_AGO, end_date=FAR_OFF))


def names_of(connection: Any) -> Names:
    """The names; the table `passages` must be there."""
    found = fetched(connection, script("names.sql"))
    names, found["name"] = np.unique(found["name"], return_inverse=True)
    return Names(**found, names=names.tolist())


@dataclass(frozen=True, eq=False)
class Clocks:
    """A row a document, in the order of `Passages.documents`.

    `published` is the document's date, `reported_start` and `reported_end` its reported period, half-open; `UNKNOWN`
    where it has none. `first_month` is the month, 1 to 12, in which its fiscal years begin, 0 if unknown; `early` says
    that they are named by the year that they begin in. `calendar` is the place of its company's among the `calendars`,
    -1 where none is known. `is_note` says that the document is a note.
    """

    published: np.ndarray
    reported_start: np.ndarray
    reported_end: np.ndarray
    first_month: np.ndarray
    early: np.ndarray
    is_note: np.ndarray
    calendar: np.ndarray
    calendars: tuple[FiscalCalendar, ...] = ()


def clocks_of(connection: Any) -> Clocks:
    """The columns; the table `passages` must be there."""
    days = dict.fromkeys(("published", "reported_start", "reported_end"), UNKNOWN)
    found = fetched(connection, script("clocks.sql"), **days, first_month=0, early=0)
    found["early"] = found["early"].astype(np.bool_)
    found["is_note"] = np.asarray(np.ma.filled(found["is_note"], fill_value=False), np.bool_)
    held = connection.sql(script("fiscal_calendars.sql")).fetchall()
    calendar = np.full(len(found["published"]), -1)
    for place, (_, documents) in enumerate(held):
        calendar[documents] = place
    return Clocks(**found, calendar=calendar, calendars=records_of(FiscalCalendar, [row for row, _ in held]))


def vector_rows(names: np.ndarray, vector_ids: Sequence[str]) -> np.ndarray:
    """The row of the vector index of each name; `vector_ids` are in order of row.

    Raises `BadWarehouse` where one is not among them.
    """
    row_of = {name: row for row, name in enumerate(vector_ids)}
    try:
        return np.fromiter(map(row_of.__getitem__, names), np.int64, len(names))
    except (KeyError, TypeError) as lost:  # a name that is masked, as no text was read, has no hash
        raise BadWarehouse(f"the vector index and the embeddings do not agree ({lost})", CURE) from None


@dataclass(frozen=True, eq=False)
class Windows:
    """Pairs of a row of the vectors and a row of the passages, of which there are `count`; rising by vector."""

    vectors: np.ndarray
    passages: np.ndarray
    count: int

    @classmethod
    def of(cls, passages: np.ndarray, names: np.ndarray, vector_ids: Sequence[str], count: int) -> Windows:
        """From the row of the passage of each window and the id of its vector; `vector_ids` are in order of row.

        Raises `BadWarehouse` where one is not among them.
        """
        vectors = vector_rows(names, vector_ids)
        order = np.argsort(vectors, kind="stable")
        return cls(vectors[order], passages[order], count)

    def of_allowed(self, allowed: np.ndarray | None) -> np.ndarray:
        """The vectors of the allowed passages (a boolean mask; None allows all), rising."""
        return self._all if allowed is None else _distinct(self.vectors[allowed[self.passages]])

    def of_passages(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The vectors of some passages, and of each the place of its passage among them, rising."""
        order, bounds = self._by_passage
        counts = bounds[rows + 1] - bounds[rows]
        places = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.vectors[order[bounds[rows][places] + within]], places

    def best_by_passage(self, vectors: np.ndarray, scores: np.ndarray, allowed: np.ndarray | None) -> dict[int, float]:
        """The score of the first vector of each allowed passage that has one of these, given best first."""
        low, high = np.searchsorted(self.vectors, vectors), np.searchsorted(self.vectors, vectors, side="right")
        best: dict[int, float] = {}
        for first, last, score in zip(low.tolist(), high.tolist(), scores.tolist(), strict=True):
            for passage in self.passages[first:last].tolist():
                if allowed is None or allowed[passage]:
                    best.setdefault(passage, score)
        return best

    @cached_property
    def _all(self) -> np.ndarray:
        return _distinct(self.vectors)

    @cached_property
    def _by_passage(self) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(self.passages, kind="stable")
        return order, np.searchsorted(self.passages[order], np.arange(self.count + 1))


@dataclass(frozen=True, eq=False)
class RowLabels:
    """The rows of figures that passages show: each its passage, which rises, its label's vector, its statement.

    `vectors` are rows of the vector index; `statements` are the values of `StatementKind`, empty outside of one.
    """

    passages: np.ndarray
    vectors: np.ndarray
    statements: np.ndarray

    def inside(self, allowed: np.ndarray) -> np.ndarray:
        """The rows in the allowed passages (a boolean mask), as places in the columns."""
        return np.flatnonzero(allowed[self.passages])


def _distinct(rising: np.ndarray) -> np.ndarray:
    return rising[np.diff(rising, prepend=-1) > 0]
