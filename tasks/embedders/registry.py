"""Opens an embedder by name: `minilm`, `hashing`, `sentence:FOLDER`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock

from tasks.embedders.contract import Embedder
from warehouse.registry import Family

EMBEDDERS: Family[Callable[[str], Embedder]] = Family("tasks.embedders", "embedder")
"""Functions that open an embedder, given what follows the colon of its name."""


_opening = Lock()


def embedder(name: str) -> Embedder:
    """The embedder of this name; the same object each time, so that a process loads a model once, on any thread.

    Raises `BadInput` for a name that no embedder has or a place that holds no model.
    """
    with _opening:
        return _opened(name)


@cache
def _opened(name: str) -> Embedder:
    family, _, place = name.partition(":")
    return EMBEDDERS[family](place)
