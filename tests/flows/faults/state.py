"""What a warehouse answers from, in a form that two warehouses can be compared in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tasks.embedders.embedder import embed_question, open_embedder
from warehouse.reader import Warehouse

TABLES = (
    "contents",
    "blocks",
    "tables",
    "facts",
    "cells",
    "totals",
    "mentions",
    "entities",
    "parents",
    "scores",
    "findings",
)
QUESTION = "Which obelisk stands in the harbour since when?"


@dataclass(frozen=True)
class State:
    """Lists, not sets: what is there twice shows.

    `near` and `matching` are all passages by their cosine with a question and by the words of it, read from the two
    indexes; `kept` are the passages as the keyword index gives them back.
    """

    documents: list[Any]
    passages: list[Any]
    kept: list[str]
    near: list[tuple[str, float]]
    matching: list[str]
    indexed: int
    rows: dict[str, int]


def state_of(folder: Path) -> State:
    """Of the published generation, all of it read."""
    warehouse = Warehouse(folder)
    opened = warehouse.snapshot
    ids = opened.passages.get_chunk_ids(np.arange(len(opened.passages)))
    vector = embed_question(open_embedder("hashing"), QUESTION)
    texts = opened.read_chunks(ids)
    return State(
        documents=[(h.file.source, h.file.sha256, h.status, h.chunk_count) for h in warehouse.list_documents()],
        passages=sorted(opened.query_rows('SELECT chunk_id, document_id, text, start, "end" FROM chunks')),
        kept=sorted(chunk.embedded_text for chunk, _ in texts.values()),
        near=sorted((ids[row], round(cosine, 5)) for row, cosine in opened.find_nearest(vector, len(ids)).items()),
        matching=sorted(ids[row] for row in opened.find_matching(QUESTION, len(ids))),
        indexed=len(opened.keywords),
        rows={table: opened.query_rows(f"SELECT count(*) FROM {table}")[0][0] for table in TABLES},
    )
