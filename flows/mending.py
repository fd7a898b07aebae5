"""What `kalends check --fix` does: notes are mended in place, each written whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from flows.checking import CheckResult
from tasks.check.mending import MENDED, mended
from warehouse.errors import BadInput

_NOTES = frozenset({".md", ".markdown"})
_END = re.compile(r"\r?\n")


@dataclass(frozen=True, slots=True)
class NoteFix:
    """A note as it is and as it would be, both with the line ends of the file."""

    path: str
    absolute: Path
    before: str
    after: str


def mends(checked: CheckResult) -> Iterator[NoteFix]:
    """The notes that can be mended, in the findings that count; those that are not UTF-8 are left alone."""
    reports = {report.path: report for report in checked.report.files}
    for file in checked.files:
        codes = {entry.located.finding.code for entry in reports[file.path].entries} & MENDED
        if not codes or file.absolute.suffix.lower() not in _NOTES or file.path not in checked.links.notes:
            continue
        before = _read(file.absolute)
        made = mended(before.replace("\r\n", "\n"), file.path, codes, checked.links)
        after = _with_ends(made, _END.findall(before))
        if after != before:
            yield NoteFix(file.path, file.absolute, before, after)


def write(mend: NoteFix) -> None:
    """Put the mended note in the place of the other. Raises `BadInput` where that is not allowed."""
    fresh = mend.absolute.with_name(f".{mend.absolute.name}.{os.getpid()}")
    try:
        fresh.write_bytes(mend.after.encode())
        fresh.chmod(mend.absolute.stat().st_mode)
        fresh.replace(mend.absolute.resolve())
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise BadInput(f"{mend.path} cannot be written ({error.strerror})", "check its permissions") from None


def _with_ends(text: str, ends: list[str]) -> str:
    """A text with the line ends of the file it was, each its own: lines come and go at the head only."""
    lines = text.split("\n")
    missing = len(lines) - 1 - len(ends)
    kept = [*(ends[:1] * missing), *ends[max(0, -missing) :]]
    return "".join(f"{line}{end}" for line, end in zip(lines, [*kept, ""], strict=True))


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return ""
