"""The manifest of a generation: what its files mean, and of which program they are."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from warehouse.errors import BadWarehouse
from warehouse.records import Root
from warehouse.store.editions import edition
from warehouse.store.migrations.chain import migrated
from warehouse.store.schemas import records_of

SCHEMA_VERSION = 4
"""Rises whenever a record or the manifest changes its shape; `warehouse.store.migrations` leads from one on."""


class OtherVersion(BadWarehouse):
    """A generation is sound but of a version that this program does not read."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a generation's files mean.

    `base` names the vector base; the counts are of vectors; `vector_files` are the lake's files of vectors by then.
    `schema_version` and `edition` are those of the program that wrote it, even where the rest was migrated since.
    """

    number: int
    schema_version: int
    model: str
    dimension: int
    base: str
    base_count: int
    delta_count: int
    roots: tuple[Root, ...]
    vector_files: tuple[str, ...] = ()
    edition: str = field(default_factory=edition)

    @property
    def older(self) -> bool:
        """Whether it is of shapes that this program can read only once they are upgraded."""
        return (self.schema_version, self.edition) != (SCHEMA_VERSION, edition())

    def to_json(self) -> str:
        """As text."""
        return json.dumps(asdict(self), default=str, indent=1, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """From text, migrated where it is older. Raises `OtherVersion` for that of a newer program."""
        fields: dict[str, Any] = json.loads(text)
        written = int(fields["schema_version"])
        if written > SCHEMA_VERSION:
            raise OtherVersion(
                f"the warehouse has schema version {written}, this program reads up to {SCHEMA_VERSION}",
                "install the kalends that wrote it, or ingest into a new folder with --warehouse",
            )
        fields = migrated(fields, SCHEMA_VERSION)
        fields["roots"] = records_of(Root, fields["roots"])
        fields["vector_files"] = tuple(fields.get("vector_files", ()))
        return cls(**{"edition": "", **fields, "schema_version": written})
