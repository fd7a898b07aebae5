"""From a question to hits: filter, find by vector and by word, fuse, prefer the times asked about, cite."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warehouse.records import Hit, Question
from warehouse.search.citing import cite
from warehouse.search.filtering import allowed_chunks
from warehouse.search.fusion import alpha_for, fuse, ranked
from warehouse.search.timely import SHARE, timeliness
from warehouse.store.snapshot import Snapshot

POOL = 5
"""How many candidates for a hit each half of the search brings, at least `LEAST_POOL` in all."""
LEAST_POOL = 50


def search(snapshot: Snapshot, question: Question) -> list[Hit]:
    """The `question.k` best chunks in falling order of score; fewer only where fewer satisfy the filters."""
    allowed = allowed_chunks(snapshot, question.filters)
    pool = max(LEAST_POOL, POOL * question.k)
    dense = dense_scores(snapshot, question.vector, pool, allowed)
    keyword = dict(snapshot.keywords.search(question.query, pool, allowed))
    fused = _timed(snapshot, question, fuse(dense, keyword, alpha_for(question.text)))[: question.k]
    return _hits(snapshot, question, fused, dense, keyword)


def _timed(snapshot: Snapshot, question: Question, fused: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """The same passages with the times of the question in their scores; without any, as they are."""
    if not question.windows:
        return fused
    times = timeliness(snapshot, question.windows, (passage for passage, _ in fused))
    return ranked({passage: (1 - SHARE) * score + SHARE * times.get(passage, 0.0) for passage, score in fused})


def dense_scores(snapshot: Snapshot, vector: np.ndarray, count: int, allowed: set[str] | None) -> dict[str, float]:
    """The cosines of the best chunks, at least `count` of them if there are; a chunk is as good as its best window."""
    rows, chunks = snapshot.vector_chunks
    if allowed is not None:
        chosen = np.fromiter((chunk in allowed for chunk in chunks), bool, len(chunks))
        rows, chunks = rows[chosen], chunks[chosen]
    live = np.unique(rows)
    wanted = count
    while True:
        found, scores = snapshot.vectors.search(vector, wanted, live)
        best: dict[str, float] = {}
        for row, score in zip(found, scores, strict=True):
            low, high = np.searchsorted(rows, [row, row + 1])
            for chunk in chunks[low:high]:
                best.setdefault(chunk, float(score))
        if len(best) >= count or len(found) == len(live):
            return best
        wanted *= 2


def _hits(
    snapshot: Snapshot,
    question: Question,
    fused: list[tuple[str, float]],
    dense: Mapping[str, float],
    keyword: Mapping[str, float],
) -> list[Hit]:
    found = snapshot.chunks([chunk_id for chunk_id, _ in fused])
    holdings = snapshot.holdings({chunk.document_id for chunk, _ in found.values()})
    folders = {root.name: root.folder for root in snapshot.generation.manifest.roots}
    hits = []
    for chunk_id, score in fused:
        chunk, quality = found[chunk_id]
        holding = holdings[chunk.document_id]
        citation = cite(holding, chunk, folders[holding.file.root], quality, score)
        seen = dense.get(chunk_id), keyword.get(chunk_id)
        hits.append(Hit(chunk_id, chunk.document_id, chunk.start, chunk.text, score, *seen, citation))
    return hits
