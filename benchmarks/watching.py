"""How long after a note is saved it is found, while `kalends watch` watches thousands.

    python benchmarks/watching.py [--notes 5000] [--saves 20] [--model hashing] [--folder FOLDER]

The notes are generated and ingested first; with FOLDER they and their warehouse stay there for the next time. The
watch is a process of its own, with its model warm. This process saves a note, rests until the next generation is
published and searches it, as `kalends search` does; how long that command takes by itself is printed beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.speeds.notes import SMALL, write_notes
from tasks.embedders.embedder import Embedder, open_embedder
from tasks.query.retrieval import find
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest

TODAY = date(2026, 1, 1)
KALENDS = (sys.executable, "-m", "dashboards.cli.main")
REST = 0.01
PAUSE = 1.0
"""Seconds between a note that was found and the next save."""
LONGEST = 120.0


@contextmanager
def watching(folder: Path) -> Iterator[Iterator[dict[str, Any]]]:
    """A watch of the notes of a folder; gives what it tells."""
    command = [*KALENDS, "watch", str(folder / "notes"), "--warehouse", str(folder / "warehouse"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield map(json.loads, process.stdout)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)


def found_after(place: Path, word: str, warehouse: Warehouse, model: Embedder) -> float:
    """Save a note with a word of its own; the seconds until a search finds it."""
    generation = warehouse.generation
    place.write_text(f"# Note\n\nThe {word} was delivered to the harbour in March 2024.\n", encoding="utf-8")
    saved = perf_counter()
    while perf_counter() < saved + LONGEST:
        if warehouse.generation > generation:
            hits = find(warehouse, SearchRequest(f"the {word} of the harbour"), model, TODAY).hits
            if any(word in hit.text for hit in hits):
                return perf_counter() - saved
            generation = warehouse.generation
        sleep(REST)
    raise SystemExit(f"{place} was not found within {LONGEST:.0f} s")


def command_seconds(folder: Path) -> float:
    """What `kalends search` takes, from the start of its process to its end."""
    started = perf_counter()
    command = [*KALENDS, "search", "delivered to the harbour", "--warehouse", str(folder / "warehouse")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - started


def measured(folder: Path, saves: int, model: Embedder) -> Iterator[str]:
    """A table of the saves: new notes and changed ones in turn."""
    warehouse = Warehouse(folder / "warehouse")
    with watching(folder) as told:
        found_after(folder / "notes" / "warm.md", f"warming{os.getpid()}", warehouse, model)
        next(event for event in told if event["event"] == "batch")
        seconds, runs = [], []
        for number in range(saves):
            sleep(PAUSE)
            word = f"crate{os.getpid()}x{number}"
            seconds.append(found_after(folder / "notes" / f"saved-{number // 2}.md", word, warehouse, model))
            runs.append(next(event["seconds"] for event in told if event["event"] == "batch"))
    commands = [command_seconds(folder) for _ in range(3)]
    yield "| of | p50, s | p95, s |"
    yield "|---|---:|---:|"
    yield row("saved until found", seconds)
    yield row("of it the ingest", runs)
    yield row("`kalends search`, the command alone", commands)


def row(name: str, seconds: Sequence[float]) -> str:
    """A row of the table."""
    return f"| {name} | {median(seconds):.2f} | {quantiles(seconds, n=20, method='inclusive')[-1]:.2f} |"


def prepared(folder: Path, notes: int) -> None:
    """Write and ingest the notes, unless they are there."""
    if not (folder / "warehouse" / "current").exists():
        write_notes(folder / "notes", notes, SMALL)
        subprocess.run([*KALENDS, "ingest", folder / "notes", "--warehouse", folder / "warehouse"], check=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--folder", type=Path)
    chosen = parser.parse_args()
    os.environ["KALENDS_EMBED__MODEL"] = chosen.model
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.folder or Path(temporary)
        prepared(folder, chosen.notes)
        try:
            for line in measured(folder, chosen.saves, open_embedder(chosen.model)):
                print(line)
        finally:
            subprocess.run([*KALENDS, "down", "--warehouse", folder / "warehouse"], check=True)


if __name__ == "__main__":
    main()
