"""How well each chunk will serve retrieval, in [0, 1], and the findings that explain it.

A chunk begins at 1 and pays the penalty of each of its findings; a chunk without content gets 0. Complete tables get
0.9 alone, 1.0 with text around them, less where they are oversized; faults of prose are not held against tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from tasks.chunkers.blocks import blocks_in
from tasks.quality.contract import RULES
from tasks.quality.rules import empty_chunk
from warehouse.records import BlockKind, Chunk, Document, Finding, Score

PROSE = 1.0
BARE_TABLE = 0.9
HYBRID_BONUS = 0.1


def score(
    chunks: Sequence[Chunk], document: Document, target_size: int
) -> tuple[tuple[Score, ...], tuple[Finding, ...]]:
    """A score for each chunk, in their order, and all findings, in the order of the chunks and of their codes.

    `target_size` is the size in characters that the chunks were made for.
    """
    scores, findings = [], []
    rules = sorted(RULES.values(), key=lambda rule: rule.code)
    for chunk in chunks:
        found = [each for rule in rules for each in rule.check(chunk, document, target_size)]
        scores.append(Score(chunk.chunk_id, _quality(chunk, document, found)))
        findings += found
    return tuple(scores), tuple(findings)


def _quality(chunk: Chunk, document: Document, found: Sequence[Finding]) -> float:
    if any(each.code == empty_chunk.member.code for each in found):
        return 0.0
    best = PROSE
    if chunk.has_table:
        best = BARE_TABLE + (HYBRID_BONUS if _is_hybrid(chunk, document) else 0.0)
    paid = sum(each.penalty for each in found)
    return round(min(1.0, max(0.0, best - paid)), 4)


def _is_hybrid(chunk: Chunk, document: Document) -> bool:
    blocks = blocks_in(document, chunk.start, chunk.end)
    return any(block.kind is not BlockKind.TABLE for block in blocks)
