"""The rankings that an evaluation compares: vectors or keywords alone, fusions, the default without each part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from tasks.rerankers.reranker import RERANKERS
from warehouse.errors import BadInput
from warehouse.records import Fusion, Mode, Ranking

DEFAULT_RANKING = "hybrid"  # The ranking of a search that asks for no other; the others are compared with it.

EVEN_ALPHA = 0.5  # The share of the vectors in the convex fusion, not tuned.


def build_rankings(reranker: str = "") -> dict[str, Ranking]:
    """Every ranking by name; `reranker` adds the default with that reranker."""
    base = Ranking()
    rankings = {
        "dense": replace(base, mode=Mode.DENSE),
        "keyword": replace(base, mode=Mode.KEYWORD),
        DEFAULT_RANKING: base,
        "rrf": replace(base, fusion=Fusion.RRF),
        "convex": replace(base, fusion=Fusion.CONVEX, alpha=EVEN_ALPHA),
    }
    for switch in (field.name for field in fields(Ranking) if getattr(base, field.name) is True):
        change: Any = {switch: False}
        rankings[f"without-{switch}"] = replace(base, **change)
    return {**rankings, f"with-{reranker}": replace(base, reranker=reranker)} if reranker else rankings


def choose_rankings(names: Iterable[str], reranker: str = "") -> dict[str, Ranking]:
    """The rankings of these names in the order of all; all if none is named.

    Raises `BadInput` for another name, and for a reranker that the family lacks.
    """
    if reranker:
        RERANKERS[reranker.partition(":")[0]]
    rankings, chosen_names = build_rankings(reranker), set(names)
    for name in sorted(chosen_names - rankings.keys()):
        raise BadInput(f"no part is named '{name}'", f"choose from {', '.join(rankings)}")
    return {name: ranking for name, ranking in rankings.items() if not chosen_names or name in chosen_names}
