"""The hits of a search in the order of a second look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tasks.rerankers.contract import Reranker
from warehouse.records import Hit, Part, Question

READ = 30
"""How many of the best passages are read again; a model's time grows with them."""


def rerank(reranker: Reranker, question: Question, hits: Sequence[Hit]) -> list[Hit]:
    """The same hits in falling order of their new score, of which the reranker's fit is one part more."""
    fits = reranker.fits(question.text, [hit.text for hit in hits]).tolist() if hits else []
    scored = [_with_fit(hit, reranker.share, fit) for hit, fit in zip(hits, fits, strict=True)]
    return sorted(scored, key=lambda hit: -hit.score)


def _with_fit(hit: Hit, share: float, fit: float) -> Hit:
    kept = tuple(Part(part.name, (1 - share) * part.value) for part in hit.parts)
    score = (1 - share) * hit.score + share * fit
    citation = replace(hit.citation, relevance=score)
    return replace(hit, score=score, parts=(*kept, Part("rerank", share * fit)), citation=citation)
