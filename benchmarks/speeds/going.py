"""What a run that publishes as it goes costs, and when its first documents can be searched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.speeds.notes import USUAL, write_notes
from benchmarks.speeds.runs import Ran, run
from warehouse.reader import Warehouse

MINUTES = 1.0
SETTINGS = {"entities": {"kinds": []}}
AIM = 90.0
"""Seconds after which the first documents should be found: the minute that was asked for, and what is in hand then."""


def lines(folder: Path, count: int, pdf: Path) -> Iterator[str]:
    """The figures as Markdown, of a run without and one with it over the same files."""
    notes = folder / "notes"
    write_notes(notes, count, USUAL)
    folders = [notes, pdf] if pdf.is_dir() else [notes]
    yield f"{count:,} notes and the PDFs, the default model, no names read, `--publish-every {MINUTES:g}`:\n"
    yield "| run | documents | first found after, s | flow, s | flow, CPU s | publications | peak memory, MB |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    first = 0.0
    going = {**SETTINGS, "ingest": {"publish_every": MINUTES}}
    for name, settings in (("at the end", SETTINGS), ("as it goes", going)):
        place = folder / name.replace(" ", "-")
        ran = run(place, folders, settings)
        first = _first(place)
        yield _row(name, ran, first, len(Warehouse(place).list_runs()))
    yield f"\nFirst found after {first:.0f} s: aim {AIM:g}; before, at the end of the run."


def _first(place: Path) -> float:
    """Seconds from the start of the run to its first publication."""
    run = Warehouse(place).list_runs()[0]
    return (run.visible_from - run.started).total_seconds()


def _row(name: str, ran: Ran, first: float, count: int) -> str:
    return f"| {name} | {ran.documents} | {first:.0f} | {ran.flow:.1f} | {ran.cpu:.1f} | {count} | {ran.peak:.0f} |"
