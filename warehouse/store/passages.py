"""What ranking needs to know of every passage of a generation, in columns: a row a passage, by document and place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class Passages:
    """Columns of equal length; `documents[document[row]]` is the id of a row's document.

    `ids` are chunk ids; `start` and `end` the span in the document's text; `document` rises with the row, and `start`
    within a document. `quality` is in [0, 1]. `is_references` are those that list what
    their document cites.
    """

    ids: np.ndarray
    documents: tuple[str, ...]
    document: np.ndarray
    start: np.ndarray
    end: np.ndarray
    quality: np.ndarray
    is_references: np.ndarray

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

    def rows(self, chunk_ids: Iterable[str]) -> np.ndarray:
        """The rows of chunk ids, in their order."""
        return np.fromiter((self.row_of[chunk_id] for chunk_id in chunk_ids), np.int64)
