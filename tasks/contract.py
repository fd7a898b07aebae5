"""What a stage of the pipeline is: what it needs, what decides its output, and its work on a batch of documents.

A stage's output for a document is named by a digest of the outputs it needs, the facts and settings that matter to it,
and its version; so whoever knows the key knows whether the work is done. Nothing here knows Prefect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from warehouse.identity import digest
from warehouse.records import Chunking, DateClaim, Kind, Output
from warehouse.settings import Settings
from warehouse.store.catalog import STAGE_TABLES
from warehouse.store.lake import Lake

Outputs = dict[str, dict[str, Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a document from its file, its root and its content together.

    `date_claim` is None for an undated document. `fiscal_year_end` (MM-DD) and `chunking` are what the root says, empty
    where it says nothing.
    """

    document_id: str
    source: str
    title: str
    kind: Kind
    language: str
    date_claim: DateClaim | None = None
    fiscal_year_end: str = ""
    chunking: Chunking = field(default_factory=Chunking)

    @property
    def document_date(self) -> date | None:
        """The day that the document is dated."""
        return self.date_claim.date if self.date_claim else None


@dataclass(frozen=True, slots=True)
class Item:
    """One document's part in a batch: the key of the output to make, and what it is made from.

    `facts` is None only before parsing.
    """

    key: str
    name: str
    path: Path
    sha256: str
    size: int
    inputs: Mapping[str, Output]
    facts: Facts | None = None

    @property
    def known(self) -> Facts:
        """The facts, of any stage after parsing."""
        if self.facts is None:
            raise ValueError(f"{self.name} has no facts yet")
        return self.facts


@dataclass(frozen=True, slots=True)
class Trouble:
    """A file that could not be read this time, for a reason that may pass."""

    code: str
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Done:
    """What a batch came to: outputs by table and key, what could not be read, and seconds where a key's are known."""

    outputs: Outputs
    trouble: Mapping[str, Trouble] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """One pass over documents. `matters` gives what of the settings and facts decides the output, JSON-like."""

    name: str
    version: int
    needs: tuple[str, ...]
    matters: Callable[[Settings, Facts], object]
    work: Callable[[Sequence[Item], Lake, Settings], Done]

    @property
    def tables(self) -> tuple[str, ...]:
        """The lake tables it writes."""
        return STAGE_TABLES[self.name]

    def key(self, inputs: Mapping[str, str], settings: Settings, facts: Facts) -> str:
        """The name of the output made from these inputs (stage to key)."""
        needed = [inputs[stage] for stage in self.needs]
        return digest(self.name, self.version, needed, self.matters(settings, facts))


def batch_name(stage: str, keys: Sequence[str]) -> str:
    """The name of a batch's files."""
    return digest(stage, list(keys))


def perform(stage: Stage, items: Sequence[Item], lake: Lake, settings: Settings) -> tuple[str, Done]:
    """Do a batch and write its files. The file is named by the keys that succeeded, so trouble is never cached."""
    needed = (output for item in items for output in item.inputs.values())
    lake.bring((table, output.file) for output in needed for table in STAGE_TABLES[output.stage])
    done = stage.work(items, lake, settings)
    name = batch_name(stage.name, [item.key for item in items if item.key not in done.trouble])
    for table in stage.tables:
        lake.write(table, name, done.outputs[table])
    return name, done
