"""`kalends serve` as a process: what it prints, who may ask, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from dashboards.cli.main import run
from tests.building import build_warehouse
from tests.command_line import MODEL, ROOT
from tests.dashboards.api.serving import events
from tests.forked_process import COMMAND_LINE, ForkedProcess


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("serve") / "warehouse"
    build_warehouse(folder, ROOT / "samples" / "vault")
    return folder


@contextmanager
def serving(warehouse: Path, *words: str, **variables: str) -> Iterator[tuple[ForkedProcess, str]]:
    """The process and the address that it prints."""
    given = ["serve", "--port", "0", "-w", str(warehouse), *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **MODEL, **variables}
    with ForkedProcess(COMMAND_LINE, *given, pipes=("stdout", "stderr"), environment=environment) as process:
        try:
            assert process.stdout
            yield process, printed_address(process.stdout.readline())
        finally:
            process.kill()


def printed_address(line: str) -> str:
    return re.sub("//.*:", "//127.0.0.1:", line.split()[1]) if line else ""


def test_a_server_begins_and_ends_as_a_program(warehouse: Path) -> None:
    command = [sys.executable, "-m", COMMAND_LINE, "serve", "--port", "0", "-w", str(warehouse)]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, **MODEL}, text=True, stdout=subprocess.PIPE) as process:
        assert process.stdout
        url = printed_address(process.stdout.readline())
        assert httpx.get(f"{url}/api/health", timeout=60).json()["status"] == "ok"
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_it_answers_and_ends_in_good_order_when_told_to(warehouse: Path) -> None:
    with serving(warehouse) as (process, url):
        with httpx.Client(base_url=url, timeout=60) as client:
            assert client.get("/api/health").json()["status"] == "ok"
            assert events(client.post("/api/query/stream", json={"query": "nitrate"}))[-1][0] == "answer"
        process.send_signal(signal.SIGTERM)
        said, warned = process.communicate()
        assert (process.returncode, said, warned) == (0, "", "")


@pytest.mark.slow
def test_an_open_connection_does_not_keep_it(warehouse: Path) -> None:
    with serving(warehouse) as (process, url):
        with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as half:
            half.sendall(b"POST /api/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
            httpx.get(f"{url}/api/health", timeout=60)
            process.send_signal(signal.SIGINT)
            process.wait(30)
        assert process.returncode == 0


def test_elsewhere_than_on_this_machine_a_token_is_made_and_needed(warehouse: Path) -> None:
    with serving(warehouse, "--host", "0.0.0.0") as (process, url), httpx.Client(base_url=url, timeout=60) as client:
        assert client.get("/api/health").status_code == 401
        process.send_signal(signal.SIGTERM)
        warned = process.communicate()[1]
        assert len(warned.splitlines()) == 1
        assert len(warned.split()[-1]) >= 43


def test_a_chosen_token_is_not_printed(warehouse: Path) -> None:
    with serving(warehouse, "--host", "0.0.0.0", KALENDS_TOKEN="one of mine") as (process, url):
        known = {"Authorization": "Bearer one of mine"}
        assert httpx.get(f"{url}/api/health", headers=known, timeout=60).status_code == 200
        assert httpx.get(f"{url}/api/health", headers={**known, "Host": "evil.example"}, timeout=60).status_code == 421
        process.send_signal(signal.SIGTERM)
        assert process.communicate() == ("", "")


def test_an_address_that_is_taken_is_one_line(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KALENDS_EMBED__MODEL", "hashing")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert run(["serve", "-w", str(warehouse), "--port", str(taken.getsockname()[1])]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("kalends: cannot listen on 127.0.0.1 port")
    assert (said.out, len(said.err.splitlines())) == ("", 1)
