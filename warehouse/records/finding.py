"""A coded observation about a document, table or chunk."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad it is, in SARIF's words."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `code` and `name` are the rule's; `penalty` is what it costs the chunk's score (0 to 1).

    `start` and `end` are the place in the document's text, `chunk_id` the chunk it blames, where there is one.
    """

    code: str
    name: str
    severity: Severity
    message: str
    penalty: float = 0.0
    start: int | None = None
    end: int | None = None
    page: int | None = None
    chunk_id: str | None = None
