"""The settings that cannot be wrong in themselves and yet lead nowhere."""

from __future__ import annotations

import os
from collections.abc import Iterator

from flows.doctor.diagnosis import CheckContext, Diagnosis, ok, warning
from warehouse.settings.loader import settings_file

KEY = "ANTHROPIC_API_KEY"


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """Where the settings are from, sources that are not there, and whether answers can be written."""
    yield ok(f"settings of {settings_file()}" if settings_file().exists() else "no settings file: defaults")
    for source in patient.settings.sources:
        if not source.folder.is_dir():
            yield warning(f"the declared source {source.folder} is not there", "mount it, or correct the settings file")
    if os.environ.get(KEY):
        yield ok(f"{KEY} is set: the chat can write answers")
    else:
        yield ok(f"{KEY} is not set: the chat answers in extracts")
