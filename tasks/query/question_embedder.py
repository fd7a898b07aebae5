"""The embedder of questions: that of the settings, or, while the published vectors are of another model, that one.

A changed `embed.model` takes effect with the next ingest, which may take hours. Until that publishes, questions are
read by the model of the published vectors, which the run that made them names, and a note says so. A model on a server
is never asked in place of the settings' own: whoever left it may not want questions to go there any more.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tasks.embedders.embedder import Embedder, UncutSpan, embedder
from warehouse.errors import BadInput, NoWarehouse
from warehouse.reader import Warehouse
from warehouse.settings.addresses import is_server
from warehouse.settings.models import EmbedSettings
from warehouse.store.generations import Generation


@dataclass(frozen=True)
class PublishedEmbedder:
    """The embedder of the published vectors in place of the one that the settings name; `note` says so."""

    inner: Embedder
    note: str

    @property
    def model(self) -> str:
        """The inner one's."""
        return self.inner.model

    @property
    def is_loaded(self) -> bool:
        """The inner one's."""
        return self.inner.is_loaded

    @property
    def dimension(self) -> int:
        """The inner one's."""
        return self.inner.dimension

    @property
    def window(self) -> int:
        """The inner one's."""
        return self.inner.window

    def reads(self, text: str) -> bool:
        """The inner one's."""
        return self.inner.reads(text)

    def windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """The inner one's."""
        return self.inner.windows(prefix, text)

    def words(self, text: str) -> list[UncutSpan]:
        """The inner one's."""
        return self.inner.words(text)

    @property
    def for_questions(self) -> Embedder:
        """The inner one's."""
        return self.inner.for_questions

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """The inner one's."""
        return self.inner.embed(texts)

    def __getattr__(self, name: str) -> Any:
        """What only some embedders have, as vectors of tokens."""
        return getattr(self.inner, name)


def question_embedder(warehouse: Warehouse, settings: EmbedSettings) -> Embedder:
    """The embedder to read questions to a warehouse with.

    That of the settings where nothing is published, and where the model of the published vectors is not known, is not
    on this machine any more, or is on a server; then `Warehouse.check_model` refuses the question. Raises `BadInput`
    where the settings name no model, and what opening a warehouse raises, `NoWarehouse` excepted.
    """
    chosen = embedder(settings.model, settings.device)
    try:
        generation = warehouse.snapshot.generation
    except NoWarehouse:
        return chosen
    held = generation.manifest.model
    if held == chosen.model:
        return chosen
    found = _embedder_of(generation, settings)
    if found is None:
        return chosen
    note = f"the vectors are of {held}, which read the question; 'kalends ingest' embeds with {chosen.model}"
    return PublishedEmbedder(found, note)


def _embedder_of(generation: Generation, settings: EmbedSettings) -> Embedder | None:
    """The embedder that made the vectors of a generation, if its last run names one on this machine."""
    name = json.loads(generation.runs()[-1].settings).get("embed.model", "")
    if not name or is_server(name):
        return None
    try:
        found = embedder(name, settings.device)
        return found if found.model == generation.manifest.model else None
    except (BadInput, OSError):
        return None
