"""The outermost margins of a page, where running heads and page numbers stand."""

from __future__ import annotations

_TOP = 0.055
_BOTTOM = 0.945


def in_margin(top: float, bottom: float, height: float) -> bool:
    """Whether something from `top` to `bottom` on a page of `height` points stands in its head or foot margin."""
    return bottom < _TOP * height or top > _BOTTOM * height
