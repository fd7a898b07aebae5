"""Questions and hits as JSON, the same from every face."""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass
from typing import Any

from warehouse.records import Citation, Hit, Question


def question_json(question: Question) -> dict[str, Any]:
    """What a question was understood to ask: everything but its vectors."""
    found: dict[str, Any] = _plain(question)
    return {name: value for name, value in found.items() if name not in {"text", "k"}}


def hit_json(hit: Hit) -> dict[str, Any]:
    """A hit with what its citation says of itself."""
    excerpt = {"start": hit.excerpt[0], "end": hit.excerpt[1], "text": hit.excerpt_text} if hit.excerpt else None
    duplicates = [citation_json(each) for each in hit.duplicates]
    own = {"end": hit.end, "excerpt": excerpt, "citation": citation_json(hit.citation), "duplicates": duplicates}
    return {name: value for name, value in {**asdict(hit), **own}.items() if name != "pages"}


def citation_json(citation: Citation) -> dict[str, Any]:
    """A citation with its location and both of its lines."""
    said = {
        "location": citation.location,
        "formatted": citation.formatted,
        "formatted_with_link": citation.formatted_with_link,
    }
    return {**asdict(citation), **said}


def _plain(value: Any) -> Any:
    import numpy as np

    if is_dataclass(value):
        named = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: _plain(each) for name, each in named.items() if not isinstance(each, np.ndarray)}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
