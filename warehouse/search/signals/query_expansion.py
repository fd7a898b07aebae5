"""Passages that say what answers to such questions say, in words that the question does not have.

Only inside documents that are known already: there the words of a question for a ratio tell hardly any page from
another, and the lines of a statement do. Elsewhere they would bring the like statement of every other company: over
278 financial contexts (TAT-QA) a share of .5 took the MRR of the questions they apply to from .61 to .38.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from warehouse.records import Question, Related
from warehouse.search.scoring import CandidatePool, Evidence, among, gather, scaled
from warehouse.search.signals.subject import best_fitting
from warehouse.store.snapshot import Snapshot

SHARE = 0.3
"""The share of a glossary's words among what meaning and words give, where it has some for the question."""
ALPHA = 0.3
"""The share of the vectors among them: a list of a statement's lines is matched by its words.

63 questions to seven filings beside 278 other financial pieces, evidence pages in five hits: 48 without, 50 or 51 at
all of five shares from .15 to .5 and two of the vectors; of the published 12 of them 6 without and 8 to 10 with.
"""


def with_related(
    snapshot: Snapshot, question: Question, allowed: np.ndarray | None, pool: CandidatePool
) -> CandidatePool:
    """A pool with the passages inside the question's documents that hold most of the glossary's words."""
    inside = _inside(snapshot, question, allowed)
    if question.related is None or not inside.any():
        return pool
    asked = replace(question, query=question.related.text, vector=question.related.vector)
    found = gather(snapshot, asked, inside).rows
    missing = found[~np.isin(found, pool.rows)]
    return pool.joined(among(snapshot, question, missing.tolist())) if len(missing) else pool


def relatedness(snapshot: Snapshot, question: Question, related: Related, pool: CandidatePool) -> Evidence:
    """How near each candidate inside the question's documents is to the glossary's words."""
    rows = pool.rows.tolist()
    near, same = snapshot.cosines(related.vector, rows), snapshot.scores(related.text, rows)
    cosines = np.array([near.get(row, 0.0) for row in rows])
    bm25 = np.array([same.get(row, 0.0) for row in rows])
    fits = ALPHA * scaled(cosines, -1.0) + (1 - ALPHA) * scaled(bm25, 0.0)
    return Evidence("related", SHARE, np.where(_inside(snapshot, question, None)[pool.rows], fits, 0.0))


def _inside(snapshot: Snapshot, question: Question, allowed: np.ndarray | None) -> np.ndarray:
    inside = best_fitting(snapshot, question) if question.subjects else np.ones(len(snapshot.passages), np.bool_)
    return inside if allowed is None else inside & allowed
