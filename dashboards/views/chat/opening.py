"""The marks [n] of answers as what they look like: buttons that open a source."""

from __future__ import annotations

from dashboards.views import pressing


def pressed() -> tuple[int, int] | None:
    """The answer and the number of the source that the reader has just asked for; None where nothing was."""
    turn, _, number = pressing.pressed("cite").partition(".")
    return (int(turn), int(number)) if turn.isdecimal() and number.isdecimal() else None
