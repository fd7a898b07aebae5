"""Every parser on real files that were changed along their structure."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.fuzz.mutating import mutated
from tests.fuzz.targets import TARGETS, seeds

PARSERS = sorted(name for name in TARGETS if name.startswith("parser-"))
SMALL = 200_000
"""Bytes of the largest file that is changed."""


def fuzz(target: str, examples: int) -> None:
    """Runs a target on so many changed files."""
    found = [data for data in seeds(target) if len(data) < SMALL]

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), database=None)
    @given(mutated(found))
    def holds(data: bytes) -> None:
        TARGETS[target](data)

    holds()


@pytest.mark.parametrize("target", PARSERS)
def test_a_changed_file_is_read_or_refused(target: str) -> None:
    fuzz(target, 12)


@pytest.mark.slow
@pytest.mark.parametrize("target", [*PARSERS, "choose"])
def test_many_changed_files_are_read_or_refused(target: str) -> None:
    fuzz(target, 3_000)


@examples(2)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    TARGETS["choose"](data)
