"""What a background process prints for the server that started it: lines of JSON with fields of its run."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from flows.progress import RunProgress

_OWN = ("process", "origin", "started")
"""What the server knows better."""


def write_fields(**fields: Any) -> None:
    """Write a line; a server that has gone ends no run."""
    with suppress(OSError):
        sys.stdout.write(json.dumps(fields) + "\n")
        sys.stdout.flush()


def write_note(line: str) -> None:
    """Write what is waited for, or done, in a line."""
    write_fields(note=line)


def write_progress(progress: RunProgress) -> None:
    """Write how far an ingest is."""
    fields = asdict(progress)
    write_fields(**{name: value for name, value in fields.items() if name not in _OWN})
