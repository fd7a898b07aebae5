"""A background process is started once, whoever asks, and only what was started is stopped."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import psutil
import pytest

from flows.service import processes
from flows.service.processes import HOST, BackgroundProcess, RunningProcess, find_free_port
from warehouse.errors import ServerFailed

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)", "sleeper"]


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[BackgroundProcess]:
    found = BackgroundProcess("sleeper", "sleeper", tmp_path / "state", frozenset({"sleeper"}))
    yield found
    found.stop()


def up(standing: BackgroundProcess, command: list[str] = SLEEPER) -> tuple[RunningProcess, bool]:
    return standing.ensure_running(command, os.environ, lambda found: command is SLEEPER)


def test_two_that_start_it_at_once_start_one(standing: BackgroundProcess) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: up(standing), range(8)))
    assert len({process.pid for process, _ in found}) == 1
    assert sum(started for _, started in found) == 1


def test_a_dead_one_is_started_anew(standing: BackgroundProcess) -> None:
    first, _ = up(standing)
    victim = psutil.Process(first.pid)
    victim.kill()
    victim.wait(10)
    second, started = up(standing)
    assert started
    assert second.pid != first.pid
    assert standing.find_running() == second
    assert first.pid not in processes._children, "it is waited for"


def test_it_is_stopped_once(standing: BackgroundProcess) -> None:
    found, _ = up(standing)
    assert standing.stop()
    assert not psutil.pid_exists(found.pid)
    assert not standing.stop()
    assert standing.find_running() is None


def test_one_whose_child_ends_meanwhile_is_stopped(
    standing: BackgroundProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child ends by itself between being listed and being signalled."""
    list_children = psutil.Process.children

    def list_and_kill(process: psutil.Process, *, recursive: bool = False) -> list[psutil.Process]:
        children = list_children(process, recursive=recursive)
        for child in children:
            child.kill()
        psutil.wait_procs(children, timeout=30)
        return children

    parent = "import subprocess\nwhile True: subprocess.run(['sleep', '60'])"
    command = [sys.executable, "-c", parent, "sleeper"]
    standing.ensure_running(command, os.environ, lambda found: bool(list_children(psutil.Process(found.pid))))
    monkeypatch.setattr(psutil.Process, "children", list_and_kill)
    assert standing.stop()
    assert standing.find_running() is None


def test_one_that_ends_is_told_of_with_its_log(standing: BackgroundProcess) -> None:
    with pytest.raises(ServerFailed, match=r"the sleeper did not start.*sleeper\.log"):
        up(standing, [sys.executable, "-c", "print('no')", "sleeper"])
    assert standing.log.read_text() == "no\n"


@pytest.mark.parametrize("command", [SLEEPER, [sys.executable, "-c", "print('no')", "sleeper"]])
def test_one_that_ended_by_itself_is_no_zombie(standing: BackgroundProcess, command: list[str]) -> None:
    with suppress(ServerFailed):
        up(standing, command)
    pid = json.loads(standing.state.read_text())["pid"]
    with suppress(psutil.NoSuchProcess):
        psutil.Process(pid).kill()
    deadline = monotonic() + 30
    while standing.find_running() and monotonic() < deadline:
        sleep(0.01)
    assert not psutil.pid_exists(pid)


def test_a_taken_port_gives_way_to_another() -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert find_free_port(port) not in (0, port)
    assert find_free_port(port) == port
