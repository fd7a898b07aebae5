"""A document, or a corpus, put before all rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from tasks.quality.contract import RULES, CorpusRule, DocumentRule, Rule, Scope, Violation
from tasks.quality.corpus import Corpus
from tasks.quality.subject import CheckedDocument
from tasks.quality.vault_lint import vault_lint
from warehouse.records import Finding

EMPTY = "CHK001"
_NO_PROSE = "CHK005"
_ABOUT_SENTENCES = frozenset({"CHK002", "CHK003"})


@dataclass(frozen=True, slots=True)
class LocatedFinding:
    """A finding, and its line and column (from 1) in the source where that is known."""

    finding: Finding
    line: int | None = None
    column: int | None = None


def judge(subject: CheckedDocument) -> tuple[LocatedFinding, ...]:
    """All that is found in one document, in the order of the text and then of the codes.

    Findings of the parser are not among them: `Document.findings` and `tasks.document_date` give those. An empty chunk
    has no other finding than that it is empty, and a chunk that is no prose has none about its sentences.
    """
    found = [_charged(rule, blame, subject) for rule in _document_rules() for blame in rule.examine(subject)]
    found += [_charged(rule, blame, subject) for rule, blame in vault_lint(subject)]
    empty, no_prose = _charged_with(found, EMPTY), _charged_with(found, _NO_PROSE)
    kept = (each for each in found if each.finding.code == EMPTY or each.finding.chunk_id not in empty)
    told = (e for e in kept if e.finding.code not in _ABOUT_SENTENCES or e.finding.chunk_id not in no_prose)
    return tuple(sorted(told, key=_order))


def _charged_with(found: Iterable[LocatedFinding], code: str) -> frozenset[str | None]:
    return frozenset(each.finding.chunk_id for each in found if each.finding.code == code)


def judge_corpus(corpus: Corpus) -> Iterator[tuple[str, LocatedFinding]]:
    """All that shows only among documents, with the source it is found in."""
    for rule in _corpus_rules():
        for source, blame in rule.examine(corpus):
            chunk = corpus.digests[source].chunk_at(blame.start)
            page = blame.page if blame.page is not None or chunk is None else chunk.page
            yield source, _found(rule, blame, chunk.chunk_id if chunk else None, page)


@cache
def _document_rules() -> tuple[DocumentRule, ...]:
    return tuple(rule for rule in RULES.values() if isinstance(rule, DocumentRule))


@cache
def _corpus_rules() -> tuple[CorpusRule, ...]:
    return tuple(rule for rule in RULES.values() if isinstance(rule, CorpusRule))


def _charged(rule: Rule, blame: Violation, subject: CheckedDocument) -> LocatedFinding:
    """The finding of a case; it is charged to its chunk, or to the one it begins in."""
    chunk = blame.chunk
    if chunk is None and blame.start is not None and rule.scope is not Scope.DOCUMENT:
        chunk = subject.chunk_at(blame.start)
    page = blame.page
    if page is None and blame.start is not None:
        page = subject.page_of(blame.start)
    return _found(rule, blame, chunk.chunk_id if chunk else None, page)


def _found(rule: Rule, blame: Violation, chunk_id: str | None, page: int | None) -> LocatedFinding:
    finding = Finding(
        code=rule.code,
        name=rule.name,
        severity=blame.severity or rule.severity,
        message=blame.message,
        penalty=rule.penalty if blame.penalty is None else blame.penalty,
        start=blame.start,
        end=blame.end,
        page=page,
        chunk_id=chunk_id,
    )
    return LocatedFinding(finding, blame.line, blame.column)


def _order(found: LocatedFinding) -> tuple[int, int, str]:
    return found.finding.start or 0, found.line or 0, found.finding.code
