"""The findings of a document or a corpus by all rules, and the quality of each chunk for retrieval, in [0, 1].

A chunk begins at 1 and loses the penalty of each of its findings; a chunk without content gets 0. Complete tables begin
at 0.9 alone and at 1.0 with text around them; faults of prose are not charged to tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tasks.chunkers.parts.document_spans import select_blocks
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.corpus import Corpus
from tasks.quality.rule import RULES, CorpusRule, DocumentRule, Rule, Scope, Violation
from tasks.quality.rules.vault_notes import find_lint_violations
from warehouse.records import BlockKind, Chunk, Document, Finding, Score

PROSE_SCORE = 1.0
TABLE_SCORE = 0.9
TEXT_WITH_TABLE_BONUS = 0.1
EMPTY_RULE = "CHK001"
_NO_PROSE = "CHK005"
_PROSE_RULES = frozenset({"CHK002", "CHK003"})


def score_document(subject: CheckedDocument) -> tuple[tuple[Score, ...], tuple[Finding, ...]]:
    """A score for each chunk, in their order, and all findings, in the order of the text and of their codes."""
    findings = tuple(result.finding for result in check_document(subject))
    groups = group_by_chunk(findings)
    scores = (
        Score(chunk.chunk_id, compute_quality(compute_best_score(chunk, subject.document), groups[chunk.chunk_id]))
        for chunk in subject.chunks
    )
    return tuple(scores), findings


def group_by_chunk(findings: Iterable[Finding]) -> defaultdict[str, list[Finding]]:
    """The findings that are charged to a chunk, by its id."""
    findings_by_chunk: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.chunk_id is not None:
            findings_by_chunk[finding.chunk_id].append(finding)
    return findings_by_chunk


def compute_best_score(chunk: Chunk, document: Document) -> float:
    """The score of a chunk without findings."""
    if not chunk.has_table:
        return PROSE_SCORE
    blocks = select_blocks(document, chunk.start, chunk.end)
    return TABLE_SCORE + (TEXT_WITH_TABLE_BONUS if any(block.kind is not BlockKind.TABLE for block in blocks) else 0.0)


def compute_quality(best_score: float, findings: Iterable[Finding]) -> float:
    """The best score less the penalties, in [0, 1]."""
    charged_findings = list(findings)
    if any(finding.code == EMPTY_RULE for finding in charged_findings):
        return 0.0
    return round(min(1.0, max(0.0, best_score - sum(finding.penalty for finding in charged_findings))), 4)


@dataclass(frozen=True, slots=True)
class LocatedFinding:
    """A finding, and its line and column (from 1) in the source if they are known."""

    finding: Finding
    line: int | None = None
    column: int | None = None


def check_document(subject: CheckedDocument) -> tuple[LocatedFinding, ...]:
    """All findings in one document, in the order of the text and then of the codes.

    Findings of the parser are not among them: `Document.findings` and `tasks.document_date` give those. An empty chunk
    has no finding except that it is empty, and a chunk that is no prose has none about its sentences.
    """
    has_tables = bool(subject.document.tables)
    document_rules = (rule for rule in RULES.values() if isinstance(rule, DocumentRule))
    rules = (rule for rule in document_rules if has_tables or not rule.of_tables)
    findings = [_charge_finding(rule, violation, subject) for rule in rules for violation in rule.examine(subject)]
    findings += [_charge_finding(rule, violation, subject) for rule, violation in find_lint_violations(subject)]
    empty, no_prose = _select_charged(findings, EMPTY_RULE), _select_charged(findings, _NO_PROSE)
    full_findings = (item for item in findings if item.finding.code == EMPTY_RULE or item.finding.chunk_id not in empty)
    result = (
        item for item in full_findings if item.finding.code not in _PROSE_RULES or item.finding.chunk_id not in no_prose
    )
    return tuple(sorted(result, key=lambda item: (item.finding.start or 0, item.line or 0, item.finding.code)))


def _select_charged(findings: Iterable[LocatedFinding], code: str) -> frozenset[str | None]:
    return frozenset(item.finding.chunk_id for item in findings if item.finding.code == code)


def check_corpus(corpus: Corpus) -> Iterator[tuple[str, LocatedFinding]]:
    """All findings that show only among documents, each with its source."""
    for rule in (rule for rule in RULES.values() if isinstance(rule, CorpusRule)):
        for source, violation in rule.examine(corpus):
            chunk = corpus.digests[source].find_chunk(violation.start)
            page = violation.page if violation.page is not None or chunk is None else chunk.page
            yield source, _make_finding(rule, violation, chunk.chunk_id if chunk else None, page)


def _charge_finding(rule: Rule, violation: Violation, subject: CheckedDocument) -> LocatedFinding:
    """The finding for a case; it is charged to its chunk, or to the one it begins in."""
    chunk = violation.chunk
    if chunk is None and violation.start is not None and rule.scope is not Scope.DOCUMENT:
        chunk = subject.find_chunk(violation.start)
    page = violation.page
    if page is None and violation.start is not None:
        page = subject.find_page(violation.start)
    return _make_finding(rule, violation, chunk.chunk_id if chunk else None, page)


def _make_finding(rule: Rule, violation: Violation, chunk_id: str | None, page: int | None) -> LocatedFinding:
    finding = Finding(
        code=rule.code,
        name=rule.name,
        severity=violation.severity or rule.severity,
        message=violation.message,
        penalty=rule.penalty if violation.penalty is None else violation.penalty,
        start=violation.start,
        end=violation.end,
        page=page,
        chunk_id=chunk_id,
    )
    return LocatedFinding(finding, violation.line, violation.column)
