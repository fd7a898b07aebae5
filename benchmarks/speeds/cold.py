"""What a command costs from its first instruction to its last: a new process each time, over the samples."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.speeds.runs import ROOT, run

ROUNDS = 5
QUESTION = "What were net sales in the third quarter?"
HEAVY = (
    "pydantic", "numpy", "pyarrow", "duckdb", "tantivy", "openvino", "tokenizers", "rich", "jieba", "pandas", "torch",
    "prefect",
)  # fmt: skip
COMMAND = [sys.executable, "-m", "dashboards.cli.main"]
MEASURED = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
    "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
)
"""A small process that starts the command: what it takes includes the memory of the process that forked it."""
SHOWN = (
    "import atexit, sys; from dashboards.cli.main import run; code = run(sys.argv[1:]);"
    f"print(*(name for name in {HEAVY!r} if name in sys.modules), sep=', ', file=sys.stderr); sys.exit(code)"
)


@dataclass(frozen=True, slots=True)
class ColdCommand:
    """A command with its aim in processor seconds and, where there is one, in MB of 2**20 bytes.

    `before` are the seconds and MB that it took before it was made faster, measured on two cores on 2026-11-25.
    """

    words: tuple[str, ...]
    aim: float
    memory: int | None
    before: tuple[float, int]


COMMANDS = (
    ColdCommand(("--help",), 0.35, None, (0.60, 88)),
    ColdCommand(("rules",), 0.35, None, (0.73, 93)),
    ColdCommand(("status",), 0.35, None, (0.66, 111)),
    ColdCommand(("search", QUESTION), 1.0, 400, (2.74, 842)),
    ColdCommand(("ask", QUESTION), 1.0, 400, (3.63, 836)),
)


def lines(folder: Path) -> Iterator[str]:
    """The figures as Markdown, the median of some runs each; the model's compiled form is in the cache by then."""
    cache, warehouse = folder / "cache", folder / "warehouse"
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "KALENDS_CACHE": str(cache),
        "KALENDS_WAREHOUSE": str(warehouse),
    }
    run(warehouse, [ROOT / "samples"], {})
    yield f"The samples with the default model; median of {ROUNDS} runs, after one that fills the cache:\n"
    yield "| command | processor s | aim | before | peak memory, MB | aim | before | loaded |"
    yield "|---|---:|---:|---:|---:|---:|---:|---|"
    for command in COMMANDS:
        spent = [_spent(command, environment, folder) for _ in range(ROUNDS + 1)][1:]
        seconds, memory = median(each[0] for each in spent), max(each[1] for each in spent)
        known = seconds <= command.aim and (command.memory is None or memory <= command.memory)
        aims = f"{command.aim:.2f} | {command.before[0]:.2f}", f"{command.memory or ''} | {command.before[1]}"
        name = f"`{command.words[0]}`{'' if known else ', NOT KEPT'}"
        yield f"| {name} | {seconds:.2f} | {aims[0]} | {memory:.0f} | {aims[1]} | {_loaded(command, environment)} |"


def _spent(command: ColdCommand, environment: dict[str, str], folder: Path) -> tuple[float, float]:
    """Processor seconds and the most resident memory in MB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *COMMAND, *command.words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    seconds, memory = map(float, done.stdout.split())
    return seconds, memory / (2**20 if sys.platform == "darwin" else 2**10)  # Linux counts kilobytes, macOS bytes.


def _loaded(command: ColdCommand, environment: dict[str, str]) -> str:
    """Those of the heavy modules that it came to need."""
    done = subprocess.run(
        [sys.executable, "-c", SHOWN, *command.words], env=environment, capture_output=True, text=True, check=True
    )
    return done.stderr.splitlines()[-1]
