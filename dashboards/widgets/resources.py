"""Resources that all sessions of the process share: settings, warehouse, embedder, catalogue, and cached queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from dashboards.serializers.catalogue import LibraryCatalogue
from tasks.embedders.embedder import Embedder, embed_question
from tasks.query.question_embedder import find_question_embedder
from warehouse.errors import KalendsError
from warehouse.journal import open_log
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings, load_settings
from warehouse.settings.models import EmbedSettings

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PageContext:
    """The settings in force and the warehouse they name."""

    settings: Settings
    warehouse: Warehouse

    @property
    def state(self) -> str:
        """The generation's manifest as JSON: a key for caches. Raises `NoWarehouse` or `BadWarehouse`."""
        return self.warehouse.snapshot.generation.manifest.to_json()

    def read_catalogue(self) -> LibraryCatalogue:
        """The catalogue of the published generation; read once a generation."""
        self.load_model()
        return _read_catalogue(self.warehouse.pin_generation())

    def load_model(self) -> Thread:
        """The thread that loads the embedding model in the background, so that the first question need not wait."""
        return _load_model(self.warehouse, self.settings.embed)

    def get_embedder(self) -> Embedder:
        """The embedder of questions, read when first used. Raises `BadInput` for vectors of a model that is missing."""
        embedder = find_question_embedder(self.warehouse, self.settings.embed)
        self.warehouse.check_model(embedder.model)
        return embedder


def load_page_context() -> PageContext:
    """The settings in force and their warehouse. Raises `BadSettings`."""
    settings = load_settings()
    open_log(settings.log, settings.warehouse)
    return PageContext(settings, _open_warehouse(settings.warehouse))


def _make_generation_key(warehouse: Warehouse) -> tuple[str, str]:
    return str(warehouse.layout.folder), warehouse.snapshot.generation.manifest.to_json()


def _make_settings_key(settings: Settings) -> tuple[str, str, str]:
    return str(settings.warehouse), settings.embed.model, settings.rerank.model_dump_json()


def _make_context_key(context: PageContext) -> tuple[tuple[str, str], tuple[str, str, str]]:
    return _make_generation_key(context.warehouse), _make_settings_key(context.settings)


def cache_query(
    max_entries: int,
    spinner: str | None = None,
    *,
    shared: bool = False,
    keys: Mapping[type, Callable[[Any], object]] | None = None,
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache the latest `max_entries` results of a function by its arguments, a warehouse by its generation.

    Of settings the warehouse, the embedding model and the reranker count, of a `PageContext` both, of a type in `keys`
    the key that its function gives. Readers get copies of a result unless it is `shared`. With `spinner` these words
    are drawn while it is computed. Errors of the warehouse itself must have been raised before: open it by `at`.
    """
    options: dict[str, Any] = {
        "show_spinner": spinner or False,
        "max_entries": max_entries,
        "hash_funcs": {
            Warehouse: _make_generation_key,
            Settings: _make_settings_key,
            PageContext: _make_context_key,
            **(keys or {}),
        },
    }
    decorate: Callable[[Callable[P, T]], Callable[P, T]]
    decorate = st.cache_resource(**options) if shared else st.cache_data(**options)
    return decorate


@cache
def _load_model(warehouse: Warehouse, settings: EmbedSettings) -> Thread:
    """Started once a process. Where the model is missing or is not that of the vectors, a search raises the error."""

    def read() -> None:
        with suppress(KalendsError):
            loaded = find_question_embedder(warehouse, settings)
            warehouse.check_model(loaded.model)
            embed_question(loaded, "warm")

    thread = Thread(target=read, name=f"warming {settings.model}", daemon=False)
    thread.start()
    return thread


@cache
def _open_warehouse(folder: Path) -> Warehouse:
    return Warehouse(folder)


@cache_query(2, "Opening the warehouse …", shared=True)
def _read_catalogue(warehouse: Warehouse) -> LibraryCatalogue:
    return LibraryCatalogue.from_warehouse(warehouse)
