"""What was found, to take along: as `kalends search --json` prints it, and as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from dashboards.serializers.records import hit_json, question_json
from warehouse.records import Hit, Question, Region

_SCHEMA = pa.schema(
    [
        ("place", pa.int64()),
        ("source", pa.string()),
        ("title", pa.string()),
        ("location", pa.string()),
        ("page", pa.int64()),
        ("section", pa.string()),
        ("date", pa.date32()),
        ("score", pa.float64()),
        ("cosine", pa.float64()),
        ("bm25", pa.float64()),
        ("quality", pa.float64()),
        ("excerpt", pa.string()),
        ("passage", pa.string()),
        ("citation", pa.string()),
        ("link", pa.string()),
        ("document_id", pa.string()),
        ("chunk_id", pa.string()),
    ]
)


def search_json(
    question: Question, hits: Sequence[Hit], notes: Sequence[str], regions: Sequence[Sequence[Region]] = ()
) -> dict[str, Any]:
    """A question, what it was understood to ask, and its hits, each with its own `regions` where they are asked for."""
    boxed: list[dict[str, Any]] = [{"regions": each} for each in regions] or [{} for _ in hits]
    shown = [{**hit_json(hit), **own} for hit, own in zip(hits, boxed, strict=True)]
    return {"question": question.text, "understood": question_json(question), "notes": notes, "hits": shown}


def hits_table(hits: Sequence[Hit]) -> pa.Table:
    """A row a hit, the best first."""
    return pa.Table.from_pylist([_row(place, hit) for place, hit in enumerate(hits, 1)], _SCHEMA)


def _row(place: int, hit: Hit) -> dict[str, Any]:
    cited = hit.citation
    return {
        "place": place,
        "source": cited.source,
        "title": cited.title,
        "location": cited.location,
        "page": cited.page,
        "section": " > ".join(cited.section),
        "date": cited.date,
        "score": hit.score,
        "cosine": hit.dense,
        "bm25": hit.keyword,
        "quality": cited.quality,
        "excerpt": hit.excerpt_text,
        "passage": hit.text,
        "citation": cited.formatted,
        "link": cited.url,
        "document_id": hit.document_id,
        "chunk_id": hit.chunk_id,
    }
