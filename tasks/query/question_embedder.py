"""The embedder of questions: that of the settings, or, while the published vectors are of another model, that one.

A changed `embed.model` takes effect with the next ingest, which may take hours. Until that publishes, questions are
read by the model of the published vectors, which the run that made them names, and a note says so. A model on a server
is never asked in place of the settings' own: whoever left it may not want questions to go there any more.
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
    """The embedder of the published vectors in place of the one that the settings name; `note` says so."""

    def __init__(self, inner: Embedder, note: str) -> None:
        super().__init__(inner)
        self.note = note


def find_question_embedder(warehouse: Warehouse, settings: EmbedSettings) -> Embedder:
    """The embedder to read questions to a warehouse with.

    That of the settings where nothing is published, and where the model of the published vectors is not known, is not
    on this machine any more, or is on a server; then `Warehouse.check_model` refuses the question. Raises `BadInput`
    where the settings name no model, and what opening a warehouse raises, `NoWarehouse` excepted.
    """
    chosen = open_embedder(settings.model, settings.device)
    try:
        generation = warehouse.snapshot.generation
    except NoWarehouse:
        return chosen
    published = generation.manifest.model
    if published == chosen.model:
        return chosen
    found = _find_published_embedder(generation, settings)
    if found is None:
        return chosen
    note = f"the vectors are of {published}, which read the question; 'kalends ingest' embeds with {chosen.model}"
    return PublishedEmbedder(found, note)


def _find_published_embedder(generation: Generation, settings: EmbedSettings) -> Embedder | None:
    """The embedder that made the vectors of a generation, if its last run names one on this machine."""
    name = json.loads(generation.read_runs()[-1].settings).get("embed.model", "")
    if not name or is_server(name):
        return None
    try:
        found = open_embedder(name, settings.device)
        return found if found.model == generation.manifest.model else None
    except (BadInput, OSError):
        return None
