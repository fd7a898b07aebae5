"""An experiment: the whole of the settings and the ranking that one configuration is, as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from tasks.evaluate.experiments.dimensions import INGESTION
from warehouse.identity import digest
from warehouse.records import Ranking
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

_CHOICE = frozenset(f"chunk.{name}" for name in ChunkChoice.model_fields)


@dataclass(frozen=True, slots=True)
class Experiment:
    """A configuration: what decides the ingest, how passages are ranked, and how many hits are read.

    A hit beyond the `k`-th counts as not found. `name` says what tells it from the others of its grid.
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
        """The name of all that decides the ingest: experiments of one fingerprint share chunks, vectors and indexes.

        The number of processes decides nothing but the time.
        """
        parts = {section: getattr(self, section).model_dump(mode="json") for section in INGESTION}
        del parts["parse"]["processes"]
        return digest("ingestion", parts)

    @property
    def values(self) -> dict[str, Any]:
        """Every dimension by section, JSON-like."""
        sections = {section: getattr(self, section).model_dump(mode="json") for section in INGESTION}
        return {**sections, "ranking": asdict(self.ranking), "k": self.k}

    def settings(self, base: Settings, folder: Path, sources: tuple[SourceSettings, ...]) -> Settings:
        """The settings of an ingest of `sources` into `folder`, for all else as `base` has it.

        Where it cuts otherwise than `base`, all folders are cut so, whatever the sources say of their own.
        """
        chosen: dict[str, Any] = {section: getattr(self, section) for section in INGESTION}
        if self.chunk.chunking != base.chunk.chunking or self.chunk.kinds != base.chunk.kinds:
            sources = tuple(source.model_copy(update={"chunk": ChunkChoice()}) for source in sources)
        return base.model_copy(update={**chosen, "warehouse": folder, "sources": sources})


_EXPERIMENT = TypeAdapter(Experiment)


def experiment(name: str, base: Settings, k: int, changes: Mapping[str, object]) -> Experiment:
    """The settings in force with some dimensions, by their whole names, set to other values.

    What is said of how to cut all documents outweighs what the settings say of kinds. Raises pydantic's
    `ValidationError`, whose places are the parts of a dimension's name.
    """
    values: dict[str, Any] = {section: getattr(base, section).model_dump() for section in INGESTION}
    values |= {"name": name, "ranking": asdict(Ranking()), "k": k}
    if _CHOICE & changes.keys():
        values["chunk"]["kinds"] = ChunkKinds().model_dump()
    for dimension, value in changes.items():
        *within, last = dimension.split(".")
        place = values
        for part in within:
            place = place[part]
        place[last] = value
    return _EXPERIMENT.validate_python(values)
