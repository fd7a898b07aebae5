"""Opens a reranker by name: `maxsim`, `cross:NAME_OR_FOLDER`."""

from __future__ import annotations

from collections.abc import Callable

from tasks.embedders.contract import Embedder
from tasks.rerankers.contract import Reranker
from warehouse.registry import Family

RERANKERS: Family[Callable[[str, Embedder], Reranker]] = Family("tasks.rerankers", "reranker")
"""Functions that open a reranker, given what follows the colon of its name and the embedder of the warehouse."""


def reranker(name: str, embedder: Embedder) -> Reranker:
    """The reranker of this name. Raises `BadInput` for a name that none has or a place that holds no model."""
    family, _, place = name.partition(":")
    return RERANKERS[family](place, embedder)
