"""The chunker and the sizes that each kind of document gets, in characters."""

from __future__ import annotations

from tasks.chunkers.contract import Chunker
from tasks.chunkers.structural import Structural
from warehouse.records import Kind

SIZES: dict[Kind, tuple[int, int]] = {
    Kind.REPORT: (1000, 200),
    Kind.TEXT: (1000, 200),
    Kind.PAPER: (800, 100),
    Kind.COURSE: (800, 100),
    Kind.NOTE: (900, 0),
}


def chunker_for(kind: Kind, size: int | None = None, overlap: int | None = None) -> Chunker:
    """The chunker for documents of a kind; `size` and `overlap` override the kind's own.

    An overlap that is only inherited gives way to a smaller size. Raises `BadInput` for sizes that contradict.
    """
    own_size, own_overlap = SIZES[kind]
    chosen = own_size if size is None else size
    inherited = min(own_overlap, chosen // 4)
    return Structural(size=chosen, overlap=inherited if overlap is None else overlap)
