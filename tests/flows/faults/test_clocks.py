"""Clocks that go wrong: what decides is whether a file changed, never which of two times is the later."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta, tzinfo

import pytest

import flows.ingest
from tests.flows.conftest import Bench

STRANGE = (datetime(1980, 1, 1, tzinfo=UTC), datetime(2090, 1, 1, tzinfo=UTC))


@pytest.mark.slow
@pytest.mark.parametrize("moment", STRANGE, ids=("in 1980", "in 2090"))
def test_a_change_is_seen_whatever_time_its_file_bears(bench: Bench, moment: datetime) -> None:
    bench.ingest()
    path = bench.write("beta.txt", "Marmalade is made of sweet lemons.\n")
    os.utime(path, (moment.timestamp(), moment.timestamp()))
    bench.ingest()
    assert bench.sources("sweet lemons") == {"docs/beta.txt"}
    assert bench.sources("bitter oranges") == set()
    assert bench.ingest().generation is None


@pytest.mark.slow
def test_a_clock_set_back_between_runs_hides_no_change(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.ingest()

    class Yesterday(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Yesterday:
            return super().now(tz) - timedelta(days=1)

    monkeypatch.setattr(flows.ingest, "datetime", Yesterday)
    path = bench.write("beta.txt", "Marmalade is made of sweet lemons.\n")
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 86_400))
    assert bench.ingest().generation == 2
    assert bench.sources("sweet lemons") == {"docs/beta.txt"}
    assert [run.generation for run in bench.warehouse.list_runs()] == [1, 2]
