"""Candidate cells for a figure query: figures, and dashes instead of figures, whose headers have words of the item.

A warehouse of a million cells has a few ten thousand different headers: each word is searched once in those, and numpy
maps the matches to the cells. Only the best cells are then read. Also the names of scales and the format of values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa

from warehouse.reader import Warehouse
from warehouse.records import Window
from warehouse.store.snapshot import Snapshot

_HEADERS = """
    SELECT c.document_id, c."table", c."row", c."column", c.row_header, c.column_header, t.caption,
        coalesce(if(c.period_end IS NULL, NULL, c.period_start) - DATE '1970-01-01', -2147483648)::INTEGER AS since,
        coalesce(if(c.period_start IS NULL, NULL, c.period_end) - DATE '1970-01-01', 2147483647)::INTEGER AS until
    FROM cells c JOIN tables t ON t.document_id = c.document_id AND t.number = c."table"
    WHERE (c.value IS NOT NULL OR regexp_full_match(c.text, '[$€£¥ ]*([-–—−]+|nil|n/?a|n/?m)[ %]*', 'i'))
        AND c.row_header <> '' AND c.text <> c.row_header
        AND (len($documents) = 0 OR c.document_id IN (SELECT unnest($documents)))
    ORDER BY c.document_id, c."table", c."row", c."column"
"""
"""Figures, and dashes instead of figures."""
MAX_CELLS = 20_000  # The cells that are scored, those with most words of the item.
MAX_DISTANCE = timedelta(days=800)
"""The distance from the query's time within which cells are read: fiscal periods may be far from their name's year."""
SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion", 1e4: "万", 1e8: "亿"}
"""The names of the scales that figures are printed in."""

_CELLS = """
    WITH chosen AS (
        SELECT unnest($documents) AS document_id, unnest($tables) AS number, unnest($rows) AS "row",
            unnest($columns) AS "column", unnest($places) AS place
    )
    SELECT c.document_id, c."table", c."row", c."column", c.row_header, c.column_header, c.text, c.start, c."end",
        c."value", c.unit, c.scale, c.currency, c.period_start, c.period_end, c.doubt, c.concept, t.caption,
        t.confidence,
        list_filter(t.parts, lambda part: part.first_row <= c."row" AND part.last_row >= c."row")[1].page AS page
    FROM chosen k
    JOIN cells c ON c.document_id = k.document_id AND c."table" = k.number AND c."row" = k."row"
        AND c."column" = k."column"
    JOIN tables t ON t.document_id = k.document_id AND t.number = k.number
    ORDER BY k.place
"""
_LABELS = """
    SELECT DISTINCT c.row_header FROM cells c
    WHERE c.value IS NOT NULL AND c.row_header <> ''
        AND (len($documents) = 0 OR c.document_id IN (SELECT unnest($documents)))
    ORDER BY c.row_header LIMIT $most
"""
_EPOCH = date(1970, 1, 1)

_headers_by_snapshot: WeakKeyDictionary[Snapshot, CellHeaders] = WeakKeyDictionary()
"""The headers of all documents of a generation, while its snapshot is in use: about 40 bytes a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class CellHeaders:
    """The headers of cells in order of documents and places; `key` has the id and the place of each.

    `labels` are dictionary-encoded: distinct texts without case and accents, and each cell's index among them. `since`
    and `until` are days since 1970; a cell without a time counts for all times.
    """

    key: pa.Table
    labels: tuple[tuple[pa.Array, np.ndarray], ...]
    since: np.ndarray
    until: np.ndarray

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot, documents: Sequence[str]) -> CellHeaders:
        """The headers of given documents, or of all if none are given, which are read once per generation."""
        if documents:
            return cls._read(snapshot, documents)
        if snapshot not in _headers_by_snapshot:
            _headers_by_snapshot[snapshot] = cls._read(snapshot, ())
        return _headers_by_snapshot[snapshot]

    @classmethod
    def _read(cls, snapshot: Snapshot, documents: Sequence[str]) -> CellHeaders:
        headers = snapshot.query_table(_HEADERS, {"documents": list(documents)})
        arrays = [
            headers[name].combine_chunks().dictionary_encode() for name in ("row_header", "column_header", "caption")
        ]
        labels = tuple((_fold_labels(array.dictionary), np.from_dlpack(array.indices)) for array in arrays)
        since, until = (np.from_dlpack(headers[name].combine_chunks()) for name in ("since", "until"))
        return cls(headers.select(["document_id", "table", "row", "column"]), labels, since, until)

    def _mask_word(self, word: str) -> np.ndarray:
        """A boolean for each cell: whether one of its labels has the word."""
        import pyarrow.compute as pc

        # DLPack and not to_numpy, which imports pandas; it has no array of single bits.
        matches_by_label = [(pc.match_substring(texts, word).cast(pa.uint8()), codes) for texts, codes in self.labels]
        cell_masks = [np.from_dlpack(matches).astype(bool)[codes] for matches, codes in matches_by_label]
        return np.asarray(np.logical_or.reduce(cell_masks))

    def select_best(self, wordings: Sequence[Sequence[str]], since: date, until: date, most: int) -> pa.Table:
        """The keys of the cells about a time with the largest share of the words of a wording, best first."""
        share = np.zeros(len(self.since), np.float32)
        every_word = {word for wording in wordings for word in wording}
        masks = {word: self._mask_word(word) for word in every_word}
        for wording in wordings:
            word_counts = np.zeros(len(share), np.int16)
            for word in wording:
                word_counts += masks[word]
            np.maximum(share, word_counts / np.float32(len(wording)), out=share)
        share[(self.since >= (until - _EPOCH).days) | (self.until <= (since - _EPOCH).days)] = 0
        nonzero = np.flatnonzero(share)
        order = nonzero[np.argsort(-share[nonzero], kind="stable")[:most]].astype(np.int64)
        # An array from NumPy would import pandas.
        return self.key.take(pa.Array.from_buffers(pa.int64(), len(order), [None, pa.py_buffer(order)]))


