"""The embedder of questions: that of the settings, or of the published vectors while these are of another model.

A changed `embed.model` takes effect with the next ingest, which may take hours. Until that publishes, questions are
embedded by the model of the published vectors, which the run that made them names, and a note says so. A model on a
server is never used instead of that of the settings, as users who left it may not want to send questions there.
"""

from __future__ import annotations

import json

from tasks.embedders.embedder import Embedder, EmbedderWrapper, open_embedder
from warehouse.errors import BadInput, NoWarehouse
from warehouse.reader import Warehouse
from warehouse.settings.addresses import is_server
from warehouse.settings.models import EmbedSettings
from warehouse.store.generations import Generation


class PublishedEmbedder(EmbedderWrapper):
    """The embedder of the published vectors, used instead of the settings' one; `note` says so."""

    def __init__(self, embedder: Embedder, note: str) -> None:
        super().__init__(embedder)
        self.note = note


def find_question_embedder(warehouse: Warehouse, settings: EmbedSettings) -> Embedder:
    """The embedder for questions to a warehouse.

    That of the settings if nothing is published, and if the model of the published vectors is not known, is not
    on this machine any more, or is on a server; then `Warehouse.check_model` refuses the question. Raises `BadInput`
    if the settings name no model, and the errors of opening a warehouse, except `NoWarehouse`.
    """
    embedder = open_embedder(settings.model, settings.device)
    try:
        generation = warehouse.snapshot.generation
    except NoWarehouse:
        return embedder
    published_model = generation.manifest.model
    if published_model == embedder.model:
        return embedder
    published_embedder = _find_published_embedder(generation, settings)
    if published_embedder is None:
        return embedder
    note = (
        f"the vectors are of {published_model}, which read the question; 'kalends ingest' embeds with {embedder.model}"
    )
    return PublishedEmbedder(published_embedder, note)


def _find_published_embedder(generation: Generation, settings: EmbedSettings) -> Embedder | None:
    """The embedder that made the vectors of a generation, if its last run names one on this machine."""
    name = json.loads(generation.read_runs()[-1].settings).get("embed.model", "")
    if not name or is_server(name):
        return None
    try:
        embedder = open_embedder(name, settings.device)
        return embedder if embedder.model == generation.manifest.model else None
    except (BadInput, OSError):
        return None
