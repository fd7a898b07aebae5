"""The processes that read heavy files, as tests see and end them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil
import pytest

from tasks.parsers.parser_pool import HeavyFile, Worker
from tasks.parsers.parser_process import Request
from tests.child_processes import find_children


def reading_processes() -> list[psutil.Process]:
    """Those that this process has started and that still run."""
    return find_children("tasks.parsers.parser_process:read_on_request")


@contextmanager
def killed_when_asked(is_fatal: Callable[[Request], bool]) -> Iterator[None]:
    """The only process is killed as soon as it is first asked for something fatal."""
    ask, killed = Worker.ask, []

    def ask_and_kill(worker: Worker, file: HeavyFile, request: Request) -> None:
        ask(worker, file, request)
        if not killed and is_fatal(request):
            (process,) = reading_processes()
            process.kill()
            killed.append(process)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "ask", ask_and_kill)
        yield
    assert killed


def workers_started(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """All workers that are started from now on."""
    started: list[Worker] = []
    start = Worker.__init__

    def start_and_note(worker: Worker, megabytes: int) -> None:
        start(worker, megabytes)
        started.append(worker)

    monkeypatch.setattr(Worker, "__init__", start_and_note)
    return started
