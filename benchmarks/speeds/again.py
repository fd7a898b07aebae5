"""What it costs to ingest a corpus again when nothing changed, and when one file did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.speeds.notes import SMALL, note, write_notes
from benchmarks.speeds.runs import Ran, run

ROUNDS = 3
SETTINGS = {"embed": {"model": "hashing"}}
"""Nothing is embedded but the changed note, whose cost with the model is told apart."""


def lines(folder: Path, count: int) -> Iterator[str]:
    """The figures as Markdown, of the best of some rounds each, and whether the budgets are kept."""
    notes, warehouse = folder / "notes", folder / "warehouse"
    paths = write_notes(notes, count, SMALL)
    first = run(warehouse, [notes], SETTINGS)
    unchanged = min((run(warehouse, [notes], SETTINGS) for _ in range(ROUNDS)), key=lambda ran: ran.flow)
    changes = []
    for number in range(ROUNDS):
        paths[number * count // ROUNDS].write_text(note(count + number, SMALL), encoding="utf-8")
        changes.append(run(warehouse, [notes], SETTINGS))
    changed = min(changes, key=lambda ran: ran.flow)
    yield f"{count:,} small notes, {first.chunks:,} chunks, hashing for the model; best of {ROUNDS} runs:\n"
    yield "| run | start-up, s | flow, s | flow, CPU s | publish, s | loaded | peak memory, MB |"
    yield "|---|---:|---:|---:|---:|---|---:|"
    for name, ran in (("first", first), ("unchanged", unchanged), ("one file changed", changed)):
        yield _row(name, ran)
    idle = unchanged.generation is None and not unchanged.loaded
    yield f"\nAn unchanged corpus loads no model and parses nothing: {'kept' if idle else 'NOT KEPT'}."
    yield f"It takes under 3 s beyond start-up: {'kept' if unchanged.flow < 3 else 'NOT KEPT'}."


def _row(name: str, ran: Ran) -> str:
    publish = f"{ran.stages['publish']:.2f}" if "publish" in ran.stages else ""
    seconds = f"{ran.start:.1f} | {ran.flow:.2f} | {ran.cpu:.2f}"
    return f"| {name} | {seconds} | {publish} | {', '.join(ran.loaded)} | {ran.peak:.0f} |"
