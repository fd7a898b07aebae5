"""Sheets: all results of checking one file, cached so that an unchanged file is not read again.

A finding in it has its place in the source, and a fingerprint that does not change when lines move.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tasks.check.selection import Suppression
from tasks.faults import FAILED_STAGE
from tasks.quality.checked_document import Anchors
from tasks.quality.corpus import Digest
from tasks.quality.scoring import LocatedFinding
from warehouse.errors import StageError, UnreadableFile
from warehouse.identity import digest
from warehouse.records import Finding, Severity


@dataclass(frozen=True, slots=True)
class ChunkBestScore:
    """The score of a chunk without findings, and its size in characters."""

    chunk_id: str
    best: float
    size: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """The findings of a file for all rules, selected or not, and the data that rules about many files need.

    A file that cannot be read has no `digest`.
    """

    findings: tuple[SourceFinding, ...]
    chunks: tuple[ChunkBestScore, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    anchors: Anchors = field(default_factory=Anchors)
    digest: Digest | None = None


def make_failed_sheet(error: StageError) -> Sheet:
    """The sheet of a file on which the check, or a stage before it, failed."""
    return Sheet((SourceFinding(FAILED_STAGE.make_finding(str(error))),))


def make_refused_sheet(problem: UnreadableFile) -> Sheet:
    """The sheet of a file that cannot be read."""
    return Sheet((SourceFinding(Finding(problem.code, problem.name, Severity.ERROR, str(problem))),))


_MAX_QUOTE = 200
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class SourceFinding:
    """A finding with the lines it covers (from 1), if the source has lines, and the beginning of its text."""

    finding: Finding
    line: int | None = None
    column: int | None = None
    last_line: int | None = None
    quote: str = ""


def locate_finding(entry: LocatedFinding, anchors: Anchors, text: str = "", lines: Sequence[str] = ()) -> SourceFinding:
    """The place of a finding: its own line of the source's `lines`, else that of its span in the document's text."""
    finding = entry.finding
    if entry.line is not None:
        quote = lines[entry.line - 1] if len(lines) >= entry.line else ""
        return SourceFinding(finding, entry.line, entry.column, entry.line, " ".join(quote.split())[:_MAX_QUOTE])
    if finding.start is None:
        return SourceFinding(finding)
    end = max(finding.start, (finding.end or finding.start) - 1)
    quote = " ".join(text[finding.start : min(end + 1, finding.start + 2 * _MAX_QUOTE)].split())[:_MAX_QUOTE]
    return SourceFinding(
        finding, anchors.find_line(finding.start), anchors.find_column(finding.start), anchors.find_line(end), quote
    )


def make_fingerprints(path: str, findings: Iterable[SourceFinding]) -> list[str]:
    """A name for each finding of a file, from its code and its text: lines that move do not change it."""
    name_counts: Counter[str] = Counter()
    names = []
    for located in findings:
        content = located.quote or _DIGITS.sub("0", located.finding.message)
        name = digest("finding", path, located.finding.code, content)
        names.append(digest(name, name_counts[name]))
        name_counts[name] += 1
    return names
