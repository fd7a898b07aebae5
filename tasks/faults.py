"""The faults of files that reading them finds: the one place of their codes, names and severities.

Their pages are rules of `tasks.quality.rules` like all others.
"""

from __future__ import annotations

from dataclasses import dataclass

from warehouse.errors import UnreadableFile
from warehouse.records import Finding, Severity


@dataclass(frozen=True, slots=True)
class Fault:
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


UNREADABLE_FILE = Fault("DOC001", "unreadable-file", Severity.ERROR)
EMPTY_FILE = Fault("DOC002", "empty-file", Severity.ERROR)
ENCRYPTED_FILE = Fault("DOC003", "encrypted-file", Severity.ERROR)
TRUNCATED_FILE = Fault("DOC004", "truncated-file", Severity.ERROR)
TOO_SLOW_FILE = Fault("DOC005", "too-slow-file", Severity.ERROR)
TOO_LARGE_FILE = Fault("DOC006", "too-large-file", Severity.ERROR)
ABSTRACT_ONLY = Fault("DOC007", "abstract-only", Severity.ERROR)
BAD_FRONT_MATTER = Fault("DOC008", "bad-front-matter", Severity.WARNING)
PAGE_WITHOUT_TEXT = Fault("DOC009", "page-without-text", Severity.ERROR)
KILLED_PARSER = Fault("DOC010", "killed-parser", Severity.ERROR)
LOST_PAGE = Fault("DOC012", "lost-page", Severity.WARNING)
READ_BY_OCR = Fault("DOC013", "read-by-ocr", Severity.NOTE)
GARBLED_TEXT = Fault("DOC014", "garbled-text", Severity.WARNING)
DISPUTED_DATE = Fault("DOC015", "disputed-date", Severity.WARNING)
FAILED_STAGE = Fault("DOC022", "failed-stage", Severity.ERROR)
