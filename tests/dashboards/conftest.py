"""The log of a test: pytest's own is off, as it formats each record of each library."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from io import StringIO

import pytest


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What is logged while the test runs, a line an error, with the traceback."""
    text = StringIO()
    handler = logging.StreamHandler(text)
    handler.setLevel(logging.ERROR)
    logging.getLogger().addHandler(handler)
    yield text
    logging.getLogger().removeHandler(handler)
