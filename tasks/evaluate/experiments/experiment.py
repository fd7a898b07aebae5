"""Experiments: the dimensions that can vary, one configuration as a record, and grids of configurations.

A dimension is the dotted name of a setting (`chunk.size`) or `ranking.` and a field (`ranking.fusion`), or `k`. They
are not listed here: a setting or a field that is added to its class can be varied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter

from tasks.evaluate.experiments.foreign_names import FOREIGN_NAMES, normalize_foreign_name
from warehouse.errors import BadInput
from warehouse.identity import digest
from warehouse.records import Fusion, Ranking
from warehouse.settings.loader import Settings
from warehouse.settings.models import (
    ChunkChoice,
    ChunkKinds,
    ChunkSettings,
    EmbedSettings,
    EntitySettings,
    ParseSettings,
    SourceSettings,
)

_CHOICE_DIMENSIONS = frozenset(f"chunk.{name}" for name in ChunkChoice.model_fields)


@dataclass(frozen=True, slots=True)
class Experiment:
    """A configuration: the settings of the ingest, how passages are ranked, and how many hits are read.

    A hit beyond the `k`-th counts as not found. `name` says how it differs from the others of its grid.
    """

    name: str
    parse: ParseSettings
    entities: EntitySettings
    chunk: ChunkSettings
    embed: EmbedSettings
    ranking: Ranking
    k: Annotated[int, Field(ge=1, le=1000)]

    @property
    def fingerprint(self) -> str:
        """The digest of the settings of the ingest: experiments with the same one share chunks, vectors and indexes.

        The number of processes is left out, as it only changes the time.
        """
        parts = {section: getattr(self, section).model_dump(mode="json") for section in INGESTION}
        del parts["parse"]["processes"]
        return digest("ingestion", parts)

    @property
    def values(self) -> dict[str, Any]:
        """Every dimension by section, JSON-like."""
        sections = {section: getattr(self, section).model_dump(mode="json") for section in INGESTION}
        return {**sections, "ranking": asdict(self.ranking), "k": self.k}

    def build_settings(self, base: Settings, folder: Path, sources: tuple[SourceSettings, ...]) -> Settings:
        """The settings of an ingest of `sources` into `folder`, otherwise those of `base`.

        If its chunking differs from that of `base`, it applies to all folders, even if sources have their own.
        """
        sections: dict[str, Any] = {section: getattr(self, section) for section in INGESTION}
        if self.chunk.chunking != base.chunk.chunking or self.chunk.kinds != base.chunk.kinds:
            sources = tuple(source.model_copy(update={"chunk": ChunkChoice()}) for source in sources)
        return base.model_copy(update={**sections, "warehouse": folder, "sources": sources})


_EXPERIMENT = TypeAdapter(Experiment)


def build_experiment(name: str, base: Settings, k: int, changes: Mapping[str, object]) -> Experiment:
    """The current settings with other values for some dimensions, by their full names.

    A chunking of all documents overrides the settings' chunking of kinds. A share of the vectors (`alpha`) without a
    fusion means the convex fusion, the only one with such a share. Raises pydantic's `ValidationError`, whose
    locations are the parts of a dimension's name.
    """
    if changes.get("ranking.alpha") is not None and "ranking.fusion" not in changes:
        changes = {**changes, "ranking.fusion": Fusion.CONVEX}
    values: dict[str, Any] = {section: getattr(base, section).model_dump() for section in INGESTION}
    values |= {"name": name, "ranking": asdict(Ranking()), "k": k}
    if _CHOICE_DIMENSIONS & changes.keys():
        values["chunk"]["kinds"] = ChunkKinds().model_dump()
    for dimension, value in changes.items():
        *sections, last_part = dimension.split(".")
        table = values
        for part in sections:
            table = table[part]
        table[last_part] = value
    return _EXPERIMENT.validate_python(values)


INGESTION: dict[str, type[BaseModel]] = {
    "parse": ParseSettings,
    "entities": EntitySettings,
    "chunk": ChunkSettings,
    "embed": EmbedSettings,
}
"""The sections of the settings that decide the result of an ingest."""


@cache
def list_dimensions() -> tuple[str, ...]:
    """The full names of all dimensions."""
    settings = (name for section, kind in INGESTION.items() for name in _iter_leaves(kind(), section))
    return (*settings, *(f"ranking.{field.name}" for field in fields(Ranking)), "k")


def find_dimension(name: str) -> str:
    """The full name of a dimension, from itself, a short or a foreign name. Raises `BadInput` with the nearest name.

    The part after the dot is enough if only one dimension has it.
    """
    names = {**FOREIGN_NAMES, **_list_short_names(), **{dimension: dimension for dimension in list_dimensions()}}
    normalized_name = normalize_foreign_name(name)
    if full_name := names.get(name) or names.get(normalized_name):
        return full_name
    similar_names = get_close_matches(name, names, n=1, cutoff=0.5) or get_close_matches(
        normalized_name, names, n=1, cutoff=0.5
    )
    cure = f"did you mean '{similar_names[0]}'?" if similar_names else f"there are {', '.join(_list_short_names())}"
    raise BadInput(f"there is no dimension '{name}'", cure)


def is_foreign(name: str) -> bool:
    """Whether a name that `find_dimension` knows is neither the full nor the short name of a dimension here."""
    return name not in list_dimensions() and name not in _list_short_names()


def get_short_name(name: str) -> str:
    """The shortest name of a dimension."""
    return next((short_name for short_name, full_name in _list_short_names().items() if full_name == name), name)


@cache
def _list_short_names() -> dict[str, str]:
    """The last parts that only one dimension has; dimensions in a table within a section have no short name."""
    names = [name for name in list_dimensions() if name.count(".") < 2]
    last_parts = [name.rpartition(".")[2] for name in names]
    return {part: name for part, name in zip(last_parts, names, strict=True) if last_parts.count(part) == 1}


def _iter_leaves(section: BaseModel, prefix: str) -> Iterator[str]:
    for name in type(section).model_fields:
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            yield from _iter_leaves(value, f"{prefix}.{name}")
        else:
            yield f"{prefix}.{name}"


Point = Mapping[str, object]  # Values by the full names of dimensions.


@dataclass(frozen=True, slots=True)
class ParameterGrid:
    """The points to try. `fixed_values` are the same in all, `axes` are the values of each dimension that varies.

    A point of the product that has all values of one of `exclude` is left out; the points of `include` come after the
    product, each with the fixed values.
    """

    fixed_values: Point = field(default_factory=dict)
    axes: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    exclude: tuple[Point, ...] = ()
    include: tuple[Point, ...] = ()

    def iter_points(self) -> Iterator[Point]:
        """The varied values, point by point: the last axis fastest, none twice."""
        points: list[Point] = []
        values = product(*self.axes.values()) if self.axes else ()
        product_points = (dict(zip(self.axes, value, strict=True)) for value in values)
        for point in (*(point for point in product_points if not self._is_excluded(point)), *self.include):
            if point not in points:
                points.append(point)
                yield point

    def count_points(self) -> int:
        """The number of points of the product before exclusions, and of `include`."""
        return (prod(map(len, self.axes.values())) if self.axes else 0) + len(self.include)

    def _is_excluded(self, point: Point) -> bool:
        full_point = {**self.fixed_values, **point}
        return any(excluded.items() <= full_point.items() for excluded in self.exclude)


def format_point(point: Point) -> str:
    """The name of a point: "chunker=fixed size=400"."""
    return " ".join(f"{get_short_name(name)}={format_value(value, name)}" for name, value in point.items()) or "base"


def format_value(value: object, dimension: str = "") -> str:
    """A value of a dimension as in YAML, without spaces; "default" if other settings decide it."""
    if dimension == "ranking.reranker" and not value:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ",".join(map(format_value, value))
    return "default" if value is None or value == "" else str(value)
