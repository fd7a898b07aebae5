"""What a check has found, ready to be shown: files in order, each with the findings that count and its score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tasks.check.located import Located
from warehouse.records import Severity


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding that counts, by the file it is in. `fingerprint` names it for ever."""

    path: str
    located: Located
    fingerprint: str

    @property
    def place(self) -> str:
        """`path:line:column`, or `path:page N`, or the path alone."""
        located = self.located
        if located.line is not None:
            return f"{self.path}:{located.line}:{located.column or 1}"
        page = located.finding.page
        return self.path if page is None else f"{self.path}:page {page}"


@dataclass(frozen=True, slots=True)
class FileReport:
    """A file's findings. `score` is the mean of its chunks by size, in [0, 1]; None where it has none.

    `suppressed` are findings that the file itself silences, `known` counts those of the baseline.
    """

    path: str
    entries: tuple[ReportedFinding, ...]
    suppressed: tuple[ReportedFinding, ...] = ()
    known: int = 0
    score: float | None = None
    chunks: int = 0
    least: float = 0.0

    @property
    def is_below(self) -> bool:
        """Whether it scores less than it must."""
        return self.score is not None and self.score < self.least


@dataclass(frozen=True, slots=True)
class Report:
    """The files that were checked; `read` of them had to be read, the others were known."""

    files: tuple[FileReport, ...]
    read: int

    @property
    def entries(self) -> Iterator[ReportedFinding]:
        """All findings that count."""
        return (entry for file in self.files for entry in file.entries)

    @property
    def fails(self) -> bool:
        """Whether there is a finding, or a file below its least score."""
        return any(file.entries or file.is_below for file in self.files)

    @property
    def score(self) -> float | None:
        """The mean of all chunks."""
        scored = [(file.score, file.chunks) for file in self.files if file.score is not None]
        whole = sum(chunks for _, chunks in scored)
        return round(sum(score * chunks for score, chunks in scored) / whole, 4) if whole else None

    @property
    def by_severity(self) -> Counter[Severity]:
        """How many findings there are of each severity."""
        return Counter(entry.located.finding.severity for entry in self.entries)


def mean(scores: Iterable[tuple[float, int]]) -> float | None:
    """The mean of scores weighted by sizes; None without any."""
    pairs = list(scores)
    whole = sum(size for _, size in pairs)
    return round(sum(score * size for score, size in pairs) / whole, 4) if whole else None
