"""Auto-merging: where enough small passages of a larger one are found, the larger one is read in their place.

As LlamaIndex's AutoMergingRetriever (https://docs.llamaindex.ai, "Auto Merging Retriever"): a parent comes in when more
than half of its leaves are among the hits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from warehouse.records import Chunk, Parent
from warehouse.store.schemas import records_of
from warehouse.store.snapshot import Snapshot

ENOUGH = 0.5
"""The share of its leaves that must be exceeded, the default of the retriever named above."""

_PARENTS = """
    SELECT p.parent_id, p.document_id, p.start, p."end", p.text, p.section, p.page, p.pages, leaves
    FROM parents p JOIN (SELECT parent_id, count(*) AS leaves FROM chunks GROUP BY parent_id) USING (parent_id)
    WHERE p.parent_id IN (SELECT unnest($ids))
"""


def to_merge(snapshot: Snapshot, leaves: Iterable[Chunk]) -> dict[str, Parent]:
    """The parents, by id, of which enough leaves are among these; a parent of a single leaf says no more than that."""
    found = Counter(leaf.parent_id for leaf in leaves if leaf.parent_id)
    several = [parent for parent, count in found.items() if count > 1]
    if not several:
        return {}
    rows = snapshot.records(_PARENTS, {"ids": several})
    counts = [row.pop("leaves") for row in rows]
    parents = zip(records_of(Parent, rows), counts, strict=True)
    return {parent.parent_id: parent for parent, count in parents if found[parent.parent_id] > ENOUGH * count}
