"""The columns of passages, times and names of a generation, read from its parts."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa

from warehouse.store.arrow_files import ID_BYTES, read_columns
from warehouse.store.columns import column_parts
from warehouse.store.columns.lake_columns import DTYPES, ENTRY_BIT, REFERENCES_BIT, ROWS_BIT, STATEMENTS, TABLE_BIT
from warehouse.store.columns.passage_columns import Mentions, Names, Passages, RowLabels, Windows
from warehouse.store.generations import Generation
from warehouse.store.vectors.vector_index import load_array

_NO_ROWS = np.empty(0, np.int64)


class GenerationColumns:
    """The parts of a generation, mapped; each column is read when it is asked for."""

    def __init__(self, generation: Generation) -> None:
        """Raises `BadWarehouse` where a part is damaged."""
        files = column_parts.list_files(generation)
        self._parts = [read_columns(file) for file in files]
        self._rows = [load_array(column_parts.get_rows_file(file)) for file in files]
        counts = [self._count_rows(part, "passages.document") for part in range(len(self._parts))]
        self._first_passage = np.concatenate([[0], np.cumsum(counts)])

    def read_passages(self) -> Passages:
        """The columns of all passages."""
        flags = self._read_column("passages.flags")
        return Passages(
            ids=self._read_column("passages.id"),
            document_ids=self._document_ids,
            document=self._read_documents("passages"),
            section=self._read_codes("passages.section", "sections"),
            has_table=flags & TABLE_BIT > 0,
            is_references=flags & REFERENCES_BIT > 0,
            is_entry=flags & ENTRY_BIT > 0,
            is_dated_by_rows=flags & ROWS_BIT > 0,
            **{name: self._read_int64(f"passages.{name}") for name in ("start", "end", "day", "day_end")},
            **{name: self._read_column(f"passages.{name}") for name in ("quality", "page", "lesson")},
        )

    def read_mentions(self) -> Mentions:
        """The mentions of times in all texts."""
        return Mentions(
            document=self._read_documents("mentions"),
            **{name: self._read_int64(f"mentions.{name}") for name in ("start", "end")},
            **{name: self._read_column(f"mentions.{name}") for name in ("start_date", "end_date")},
        )

    def read_names(self) -> Names:
        """The names in all texts."""
        texts = [text for part in self._parts for text in pa.chunked_array([part["names"]]).to_pylist()]
        names, codes = np.unique(np.array(texts, object), return_inverse=True)
        return Names(
            document=self._read_documents("names"),
            name=codes[self._read_codes("names.name", "names")],
            names=names.tolist(),
            **{name: self._read_int64(f"names.{name}") for name in ("start", "end")},
        )

    def read_sections(self) -> pa.ChunkedArray:
        """The distinct sections, by the codes that passages have; two parts may repeat a section."""
        return pa.chunked_array([part["sections"] for part in self._parts], pa.list_(pa.string()))

    def read_windows(self, vectors: int) -> Windows:
        """The pairs of a passage and a vector of it, of `vectors` vectors in all."""
        counts = [self._count_rows(part, "windows.passage") for part in range(len(self._parts))]
        rows = [rows[:count] for rows, count in zip(self._rows, counts, strict=True)]
        count = int(self._first_passage[-1])
        return Windows.from_pairs(self._read_passage_rows("windows"), np.concatenate([*rows, _NO_ROWS]), count, vectors)

    def read_row_labels(self) -> RowLabels:
        """The rows of figures in passages."""
        counts = [self._count_rows(part, "windows.passage") for part in range(len(self._parts))]
        rows = [rows[count:] for rows, count in zip(self._rows, counts, strict=True)]
        statements = np.array(STATEMENTS)[self._read_column("labels.statement")]
        return RowLabels(self._read_passage_rows("labels"), np.concatenate([*rows, _NO_ROWS]), statements)

    @cached_property
    def _ordinals(self) -> list[np.ndarray]:
        """For each part the ordinal of each of its documents that has passages."""
        ordinals, first = [], 0
        for part in self._parts:
            has_passages = np.bincount(part["passages.document"], minlength=len(part["documents.id"])) > 0
            ordinals.append(first - 1 + np.cumsum(has_passages))
            first += int(has_passages.sum())
        return ordinals

    @cached_property
    def _document_ids(self) -> np.ndarray:
        ids = [part["documents.id"][np.unique(part["passages.document"])] for part in self._parts]
        return np.concatenate([*ids, np.empty(0, ID_BYTES)])

    def _count_rows(self, part: int, name: str) -> int:
        return len(self._parts[part][name])

    def _read_column(self, name: str) -> np.ndarray:
        pieces = [part[name] for part in self._parts]
        if len(pieces) == 1:
            return pieces[0]
        return np.concatenate([*pieces, np.empty(0, DTYPES[name])])

    def _read_int64(self, name: str) -> np.ndarray:
        return self._read_column(name).astype(np.int64)

    def _read_documents(self, group: str) -> np.ndarray:
        """The ordinal of the document of each row of a group, in `Passages.documents`."""
        pieces = [
            ordinals[part[f"{group}.document"]] for ordinals, part in zip(self._ordinals, self._parts, strict=True)
        ]
        return np.concatenate([*pieces, _NO_ROWS]).astype(np.int32)

    def _read_passage_rows(self, group: str) -> np.ndarray:
        """The row of the passage of each row of a group."""
        pieces = [
            first + part[f"{group}.passage"] for first, part in zip(self._first_passage, self._parts, strict=False)
        ]
        return np.concatenate([*pieces, _NO_ROWS])

    def _read_codes(self, name: str, texts: str) -> np.ndarray:
        """Codes that number the texts of all parts consecutively."""
        firsts = np.cumsum([0, *(len(part[texts]) for part in self._parts)])
        pieces = [first + part[name] for first, part in zip(firsts, self._parts, strict=False)]
        return np.concatenate([*pieces, _NO_ROWS])
