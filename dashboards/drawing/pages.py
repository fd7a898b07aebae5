"""Pictures of pages, with what is meant on them boxed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import astuple
from pathlib import Path

from warehouse.errors import UnreadableFile
from warehouse.records import Box, Region

SECONDS = 20
"""The longest that a page may take."""
TOGETHER = 2.0
"""Points of height by which boxes of one line may differ."""
_ANOTHER = "open the file itself"
_PROGRAM = Path(__file__).with_name("rendering.py")


def page_picture(file: Path, page: int, boxes: Iterable[Box], around: float | None = None) -> bytes:
    """Page `page`, from 1, of a PDF as PNG with the boxes drawn. Raises `UnreadableFile` where it cannot be drawn.

    With `around` only the strip of it that holds the boxes and so many points above and below them, if there are any.
    """
    told = json.dumps([astuple(box) for box in boxes])
    command = [sys.executable, "-I", str(_PROGRAM), str(file.absolute()), str(page), told, json.dumps(around)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise UnreadableFile(f"page {page} takes longer than {SECONDS} s to draw", _ANOTHER) from None
    if done.returncode or not done.stdout:
        raise UnreadableFile(f"page {page} of the file cannot be drawn", _ANOTHER)
    return done.stdout


def boxes_by_page(regions: Iterable[Region]) -> dict[int, tuple[Box, ...]]:
    """The boxes of each page, in order; what stands beside each other on one line is one box."""
    found: dict[int, list[Box]] = {}
    for region in regions:
        boxes = found.setdefault(region.page, [])
        if boxes and _on_one_line(boxes[-1], region.box):
            boxes[-1] = _around(boxes[-1], region.box)
        else:
            boxes.append(region.box)
    return {page: tuple(boxes) for page, boxes in sorted(found.items())}


def _on_one_line(one: Box, other: Box) -> bool:
    return abs(one.top - other.top) < TOGETHER and abs(one.bottom - other.bottom) < TOGETHER


def _around(one: Box, other: Box) -> Box:
    low, high = min(one.x0, other.x0), max(one.x1, other.x1)
    return Box(low, min(one.top, other.top), high, max(one.bottom, other.bottom))
