"""Where a recording is made: a folder of a fixed name, the variables of the program, and its processes.

The folder always has the same path, because paths are printed; a lock keeps a second recording waiting.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Self

from benchmarks.recordings.inputs import lay_out
from benchmarks.recordings.masks import Masks

FOLDER = Path("/tmp/kalends-frozen")
LIMIT = 600
"""Seconds that one command may take."""
HERE = Path(__file__).parent
RENAMED = {
    "--year": "--years",
    "--plainly": "--literal",
    "--quality": "--min-quality",
    "--rerank": "--reranker",
    "--no-related": "--no-query-expansion",
}
"""Options of searches by their earlier names, which are recorded; where a tree has the later one, that is given."""
_DROPPED = ("KALENDS_", "ANTHROPIC_", "PREFECT_", "STREAMLIT_", "PYTHON")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """As it is recorded."""
        err = f"\n--- standard error\n{self.err}" if self.err.strip() else ""
        return f"exit code {self.code}\n--- standard output\n{self.out}{err}"


class Workplace:
    """A fresh folder with the inputs, in which the program of a `checkout` is run; recordings go to `target`."""

    def __init__(self, checkout: Path, data: Path, target: Path, folder: Path = FOLDER) -> None:
        self.checkout, self.data, self.target, self.folder = checkout.resolve(), data.resolve(), target, folder
        self.masks = Masks(self.checkout, folder)
        self.warehouse = folder / "warehouse"
        self.roots: list[Path] = []
        self.prints = 0
        self._pristine = folder / "published"

    @property
    def module(self) -> str:
        """The module of the command line, as the checkout's pyproject.toml names it."""
        return self.entry.partition(":")[0]

    @property
    def entry(self) -> str:
        """The module and the function of the console script."""
        project = tomllib.loads((self.checkout / "pyproject.toml").read_text(encoding="utf-8"))
        entry: str = project["project"]["scripts"]["kalends"]
        return entry

    @property
    def environment(self) -> dict[str, str]:
        """The variables of every process: nothing of the caller's that changes what is printed."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED)}
        return kept | {
            "PYTHONPATH": str(self.checkout),
            "PYTHONHASHSEED": "0",
            "PYTHONUNBUFFERED": "1",
            "HOME": str(self.folder / "home"),
            "KALENDS_WAREHOUSE": str(self.warehouse),
            "COLUMNS": "200",
            "LINES": "50",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "TZ": "UTC",
            "LANG": "C.UTF-8",
        }

    def lay_out(self) -> None:
        """Begin with a folder of inputs and nothing else."""
        for place in self.folder.iterdir():
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            elif place.name != ".lock":
                place.unlink()
        (self.folder / "home").mkdir()
        (self.folder / "library").mkdir()
        self.roots = lay_out(self.folder / "library", self.data)

    def ingest(self) -> Outcome:
        """Publish everything, once; every part gets the warehouse as it is now."""
        outcome = self.run("ingest", *map(str, self.roots))
        if not (self.warehouse / "current").exists():
            raise SystemExit(f"the inputs cannot be ingested:\n{outcome.text}")
        self.stop_servers()
        shutil.copytree(self.warehouse, self._pristine, symlinks=True)
        return outcome

    def restore(self) -> None:
        """Put the warehouse and the files back to what they were when it was published."""
        self.stop_servers()
        if self._pristine.exists():
            shutil.rmtree(self.warehouse, ignore_errors=True)
            shutil.copytree(self._pristine, self.warehouse, symlinks=True)

    def stop_servers(self) -> None:
        """End the servers of all warehouses in the folder."""
        for file in self.folder.rglob("prefect/server.json"):
            self.run("down", "-w", str(file.parents[1]))

    def run(
        self, *words: str, given: str = "", variables: Mapping[str, str] | None = None, limit: float = LIMIT
    ) -> Outcome:
        """Run a command in a process of its own, for so many seconds at most."""
        try:
            return self._run(words, given, variables or {}, limit)
        except subprocess.TimeoutExpired:
            return Outcome(-1, "", "it was still running at the limit")

    def _run(self, words: Sequence[str], given: str, variables: Mapping[str, str], limit: float) -> Outcome:
        ended = subprocess.run(
            [sys.executable, "-m", self.module, *words],
            cwd=self.folder,
            env=self.environment | dict(variables),
            input=given,
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            timeout=limit,
            check=False,
        )
        return Outcome(ended.returncode, ended.stdout, ended.stderr)

    def write(self, name: str, text: str, *, moments: bool = True) -> None:
        """Record a text under `part/name`; `moments` is whether moments, durations and sizes are masked too."""
        file = self.target / name
        if file.exists():
            raise SystemExit(f"two things are recorded as {name}")
        file.parent.mkdir(parents=True, exist_ok=True)
        masked = self.masks.all(text) if moments else self.masks.places(text)
        file.write_text(masked.rstrip("\n") + "\n", encoding="utf-8")


@contextmanager
def workplace(checkout: Path, data: Path, target: Path, folder: Path = FOLDER) -> Iterator[Workplace]:
    """The workplace, for one recording at a time; it is removed in the end."""
    folder.mkdir(mode=0o700, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        place = Workplace(checkout, data, target, folder)
        place.lay_out()
        try:
            yield place
        finally:
            place.stop_servers()
            shutil.rmtree(folder, ignore_errors=True)


class Caller:
    """A process in the checkout's surroundings that answers requests, a line of JSON each, as `script` does them."""

    def __init__(
        self, place: Workplace, script: str, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> None:
        self._errors = place.folder / "caller.log"
        self._process = subprocess.Popen(
            # Safe path: what lies beside the script has names of its own.
            [sys.executable, "-P", str(HERE / script), *arguments],
            cwd=place.folder,
            env=place.environment | dict(variables or {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors.open("w"),
            encoding="utf-8",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        _open(self._process.stdin).close()
        _open(self._process.stdout).close()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def call(self, **request: Any) -> dict[str, Any]:
        """The answer to a request. Raises `SystemExit` where the process has ended."""
        requests, answers = _open(self._process.stdin), _open(self._process.stdout)
        requests.write(json.dumps(request) + "\n")
        requests.flush()
        line = answers.readline()
        if not line:
            raise SystemExit(f"the recorded program ended at {request}: {self._errors.read_text()[-2000:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def command(self, words: Sequence[str], given: str = "", variables: Mapping[str, str] | None = None) -> Outcome:
        """What a command prints; its options may have the names of older trees."""
        known = [self._renamed.get(word, word) if words[0] in {"search", "ask"} else word for word in words]
        answer = self.call(words=known, given=given, variables=dict(variables or {}))
        return Outcome(answer["code"], answer["out"], answer["err"])

    @cached_property
    def _renamed(self) -> dict[str, str]:
        listed = self.call(words=["search", "--help"], given="", variables={})["out"]
        return {before: after for before, after in RENAMED.items() if re.search(rf"{after}\b", listed)}


def commands(place: Workplace) -> Caller:
    """A process that runs commands one after the other, with the model loaded once."""
    return Caller(place, "calls.py", place.entry)


def _open(stream: IO[str] | None) -> IO[str]:
    if stream is None:
        raise ValueError("the process has no such stream")
    return stream
