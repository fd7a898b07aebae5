"""Pages a second and peak memory of reading PDFs, beside plain pdfplumber in one process.

    python benchmarks/parse.py [FOLDER] [--processes N] [--rounds 2] [--json]

Kalends reads every PDF of the folder through its worker processes, start-up included, to whole documents with tables.
The yardstick is a process of its own that only calls pdfplumber's `extract_words` on every page. Both run in turn, the
best round counts. Memory is sampled while Kalends reads, in this process and all of its workers together: the resident
set counts shared pages once for each process, the unique set not at all, and the truth lies between.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass
from os import cpu_count, getloadavg
from pathlib import Path
from time import perf_counter

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from tasks.parsers.reader import Job, read_files
from warehouse.errors import UnreadableFile
from warehouse.settings.models import ParseSettings

FOLDER = Path(__file__).resolve().parents[2] / "shared/data/pdf"
SAMPLED_EVERY = 0.05
YARDSTICK = """
import logging, sys, time, pdfplumber
logging.getLogger("pdfminer").setLevel(logging.ERROR)
started = time.perf_counter()
for path in sys.argv[1:]:
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            page.extract_words()
            page.close()
print(time.perf_counter() - started)
"""


@dataclass(frozen=True, slots=True)
class Reading:
    """One round: what was read in how many seconds, and the most memory it took, in MB of 2**20 bytes."""

    seconds: float
    pages: int
    tables: int
    refused: int
    peak_resident: float
    peak_unique: float

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages / self.seconds


class Memory:
    """Samples the memory of a process, this one if none is named, and of its children until it is stopped."""

    def __init__(self, process: psutil.Process | None = None) -> None:
        self._process = process or psutil.Process()
        self.resident = 0.0
        self.unique = 0.0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stopped.wait(SAMPLED_EVERY):
            resident = unique = 0
            for process in self._processes():
                try:
                    found = process.memory_full_info()
                except psutil.Error:  # it ended meanwhile
                    continue
                resident, unique = resident + found.rss, unique + found.uss
            self.resident = max(self.resident, resident / 2**20)
            self.unique = max(self.unique, unique / 2**20)

    def _processes(self) -> list[psutil.Process]:
        try:
            return [self._process, *self._process.children(recursive=True)]
        except psutil.Error:  # as above
            return []


def ours(paths: list[Path], processes: int) -> Reading:
    """Reads the files with Kalends."""
    jobs = [Job(path.name, path) for path in paths]
    pages = tables = refused = 0
    with Memory() as memory:
        started = perf_counter()
        for _, read, _ in read_files(jobs, ParseSettings(processes=processes)):
            if isinstance(read, UnreadableFile):
                refused += 1
            else:
                pages, tables = pages + (read.total_pages or 0), tables + len(read.tables)
        seconds = perf_counter() - started
    return Reading(seconds, pages, tables, refused, memory.resident, memory.unique)


def yardstick(paths: list[Path]) -> float:
    """Seconds of plain pdfplumber, its start-up left out."""
    done = subprocess.run([sys.executable, "-c", YARDSTICK, *paths], check=True, capture_output=True, text=True)
    return float(done.stdout)


def table(best: Reading, plain: float, processes: int, files: int) -> str:
    """The figures as a Markdown table."""
    rate = best.pages / plain
    load = getloadavg()[0]
    lines = [
        f"{files} files, {best.pages} pages, {best.tables} tables, {best.refused} refused, load {load:.1f}\n",
        "| | processes | pages a second | ratio |",
        "|---|---:|---:|---:|",
        f"| pdfplumber, words only | 1 | {rate:.1f} | 1.00 |",
        f"| Kalends, documents | {processes} | {best.rate:.1f} | {best.rate / rate:.2f} |",
        f"\npeak memory of all processes, MB: {best.peak_resident:.0f} resident, {best.peak_unique:.0f} unique",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--processes", type=int, default=cpu_count() or 1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    paths = sorted(path for path in chosen.folder.rglob("*") if path.suffix.lower() == ".pdf")
    if not paths:
        parser.error(f"there is no PDF in {chosen.folder}")
    rounds = [(ours(paths, chosen.processes), yardstick(paths)) for _ in range(chosen.rounds)]
    best = min((reading for reading, _ in rounds), key=lambda reading: reading.seconds)
    plain = min(seconds for _, seconds in rounds)
    figures = {**asdict(best), "files": len(paths), "processes": chosen.processes, "yardstick_seconds": plain}
    print(json.dumps(figures) if chosen.json else table(best, plain, chosen.processes, len(paths)))


if __name__ == "__main__":
    main()
