"""A server is ours when its state file and its process both say so; all else is left alone."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import psutil
import pytest

from flows.service import processes as servers
from warehouse.errors import ServerFailed
from warehouse.store.layout import Layout


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    found = Layout(tmp_path)
    found.prefect.mkdir(parents=True)
    return found


@pytest.mark.parametrize(
    "text",
    [
        '{"pid": "abc", "created": 1.0, "port": 4200}',
        '{"pid": 1, "created": null, "port": 4200}',
        '{"pid": -5, "created": 1.0, "port": 4200}',
        '{"pid": 1, "created": 1.0, "port": 99999}',
        '{"pid": 1}',
        "[]",
        "garbage",
        "",
    ],
)
def test_a_state_file_of_garbage_is_no_server(layout: Layout, text: str) -> None:
    (layout.prefect / "server.json").write_text(text)
    assert servers.find_server(layout) is None
    assert not servers.stop_server(layout)


def test_a_folder_in_its_place_is_no_server(layout: Layout) -> None:
    (layout.prefect / "server.json").mkdir()
    assert servers.find_server(layout) is None
    assert not servers.stop_server(layout)
    with pytest.raises(ServerFailed, match="remove it"):
        servers.start_server(layout)


def test_another_program_is_never_stopped(layout: Layout, prefect_server: servers.RunningProcess) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()", "server"], stdin=subprocess.PIPE) as other:
        program = psutil.Process(other.pid)
        while not program.cmdline():
            time.sleep(0.01)
        state = servers.RunningProcess(other.pid, program.create_time(), prefect_server.port)
        (layout.prefect / "server.json").write_text(json.dumps(asdict(state)))
        assert servers.find_server(layout) is None
        assert not servers.stop_server(layout)
        assert other.poll() is None
        other.communicate(b"\n")


def test_the_server_that_runs_is_found(layout: Layout, prefect_server: servers.RunningProcess) -> None:
    (layout.prefect / "server.json").write_text(json.dumps(asdict(prefect_server)))
    assert servers.find_server(layout) == prefect_server


def test_the_server_is_ours_and_its_transactions_wait_for_one_another(
    tmp_path: Path, prefect_server: servers.RunningProcess
) -> None:
    # The server's own modules take a second to import, which not each collection of tests need wait for.
    from sqlalchemy import text

    from flows.service.prefect_server import WaitingSqliteConfiguration

    assert servers.SERVER_PROGRAM in psutil.Process(prefect_server.pid).cmdline()
    place = tmp_path / "prefect.db"
    configuration = WaitingSqliteConfiguration(connection_url=f"sqlite+aiosqlite:///{place}")

    async def begin() -> None:
        session = await configuration.session(await configuration.engine())
        async with session, configuration.begin_transaction(session):
            # SQLite begins a transaction with its first statement.
            await session.execute(text("SELECT 1"))
            with (
                closing(sqlite3.connect(place, timeout=0)) as other,
                pytest.raises(sqlite3.OperationalError, match="database is locked"),
            ):
                other.execute("BEGIN IMMEDIATE")

    asyncio.run(begin())
