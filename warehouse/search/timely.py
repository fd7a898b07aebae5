"""How well passages fit the times a question asks about."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

import numpy as np

from warehouse.records import Question, Window
from warehouse.search.evidence import Evidence
from warehouse.search.pool import Pool
from warehouse.store.snapshot import Snapshot

SHARE = 0.1
"""The share of the times in the score of a passage, where a question names any; from .1 to .4 nothing changed."""
LEANING = 0.5
"""What a time that the question only leans towards counts, of one that it names."""
INSIDE = 0.25
"""The least that a time inside the one asked about counts: a day of the quarter."""

_MENTIONED = """
    SELECT c.chunk_id, m.start_date, m.end_date
    FROM chunks c JOIN mentions m ON m.document_id = c.document_id AND m.start >= c.start AND m."end" <= c."end"
    WHERE c.chunk_id IN (SELECT unnest($ids)) AND m.start_date IS NOT NULL AND m.end_date IS NOT NULL
"""
_Days = tuple[date, date]


def timeliness(snapshot: Snapshot, question: Question, pool: Pool) -> Evidence:
    """How well the best mention of each candidate fits one of the question's windows: their IoU in days."""
    asked = [(days, 1.0 if window.demanded else LEANING) for window in question.windows for days in _readings(window)]
    ids = snapshot.passages.ids[pool.rows].tolist()
    best: defaultdict[str, float] = defaultdict(float)
    for chunk_id, start, end in snapshot.rows(_MENTIONED, {"ids": ids}):
        fit = max(weight * _fit((start, end), days) for days, weight in asked)
        best[chunk_id] = max(best[chunk_id], fit)
    return Evidence("time", SHARE, np.array([best[chunk_id] for chunk_id in ids]))


def _readings(window: Window) -> list[_Days]:
    """The days of a window, of both readings where there are two; an open side reaches to the end of the calendar."""
    sides = [(window.start, window.end), (window.other_start, window.other_end)]
    return [(start or date.min, end or date.max) for start, end in sides if start or end]


def _fit(mentioned: _Days, asked: _Days) -> float:
    common = (min(mentioned[1], asked[1]) - max(mentioned[0], asked[0])).days
    if common <= 0:
        return 0.0
    union = (max(mentioned[1], asked[1]) - min(mentioned[0], asked[0])).days
    is_inside = asked[0] <= mentioned[0] and mentioned[1] <= asked[1]
    return max(common / union, INSIDE if is_inside else 0.0)
