"""State that all requests share: the settings, the published warehouse, and limits on what runs at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from threading import Lock
from typing import Annotated, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Request

from dashboards.assistant.sessions import Sessions
from dashboards.assistant.suggestions.suggested_questions import SuggestedQuestions
from dashboards.assistant.tools.contract import ToolContext
from dashboards.background.inbox import InboxFiles
from dashboards.background.ingests import IngestQueue
from dashboards.background.runs import RunStore
from dashboards.serializers.catalogue import LibraryCatalogue
from tasks.query.retrieval import find
from warehouse.errors import NoWarehouse
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest
from warehouse.settings.loader import Settings
from warehouse.store.generations import Generation
from warehouse.store.layout import Layout

T = TypeVar("T")
ANSWERS = 64  # Answers at the same time; they mostly wait for a remote model.


class ApiService:
    """State of the process. Searches and answers have separate threads, so that neither waits for the other."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.warehouse = Warehouse(settings.warehouse)
        self.ingests = IngestQueue("the HTTP API", self.load_models, RunStore(Layout(settings.warehouse)))
        self.sessions = Sessions(settings.warehouse)
        self._catalogue: tuple[Generation, LibraryCatalogue] | None = None
        self._suggestions: tuple[Generation, SuggestedQuestions] | None = None
        self._lock = Lock()

    @property
    def context(self) -> ToolContext:
        """The context of tools, dated today (UTC)."""
        return ToolContext(self.settings, self.warehouse, datetime.now(UTC).date())

    def make_snapshot_context(self) -> ToolContext:
        """The context of tools on the generation that is published now. Raises `NoWarehouse`."""
        return replace(self.context, warehouse=self.warehouse.pin_generation())

    @property
    def catalogue(self) -> LibraryCatalogue:
        """The catalogue of the published generation, read once. Raises `NoWarehouse` or `BadWarehouse`."""
        with self._lock:
            generation = self.warehouse.snapshot.generation
            if self._catalogue is None or self._catalogue[0] != generation:
                self._catalogue = (generation, LibraryCatalogue.from_warehouse(self.warehouse))
            return self._catalogue[1]

    def get_suggestions(self) -> tuple[int, SuggestedQuestions]:
        """The number of the published generation and its suggested questions. Raises `NoWarehouse`."""
        with self._lock:
            context = self.make_snapshot_context()
            generation = context.warehouse.snapshot.generation
            if self._suggestions is None or self._suggestions[0] != generation:
                self._suggestions = (generation, SuggestedQuestions(context))
            return context.warehouse.generation, self._suggestions[1]

    def open_inbox(self) -> InboxFiles:
        """The inbox, with what the published generation has of it. Raises `UnwritableInbox` or `BadWarehouse`."""
        try:
            entries = self.catalogue.entries
        except NoWarehouse:
            entries = ()
        return InboxFiles(self.settings, entries)

    def load_models(self) -> None:
        """Load the model, and the indexes if there are any, so that no request waits for them."""
        context = self.context
        context.embedder.embed(["warm"])
        try:
            find(context.warehouse, SearchRequest("warm"), context.embedder, context.today)
        except NoWarehouse:
            return

    async def run_search(self, work: Callable[[], T]) -> T:
        """Run work that computes, on at most as many threads as there are cores."""
        return await to_thread.run_sync(work, limiter=self._searches)

    async def run_answer(self, work: Callable[[], T]) -> T:
        """Run work that waits for a model; it is abandoned when the request is cancelled."""
        return await to_thread.run_sync(work, limiter=self._answers, abandon_on_cancel=True)

    @cached_property
    def _searches(self) -> CapacityLimiter:
        return CapacityLimiter(max(2, os.cpu_count() or 1))

    @cached_property
    def _answers(self) -> CapacityLimiter:
        return CapacityLimiter(ANSWERS)


def _get_service(request: Request) -> ApiService:
    service: ApiService = request.app.state.service
    return service


Shared = Annotated[ApiService, Depends(_get_service)]  # The type of the service as a parameter of an endpoint.
