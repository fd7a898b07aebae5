"""How many examples the tests of hypothesis draw."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def examples(times: float, **changes: Any) -> settings:
    """`times` as many examples as the profile of these tests has, so that `make soak` draws more of all of them."""
    return settings(max_examples=round(settings.default.max_examples * times), **changes)
