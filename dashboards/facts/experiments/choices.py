"""What can be chosen of each dimension: all values where they are known, some sensible ones where they are numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from tasks.chunkers.contract import CHUNKERS
from tasks.embedders.choosing import EMBEDDERS
from tasks.evaluate.experiments.dimensions import INGESTION, dimensions
from tasks.rerankers.choosing import RERANKERS
from warehouse.records import Ranking

SETTING_LABELS: Mapping[str, str] = {
    "chunk.chunker": "How documents are cut into passages",
    "chunk.size": "Longest passage, in characters or tokens",
    "chunk.overlap": "How much of the previous passage is repeated",
    "chunk.unit": "Unit of the sizes",
    "chunk.prefix": "Put dates, title and names before the text that is embedded",
    "embed.model": "Embedding model",
    "embed.tables": "Embed all parts of a long table, or only the first",
    "ranking.mode": "Search by meaning (dense), by keywords, or by both (hybrid)",
    "ranking.fusion": "How both rankings are combined",
    "ranking.alpha": "Weight of the vectors in the convex combination",
    "ranking.times": "Use the dates in a question",
    "ranking.names": "Use the names in a question",
    "ranking.query_expansion": "Use related words from the glossary",
    "ranking.relevance_feedback": "Use names found in the first passage",
    "ranking.distinct": "Show near duplicates only once",
    "ranking.merge": "Show a whole section instead of its parts",
    "ranking.per_document": "Most passages of one document",
    "ranking.reranker": "Reranker for the first passages",
    "k": "Number of passages that are found",
}
"""What the page offers; every other dimension can be named in the file that `kalends evaluate --grid` reads."""
EMPTY_VALUE = '""'
"""The empty value, as YAML has it."""
_NUMBERS = {
    "chunk.size": ("200", "400", "800", "1200", "1600"),
    "chunk.overlap": ("0", "40", "80", "160"),
    "ranking.alpha": ("0.3", "0.5", "0.7"),
    "ranking.per_document": ("1", "2", "3"),
    "k": ("3", "5", "10", "20"),
}


def list_values() -> dict[str, tuple[str, ...]]:
    """The values of each dimension that is offered, as YAML has them."""
    return {name: values for name in dimensions() if name in SETTING_LABELS and (values := tuple(_values(name)))}


def _values(name: str) -> Iterator[str]:
    if name in _NUMBERS:
        yield from _NUMBERS[name]
    elif name == "chunk.chunker":
        yield from CHUNKERS
    elif name == "embed.model":
        yield from (each for each in EMBEDDERS if each != "sentence")
    elif name == "ranking.reranker":
        yield from (EMPTY_VALUE, *(each for each in RERANKERS if each != "cross"))
    else:
        yield from _named(_kind(name))


def _kind(name: str) -> Any:
    section, _, last = name.partition(".")
    if section == "ranking":
        return {field.name: get_type_hints(Ranking)[field.name] for field in fields(Ranking)}[last]
    model: type[BaseModel] = INGESTION[section]
    return model.model_fields[last].annotation


def _named(kind: Any) -> Iterator[str]:
    """The values of a type that has few."""
    if kind is bool:
        yield from ("on", "off")
    elif get_origin(kind) is Literal:
        yield from filter(None, get_args(kind))
    elif isinstance(kind, type) and issubclass(kind, StrEnum):
        yield from (each.value for each in kind)
