"""Moments as a reader says them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.html.safe_text import format_day_group, format_moment

LATEST = datetime(2026, 11, 23)  # noqa: DTZ001 - hypothesis adds the zone
NOW = datetime(2026, 11, 23, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours", "zone", "said", "group"),
    [
        (0, "UTC", "today 01:30", "Today"),
        (2, "UTC", "yesterday 23:30", "Yesterday"),
        (0, "America/New_York", "today 20:30", "Today"),
        (30, "UTC", "21 November 19:30", "Last 7 days"),
        (24 * 10, "UTC", "13 November 01:30", "November 2026"),
        (24 * 400, "Asia/Shanghai", "19 October 2025 09:30", "October 2025"),
    ],
)
def test_a_moment_is_said_in_the_readers_day(hours: int, zone: str, said: str, group: str) -> None:
    moment = NOW - timedelta(hours=hours)
    assert format_moment(moment, NOW, ZoneInfo(zone)) == said
    assert format_day_group(moment, NOW, ZoneInfo(zone)) == group


@given(st.datetimes(timezones=st.just(UTC), max_value=LATEST), st.sampled_from([-11, 0, 14]))
def test_any_moment_has_words(moment: datetime, offset: int) -> None:
    zone = ZoneInfo(f"Etc/GMT{-offset:+d}") if offset else ZoneInfo("UTC")
    assert format_moment(moment, NOW, zone)
    assert format_day_group(moment, NOW, zone)
