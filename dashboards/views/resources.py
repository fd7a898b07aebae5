"""What all sessions of the process share: one warehouse, one embedder, and what the published generation holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from tasks.embedders.choosing import embedder
from tasks.embedders.contract import Embedder
from warehouse.reader import Warehouse
from warehouse.records import Holding, Kind, Run, Status
from warehouse.settings import Settings, load


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What one generation holds, `generation` being its number."""

    generation: int
    holdings: tuple[Holding, ...]
    runs: tuple[Run, ...]
    findings: Sequence[dict[str, Any]]

    @property
    def readable(self) -> int:
        """How many documents answer."""
        return sum(holding.status is not Status.UNREADABLE for holding in self.holdings)

    @property
    def chunks(self) -> int:
        """How many passages there are."""
        return sum(holding.chunk_count for holding in self.holdings)

    @property
    def kinds(self) -> list[Kind]:
        """The kinds there are, in the order of `Kind`."""
        held = {holding.kind for holding in self.holdings}
        return [kind for kind in Kind if kind in held]

    @property
    def roots(self) -> list[str]:
        """The names of the roots there are."""
        return sorted({holding.file.root for holding in self.holdings})

    @property
    def topics(self) -> list[str]:
        """The topics there are."""
        return _values(holding.attributes.topic for holding in self.holdings)

    @property
    def journals(self) -> list[str]:
        """The journals there are."""
        return _values(holding.attributes.journal for holding in self.holdings)

    @property
    def paper_types(self) -> list[str]:
        """The types of paper there are."""
        return _values(holding.attributes.paper_type for holding in self.holdings)

    @property
    def tags(self) -> list[str]:
        """The tags there are."""
        return _values(tag for holding in self.holdings for tag in holding.attributes.tags)

    @property
    def languages(self) -> list[str]:
        """The languages there are, where there is more than one."""
        found = _values(holding.language for holding in self.holdings)
        return found if len(found) > 1 else []


@dataclass(frozen=True, slots=True)
class Place:
    """The settings in force and the warehouse they name."""

    settings: Settings
    warehouse: Warehouse

    @property
    def state(self) -> str:
        """The published generation's manifest: it differs whenever what is published does.

        Raises `NoWarehouse` or `BadWarehouse`.
        """
        return self.warehouse.snapshot.generation.manifest.to_json()

    def catalogue(self) -> Catalogue:
        """What is published now; read once a generation."""
        return _catalogue(str(self.settings.warehouse), self.state, self.warehouse)

    def embedder(self) -> Embedder:
        """The embedder of the settings; its weights are read when it first embeds.

        Raises `BadInput` when the published vectors are of another model.
        """
        opened = _embedder(self.settings.embed.model)
        self.warehouse.check_model(opened.model)
        return opened


def place() -> Place:
    """Where the settings point to. Raises `BadSettings`."""
    settings = load()
    return Place(settings, _warehouse(settings.warehouse))


def _values(values: Iterable[str]) -> list[str]:
    return sorted({value for value in values if value}, key=str.casefold)


@st.cache_resource(show_spinner=False)
def _warehouse(folder: Path) -> Warehouse:
    return Warehouse(folder)


@st.cache_resource(show_spinner=False)
def _embedder(model: str) -> Embedder:
    return embedder(model)


@st.cache_resource(show_spinner="Opening the warehouse …", max_entries=2)
def _catalogue(folder: str, state: str, _warehouse: Warehouse) -> Catalogue:
    while True:
        number = _warehouse.generation
        found = Catalogue(number, _warehouse.documents(), _warehouse.runs(), _warehouse.findings())
        if _warehouse.generation == number:
            return found
