"""Columns of passages, mentions of times, names and documents of a generation, as numpy arrays for ranking."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np

from warehouse.records.calendars import FiscalCalendar
from warehouse.store.arrow_files import ID_BYTES, ID_LENGTH, to_records
from warehouse.store.catalog import read_script

EPOCH = date(1970, 1, 1)


def to_day_number(moment: date) -> int:
    """A date as days since 1970."""
    return (moment - EPOCH).days


NO_START = to_day_number(date.min)  # The start of an interval that has none.
NO_END = to_day_number(date.max)  # The end of an interval that has none.
NO_DAY = np.iinfo(np.int32).min  # Where a day is unknown.
NO_NUMBER = -1  # The page or lesson of a passage that has none.
CODE_DIGITS = 15
"""Hexadecimal digits of a passage's id that make its code: they fit a signed integer of 64 bits. Two of a million
passages share them in one of two million warehouses."""
_DIGITS = np.zeros(256, np.int64)
_DIGITS[np.frombuffer(b"0123456789abcdef", np.uint8)] = np.arange(16)


def compute_codes(ids: np.ndarray) -> np.ndarray:
    """The number of each passage in indexes: the first 60 bits of its id (bytes)."""
    letters = np.ascontiguousarray(ids.astype(ID_BYTES)).view(np.uint8).reshape(-1, ID_LENGTH)
    codes = np.zeros(len(ids), np.int64)
    for digit in range(CODE_DIGITS):
        codes = codes << 4 | _DIGITS[letters[:, digit]]
    return codes


@dataclass(frozen=True, eq=False)
class Passages:
    """Columns of equal length; `documents[document[row]]` is the id of a row's document.

    `ids` are chunk ids and `document_ids` those of the documents, both as bytes; `start` and `end` the span in the
    document's text; `document` rises with the row, and `start` within a document. `quality` is in [0, 1]. `page` and
    `lesson` are `NO_NUMBER` where there is none; `section` is a code of the distinct sections. `is_references` are
    lists of what their document cites. `day` and `day_end` (half-open, days since 1970, or `NO_DAY`) are those of
    the diary entry that contains a passage, `is_entry`, else its document's date. A passage that the rows of a table
    date, from the first day to the last, is an entry too, and `is_dated_by_rows`.
    """

    ids: np.ndarray
    document_ids: np.ndarray
    document: np.ndarray
    start: np.ndarray
    end: np.ndarray
    quality: np.ndarray
    page: np.ndarray
    lesson: np.ndarray
    section: np.ndarray
    has_table: np.ndarray
    is_references: np.ndarray
    day: np.ndarray
    day_end: np.ndarray
    is_entry: np.ndarray
    is_dated_by_rows: np.ndarray

    @cached_property
    def newest_day(self) -> np.ndarray:
        """How new each is: the last day of its rows, else `day`, as a week is written about from its first day on."""
        return np.where(self.is_dated_by_rows, self.day_end - 1, self.day)

    def __len__(self) -> int:
        """How many passages there are."""
        return len(self.ids)

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The id of each document."""
        return tuple(name.decode() for name in self.document_ids.tolist())

    def get_chunk_ids(self, rows: np.ndarray) -> list[str]:
        """The chunk ids of some rows."""
        return [name.decode() for name in self.ids[rows].tolist()]

    def find_rows(self, chunk_ids: Sequence[str]) -> np.ndarray:
        """The row of each chunk id, -1 for an unknown one."""
        names = np.array([name.encode() for name in chunk_ids], ID_BYTES)
        rows = self.find_rows_by_code(compute_codes(names))
        return np.where((rows >= 0) & (self.ids[rows] == names), rows, -1) if len(self) else rows

    def find_rows_by_code(self, codes: np.ndarray) -> np.ndarray:
        """The row of each code of a passage (`compute_codes`), -1 for an unknown one."""
        if not len(self):
            return np.full(len(codes), -1, np.int64)
        # Looked up in rising order, which jumps less through the memory: 50,000 of a million in 5 ms instead of 14.
        order = np.argsort(codes)
        sorted_codes, rows = self.by_code
        positions = np.minimum(np.searchsorted(sorted_codes, codes[order]), len(self) - 1)
        found_rows = np.empty(len(codes), np.int64)
        found_rows[order] = np.where(sorted_codes[positions] == codes[order], rows[positions], -1)
        return found_rows

    @cached_property
    def by_code(self) -> tuple[np.ndarray, np.ndarray]:
        """The codes of all passages (`compute_codes`), rising, and the row of each, int32."""
        codes = compute_codes(self.ids)
        order = np.argsort(codes, kind="stable").astype(np.int32)
        return codes[order], order

    def mask_documents(self, rows: np.ndarray) -> np.ndarray:
        """Whether each document has one of the passages `rows`, a boolean mask; returns a mask over the documents."""
        mask: np.ndarray = np.logical_or.reduceat(rows, self._first_rows) if len(self) else np.zeros(0, np.bool_)
        return mask

    @cached_property
    def _first_rows(self) -> np.ndarray:
        """The first passage of each document; every one has passages."""
        return np.searchsorted(self.document, np.arange(len(self.document_ids), dtype=self.document.dtype))

    @cached_property
    def ordinal_of(self) -> dict[str, int]:
        """The ordinal of each document id."""
        return {document_id: ordinal for ordinal, document_id in enumerate(self.documents)}

    def list_ordinals(self, document_ids: Iterable[str]) -> list[int]:
        """The ordinals, rising, of those of some documents that have passages."""
        return sorted(self.ordinal_of[name] for name in set(document_ids) if name in self.ordinal_of)


