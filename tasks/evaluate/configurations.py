"""The rankings that an evaluation compares: each half alone, the fusions, and the default without each of its parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from tasks.rerankers.reranker import RERANKERS
from warehouse.errors import BadInput
from warehouse.records import Fusion, Mode, Ranking

DEFAULT = "hybrid"  # The ranking of a search that asks for no other; the others are compared with it.

EVEN = 0.5  # The share of the vectors for the plain convex fusion, without tuning.


def build_rankings(reranker: str = "") -> dict[str, Ranking]:
    """Every ranking by name; `reranker` adds the default with that of the family."""
    base = Ranking()
    rankings = {
        "dense": replace(base, mode=Mode.DENSE),
        "keyword": replace(base, mode=Mode.KEYWORD),
        DEFAULT: base,
        "rrf": replace(base, fusion=Fusion.RRF),
        "convex": replace(base, fusion=Fusion.CONVEX, alpha=EVEN),
    }
    for part in (field.name for field in fields(Ranking) if getattr(base, field.name) is True):
        switch: Any = {part: False}
        rankings[f"without-{part}"] = replace(base, **switch)
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
