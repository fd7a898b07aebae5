"""The rankings that an evaluation compares: each half alone, the fusions, and the default without each of its parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from tasks.rerankers.reranker import RERANKERS
from warehouse.errors import BadInput
from warehouse.records import Fusion, Mode, Ranking

DEFAULT = "hybrid"  # The ranking that everybody gets who asks for no other; the others are compared with it.

EVEN = 0.5  # The share of the vectors for the plain convex fusion: nothing is chosen.


def build_rankings(reranker: str = "") -> dict[str, Ranking]:
    """Every ranking by name; `reranker` adds the default with that of the family."""
    base = Ranking()
    found = {
        "dense": replace(base, mode=Mode.DENSE),
        "keyword": replace(base, mode=Mode.KEYWORD),
        DEFAULT: base,
        "rrf": replace(base, fusion=Fusion.RRF),
        "convex": replace(base, fusion=Fusion.CONVEX, alpha=EVEN),
    }
    for part in (each.name for each in fields(Ranking) if getattr(base, each.name) is True):
        off: Any = {part: False}
        found[f"without-{part}"] = replace(base, **off)
    return {**found, f"with-{reranker}": replace(base, reranker=reranker)} if reranker else found


def choose_rankings(names: Iterable[str], reranker: str = "") -> dict[str, Ranking]:
    """The rankings of these names in the order of all; all where none is named.

    Raises `BadInput` for another name, and for a reranker that the family has not.
    """
    if reranker:
        RERANKERS[reranker.partition(":")[0]]
    known, wanted = build_rankings(reranker), set(names)
    for name in sorted(wanted - known.keys()):
        raise BadInput(f"no part is named '{name}'", f"choose from {', '.join(known)}")
    return {name: ranking for name, ranking in known.items() if not wanted or name in wanted}
