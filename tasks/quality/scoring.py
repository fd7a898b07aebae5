"""How well each chunk will serve retrieval, in [0, 1], and the findings that explain it.

A chunk begins at 1 and pays the penalty of each of its findings; a chunk without content gets 0. Complete tables begin
at 0.9 alone and at 1.0 with text around them; faults of prose are not held against tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tasks.chunkers.parts.document_spans import blocks_in
from tasks.quality.rule_runner import EMPTY, judge
from tasks.quality.subject import CheckedDocument
from warehouse.records import BlockKind, Chunk, Document, Finding, Score

PROSE = 1.0
BARE_TABLE = 0.9
HYBRID_BONUS = 0.1


def score(subject: CheckedDocument) -> tuple[tuple[Score, ...], tuple[Finding, ...]]:
    """A score for each chunk, in their order, and all findings, in the order of the text and of their codes."""
    findings = tuple(found.finding for found in judge(subject))
    charged = by_chunk(findings)
    scores = (
        Score(chunk.chunk_id, quality(best(chunk, subject.document), charged[chunk.chunk_id]))
        for chunk in subject.chunks
    )
    return tuple(scores), findings


def by_chunk(findings: Iterable[Finding]) -> defaultdict[str, list[Finding]]:
    """The findings that are charged to a chunk, by its id."""
    charged: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.chunk_id is not None:
            charged[finding.chunk_id].append(finding)
    return charged


def best(chunk: Chunk, document: Document) -> float:
    """The score of a chunk in which nothing is found."""
    if not chunk.has_table:
        return PROSE
    return BARE_TABLE + (HYBRID_BONUS if _is_hybrid(chunk, document) else 0.0)


def quality(best: float, found: Iterable[Finding]) -> float:
    """What remains of the best score after the penalties, in [0, 1]."""
    charged = list(found)
    if any(each.code == EMPTY for each in charged):
        return 0.0
    return round(min(1.0, max(0.0, best - sum(each.penalty for each in charged))), 4)


def _is_hybrid(chunk: Chunk, document: Document) -> bool:
    blocks = blocks_in(document, chunk.start, chunk.end)
    return any(block.kind is not BlockKind.TABLE for block in blocks)
