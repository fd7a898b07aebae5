"""From places among the hits to hits: texts, scores by part, citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from warehouse.records import CatalogEntry, Chunk, Citation, Hit, Mode
from warehouse.search.citations import cite
from warehouse.search.evidence import Scored
from warehouse.search.grouping import Candidates, Group
from warehouse.search.pool import CandidatePool
from warehouse.store.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class RankedPool:
    """A ranking made: the pool, its scores, and `order`, the places in the pool from the best down."""

    pool: CandidatePool
    scored: Scored
    order: np.ndarray
    mode: Mode


def hits_of(snapshot: Snapshot, standing: RankedPool, candidates: Candidates, groups: Sequence[Group]) -> list[Hit]:
    """A hit for each group. One that stands for several has the scores of the best of them."""
    if not groups:
        return []
    sources = _Sources(snapshot, candidates, groups)
    totals = standing.scored.total[standing.order]
    return [_hit(standing, sources, group, totals) for group in groups]


class _Sources:
    """The documents of some groups, to cite their passages."""

    def __init__(self, snapshot: Snapshot, candidates: Candidates, groups: Sequence[Group]) -> None:
        self.candidates = candidates
        ranks = {rank for group in groups for rank in (group.best, *group.duplicates)}
        self._holdings = snapshot.entries({candidates.chunk(rank).document_id for rank in ranks})
        self._folders = {root.name: root.folder for root in snapshot.generation.manifest.roots}

    def cite(self, rank: int, chunk: Chunk, relevance: float) -> Citation:
        """The citation of a candidate, or of the passage `chunk` that is shown in its place."""
        entry: CatalogEntry = self._holdings[chunk.document_id]
        folder: Path = self._folders[entry.file.root]
        return cite(entry, chunk, folder, self.candidates.quality(rank), relevance)


def _hit(standing: RankedPool, sources: _Sources, group: Group, totals: np.ndarray) -> Hit:
    place = int(standing.order[group.best])
    shown, score = _shown(sources.candidates, group), float(totals[group.best])
    chunk = sources.candidates.chunk
    return Hit(
        chunk_id=shown.chunk_id,
        document_id=shown.document_id,
        start=shown.start,
        text=shown.text,
        score=score,
        dense=float(standing.pool.cosines[place]) if standing.mode is not Mode.KEYWORD else None,
        keyword=float(standing.pool.bm25[place]) if standing.mode is not Mode.DENSE else None,
        citation=sources.cite(group.best, shown, score),
        parts=standing.scored.parts_of(place),
        duplicates=tuple(sources.cite(rank, chunk(rank), float(totals[rank])) for rank in group.duplicates),
        leaves=tuple(chunk(rank).chunk_id for rank in group.leaves),
        pages=shown.pages,
        is_references=shown.is_references,
    )


def _shown(candidates: Candidates, group: Group) -> Chunk:
    """The passage that is read: the parent, numbered as the best of its leaves, or the passage found."""
    chunk, parent = candidates.chunk(group.best), group.parent
    if parent is None:
        return chunk
    return replace(
        chunk,
        chunk_id=parent.parent_id,
        start=parent.start,
        end=parent.end,
        text=parent.text,
        section=parent.section,
        page=parent.page,
        page_chunk_index=None,
        pages=parent.pages,
    )
