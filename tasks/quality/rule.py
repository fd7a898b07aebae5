"""Quality rules: coded faults, their pages, their penalties, and how they are found.

A rule is a function of a file of `tasks.quality.rules`, which has the rules of one topic and lists them in its
`members`. The docstring of the function is its page: code, what it is, why it hurts retrieval, an example, the cure.
The rule is named as the function is, by the fault, with hyphens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from inspect import getdoc

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.corpus import Corpus
from warehouse.records import Chunk, Severity
from warehouse.registry import Family


class Scope(StrEnum):
    """The extent that a rule examines and its penalty is charged to: a file, a table, a chunk, or several files."""

    DOCUMENT = "document"
    TABLE = "table"
    CHUNK = "chunk"
    CORPUS = "corpus"


@dataclass(frozen=True, slots=True)
class Violation:
    """One case of a fault: its message and its position.

    `start` and `end` are in the document's text, `line` and `column` (from 1) in the source of a note. `penalty` and
    `severity` are given if this case differs from the rule's usual one.
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
    """The data of every rule. `penalty` is the usual penalty of one finding for the chunk it is charged to."""

    code: str
    name: str
    severity: Severity
    penalty: float
    scope: Scope
    page: str


@dataclass(frozen=True, slots=True)
class DocumentRule(Rule):
    """A fault that can be found in a single document; `examine` yields its cases.

    `of_tables` marks a fault of tables as they were read: it is not looked for if the parser read none.
    """

    examine: Callable[[CheckedDocument], Iterable[Violation]]
    of_tables: bool = False


@dataclass(frozen=True, slots=True)
class CorpusRule(Rule):
    """A fault that can be found only by comparing documents; `examine` yields each case with its source."""

    examine: Callable[[Corpus], Iterable[tuple[str, Violation]]]


@dataclass(frozen=True, slots=True)
class ReportedRule(Rule):
    """A fault that the reader of the file reports; this is only its page."""


def make_document_rule(
    examine: Callable[[CheckedDocument], Iterable[Violation]],
    severity: Severity,
    penalty: float,
    scope: Scope = Scope.CHUNK,
) -> DocumentRule:
    """The rule for a function whose docstring is its page."""
    code, name, page = _parse_docstring(examine)
    return DocumentRule(code, name, severity, penalty, scope, page, examine)


def make_table_rule(
    examine: Callable[[CheckedDocument], Iterable[Violation]], severity: Severity, penalty: float
) -> DocumentRule:
    """The rule for a function that examines the tables of a document as they were read."""
    return replace(make_document_rule(examine, severity, penalty, Scope.TABLE), of_tables=True)


def make_corpus_rule(
    examine: Callable[[Corpus], Iterable[tuple[str, Violation]]], severity: Severity, penalty: float
) -> CorpusRule:
    """The rule for a function that examines a corpus."""
    code, name, page = _parse_docstring(examine)
    return CorpusRule(code, name, severity, penalty, Scope.CORPUS, page, examine)


def _parse_docstring(examine: Callable[..., object]) -> tuple[str, str, str]:
    code, _, text = (getdoc(examine) or "").partition(": ")
    name = examine.__name__.replace("_", "-")
    return code, name, f"{code} {name}: {text}"


def index_by_name(*rules: Rule) -> dict[str, Rule]:
    """The `members` of a file of rules."""
    return {rule.name.replace("-", "_"): rule for rule in rules}


RULES = Family[Rule]("tasks.quality.rules", "rule")


def make_chunk_violation(chunk: Chunk, message: str, penalty: float | None = None) -> Violation:
    """A case that is the whole chunk."""
    return Violation(message, chunk.start, chunk.end, chunk, page=chunk.page, penalty=penalty)


FAMILIES = {"DOC": "documents", "TAB": "tables", "CHK": "passages", "TMP": "time", "VLT": "vaults"}
_PART = re.compile(r"^(What|Why it hurts retrieval|Example|Cure): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RulePage:
    """A rule's documentation in its parts, each on one line."""

    title: str
    what: str
    why: str
    example: str
    cure: str


@cache
def list_rules() -> dict[str, Rule]:
    """The rules in the order of their codes."""
    return {rule.code: rule for rule in sorted(RULES.values(), key=lambda rule: rule.code)}


def parse_page(rule: Rule) -> RulePage:
    """A rule's page, split into its parts."""
    head, *fields = _PART.split(rule.page.strip())
    parts = {name: " ".join(text.split()) for name, text in zip(fields[::2], fields[1::2], strict=True)}
    title = " ".join(head.partition(": ")[2].split())
    return RulePage(title, parts["What"], parts["Why it hurts retrieval"], parts["Example"], parts["Cure"])
