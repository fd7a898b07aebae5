"""Passages that list what their document cites: ranked down unless the question asks for a reference."""

from __future__ import annotations

import re

import numpy as np

from warehouse.records import Question
from warehouse.search.evidence import Scored
from warehouse.store.snapshot import Snapshot

SHARE = 0.5
"""What is left of the score of a reference list. Its titles hold all words of the question and answer nothing."""
_ASKED = re.compile(
    r"\breferences?\b|\bbibliograph|\bworks? cited\b|\bcit(?:e|es|ed|ing|ations?)\b|\bliterature\b|\bet al\b"
    r"|\b(?-i:[A-Z])[\w’'-]{1,30}(?: (?:and|&) (?-i:[A-Z])[\w’'-]{1,30})?,? \((?:1[89]|20)\d\d[a-f]?\)"
    r"|参考文献|參考文獻|引用|文献",
    re.IGNORECASE,
)


def wants_references(question: Question) -> bool:
    """Whether a question is for what documents cite: by the word, by author and year, or by the section."""
    sections = (*question.filters.sections, *question.leaning.sections)
    return _ASKED.search(question.text) is not None or any(_ASKED.search(each) for each in sections)


def without_references(snapshot: Snapshot, question: Question, rows: np.ndarray, scored: Scored) -> Scored:
    """The scores of some passages, those of reference lists lowered in each of their parts."""
    if wants_references(question):
        return scored
    share = np.where(snapshot.passages.is_references[rows], SHARE, 1.0)
    return Scored({name: share * values for name, values in scored.parts.items()})
