"""Places on pages, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from warehouse.records import Region


def boxes(regions: Sequence[Region]) -> Iterator[str]:
    """The box around the regions of each page, left,top right,bottom in points: "page 3 [72,100 540,118]"."""
    for page, group in groupby(regions, key=lambda region: region.page):
        found = [region.box for region in group]
        left, top = min(box.x0 for box in found), min(box.top for box in found)
        right, bottom = max(box.x1 for box in found), max(box.bottom for box in found)
        yield f"page {page} [{left:.0f},{top:.0f} {right:.0f},{bottom:.0f}]"
