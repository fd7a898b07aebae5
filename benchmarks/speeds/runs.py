"""An ingest in a process of its own, and the most memory that it and its workers took.

    python -m benchmarks.speeds.runs SETTINGS FOLDER…

SETTINGS are JSON. It prints what it did as one line of JSON; the Prefect server of PREFECT_API_URL is used.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import psutil

from benchmarks.parse import Memory

ROOT = Path(__file__).parents[2]
HEAVY = ("openvino", "torch", "spacy", "pdfplumber", "docx")
"""What a run that has nothing to do must not load."""


@dataclass(frozen=True, slots=True)
class Ran:
    """An ingest: seconds of start-up (imports, finding the server) and of the flow, and of its stages.

    `cpu` are those of the flow in which this process computed, whatever else the machine did.
    `generation` is None where nothing changed, `loaded` those of the heavy libraries that it came to need, `peak` the
    most resident memory in MB of 2**20 bytes.
    """

    start: float
    flow: float
    cpu: float
    stages: dict[str, float]
    generation: int | None
    documents: int
    chunks: int
    loaded: tuple[str, ...]
    peak: float = 0.0


def run(warehouse: Path, folders: Sequence[Path], settings: Mapping[str, Any]) -> Ran:
    """Ingest folders into a warehouse."""
    given = json.dumps({**settings, "warehouse": str(warehouse)})
    command = [sys.executable, "-m", "benchmarks.speeds.runs", given, *map(str, folders)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with process, Memory(psutil.Process(process.pid)) as memory:
        printed, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"the ingest of {', '.join(map(str, folders))} failed")
    return Ran(**{**json.loads(printed.splitlines()[-1]), "peak": memory.resident})


@contextmanager
def served(folder: Path) -> Iterator[None]:
    """One Prefect server for all runs, so that none of them starts its own."""
    from flows.service.processes import start_server, stop_server
    from warehouse.store.layout import Layout

    layout = Layout(folder)
    folder.mkdir(parents=True)
    before = os.environ.get("PREFECT_API_URL")
    server, _ = start_server(layout)
    os.environ["PREFECT_API_URL"] = server.url
    try:
        yield
    finally:
        stop_server(layout)
        del os.environ["PREFECT_API_URL"]
        if before:
            os.environ["PREFECT_API_URL"] = before


def main() -> None:
    """The child."""
    began = perf_counter()
    from flows.orchestration import connect_prefect
    from warehouse.settings.loader import load_settings
    from warehouse.store.layout import Layout

    settings = load_settings(json.loads(sys.argv[1]))
    with connect_prefect(Layout(settings.warehouse), lambda _: None):
        from flows.ingest import ingest

        ready, computed = perf_counter(), process_time()
        report = ingest(sys.argv[2:], settings=settings)
        done, computed = perf_counter(), process_time() - computed
    stages = {cost.stage: cost.seconds for cost in report.stages}
    loaded = tuple(name for name in HEAVY if name in sys.modules)
    counts = report.generation, report.documents, report.chunks
    found = Ran(ready - began, done - ready, computed, stages, *counts, loaded)
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main()
