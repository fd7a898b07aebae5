"""Phrases in findings and messages: quoted beginnings of texts, counts with their noun, sizes of files."""

from __future__ import annotations

_MAX_LENGTH = 50


def shorten_text(text: str) -> str:
    """The beginning of a text on one line, with an ellipsis if it continues."""
    flat = " ".join(text[: 4 * _MAX_LENGTH].split())
    return flat if len(flat) <= _MAX_LENGTH else f"{flat[: _MAX_LENGTH - 1].rstrip()}…"


def format_count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 file, 2,000 files; `plural` is needed if it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def format_size(count: float) -> str:
    """A number of bytes as people write it."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"
