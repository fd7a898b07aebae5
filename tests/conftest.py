"""Settings of all tests: no network, no telemetry, no deadlines on a busy machine."""

from __future__ import annotations

import gc
import os
import shutil
import ssl
from functools import cache
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from tests.forked_process import fork_children

os.environ.update(
    HF_HUB_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
    DO_NOT_TRACK="1",
    PREFECT_SERVER_ANALYTICS_ENABLED="false",
    STREAMLIT_BROWSER_GATHER_USAGE_STATS="false",
    PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL="CRITICAL",
    # Of several processes that compute with as many threads as there are cores, each waits for its own by counting.
    OMP_NUM_THREADS="1",
)
settings.register_profile(
    "kalends",
    deadline=None,
    max_examples=10,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.register_profile("soak", settings.get_profile("kalends"), max_examples=250, derandomize=False)
settings.load_profile("kalends")
# Collecting six thousand tests makes a million objects that all stay: looking through them takes a fifth of that time.
gc.set_threshold(50_000, 50, 100)
# No test cuts the power, and a small warehouse is written through to the disk sixty times: a quarter of its time. What
# is passed must still be an open descriptor.
os.fsync = os.fstat  # type: ignore[assignment]
# Each client of a server on this machine would read the certificates of all authorities anew, which takes 25 ms; there
# are hundreds of them.
ssl.create_default_context = cache(ssl.create_default_context)
# A process that reads files loads the parsers for a second and a half, one that answers SQL DuckDB for one; tests start
# a hundred of them. Those of starting itself start what users start.
fork_children()


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder that all processes of this run share: the first of them has no name of it yet."""
    if "FOLDER_OF_ALL_TESTS" not in os.environ:
        folder = os.environ["FOLDER_OF_ALL_TESTS"] = mkdtemp(prefix="kalends-tests-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    config.add_cleanup(_collect_garbage)


def pytest_collection_finish() -> None:
    """What was collected stays: no search for garbage looks through it again, least of all while a test takes time."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that run flows come last: Prefect's threads draw random numbers, which hypothesis forbids while it draws.

    For the same reason those of them that have properties come first, and properties first in each.
    """
    running = {item.path for item in items if _runs_flows(item)}
    drawing = {item.path for item in items if is_hypothesis_test(getattr(item, "obj", None))}
    items.sort(key=lambda item: (item.path in running, item.path in running - drawing, _runs_flows(item)))


def _collect_garbage() -> None:
    """Search for garbage once, before pytest does so five times; what is left is not looked through again."""
    gc.collect()
    gc.freeze()


def _runs_flows(item: pytest.Item) -> bool:
    return "prefect_server" in getattr(item, "fixturenames", ())
