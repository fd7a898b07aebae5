"""The code that decides what a trial finds: with other code the same configuration is another experiment."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_PARTS = (
    ("warehouse", "search"),
    ("warehouse", "store"),
    ("tasks", "ask"),
    ("tasks", "embedders"),
    ("tasks", "evaluate"),
    ("tasks", "rerankers"),
    ("tasks", "temporal"),
    ("flows", "answering.py"),
    ("flows", "evaluating.py"),
    ("flows", "grounds.py"),
)
_REPORTING = "experiments"
"""The folder that only tells of what was found."""


@cache
def code() -> str:
    """A digest of the modules that search, ask and judge. Ingest has its own: the versions of its stages."""
    seen = hashlib.blake2b(digest_size=16)
    for package, part in _PARTS:
        _read(files(package).joinpath(part), seen)
    return seen.hexdigest()


def _read(place: Traversable, seen: hashlib.blake2b) -> None:
    if place.is_dir():
        for each in sorted(place.iterdir(), key=lambda each: each.name):
            if each.name not in (_REPORTING, "__pycache__"):
                _read(each, seen)
    elif not place.name.endswith(".pyc"):
        seen.update(place.name.encode())
        seen.update(place.read_bytes())
