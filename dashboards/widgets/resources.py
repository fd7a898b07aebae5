"""Resources that all sessions of the process share: settings, warehouse, embedder, and the library's catalogue."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread

import streamlit as st

from dashboards.serializers.catalogue import LibraryCatalogue
from tasks.embedders.embedder import Embedder, embedder, question_vector
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
        """The published generation's manifest as JSON: a key for caches, another for each generation.

        Raises `NoWarehouse` or `BadWarehouse`.
        """
        return self.warehouse.snapshot.generation.manifest.to_json()

    def catalogue(self) -> LibraryCatalogue:
        """The catalogue of the published generation; read once a generation."""
        self.load_model()
        return _catalogue(str(self.settings.warehouse), self.state, self.warehouse)

    def load_model(self) -> Thread:
        """The thread that loads the embedding model beside the pages, so that the first question need not wait."""
        return _load_model(self.warehouse, self.settings.embed.model)

    def embedder(self) -> Embedder:
        """The embedder of the settings; its weights are read when it first embeds.

        Raises `BadInput` when the published vectors are of another model.
        """
        embedder = _embedder(self.settings.embed.model)
        self.warehouse.check_model(embedder.model)
        return embedder


def page_context() -> PageContext:
    """The settings in force and their warehouse. Raises `BadSettings`."""
    settings = load()
    keep(settings.log, settings.warehouse)
    return PageContext(settings, _warehouse(settings.warehouse))


@cache
def _load_model(warehouse: Warehouse, model: str) -> Thread:
    """Started once a process. Where the model is missing or is not that of the vectors, a search raises the error."""

    def read() -> None:
        with suppress(KalendsError):
            loaded = embedder(model)
            warehouse.check_model(loaded.model)
            question_vector(loaded, "warm")

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
