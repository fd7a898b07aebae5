"""Signals: the reasons for which a passage may answer a question, one file each.

A signal is a subclass of `warehouse.search.scoring.SearchSignal` that its module names `member`. It may widen the
candidates and give a part of their score; `warehouse.search.search` loops over all of them. A new one is a new file.
"""

from __future__ import annotations

from functools import cache

from warehouse.registry import Family
from warehouse.search.scoring import SearchSignal

SIGNALS: Family[type[SearchSignal]] = Family("warehouse.search.signals", "signal")
ORDER = ("dense", "keyword", "temporal", "subject", "soft_filters", "query_expansion", "relevance_feedback")
"""In which signals widen the candidates and stand in an explanation; those that are not named here come last."""


@cache
def ordered_signals() -> tuple[type[SearchSignal], ...]:
    """All signals, in order."""
    return tuple(SIGNALS[name] for name in dict.fromkeys((*ORDER, *SIGNALS)))
