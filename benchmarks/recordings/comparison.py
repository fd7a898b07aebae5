"""The difference of two recordings: folders of text files, a folder or file a part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import groupby, islice
from pathlib import Path

ABOUT = "recording.json"
"""What a recording says of itself; it is no part of what is compared."""
LINES = 40
"""Of one file's difference that are printed."""
FILES = 25
"""Of one part that are printed."""
WIDTH = 300
"""Of a line that is printed, in characters."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How one file differs; a file that one recording lacks has no lines."""

    name: str
    lines: tuple[str, ...]
    missing_from: str = ""

    @property
    def part(self) -> str:
        """The part that it belongs to."""
        return Path(self.name).parts[0]

    @property
    def changed(self) -> int:
        """How many lines are added or removed."""
        return sum(line.startswith(("+", "-")) and not line.startswith(("+++", "---")) for line in self.lines)


def differences(old: Path, new: Path) -> list[Difference]:
    """Every file that differs, in order of part and name."""
    before, after = _files(old), _files(new)
    found = []
    for name in sorted(before | after):
        if name not in before or name not in after:
            found.append(Difference(name, (), str(old if name not in before else new)))
        elif (old / name).read_bytes() != (new / name).read_bytes():
            found.append(Difference(name, tuple(_lines(old / name, new / name, name))))
    return found


def report(found: list[Difference], parts: int) -> Iterator[str]:
    """The differences in words, grouped by part; `parts` is how many were compared."""
    for part, group in groupby(found, key=lambda each: each.part):
        of_part = list(group)
        missing = sum(bool(each.missing_from) for each in of_part)
        lines = sum(each.changed for each in of_part)
        yield f"== {part}: {len(of_part)} files differ, {missing} of them on one side only, {lines} lines"
        for each in of_part[:FILES]:
            if each.missing_from:
                yield f"{each.name}: not in {each.missing_from}"
                continue
            yield from (line[:WIDTH] for line in islice(each.lines, LINES))
            if len(each.lines) > LINES:
                yield f"… {len(each.lines) - LINES} more lines of {each.name}"
        if len(of_part) > FILES:
            yield f"… {len(of_part) - FILES} more files of {part}"
    yield f"{len(found)} files differ." if found else f"No difference in {parts} parts."


def parts_of(recording: Path) -> list[str]:
    """The parts that were recorded."""
    return sorted(place.name for place in recording.iterdir() if place.name != ABOUT)


def _files(recording: Path) -> set[str]:
    names = {str(file.relative_to(recording)) for file in recording.rglob("*") if file.is_file()}
    return names - {ABOUT}


def _lines(old: Path, new: Path, name: str) -> Iterator[str]:
    texts = [file.read_text(encoding="utf-8", errors="backslashreplace").splitlines() for file in (old, new)]
    return unified_diff(*texts, f"old/{name}", f"new/{name}", lineterm="", n=2)
