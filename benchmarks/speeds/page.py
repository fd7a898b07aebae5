"""The page of figures: a section a measurement, each rewritten alone when it is measured again."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from os import cpu_count, getloadavg
from pathlib import Path

HEAD = """# Speed

Written by `python benchmarks/speed.py`; every figure of a section is of one run on one machine. Where others work on it
too the seconds say little: trust ratios and processor seconds.

What a CUDA device gains (`embed.device`) was not measured, as none was at hand: `python benchmarks/embed.py
--device cuda` prints its texts a second and how far its vectors are from float32.
"""


def written(page: Path, title: str, lines: Iterable[str]) -> None:
    """Put a section in its place in the page, or at its end."""
    sections = _sections(page)
    machine = f"{cpu_count()} cores, {platform.machine()}, load {getloadavg()[1]:.1f}, {datetime.now(UTC):%Y-%m-%d}."
    sections[title] = "\n".join([machine, "", *lines])
    body = "\n\n".join(f"## {name}\n\n{text.strip()}" for name, text in sections.items())
    page.write_text(f"{HEAD}\n{body}\n", encoding="utf-8")


def _sections(page: Path) -> dict[str, str]:
    if not page.is_file():
        return {}
    _, *parts = page.read_text(encoding="utf-8").split("\n## ")
    return dict(part.split("\n", 1) for part in parts)
