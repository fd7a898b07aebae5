"""What two recordings of the same program may differ in, masked: moments, durations, places, ports, sizes, ids of runs.

Folders and `_IDS` are masked in everything that is recorded, `_CHANGING` in everything but the rows of tables, where
whole columns are masked instead (see `tables.py`), because a document may well say "5 s" or a moment.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

_NOW = datetime.now(UTC).date()
_DAYS = "|".join(str(_NOW + timedelta(days=days)) for days in (-1, 0, 1))
"""A recording may last over midnight."""

_CHANGING: Sequence[tuple[str, str]] = (
    # Moments: of today with a time of day, whatever follows; a bare day of today.
    (rf"\b(?:{_DAYS})[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?", "<moment>"),
    (rf"\b(?:{_DAYS})\b", "<today>"),
    (r"\b(?:today|yesterday),? \d\d:\d\d\b", "<moment>"),
    (r"\b(?:\d+|a|an|one) (?:second|minute)s? ago\b|\b(?:just|right) now\b|\bless than a minute ago\b", "<moment>"),
    # Durations: the fields that carry them in JSON, and numbers with a unit of time.
    (r'("\w*(?:seconds|milliseconds|_ms|elapsed|duration|p50|p95)"|"ms"|"MB"): [\d.e-]+', r"\1: <duration>"),
    (r'("milliseconds"): \[[^\]]*\]', r"\1: <durations>"),
    (r"\b\d[\d,]*(?:\.\d+)? ?(?:ms|s|min)\b(?! ?[=(])", "<duration>"),
    (r"\b\d+(?:\.\d+)? chunks/s", "<speed>"),
    (r"\bslowest stage \w+", "slowest stage <stage>"),
    # Sizes on the disk, in the words of people and in fields.
    (r"\b\d[\d,]*(?:\.\d+)? (?:bytes|[kKMG]i?B)\b", "<size>"),
    (r'("\w*bytes"): [\d.]+', r"\1: <size>"),
    # Processes and where they listen.
    (r"\b(127\.0\.0\.1|localhost):\d+", r"\1:<port>"),
    (r'("pid"|\bpid|\bprocess) ?(:?) ?\d+', r"\1\2 <process>"),
)
_IDS: Sequence[tuple[str, str]] = (
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<uuid>"),
    # The id that Streamlit gives to a widget, with a hash of everything that it is made of.
    (r"\$\$ID-[0-9a-f]+-[^\s\"\\]*", "<widget>"),
    # The ids that it gives to downloads, and that charts give to their data, durations among them.
    (r'("deferred_file_id": )"[0-9a-f]{32}"', r'\1"<file>"'),
    (r'("data": \{\\?"name\\?": \\?"|\\"data\\": \{\\"name\\": \\"|^ *"name": ")[0-9a-f]{32}', r"\1<data>"),
    # The id of a chat session, which looks like that of a document: by what stands before or after it.
    (r"""(["']session(?:_id)?["']: ?["'])[0-9a-f]{32}""", r"\1<session>"),
    (r"(session[ =])[0-9a-f]{32}\b", r"\1<session>"),
    (r"(?<![0-9a-f])[0-9a-f]{32}(?=  20\d\d-\d\d-\d\d \d\d:\d\d )", "<session>"),
)
_STAGES = re.compile(r'"last_run": \{[^}]*\}|^last run .*$', re.MULTILINE)
"""Where `status` tells how long each stage took, in seconds without a unit."""
_COLUMNS = frozenset({"ms", "ms 95 %", "ms, 95 % below", "ms, 95th percentile", "ingest s", "MB"})
"""Columns of durations and sizes in tables of text; they are left out, because their widths change too."""


class Masks:
    """The masks of a recording of a `checkout` in a `workplace`."""

    def __init__(self, checkout: Path, workplace: Path) -> None:
        places = [(str(checkout), "<checkout>"), (str(workplace), "<work>"), (sys.prefix, "<python>")]
        self._places = sorted({(re.escape(path), name) for path, name in places}, key=lambda each: -len(each[0]))

    def places(self, text: str) -> str:
        """A text without what every recording masks: folders and ids of runs."""
        return _replaced(text, (*self._places, *_IDS))

    def all(self, text: str) -> str:
        """A text without anything that changes from run to run."""
        text = _STAGES.sub(lambda found: re.sub(r"\d+\.\d+", "<duration>", found[0]), text)
        return _replaced(_without_columns(self.places(text)), _CHANGING)


def _replaced(text: str, pairs: Sequence[tuple[str, str]]) -> str:
    for pattern, mask in pairs:
        text = re.sub(pattern, mask, text, flags=re.MULTILINE)
    return text


def _without_columns(text: str) -> str:
    """A text with tables without the columns of `_COLUMNS`; a table has a line of dashes below its head."""
    lines, cuts = text.split("\n"), list[slice]()
    for place, line in enumerate(lines):
        if not line.strip():
            cuts = []
        if place + 1 < len(lines) and re.fullmatch(r"-+(?:  -+)+", lines[place + 1]):
            columns = [slice(found.start(), found.end()) for found in re.finditer("-+", lines[place + 1])]
            cuts = [column for column in columns if line[column].strip() in _COLUMNS]
        for cut in reversed(cuts):
            lines[place] = lines[place][: cut.start].rstrip() + "  " + lines[place][cut.stop :].lstrip()
    return "\n".join(lines)