def _fold_labels(labels: pa.Array) -> pa.Array:
    """Texts without case and accents, as the stems of words are; an array from Python's strings imports pandas."""
    import pyarrow.compute as pc

    decomposed = pc.utf8_normalize(pc.utf8_lower(labels), form="NFKD")
    unaccented = pc.replace_substring_regex(decomposed, r"[\x{0300}-\x{036f}]", "")
    return pc.replace_substring(pc.utf8_normalize(unaccented, form="NFKC"), "ß", "ss")


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A cell of a document's table as `Cell` has it, the caption and confidence of its table, the page of its row."""

    document_id: str
    table: int
    row: int
    column: int
    row_header: str
    column_header: str
    text: str
    start: int
    end: int
    value: float | None
    unit: str
    scale: float
    currency: str
    period_start: date | None
    period_end: date | None
    doubt: str
    concept: str
    caption: str
    confidence: float
    page: int | None

    @property
    def place(self) -> tuple[str, int, int, int]:
        """Document, table, row and column."""
        return self.document_id, self.table, self.row, self.column


def find_cells(
    warehouse: Warehouse, wordings: Sequence[Sequence[str]], documents: Sequence[str], windows: Sequence[Window]
) -> list[FigureCell]:
    """The cells of some documents, or all if there are none, with words of one of the wordings, about their times."""
    headers = CellHeaders.from_snapshot(warehouse.snapshot, documents)
    # The common beginning of a word and its stem: Snowball writes "inventori" for inventory.
    stems = [[word[:-1] if len(word) > 3 and word[-1] == "i" else word for word in wording] for wording in wordings]
    best_keys = headers.select_best(stems, *_find_days_of_cells(windows), MAX_CELLS)
    if not best_keys.num_rows:
        return []
    names = ("documents", "tables", "rows", "columns")
    parameters = {name: column.to_pylist() for name, column in zip(names, best_keys.columns, strict=True)}
    rows = warehouse.snapshot.query_rows(_CELLS, {**parameters, "places": list(range(best_keys.num_rows))})
    return [FigureCell(*row) for row in rows]


def read_row_labels(warehouse: Warehouse, documents: Sequence[str]) -> list[str]:
    """The distinct labels of rows with figures, at most `MOST`."""
    rows = warehouse.snapshot.query_rows(_LABELS, {"documents": list(documents), "most": MAX_CELLS})
    return [str(label) for (label,) in rows]


def _find_days_of_cells(windows: Sequence[Window]) -> tuple[date, date]:
    """The days from which and up to which cells are read: those of the windows and `AROUND` them."""
    starts = [bound for window in windows for bound in (window.start, window.other_start) if bound]
    ends = [bound for window in windows for bound in (window.end, window.other_end) if bound]
    since, until = min(starts, default=date.min), max(ends, default=date.max)
    if any(window.start is None for window in windows) or since - date.min < MAX_DISTANCE:
        since = date.min + MAX_DISTANCE
    if any(window.end is None for window in windows) or date.max - until < MAX_DISTANCE:
        until = date.max - MAX_DISTANCE
    return since - MAX_DISTANCE, until + MAX_DISTANCE


def format_exact(value: float) -> str:
    """A value with separated thousands, to six decimals."""
    rounded_value = round(value, 6)
    return f"{rounded_value:,.0f}" if rounded_value == int(rounded_value) else f"{rounded_value:,.6f}".rstrip("0")
