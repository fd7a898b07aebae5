"""Under which headers the figures of many tables stand, so that words are looked for in each header once.

A warehouse of a million cells has a few ten thousand different headers: a word is sought in those, and numpy takes what
was found to the cells. Only cells that are worth judging are then read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa

from warehouse.store.snapshot import Snapshot

_HEADERS = """
    SELECT c.document_id, c."table", c."row", c."column", c.row_header, c.column_header, t.caption,
        CASE WHEN c.period_end IS NULL THEN NULL ELSE c.period_start END AS since,
        CASE WHEN c.period_start IS NULL THEN NULL ELSE c.period_end END AS until
    FROM cells c JOIN tables t ON t.document_id = c.document_id AND t.number = c."table"
    WHERE (c.value IS NOT NULL OR regexp_full_match(c.text, '[$€£¥ ]*([-–—−]+|nil|n/?a|n/?m)[ %]*', 'i'))
        AND c.row_header <> '' AND c.text <> c.row_header
        AND (len($documents) = 0 OR c.document_id IN (SELECT unnest($documents)))
    ORDER BY c.document_id, c."table", c."row", c."column"
"""
"""Figures, and dashes that stand for none."""
_EPOCH = date(1970, 1, 1)

_known: WeakKeyDictionary[Snapshot, Headers] = WeakKeyDictionary()
"""Those of all documents of a generation, for as long as somebody reads it: some 40 bytes a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Texts of cells: the different ones in lower case, and the place among them of each cell's."""

    texts: pa.Array
    codes: np.ndarray

    @classmethod
    def of(cls, column: pa.ChunkedArray) -> Labels:
        """Of a column of text."""
        import pyarrow.compute as pc

        encoded = column.combine_chunks().dictionary_encode()
        return cls(pc.utf8_lower(encoded.dictionary), encoded.indices.to_numpy())

    def having(self, word: str) -> np.ndarray:
        """Which cells have the word."""
        import pyarrow.compute as pc

        return np.asarray(pc.match_substring(self.texts, word).to_numpy(zero_copy_only=False)[self.codes])


@dataclass(frozen=True, slots=True, eq=False)
class Headers:
    """The headers of cells in order of documents and places; `key` has the id and the place of each.

    `since` and `until` are days since 1970; what has no time of its own is of all times.
    """

    key: pa.Table
    labels: tuple[Labels, ...]
    since: np.ndarray
    until: np.ndarray

    @classmethod
    def of(cls, snapshot: Snapshot, documents: Sequence[str]) -> Headers:
        """Those of some documents, of all where none are given; all are read once a generation."""
        if documents:
            return cls._read(snapshot, documents)
        if snapshot not in _known:
            _known[snapshot] = cls._read(snapshot, ())
        return _known[snapshot]

    @classmethod
    def _read(cls, snapshot: Snapshot, documents: Sequence[str]) -> Headers:
        found = snapshot.table(_HEADERS, {"documents": list(documents)})
        labels = tuple(Labels.of(found[name]) for name in ("row_header", "column_header", "caption"))
        since, until = (
            found[name].cast(pa.int32()).fill_null(open_side).to_numpy()
            for name, open_side in (("since", -(2**31)), ("until", 2**31 - 1))
        )
        return cls(found.select(["document_id", "table", "row", "column"]), labels, since, until)

    def best(self, wordings: Sequence[Sequence[str]], since: date, until: date, most: int) -> pa.Table:
        """The keys of the cells about a time with the largest share of the words of a wording, best first."""
        share = np.zeros(len(self.since), np.float32)
        having = {word: self._having(word) for wording in wordings for word in wording}
        for wording in wordings:
            said = np.zeros(len(share), np.int16)
            for word in wording:
                said += having[word]
            np.maximum(share, said / np.float32(len(wording)), out=share)
        share[(self.since >= (until - _EPOCH).days) | (self.until <= (since - _EPOCH).days)] = 0
        some = np.flatnonzero(share)
        return self.key.take(some[np.argsort(-share[some], kind="stable")[:most]])

    def _having(self, word: str) -> np.ndarray:
        found: np.ndarray = np.logical_or.reduce([labels.having(word) for labels in self.labels])
        return found
