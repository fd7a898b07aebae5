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

What a CUDA device gains (`embed.device`), 4,096 texts on one NVIDIA H200 with 16 cores, 2026-11-26, by `python
benchmarks/embed.py --device cuda --texts 4096`: 14,135 texts a second in float16, sentence-transformers in float16 on
the same device 5,455, in float32 on the processor 196, Kalends on the processor (bfloat16) 1,240. No vector is further
than a cosine of .00001 from those of float32.
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
