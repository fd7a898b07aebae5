"""Links of an outline followed without leaving the page."""

from __future__ import annotations

from dashboards.widgets.pressing import pressed_value


def page_from_link() -> int | None:
    """The leaf that the reader has just gone to; None where they stayed."""
    given = pressed_value("leaf")
    return int(given) if given.isdecimal() else None
