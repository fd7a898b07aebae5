"""Settings of all tests: no network, no telemetry, no deadlines on a busy machine."""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

os.environ.update(
    HF_HUB_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
    DO_NOT_TRACK="1",
    PREFECT_SERVER_ANALYTICS_ENABLED="false",
    PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL="CRITICAL",
)
settings.register_profile(
    "kalends",
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("kalends")
# Collecting six thousand tests makes a million objects that all stay: looking through them takes a fifth of that time.
gc.set_threshold(50_000, 50, 100)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Flow tests come last: Prefect's threads draw random numbers, which hypothesis forbids while it draws its own."""
    items.sort(key=lambda item: "tests/flows/" in item.nodeid)
