"""The part of a page that is shown: its crop box within its media box, turned as the page is (ISO 32000-1, 14.11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Corners = tuple[float, float, float, float]
"""Left, low, right, high in the page's own space, in points."""


@dataclass(frozen=True, slots=True)
class Paper:
    """What is shown of a page, as it is shown: `width` by `height` points, upright.

    `left` and `above` are how much of the media box is cut off on the left and at the top.
    """

    left: float
    above: float
    width: float
    height: float


def paper_of(media: Sequence[float], crop: Sequence[float] | None, rotation: int) -> Paper:
    """The part of a page that is shown; all of its media box where the crop box leaves nothing of that."""
    outer = ordered(media)
    inner = _within(outer, ordered(crop)) if crop else outer
    left, low, right, high = (abs(one - two) for one, two in zip(inner, outer, strict=True))
    wide, tall = inner[2] - inner[0], inner[3] - inner[1]
    turned = {0: (left, high, wide, tall), 90: (low, left, tall, wide), 180: (right, low, wide, tall)}
    return Paper(*turned.get(rotation % 360, (high, right, tall, wide)))


def ordered(box: Sequence[float]) -> Corners:
    """Any two opposite corners may be given."""
    x0, y0, x1, y1 = box
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _within(outer: Corners, box: Corners) -> Corners:
    left, low = max(outer[0], box[0]), max(outer[1], box[1])
    right, high = min(outer[2], box[2]), min(outer[3], box[3])
    return (left, low, right, high) if left < right and low < high else outer
