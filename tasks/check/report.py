"""The report of a check: files in order, each with the findings that count and its score; baselines and formats of it.

With a baseline only new findings count.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tasks.check.sheet import SourceFinding
from warehouse.errors import BadInput
from warehouse.records import Severity
from warehouse.registry import Family
from warehouse.regular_files import require_regular_file


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding that counts, with its file. `fingerprint` is its permanent name."""

    path: str
    source_finding: SourceFinding
    fingerprint: str

    @property
    def place(self) -> str:
        """`path:line:column`, or `path:page N`, or the path alone."""
        source_finding = self.source_finding
        if source_finding.line is not None:
            return f"{self.path}:{source_finding.line}:{source_finding.column or 1}"
        page = source_finding.finding.page
        return self.path if page is None else f"{self.path}:page {page}"


@dataclass(frozen=True, slots=True)
class FileReport:
    """A file's findings. `score` is the mean of its chunks by size, in [0, 1]; None if it has none.

    `suppressed_entries` are findings that the file itself suppresses, `baseline_count` counts those in the baseline.
    """

    path: str
    entries: tuple[ReportedFinding, ...]
    suppressed_entries: tuple[ReportedFinding, ...] = ()
    baseline_count: int = 0
    score: float | None = None
    chunks: int = 0
    min_score: float = 0.0

    @property
    def is_below(self) -> bool:
        """Whether it scores less than the minimum."""
        return self.score is not None and self.score < self.min_score


@dataclass(frozen=True, slots=True)
class Report:
    """The files that were checked; `read` of them had to be read, the others were in the cache."""

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
        return compute_mean_score((file.score, file.chunks) for file in self.files if file.score is not None)

    @property
    def by_severity(self) -> Counter[Severity]:
        """The number of findings of each severity."""
        return Counter(entry.source_finding.finding.severity for entry in self.entries)


def compute_mean_score(scores: Iterable[tuple[float, int]]) -> float | None:
    """The mean of scores weighted by sizes; None without any."""
    pairs = list(scores)
    total = sum(size for _, size in pairs)
    return round(sum(score * size for score, size in pairs) / total, 4) if total else None


_VERSION = 1


def read_baseline(path: Path) -> frozenset[str]:
    """The names of a baseline's findings. Raises `BadInput` if the file is missing or no baseline."""
    try:
        content = json.loads(require_regular_file(path).read_text(encoding="utf-8"))
        return frozenset(content["findings"])
    except OSError as error:
        problem = f"the baseline {path} cannot be read ({error.strerror})"
    except (ValueError, KeyError, TypeError):
        problem = f"{path} is not a baseline"
    raise BadInput(problem, "write one with --write-baseline FILE")


def write_baseline(path: Path, findings: Mapping[str, Sequence[str]]) -> None:
    """Write the names of findings with path, code and message, which people want to see in a diff."""
    text = json.dumps({"version": _VERSION, "findings": findings}, indent=1, ensure_ascii=False, sort_keys=True)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"the baseline {path} cannot be written ({error.strerror})", "name another file") from None


_CAUSE_BY_CODE = {"DOC015": "DOC020", "DOC019": "DOC020"}
"""A date in the future is not used, so that another is taken instead, or none is left."""


def remove_consequences(findings: Iterable[SourceFinding]) -> list[SourceFinding]:
    """The findings of a file, in their order, without those that follow from others of it."""
    all_findings = list(findings)
    codes = {located.finding.code for located in all_findings}
    return [located for located in all_findings if _CAUSE_BY_CODE.get(located.finding.code) not in codes]


ReportFormat = Callable[[Report], Iterator[str]]  # Yields lines without their ends.
FORMATS = Family[ReportFormat]("tasks.check.formats", "format")
