"""What the parts of a generation say of each other: Parquet, DuckDB, keywords and vectors hold the same."""

from __future__ import annotations

from collections.abc import Iterator

from flows.doctor.diagnosis import CheckContext, Diagnosis, error, ok
from tasks.quality.wording import counted
from warehouse.records import Status
from warehouse.store.catalog import count_in
from warehouse.store.snapshot import Snapshot

CURE = "kalends ingest"


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """Documents, chunks and vectors as each part counts them."""
    if patient.generation is None:
        return
    snapshot = Snapshot(patient.layout, patient.generation)
    entries = patient.generation.entries()
    chunks = sum(entry.chunk_count for entry in entries)
    catalog = patient.generation.folder / patient.layout.catalog.name
    found = {
        "documents in DuckDB": (count_in(catalog, "documents"), len(entries)),
        "chunks in Parquet": (len(snapshot.passages), chunks),
        "chunks in the keyword index": (len(snapshot.keywords), chunks),
        "named vectors in the vector index": _vectors(snapshot),
    }
    wrong = {what: pair for what, pair in found.items() if pair[0] != pair[1]}
    yield from (error(f"{what}: {there}, not {wanted}", CURE) for what, (there, wanted) in wrong.items())
    if not wrong:
        documents = sum(entry.status is not Status.UNREADABLE for entry in entries)
        counts = {"document": documents, "chunk": chunks, "vector": found["named vectors in the vector index"][0]}
        yield ok(", ".join(counted(count, noun) for noun, count in counts.items()))


def _vectors(snapshot: Snapshot) -> tuple[int, int]:
    """How many of the vectors that chunks name the index holds, and how many they name."""
    named = {name for (name,) in snapshot.rows("SELECT DISTINCT vector_id FROM chunk_vectors")}
    return len(named.intersection(snapshot.vectors.ids)), len(named)
