"""No SQL reads a file, calls a server or changes anything; what would take the machine is ended, and nothing else."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import psutil
import pytest
from hypothesis import HealthCheck, given, settings

from tests.building import build_warehouse
from tests.child_processes import list_children
from tests.examples import examples
from tests.fuzz.attacks import BOMBS, attacks
from warehouse.errors import BadQuery
from warehouse.reader import Warehouse
from warehouse.store.lake import Lake
from warehouse.store.sql_queries import compute_memory_limit, open_locked, query
from warehouse.store.sql_worker import EXTRA_ADDRESS_SPACE, MAX_IDLE_BYTES, STOP_SECONDS

MARK = "tell nobody"
SECONDS = 2.0


@dataclass
class Fort:
    """A warehouse, a secret beside it, and a server that counts who calls."""

    warehouse: Warehouse
    folder: Path
    server: socket.socket

    def attacked(self, sql: str) -> None:
        """Every promise at once."""
        names = {
            "SECRET": str(self.folder / "secret.csv"),
            "TARGET": str(self.folder / "target"),
            "FOLDER": str(self.folder),
            "URL": f"http://127.0.0.1:{self.server.getsockname()[1]}",
        }
        for name, value in names.items():
            sql = sql.replace(name, value)
        connection = open_locked(self.warehouse.snapshot.generation, Lake(self.warehouse.layout.lake))
        with suppress(BadQuery):
            found = query(connection, sql, 20, SECONDS)
            assert MARK not in str(found)
            assert "hush-hush" not in str(found)
        assert connection.execute("SELECT count(*) FROM documents").fetchall() == [(1,)]
        connection.close()
        assert sorted(path.name for path in self.folder.iterdir()) == ["W", "docs", "secret.csv"]


@pytest.fixture(scope="module")
def fort(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fort]:
    folder = tmp_path_factory.mktemp("fort")
    (folder / "docs").mkdir()
    (folder / "docs/note.md").write_text("# Oats\n\nThe oats are sold.\n")
    (folder / "secret.csv").write_text(f"a,b\n1,{MARK}\n")
    warehouse = build_warehouse(folder / "W", folder / "docs")
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("KALENDS_TOKEN", "hush-hush")
        server.setblocking(False)
        yield Fort(warehouse, folder, server)
        with pytest.raises(BlockingIOError):
            server.accept()


@examples(1, suppress_health_check=list(HealthCheck))
@given(attacks())
def test_no_attack_gets_through(fort: Fort, sql: str) -> None:
    fort.attacked(sql)


@pytest.mark.slow
@settings(max_examples=20_000, suppress_health_check=list(HealthCheck))
@given(attacks())
def test_none_of_many_attacks_gets_through(fort: Fort, sql: str) -> None:
    fort.attacked(sql)


def test_a_change_in_a_query_is_refused(fort: Fort) -> None:
    with pytest.raises(BadQuery, match="read-only"):
        fort.warehouse.run_sql("WITH x AS (DELETE FROM documents RETURNING *) SELECT * FROM x")


@pytest.mark.parametrize("sql", BOMBS[1:2])
def test_a_bomb_ends_in_time_and_within_its_memory(fort: Fort, sql: str) -> None:
    ended_by_itself(fort.warehouse, sql)


@pytest.mark.slow
@pytest.mark.parametrize("sql", [BOMBS[0], *BOMBS[2:]], ids=lambda sql: sql[:40])
def test_so_does_every_other_bomb(fort: Fort, sql: str) -> None:
    ended_by_itself(fort.warehouse, sql)


def ended_by_itself(warehouse: Warehouse, sql: str) -> None:
    """The bomb is refused or answered; this process grows little, and its child never beyond its bound."""
    me, most = psutil.Process(), 0
    # What other tests of this process have started is none of the query's.
    others = {child.pid for child in list_children() if measure_memory(child) >= MAX_IDLE_BYTES}
    before, started = me.memory_info().rss, monotonic()
    asking = Thread(target=lambda: refused(warehouse, sql))
    asking.start()
    while asking.is_alive():
        most = max([most, *map(measure_memory, list_children())])
        sleep(0.02)
    # A child on a busy machine takes its time to start.
    assert monotonic() - started < SECONDS + STOP_SECONDS + 30
    assert 0 < most < compute_memory_limit() + EXTRA_ADDRESS_SPACE
    assert me.memory_info().rss - before < 1 << 29
    assert all(measure_memory(child) < MAX_IDLE_BYTES for child in list_children() if child.pid not in others)


def measure_memory(process: psutil.Process) -> int:
    """The bytes that it holds; none when it has ended in between."""
    try:
        return process.memory_info().rss
    except psutil.NoSuchProcess:
        return 0


def refused(warehouse: Warehouse, sql: str) -> None:
    with suppress(BadQuery):
        warehouse.run_sql(sql, 100, SECONDS)


@pytest.mark.slow
def test_an_answer_that_is_too_large_is_refused(fort: Fort) -> None:
    with pytest.raises(BadQuery, match="the answer is over 256 MB: ask for fewer rows"):
        fort.warehouse.run_sql("SELECT repeat('x', 10000000) FROM range(40)", 100, 30)
