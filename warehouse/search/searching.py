"""From a question to hits: filter, find by vector and by word, weigh the evidence, arrange, cite."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from warehouse.records import Hit, Mode, Question
from warehouse.search.citing import cite
from warehouse.search.evidence import Evidence, Scored, weighed
from warehouse.search.filtering import allowed_rows
from warehouse.search.fusion import fuse
from warehouse.search.pool import Pool, gather
from warehouse.search.timely import timeliness
from warehouse.store.snapshot import Snapshot


def search(snapshot: Snapshot, question: Question) -> list[Hit]:
    """The `question.k` best chunks in falling order of score; fewer only where fewer satisfy the filters."""
    pool = gather(snapshot, question, allowed_rows(snapshot, question.filters))
    halves = fuse(question, pool)
    scored = weighed({"meaning": halves.meaning, "words": halves.words}, list(_evidence(snapshot, question, pool)))
    # Rows rise in the pool, so of equal scores the earlier passage is first.
    order = np.argsort(-scored.total, kind="stable")[: question.k]
    return _hits(snapshot, question, pool, scored, order)


def _evidence(snapshot: Snapshot, question: Question, pool: Pool) -> Iterator[Evidence]:
    if question.ranking.times and question.windows:
        yield timeliness(snapshot, question, pool)


def _hits(snapshot: Snapshot, question: Question, pool: Pool, scored: Scored, order: np.ndarray) -> list[Hit]:
    ids = snapshot.passages.ids[pool.rows[order]].tolist()
    found = snapshot.chunks(ids)
    holdings = snapshot.holdings({chunk.document_id for chunk, _ in found.values()})
    folders = {root.name: root.folder for root in snapshot.generation.manifest.roots}
    mode = question.ranking.mode
    hits = []
    for place, chunk_id in zip(order, ids, strict=True):
        chunk, quality = found[chunk_id]
        holding = holdings[chunk.document_id]
        score = float(scored.total[place])
        citation = cite(holding, chunk, folders[holding.file.root], quality, score)
        dense = float(pool.cosines[place]) if mode is not Mode.KEYWORD else None
        keyword = float(pool.bm25[place]) if mode is not Mode.DENSE else None
        parts = scored.parts_of(place)
        hits.append(Hit(chunk_id, chunk.document_id, chunk.start, chunk.text, score, dense, keyword, citation, parts))
    return hits
