"""A process with everything loaded, which forks a child for each run of `kalends` that a fault is done to.

Loading Prefect takes longer than such a run. Orders come as JSON lines on standard input, one answer to each goes to
standard output. The forge itself starts no thread.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.forked_process import ForkedProcess

TOLD = ("out", "err", "changes")
"""What a run leaves, each a file; one that is killed at once leaves them empty."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended: its exit code, negative the signal that ended it, what it said, the files it changed."""

    code: int
    out: str
    err: str
    changes: tuple[str, ...]

    @property
    def report(self) -> Mapping[str, Any]:
        """What `ingest --json` printed."""
        found: Mapping[str, Any] = json.loads(self.out)
        return found

    @property
    def worked(self) -> dict[str, int]:
        """How many documents each stage worked on."""
        return {cost["stage"]: cost["documents"] for cost in self.report["stages"] if cost["documents"]}


class Forge:
    """Runs the command line in children of a process of its own."""

    def __init__(self, process: ForkedProcess) -> None:
        """See `opened`."""
        self._process = process

    def run(self, words: list[str], environment: Mapping[str, str], folder: Path, **fault: float) -> Outcome:
        """Run `kalends` with these words, watching what changes in `folder`.

        A fault is `kill`, the number of the change to die before, or `after`, the seconds to be killed after, or
        `humble`, to be refused what a user is refused though root.
        """
        order = {"words": words, "environment": dict(environment), "folder": str(folder), **fault}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return Outcome(answer["code"], answer["out"], answer["err"], tuple(answer["changes"].splitlines()))


@contextmanager
def opened() -> Iterator[Forge]:
    """A forge for as long as it is needed."""
    with ForkedProcess(__name__, pipes=("stdin", "stdout")) as process:
        yield Forge(process)


def main() -> None:
    """Answer orders until there are no more."""
    for line in sys.stdin:
        with TemporaryDirectory(prefix="kalends-forge-") as place:
            print(json.dumps(_answer(json.loads(line), Path(place))), flush=True)


def _answer(order: dict[str, Any], place: Path) -> dict[str, Any]:
    for name in TOLD:
        (place / name).touch()
    child = os.fork()
    if child == 0:
        _be(order, place)
    if "after" in order:
        time.sleep(order["after"])
        os.kill(child, 9)
    _, status = os.waitpid(child, 0)
    told = {name: (place / name).read_text(encoding="utf-8") for name in TOLD}
    return {**told, "code": os.waitstatus_to_exitcode(status)}


def _be(order: dict[str, Any], place: Path) -> None:
    """Be the run; ends the process."""
    from dashboards.cli.main import run
    from tests.flows.faults.triggers import on_change, renounce

    for number, name in enumerate(("out", "err"), start=1):
        os.dup2(os.open(place / name, os.O_WRONLY | os.O_CREAT), number)
    os.environ.update(order["environment"])
    on_change(Path(order["folder"]), _act(order.get("kill"), place / "changes"))
    if order.get("humble"):
        renounce()
    code = run(order["words"])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _act(kill: int | None, trail: Path) -> Callable[[int, str], None]:
    changes = os.open(trail, os.O_WRONLY | os.O_CREAT)

    def act(number: int, name: str) -> None:
        if number == kill:
            os.kill(os.getpid(), 9)
        os.write(changes, f"{name}\n".encode())

    return act


if __name__ == "__main__":
    main()
