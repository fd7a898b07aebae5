"""What all sessions of the process share: one warehouse, one embedder, and what the published generation holds."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread

import streamlit as st

from dashboards.serializers.catalogue import LibraryCatalogue
from tasks.embedders.contract import Embedder, question_vector
from tasks.embedders.registry import embedder
from warehouse.errors import KalendsError
from warehouse.journal import keep
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings, load


@dataclass(frozen=True, slots=True)
class PageContext:
    """The settings in force and the warehouse they name."""

    settings: Settings
    warehouse: Warehouse

    @property
    def state(self) -> str:
        """The published generation's manifest: it differs whenever what is published does.

        Raises `NoWarehouse` or `BadWarehouse`.
        """
        return self.warehouse.snapshot.generation.manifest.to_json()

    def catalogue(self) -> LibraryCatalogue:
        """What is published now; read once a generation."""
        self.warmed()
        return _catalogue(str(self.settings.warehouse), self.state, self.warehouse)

    def warmed(self) -> Thread:
        """What reads the model's weights beside whatever is drawn: the first question need not wait for them."""
        return _warmed(self.warehouse, self.settings.embed.model)

    def embedder(self) -> Embedder:
        """The embedder of the settings; its weights are read when it first embeds.

        Raises `BadInput` when the published vectors are of another model.
        """
        opened = _embedder(self.settings.embed.model)
        self.warehouse.check_model(opened.model)
        return opened


def page_context() -> PageContext:
    """Where the settings point to. Raises `BadSettings`."""
    settings = load()
    keep(settings.log, settings.warehouse)
    return PageContext(settings, _warehouse(settings.warehouse))


@cache
def _warmed(warehouse: Warehouse, model: str) -> Thread:
    """Begun once a process. Where there is no such model, or the vectors are of another, whoever asks is told."""

    def read() -> None:
        with suppress(KalendsError):
            opened = embedder(model)
            warehouse.check_model(opened.model)
            question_vector(opened, "warm")

    thread = Thread(target=read, name=f"warming {model}", daemon=True)
    thread.start()
    return thread


@cache
def _warehouse(folder: Path) -> Warehouse:
    return Warehouse(folder)


@st.cache_resource(show_spinner=False)
def _embedder(model: str) -> Embedder:
    return embedder(model)


@st.cache_resource(show_spinner="Opening the warehouse …", max_entries=2)
def _catalogue(folder: str, state: str, _warehouse: Warehouse) -> LibraryCatalogue:
    return LibraryCatalogue.of(_warehouse)
