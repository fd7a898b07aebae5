"""Questions, hits and citations as JSON, and hits as rows of a table, the same from every interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import Any

import pyarrow as pa

from warehouse.records import Citation, Hit, Question, Region


def question_json(question: Question) -> dict[str, Any]:
    """The parsed question: all fields but its vectors, its text and its limit."""
    return {name: value for name, value in _plain(question).items() if name not in {"text", "k"}}


def hit_json(hit: Hit) -> dict[str, Any]:
    """A hit with its excerpt, its citation and its duplicates."""
    excerpt = {"start": hit.excerpt[0], "end": hit.excerpt[1], "text": hit.excerpt_text} if hit.excerpt else None
    duplicates = [citation_json(each) for each in hit.duplicates]
    own = {"end": hit.end, "excerpt": excerpt, "citation": citation_json(hit.citation), "duplicates": duplicates}
    return {name: value for name, value in {**asdict(hit), **own}.items() if name not in {"pages", "rows"}}


def citation_json(citation: Citation) -> dict[str, Any]:
    """A citation with its location and both formatted lines."""
    lines = ("location", "formatted", "formatted_with_link")
    return {**asdict(citation), **{name: getattr(citation, name) for name in lines}}


def _plain(value: Any) -> Any:
    import numpy as np

    if is_dataclass(value):
        named = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: _plain(each) for name, each in named.items() if not isinstance(each, np.ndarray)}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


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


def search_json(
    question: Question, hits: Sequence[Hit], notes: Sequence[str], regions: Sequence[Sequence[Region]] = ()
) -> dict[str, Any]:
    """A question, its parsed form, notes, and its hits, each with its `regions` on pages where these are given."""
    boxed: list[dict[str, Any]] = [{"regions": each} for each in regions] or [{} for _ in hits]
    hits_with_regions = [{**hit_json(hit), **own} for hit, own in zip(hits, boxed, strict=True)]
    return {"question": question.text, "understood": question_json(question), "notes": notes, "hits": hits_with_regions}


def hits_table(hits: Sequence[Hit]) -> pa.Table:
    """One row for each hit, best first."""
    return pa.Table.from_pylist([hit_row(place, hit) for place, hit in enumerate(hits, 1)], _SCHEMA)


def hit_row(place: int, hit: Hit) -> dict[str, Any]:
    """A hit as a row of `HIT_COLUMNS`, `place` counted from 1."""
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
        "excerpt": hit.headed_excerpt,
        "passage": hit.headed_text,
        "citation": cited.formatted,
        "link": cited.url,
        "document_id": hit.document_id,
        "chunk_id": hit.chunk_id,
    }


def hits_markdown(hits: Sequence[Hit]) -> str:
    """Each hit as a numbered item: title, page and day in bold, the part that answers as a quotation, and its link."""
    return "\n\n".join("\n\n".join(_hit_markdown(place, hit)) for place, hit in enumerate(hits, 1))


def _hit_markdown(place: int, hit: Hit) -> Iterator[str]:
    cited = hit.citation
    yield f"{place}. **{', '.join(filter(None, (cited.label, cited.place, cited.shown_date)))}**"
    yield "\n".join(f"   > {line}".rstrip() for line in (hit.headed_excerpt or hit.headed_text).splitlines())
    yield f"   [{cited.source}](<{cited.url}>)" if cited.url else f"   {cited.source}"
