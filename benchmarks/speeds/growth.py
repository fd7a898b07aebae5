"""How time, memory, size on disk and search grow with the corpus."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.search import questions_of
from benchmarks.searching.measuring import asking, opening
from benchmarks.speeds.notes import LONG, note, write_notes
from benchmarks.speeds.runs import run
from tasks.embedders.embedder import embed_question, open_embedder
from warehouse.reader import Warehouse
from warehouse.records import Mode

SIZE = 300
"""Characters of a chunk, so few that many chunks can be made of a few megabytes."""
SETTINGS: dict[str, Any] = {
    "embed": {"model": "hashing"},
    "chunk": {"size": SIZE, "unit": "characters"},
    "entities": {"kinds": []},
}
QUESTIONS = 100
WORK = ("parse", "tables", "temporal", "entities", "chunk", "score", "embed")


def lines(folder: Path, sizes: Sequence[int]) -> Iterator[str]:
    """The figures as Markdown, a row a size."""
    yield f"Long notes in chunks of at most {SIZE} characters, hashing for the model, no names read:\n"
    yield (
        "| chunks | documents | stages, s | publish, s | one more, s | chunks/s | peak memory, MB | on disk, MB "
        "| opened and asked, s | search p50, ms | p95, ms |"
    )
    yield "|---:" * 11 + "|"
    for size in sizes:
        yield _row(folder / str(size), size)


def _row(folder: Path, size: int) -> str:
    notes, warehouse = folder / "notes", folder / "warehouse"
    count = max(1, size // _chunks_of_a_note(folder))
    write_notes(notes, count, LONG)
    first = run(warehouse, [notes], SETTINGS)
    (notes / "one-more.md").write_text(note(count, LONG), encoding="utf-8")
    more = run(warehouse, [notes], SETTINGS)
    work = sum(first.stages[stage] for stage in WORK)
    disk = sum(file.stat().st_size for file in warehouse.rglob("*") if file.is_file()) / 2**20
    opened, searched = _searches(warehouse, folder)
    figures = (
        f"{first.chunks:,}", f"{first.documents:,}", f"{work:.1f}", f"{first.stages['publish']:.2f}",
        f"{more.flow:.2f}", f"{first.chunks / first.flow:.0f}", f"{first.peak:.0f}", f"{disk:.0f}",
        f"{opened:.2f}", searched,
    )  # fmt: skip
    return f"| {' | '.join(figures)} |"


def _chunks_of_a_note(folder: Path) -> int:
    """About how many: found by cutting some."""
    notes = folder / "sample"
    write_notes(notes, 4, LONG)
    return run(folder / "sampled", [notes], SETTINGS).chunks // 4


def _searches(place: Path, scratch: Path) -> tuple[float, str]:
    warehouse, model = Warehouse(place), open_embedder(SETTINGS["embed"]["model"])
    texts = [
        row["text"] for row in warehouse.snapshot.query_records("SELECT text FROM chunks ORDER BY chunk_id LIMIT 5000")
    ]
    questions = questions_of(random.Random(7).sample(texts, min(len(texts), 1000)), QUESTIONS)
    vector: np.ndarray = embed_question(model, questions[0])
    _, opened = opening(place, vector, scratch)
    return opened, str(asking(warehouse, model, questions)[Mode.HYBRID.value])
