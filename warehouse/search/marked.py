"""Passages by the times and names in them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import numpy as np

from warehouse.store.clocks import UNKNOWN
from warehouse.store.snapshot import Snapshot
from warehouse.store.spans import FAR_OFF, LONG_AGO, day


def speaking(snapshot: Snapshot, since: date | None, until: date | None) -> np.ndarray:
    """Whether each passage names a time that overlaps the days, half-open, or its document reports on such a one."""
    first, last = day(since) if since else LONG_AGO, day(until) if until else FAR_OFF
    passages, mentions, clocks = snapshot.passages, snapshot.mentions, snapshot.clocks
    chosen = (mentions.start_date < last) & (mentions.end_date > first)
    named = mentions.touched(chosen, passages.document, passages.start, passages.end)
    reported = (clocks.reported_start != UNKNOWN) & (clocks.reported_start < last) & (clocks.reported_end > first)
    return np.asarray(named | reported[passages.document])


def naming(snapshot: Snapshot, asked: Iterable[str]) -> np.ndarray:
    """Whether the document of each passage holds one of the names, or the passage every word of one."""
    passages, names = snapshot.passages, snapshot.names
    mask = np.zeros(len(passages), dtype=np.bool_)
    for name in asked:
        named = np.zeros(len(passages.documents), dtype=np.bool_)
        named[names.document[np.isin(names.name, names.codes(name))]] = True
        mask |= named[passages.document] | snapshot.keywords.passages_with_all(name)
    return mask
