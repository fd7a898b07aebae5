"""How one ingest of very many documents goes.

    python benchmarks/scale.py 10000 [--model hashing] [--workers 0] [--usual] [--names] [--work FOLDER]

Writes so many dated notes with tables, ingests them into a fresh warehouse and asks it questions; prints documents a
second, the seconds of each stage, the processor's time, the peak memory of the processes, what the warehouse takes on
disk by part, and how long a search takes. `--workers` are those of a Dask cluster on this machine; `--names` has the
tagger of names read the notes, which costs as much as all else; `--work` keeps the notes and the warehouse.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from threading import Event, Thread
from time import monotonic, perf_counter

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.speeds.notes import ACTS, DAYS, FIRST_DAY, SMALL, THINGS, USUAL, write_notes
from flows.orchestration import connect_prefect
from flows.progress import IngestReport
from flows.service.processes import stop_server
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest
from warehouse.settings.loader import Settings
from warehouse.settings.models import EmbedSettings, EntitySettings, ScaleSettings
from warehouse.store.layout import Layout

LOOKS_EVERY = 0.25
QUESTIONS = 60


@dataclass
class Peak:
    """The most bytes that were resident at once, and seconds of processors: of the work's processes, of Prefect's."""

    work: float = 0
    server: float = 0
    seconds: float = 0.0
    server_seconds: float = 0.0


@contextmanager
def watched() -> Iterator[Peak]:
    """Look at the processes all the while."""
    peak, over = Peak(), Event()

    def look() -> None:
        while not over.wait(LOOKS_EVERY):
            ours, theirs = _processes()
            peak.work, peak.server = max(peak.work, _resident(ours)), max(peak.server, _resident(theirs))
            peak.seconds, peak.server_seconds = (
                max(peak.seconds, _spent(ours)),
                max(peak.server_seconds, _spent(theirs)),
            )

    watcher = Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        over.set()
        watcher.join()


def _processes() -> tuple[list[psutil.Process], list[psutil.Process]]:
    """Those of the work, this one among them, and those of the Prefect server."""
    ours, theirs = [psutil.Process()], []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            (theirs if "prefect" in child.cmdline() else ours).append(child)
    return ours, theirs


def _resident(processes: Iterable[psutil.Process]) -> float:
    return sum(_asked(process, lambda each: each.memory_info().rss) for process in processes)


def _spent(processes: Iterable[psutil.Process]) -> float:
    return sum(_asked(process, lambda each: sum(each.cpu_times())) for process in processes)


def _asked(process: psutil.Process, question: Callable[[psutil.Process], float]) -> float:
    try:
        return question(process)
    except psutil.Error:  # it has ended
        return 0


@contextmanager
def cluster(workers: int) -> Iterator[ScaleSettings]:
    """Settings with a Dask cluster of so many processes on this machine; without one for none."""
    if not workers:
        yield ScaleSettings()
        return
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as found:
        yield ScaleSettings(dask=found.scheduler_address)


def ingested(folder: Path, settings: Settings) -> tuple[IngestReport, float]:
    """The report and the seconds of the whole flow."""
    with connect_prefect(Layout(settings.warehouse), print):
        from flows.ingest import ingest

        started = monotonic()
        return ingest([str(folder)], settings=settings), monotonic() - started


def asked(settings: Settings) -> tuple[float, list[float]]:
    """The seconds of opening with the first search, and the milliseconds of each search after it."""
    model, today = open_embedder(settings.embed.model), date(2026, 1, 1)
    started = perf_counter()
    warehouse = Warehouse(settings.warehouse)
    find(warehouse, SearchRequest("the harbour lease", k=10), model, today)
    opening, milliseconds = perf_counter() - started, []
    for number in range(QUESTIONS):
        year = FIRST_DAY.year + number % (DAYS // 365)
        text = f"who {ACTS[number % len(ACTS)]} the {THINGS[number % len(THINGS)]} in {year}?"
        started = perf_counter()
        find(warehouse, SearchRequest(text, k=10), model, today)
        milliseconds.append(1000 * (perf_counter() - started))
    return opening, milliseconds


def parts(layout: Layout) -> dict[str, tuple[int, int]]:
    """How many files and bytes there are of each part of the warehouse."""
    newest = layout.current.resolve()
    folders = [*sorted(layout.lake.iterdir()), *sorted(newest.iterdir()), layout.indexes, layout.prefect]
    found = {}
    for place in folders:
        files = [path for path in ([place] if place.is_file() else place.rglob("*")) if path.is_file()]
        found[str(place.relative_to(layout.folder.resolve()))] = (len(files), sum(p.stat().st_size for p in files))
    return found


def table(
    report: IngestReport, seconds: float, peak: Peak, layout: Layout, opening: float, spent: Sequence[float]
) -> str:
    """The figures as Markdown."""
    p50, p95 = np.percentile(spent, [50, 95])
    lines = [
        f"{report.documents} documents, {report.chunks} chunks in {seconds:.1f} s",
        f"{report.documents / seconds:.1f} documents, {report.chunks / seconds:.1f} chunks a second",
        f"peak memory {peak.work / 2**20:.0f} MiB, of the Prefect server {peak.server / 2**20:.0f} MiB",
        f"processor time {peak.seconds:.0f} s, of the Prefect server {peak.server_seconds:.0f} s",
        f"opening with a first search {opening:.2f} s, then p50 {p50:.1f} ms, p95 {p95:.1f} ms",
        "",
        "| part | seconds | share | a document, ms |",
        "|---|---:|---:|---:|",
    ]
    costs = [(cost.stage, cost.seconds) for cost in report.stages]
    costs.append(("plan, holdings, Prefect", seconds - sum(spent for _, spent in costs)))
    lines += [
        f"| {name} | {spent:.1f} | {spent / seconds:.1%} | {1000 * spent / report.documents:.2f} |"
        for name, spent in costs
    ]
    lines += ["", "| on disk | files | bytes | a chunk |", "|---|---:|---:|---:|"]
    found = parts(layout)
    found["whole"] = (sum(files for files, _ in found.values()), sum(size for _, size in found.values()))
    lines += [f"| {name} | {files} | {size} | {size / report.chunks:.1f} |" for name, (files, size) in found.items()]
    return "\n".join(lines)


def measure(work: Path, options: argparse.Namespace) -> str:
    """The figures of one run in a folder."""
    notes = work / "notes"
    write_notes(notes, options.documents, USUAL if options.usual else SMALL)
    settings = Settings(warehouse=work / "warehouse", embed=EmbedSettings(model=options.model))
    if not options.names:
        settings = settings.model_copy(update={"entities": EntitySettings(kinds=())})
    layout = Layout(settings.warehouse)
    try:
        with cluster(options.workers) as scale, watched() as peak:
            report, seconds = ingested(notes, settings.model_copy(update={"scale": scale}))
    finally:
        stop_server(layout)
    return table(report, seconds, peak, layout, *asked(settings))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", type=int)
    parser.add_argument("--model", default="hashing")
    parser.add_argument("--workers", type=int, default=0, help="Processes of a Dask cluster; 0 for none.")
    parser.add_argument("--usual", action="store_true", help="Notes of three paragraphs instead of a sentence.")
    parser.add_argument("--names", action="store_true", help="Have names read.")
    parser.add_argument("--work", type=Path, help="A folder to keep everything in.")
    options = parser.parse_args()
    if options.work:
        print(measure(options.work, options))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(measure(Path(folder), options))


if __name__ == "__main__":
    main()
