"""Opens an embedder by name: `minilm`, `hashing`, `sentence:FOLDER`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tasks.embedders.contract import Embedder
from warehouse.registry import Family

EMBEDDERS: Family[Callable[[str], Embedder]] = Family("tasks.embedders", "embedder")
"""Functions that open an embedder, given what follows the colon of its name."""


@cache
def embedder(name: str) -> Embedder:
    """The embedder of this name; the same object each time, so that a process loads a model once.

    Raises `BadInput` for a name that no embedder has or a place that holds no model.
    """
    family, _, place = name.partition(":")
    return EMBEDDERS[family](place)
