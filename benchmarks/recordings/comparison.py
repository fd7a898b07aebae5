"""The difference of two recordings: folders of text files, a folder or file a part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
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
FREQUENT, OFTEN = 8, 5
"""So many of a part's changed lines are counted first, each where it is there so often at least."""
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
    def changed(self) -> list[str]:
        """The lines that are added or removed."""
        return [line for line in self.lines[2:] if line.startswith(("+", "-"))]


def differences(old: Path, new: Path, words: Mapping[str, str] | None = None) -> list[Difference]:
    """Every file that differs, in order of part and name; `words` are renamed in the old recording first."""
    before, after = _files(old), _files(new)
    found = []
    for name in sorted(before | after):
        if name not in before or name not in after:
            found.append(Difference(name, (), str(old if name not in before else new)))
            continue
        texts = _text(old / name, words or {}), _text(new / name, {})
        if texts[0] != texts[1]:
            lines = unified_diff(*(text.splitlines() for text in texts), f"old/{name}", f"new/{name}", lineterm="", n=2)
            found.append(Difference(name, tuple(lines)))
    return found


def report(found: list[Difference], parts: int) -> Iterator[str]:
    """The differences in words, grouped by part; `parts` is how many were compared."""
    for part, group in groupby(found, key=lambda each: each.part):
        of_part = list(group)
        missing = sum(bool(each.missing_from) for each in of_part)
        lines = [line for each in of_part for line in each.changed]
        yield f"== {part}: {len(of_part)} files differ, {missing} of them on one side only, {len(lines)} lines"
        counts = Counter(f"{line[0]} {line[1:].strip()}" for line in lines)
        yield from (f"{count:6} times {line[:WIDTH]}" for line, count in counts.most_common(FREQUENT) if count >= OFTEN)
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


def _text(file: Path, words: Mapping[str, str]) -> str:
    text = file.read_text(encoding="utf-8", errors="backslashreplace")
    for before, after in words.items():
        text = re.sub(rf"(?<![\w-]){re.escape(before)}(?![\w-])", after, text)
    return text
