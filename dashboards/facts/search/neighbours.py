"""The passages before and after one, in its document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from warehouse.reader import Warehouse
from warehouse.records import Hit

_PASSAGE_COLUMNS = 'chunk_index, start, "end", page, text'
_BEFORE = f"""
    SELECT {_PASSAGE_COLUMNS} FROM chunks WHERE document_id = $id AND start < $start
    ORDER BY start DESC, chunk_index DESC LIMIT $reach
"""  # noqa: S608
_AFTER = f"""
    SELECT {_PASSAGE_COLUMNS} FROM chunks WHERE document_id = $id AND "end" > $stop AND start > $start
    ORDER BY start, chunk_index LIMIT $reach
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class NearbyPassage:
    """A passage beside another: its number in the document from 1, its page, where it begins, and its words."""

    number: int
    page: int | None
    start: int
    text: str

    @property
    def where(self) -> str:
        """Its place in the document."""
        return f"Page {self.page}, passage {self.number}" if self.page else f"Passage {self.number}"


@dataclass(frozen=True, slots=True)
class NearbyPassages:
    """What stands before and after a passage, both in the order of the text."""

    before: tuple[NearbyPassage, ...]
    after: tuple[NearbyPassage, ...]


def find_nearby_passages(warehouse: Warehouse, hit: Hit, reach: int) -> NearbyPassages:
    """The nearest `reach` passages on either side of a hit, fewer where the document begins or ends."""
    asked = {"id": hit.document_id, "start": hit.start, "reach": reach}
    before = warehouse.snapshot.records(_BEFORE, asked)
    after = warehouse.snapshot.records(_AFTER, {**asked, "stop": hit.end})
    return NearbyPassages(tuple(map(_nearby_passage, reversed(before))), tuple(map(_nearby_passage, after)))


def _nearby_passage(row: dict[str, Any]) -> NearbyPassage:
    return NearbyPassage(row["chunk_index"] + 1, row["page"], row["start"], row["text"])