_POSITION_BITS = 32  # Bits of a position in a text; no text is longer than 4 GiB.


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
        return _make_key(self.document, self.start)

    def find_runs(self, document: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each stretch of text, the half-open run of the spans that start in it; all of one shape."""
        return np.searchsorted(self._keys, _make_key(document, start)), np.searchsorted(
            self._keys, _make_key(document, end)
        )

    def find_inside(self, document: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The pairs of a stretch of text and a span inside it: positions of the stretches, rows of the spans.

        Rising by both. A span that is only partly in a stretch is left out.
        """
        first, last = self.find_runs(document, start, end)
        counts = last - first
        stretches = np.repeat(np.arange(len(counts)), counts)
        rows = np.arange(len(stretches)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
        is_inside = self.end[rows] <= end[stretches]
        return stretches[is_inside], rows[is_inside]


def mask_runs(runs: tuple[np.ndarray, np.ndarray], selection: np.ndarray) -> np.ndarray:
    """Whether each run of spans, as `Spans.find_runs` gives them, has a span of `selection` (a mask over spans)."""
    counts_before = np.concatenate([np.zeros(1, np.int32), np.cumsum(selection, dtype=np.int32)])
    first, last = runs
    return np.asarray(counts_before[last] > counts_before[first])


@dataclass(frozen=True, eq=False)
class Mentions(Spans):
    """The times that texts name, those without an interval left out; days count from 1970.

    A missing start is `NO_START`, a missing end `NO_END`.
    """

    start_date: np.ndarray
    end_date: np.ndarray


@dataclass(frozen=True, eq=False)
class Names(Spans):
    """The names that texts have: `names[name[row]]` is a row's normalised form."""

    name: np.ndarray
    names: Sequence[str]

    def get_codes(self, name: str) -> list[int]:
        """The codes of the names that are this one, whatever their case."""
        return self._codes.get(name.casefold(), [])

    @cached_property
    def _codes(self) -> dict[str, list[int]]:
        codes: defaultdict[str, list[int]] = defaultdict(list)
        for code, name in enumerate(self.names):
            codes[name.casefold()].append(code)
        return dict(codes)


def _make_key(document: np.ndarray, position: np.ndarray) -> np.ndarray:
    return np.asarray((document.astype(np.int64) << _POSITION_BITS) + position)


@dataclass(frozen=True, eq=False)
class DocumentTimes:
    """The times of the documents, one row for each, in the order of `Passages.documents`.

    `published` is the document's date, `reported_start` and `reported_end` its reported period, half-open;
    `NO_DAY` where it has none. `first_month` is the month, 1 to 12, in which its fiscal years begin, 0 if unknown,
    and `named_by_start` says that they are named by the year of that month. `calendar` is the position of its company's
    in `calendars`, -1 if unknown. `is_note` says that the document is a note or message.
    """

    published: np.ndarray
    reported_start: np.ndarray
    reported_end: np.ndarray
    first_month: np.ndarray
    named_by_start: np.ndarray
    is_note: np.ndarray
    calendar: np.ndarray
    calendars: tuple[FiscalCalendar, ...] = ()


def read_document_times(connection: Any, passages: Passages) -> DocumentTimes:
    """The times of the documents of the passages."""
    fields = connection.execute(read_script("document_times.sql")).fetchnumpy()
    rows = np.searchsorted(fields.pop("document_id").astype(ID_BYTES), passages.document_ids)
    missing = {"published": NO_DAY, "reported_start": NO_DAY, "reported_end": NO_DAY, "is_note": False}
    columns = {name: np.ma.filled(column, missing.get(name, 0))[rows] for name, column in fields.items()}
    columns.update({name: columns[name].astype(np.bool_) for name in ("named_by_start", "is_note")})
    calendars = connection.execute(read_script("fiscal_calendars.sql")).fetchall()
    calendar, ordinals = np.full(len(passages.document_ids), -1), passages.ordinal_of
    for number, (_, documents) in enumerate(calendars):
        calendar[[ordinals[document] for document in documents if document in ordinals]] = number
    records = to_records(FiscalCalendar, [row for row, _ in calendars])
    return DocumentTimes(**columns, calendar=calendar, calendars=records)


@dataclass(frozen=True, eq=False)
class Windows:
    """Pairs of a row of the `rows` vectors and a row of the `count` passages; rising by passage."""

    vectors: np.ndarray
    passages: np.ndarray
    count: int
    rows: int

    @classmethod
    def from_pairs(cls, passages: np.ndarray, vectors: np.ndarray, count: int, rows: int) -> Windows:
        """From the row of the passage and that of the vector of each window."""
        order = np.argsort(passages, kind="stable")
        return cls(vectors[order], passages[order], count, rows)

    def mask_vectors(self, passage_mask: np.ndarray | None) -> np.ndarray:
        """The vectors of the allowed passages (a boolean mask; None allows all), as a boolean mask over vectors."""
        if passage_mask is None:
            return self._mask_of_passages
        mask = np.zeros(self.rows, np.bool_)
        mask[self.vectors] = passage_mask[self.passages]
        # For a vector of several passages, the assignment above kept only the last one's value.
        shared_pairs = self._shared_vector_pairs
        mask[self.vectors[shared_pairs[passage_mask[self.passages[shared_pairs]]]]] = True
        return mask

    def find_vectors(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The vectors of some passages, and for each vector the position of its passage in `rows`, rising."""
        bounds = self._first_pairs
        counts = bounds[rows + 1] - bounds[rows]
        positions = np.repeat(np.arange(len(rows)), counts)
        offsets = np.arange(len(positions)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.vectors[bounds[rows][positions] + offsets], positions

    def select_best(self, vectors: np.ndarray, scores: np.ndarray, mask: np.ndarray | None) -> dict[int, float]:
        """The score of the first vector of each allowed passage that has one of these, given best first."""
        sorted_vectors, passages = self.by_vector
        low, high = np.searchsorted(sorted_vectors, vectors), np.searchsorted(sorted_vectors, vectors, side="right")
        best: dict[int, float] = {}
        for first, last, score in zip(low.tolist(), high.tolist(), scores.tolist(), strict=True):
            for passage in passages[first:last].tolist():
                if mask is None or mask[passage]:
                    best.setdefault(passage, score)
        return best

    @cached_property
    def by_vector(self) -> tuple[np.ndarray, np.ndarray]:
        """The same pairs, the rows of vectors and those of passages, rising by vector."""
        order = np.argsort(self.vectors, kind="stable")
        return self.vectors[order], self.passages[order]

    @cached_property
    def _mask_of_passages(self) -> np.ndarray:
        mask = np.zeros(self.rows, np.bool_)
        mask[self.vectors] = True
        return mask

    @cached_property
    def _shared_vector_pairs(self) -> np.ndarray:
        """The pairs with a vector that another pair has, too."""
        return np.flatnonzero(np.bincount(self.vectors, minlength=self.rows)[self.vectors] > 1)

    @cached_property
    def _first_pairs(self) -> np.ndarray:
        """The first pair of each passage, followed by the number of pairs."""
        return np.append(0, np.cumsum(np.bincount(self.passages, minlength=self.count)))


@dataclass(frozen=True, eq=False)
class RowLabels:
    """The rows of figures that passages show: the passage of each (rising), its label's vector and its statement.

    `vectors` are rows of the vector index; `statements` are the values of `StatementKind`, empty outside of one.
    """

    passages: np.ndarray
    vectors: np.ndarray
    statements: np.ndarray

    def select_allowed(self, mask: np.ndarray) -> np.ndarray:
        """The rows in the allowed passages (a boolean mask), as places in the columns."""
        return np.flatnonzero(mask[self.passages])
