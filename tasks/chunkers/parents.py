"""The larger passages that a hierarchical chunker cuts its chunks from."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from tasks.chunkers.blocks import page_of, page_starts, section_of
from tasks.chunkers.contract import Chunker
from warehouse.identity import digest
from warehouse.records import Document, Parent


def make_parents(document: Document, *, document_id: str, chunker: Chunker) -> tuple[Parent, ...]:
    """The parents of a document's chunks in order; none for chunkers that make none."""
    seen: Counter[str] = Counter()
    made = []
    for start, end in chunker.parents(document):
        text = document.text[start:end]
        name = digest(document_id, "parent", text, seen[text])
        section, page = section_of(document, start, end), page_of(document, start, end)
        pages = page_starts(document, start, end)
        made.append(Parent(name, document_id, start, end, text, section, page, pages))
        seen[text] += 1
    return tuple(made)


def parent_of(parents: Sequence[Parent], start: int) -> str | None:
    """The id of the parent that holds a place of the text; `parents` are in order and apart."""
    after = bisect_right(parents, start, key=lambda parent: parent.start)
    return parents[after - 1].parent_id if after and start < parents[after - 1].end else None
