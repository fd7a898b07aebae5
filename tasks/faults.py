"""The faults of files that reading them finds: the one place of their codes, names and severities.

Their pages are rules of `tasks.quality.rules` like all others.
"""

from __future__ import annotations

from dataclasses import dataclass

from warehouse.errors import UnreadableFile
from warehouse.records import Finding, Severity


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A coded fault and how bad it usually is."""

    code: str
    name: str
    severity: Severity

    def finding(
        self,
        message: str,
        *,
        severity: Severity | None = None,
        start: int | None = None,
        end: int | None = None,
        page: int | None = None,
    ) -> Finding:
        """A finding of it; `severity` where this case is better or worse than usual."""
        return Finding(self.code, self.name, severity or self.severity, message, start=start, end=end, page=page)

    def refusal(self, problem: str, cure: str) -> UnreadableFile:
        """The error that says that a file, or a page, cannot be read because of it."""
        return UnreadableFile(problem, cure, self.code, self.name)


UNREADABLE_FILE = FaultKind("DOC001", "unreadable-file", Severity.ERROR)
EMPTY_FILE = FaultKind("DOC002", "empty-file", Severity.ERROR)
ENCRYPTED_FILE = FaultKind("DOC003", "encrypted-file", Severity.ERROR)
TRUNCATED_FILE = FaultKind("DOC004", "truncated-file", Severity.ERROR)
TOO_SLOW_FILE = FaultKind("DOC005", "too-slow-file", Severity.ERROR)
TOO_LARGE_FILE = FaultKind("DOC006", "too-large-file", Severity.ERROR)
ABSTRACT_ONLY = FaultKind("DOC007", "abstract-only", Severity.ERROR)
BAD_FRONT_MATTER = FaultKind("DOC008", "bad-front-matter", Severity.WARNING)
PAGE_WITHOUT_TEXT = FaultKind("DOC009", "page-without-text", Severity.ERROR)
KILLED_PARSER = FaultKind("DOC010", "killed-parser", Severity.ERROR)
LOST_PAGE = FaultKind("DOC012", "lost-page", Severity.WARNING)
READ_BY_OCR = FaultKind("DOC013", "read-by-ocr", Severity.NOTE)
GARBLED_TEXT = FaultKind("DOC014", "garbled-text", Severity.WARNING)
DISPUTED_DATE = FaultKind("DOC015", "disputed-date", Severity.WARNING)
FAILED_STAGE = FaultKind("DOC022", "failed-stage", Severity.ERROR)
