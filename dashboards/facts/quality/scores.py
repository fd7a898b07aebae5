"""One passage: where it stands, and its score explained by what it pays for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.quality.judging import EMPTY
from tasks.quality.scoring import BARE_TABLE, HYBRID_BONUS, PROSE, quality
from warehouse.reader import Warehouse
from warehouse.records import Finding

_PASSAGE = """
    SELECT c.chunk_id, c.document_id, d.source, coalesce(nullif(d.title, ''), d.path) AS title, c.start, c."end",
        c.text, c.section, c.page, c.chunk_index + 1 AS number, c.has_table, c.quality_score,
        EXISTS (
            SELECT 1 FROM blocks b WHERE b.document_id = c.document_id AND b.start < c."end" AND b."end" > c.start
                AND b.kind NOT IN ('table', 'furniture')
        ) AS has_prose
    FROM chunks c JOIN documents d USING (document_id) WHERE c.chunk_id = $id
"""
_AT = """
    SELECT chunk_id FROM chunks WHERE document_id = $id AND start <= $at AND "end" > $at ORDER BY start DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A chunk with its document's source and title; `number` is from 1, `stored` the score that is kept with it."""

    chunk_id: str
    document_id: str
    source: str
    title: str
    start: int
    end: int
    text: str
    section: tuple[str, ...]
    page: int | None
    number: int
    has_table: bool
    stored: float | None
    has_prose: bool

    @property
    def begins(self) -> tuple[float, str]:
        """What it scores where nothing is found in it, and why."""
        if not self.has_table:
            return PROSE, "prose"
        return (BARE_TABLE + HYBRID_BONUS, "a table with text around it") if self.has_prose else (BARE_TABLE, "a table")


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """A score as what a passage begins with and what its findings take away."""

    begins: float
    why: str
    charges: tuple[Finding, ...]

    @property
    def score(self) -> float:
        """What remains."""
        return quality(self.begins, self.charges)

    @property
    def remark(self) -> str:
        """Why the score is not simply the sum, where it is not."""
        if any(charge.code == EMPTY for charge in self.charges):
            return "A passage without content scores 0."
        owed = self.begins - sum(charge.penalty for charge in self.charges)
        return "No passage scores less than 0." if owed < 0 else ""


def read_passage(warehouse: Warehouse, chunk_id: str) -> ScoredPassage | None:
    """The passage of this id; None without it."""
    rows = warehouse.snapshot.rows(_PASSAGE, {"id": chunk_id})
    if not rows:
        return None
    row = list(rows[0])
    row[7] = tuple(row[7] or ())
    return ScoredPassage(*row)


def find_passage(warehouse: Warehouse, document_id: str, position: int) -> str:
    """The id of the passage that holds a position of a document's text; "" without one."""
    rows = warehouse.snapshot.rows(_AT, {"id": document_id, "at": position})
    return str(rows[0][0]) if rows else ""


def explain_score(passage: ScoredPassage, charges: Sequence[Finding]) -> ScoreBreakdown:
    """Its score by the findings charged to it."""
    return ScoreBreakdown(*passage.begins, tuple(charges))
