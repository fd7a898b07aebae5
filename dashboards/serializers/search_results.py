"""Questions, hits and citations as JSON, and hits as rows of a table, the same from every interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import Any

import pyarrow as pa

from warehouse.records import Citation, Hit, Question, Region

_JSON_KEYS = {"soft_filters": "leaning", "required": "demanded", "confidence": "likeness"}
"""The keys that fields of questions have in JSON where these are other words, which programs know."""


def serialize_question(question: Question) -> dict[str, Any]:
    """The parsed question: all fields but its vectors, its text and its limit."""
    return {name: value for name, value in _serialize_fields(question).items() if name not in {"text", "k"}}


def serialize_hit(hit: Hit) -> dict[str, Any]:
    """A hit with its excerpt, its citation and its duplicates."""
    excerpt = {"start": hit.excerpt[0], "end": hit.excerpt[1], "text": hit.excerpt_text} if hit.excerpt else None
    duplicates = [serialize_citation(duplicate) for duplicate in hit.duplicates]
    further_fields = {
        "end": hit.end,
        "excerpt": excerpt,
        "citation": serialize_citation(hit.citation),
        "duplicates": duplicates,
    }
    return {name: value for name, value in {**asdict(hit), **further_fields}.items() if name not in {"pages", "rows"}}


def serialize_citation(citation: Citation) -> dict[str, Any]:
    """A citation with its location and both formatted lines."""
    lines = ("location", "formatted", "formatted_with_link")
    return {**asdict(citation), **{name: getattr(citation, name) for name in lines}}


def _serialize_fields(value: Any) -> Any:
    import numpy as np

    if is_dataclass(value):
        values_by_name = {field.name: getattr(value, field.name) for field in fields(value)}
        return {
            _JSON_KEYS.get(name, name): _serialize_fields(field_value)
            for name, field_value in values_by_name.items()
            if not isinstance(field_value, np.ndarray)
        }
    return [_serialize_fields(element) for element in value] if isinstance(value, tuple) else value


_SCHEMA = pa.schema(
    [
        ("place", pa.int64()),
        *((name, pa.string()) for name in ("source", "title", "location")),
        ("page", pa.int64()),
        ("section", pa.string()),
        ("date", pa.date32()),
        *((name, pa.float64()) for name in ("score", "cosine", "bm25", "quality")),
        *((name, pa.string()) for name in ("excerpt", "passage", "citation", "link", "document_id", "chunk_id")),
    ]
)
HIT_COLUMNS = tuple(_SCHEMA.names)


def serialize_search(
    question: Question, hits: Sequence[Hit], notes: Sequence[str], regions: Sequence[Sequence[Region]] = ()
) -> dict[str, Any]:
    """A question, its parsed form, notes, and its hits, each with its `regions` on pages where these are given."""
    region_fields: list[dict[str, Any]] = [{"regions": region} for region in regions] or [{} for _ in hits]
    hits_with_regions = [{**serialize_hit(hit), **fields} for hit, fields in zip(hits, region_fields, strict=True)]
    return {
        "question": question.text,
        "understood": serialize_question(question),
        "notes": notes,
        "hits": hits_with_regions,
    }


def build_hits_table(hits: Sequence[Hit]) -> pa.Table:
    """One row for each hit, best first."""
    return pa.Table.from_pylist([build_hit_row(place, hit) for place, hit in enumerate(hits, 1)], _SCHEMA)


def build_hit_row(place: int, hit: Hit) -> dict[str, Any]:
    """A hit as a row of `HIT_COLUMNS`, `place` counted from 1."""
    citation = hit.citation
    return {
        "place": place,
        "source": citation.source,
        "title": citation.title,
        "location": citation.location,
        "page": citation.page,
        "section": " > ".join(citation.section),
        "date": citation.date,
        "score": hit.score,
        "cosine": hit.dense,
        "bm25": hit.keyword,
        "quality": citation.quality,
        "excerpt": hit.headed_excerpt,
        "passage": hit.headed_text,
        "citation": citation.formatted,
        "link": citation.url,
        "document_id": hit.document_id,
        "chunk_id": hit.chunk_id,
    }


def format_hits_markdown(hits: Sequence[Hit]) -> str:
    """Each hit as a numbered item: title, page and day in bold, the part that answers as a quotation, and its link."""
    return "\n\n".join("\n\n".join(_iter_hit_markdown(place, hit)) for place, hit in enumerate(hits, 1))


def _iter_hit_markdown(place: int, hit: Hit) -> Iterator[str]:
    citation = hit.citation
    yield f"{place}. **{', '.join(filter(None, (citation.label, citation.place, citation.shown_date)))}**"
    yield "\n".join(f"   > {line}".rstrip() for line in (hit.headed_excerpt or hit.headed_text).splitlines())
    yield f"   [{citation.source}](<{citation.url}>)" if citation.url else f"   {citation.source}"
