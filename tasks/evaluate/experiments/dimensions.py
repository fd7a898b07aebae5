"""What an experiment can vary: the settings that decide an ingest, the fields of a ranking, and how many hits count.

A dimension is the dotted name of a setting (`chunk.size`) or `ranking.` and a field (`ranking.fusion`), or `k`. Nothing
is listed here: a setting or a field that is added to its class can be varied.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from difflib import get_close_matches
from functools import cache

from pydantic import BaseModel

from warehouse.errors import BadInput
from warehouse.records import Ranking
from warehouse.settings.models import ChunkSettings, EmbedSettings, EntitySettings, ParseSettings

INGESTION: dict[str, type[BaseModel]] = {
    "parse": ParseSettings,
    "entities": EntitySettings,
    "chunk": ChunkSettings,
    "embed": EmbedSettings,
}
"""The sections of the settings that decide what an ingest makes."""

ALIASES = {
    "embedder": "embed.model",
    "hybrid": "ranking.mode",
    "time_fit": "ranking.times",
    "auto_merge": "ranking.merge",
    "rerank": "ranking.reranker",
}
"""Other words for some of them; besides, what follows the dot is enough where it is one dimension's alone."""


@cache
def dimensions() -> tuple[str, ...]:
    """Every dimension by its whole name."""
    settings = (name for section, kind in INGESTION.items() for name in _leaves(kind(), section))
    return (*settings, *(f"ranking.{field.name}" for field in fields(Ranking)), "k")


def dimension(name: str) -> str:
    """The whole name of a dimension, from that or a short one. Raises `BadInput` with the nearest there is."""
    whole = {**{each: each for each in dimensions()}, **_short(), **ALIASES}
    if name in whole:
        return whole[name]
    near = get_close_matches(name, whole, n=1, cutoff=0.5)
    cure = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(_short())}"
    raise BadInput(f"there is no dimension '{name}'", cure)


def short(name: str) -> str:
    """The shortest name of a dimension."""
    return next((each for each, whole in _short().items() if whole == name), name)


@cache
def _short() -> dict[str, str]:
    """The last parts that are of one dimension alone; those of a table within a section are no match for them."""
    plain = [name for name in dimensions() if name.count(".") < 2]
    lasts = [name.rpartition(".")[2] for name in plain]
    return {last: name for last, name in zip(lasts, plain, strict=True) if lasts.count(last) == 1}


def _leaves(section: BaseModel, within: str) -> Iterator[str]:
    for name in type(section).model_fields:
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{within}.{name}")
        else:
            yield f"{within}.{name}"
