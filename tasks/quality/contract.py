"""What a quality rule is: a coded fault, its page, what it costs, and how it is found.

A rule is one file of `tasks.quality.rules`; the docstring of the file is its page: what it is, why it hurts
retrieval, an example, the cure. Its name states the fault and is the file's name with hyphens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from tasks.faults import FaultKind
from tasks.quality.corpus import Corpus
from tasks.quality.subject import CheckedDocument
from warehouse.records import Chunk, Severity
from warehouse.registry import Family


class Scope(StrEnum):
    """What a rule looks at, and what its penalty is charged to: a whole file, a table, a chunk, or files together."""

    DOCUMENT = "document"
    TABLE = "table"
    CHUNK = "chunk"
    CORPUS = "corpus"


@dataclass(frozen=True, slots=True)
class Violation:
    """One case of a fault: what is said of it, and where it stands.

    `start` and `end` are in the document's text, `line` and `column` (from 1) in the source of a note. `penalty` and
    `severity` are given where this case differs from the rule's usual one.
    """

    message: str
    start: int | None = None
    end: int | None = None
    chunk: Chunk | None = None
    line: int | None = None
    column: int | None = None
    page: int | None = None
    penalty: float | None = None
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """What every rule says of itself. `penalty` is what one finding usually costs the chunk it is charged to."""

    code: str
    name: str
    severity: Severity
    penalty: float
    scope: Scope
    page: str


@dataclass(frozen=True, slots=True)
class DocumentRule(Rule):
    """A fault that can be seen in one document; `examine` finds its cases."""

    examine: Callable[[CheckedDocument], Iterable[Violation]]


@dataclass(frozen=True, slots=True)
class CorpusRule(Rule):
    """A fault that shows only among documents; `examine` gives for each case the source it is in."""

    examine: Callable[[Corpus], Iterable[tuple[str, Violation]]]


@dataclass(frozen=True, slots=True)
class ReportedRule(Rule):
    """A fault that whoever reads the file reports; this is only its page."""


def reported(fault: FaultKind, page: str) -> ReportedRule:
    """The rule of a fault that readers report."""
    return ReportedRule(fault.code, fault.name, fault.severity, 0.0, Scope.DOCUMENT, page)


RULES = Family[Rule]("tasks.quality.rules", "rule")


def of_chunk(chunk: Chunk, message: str, penalty: float | None = None) -> Violation:
    """A case that is the whole chunk."""
    return Violation(message, chunk.start, chunk.end, chunk, page=chunk.page, penalty=penalty)
