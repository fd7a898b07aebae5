"""Statements that a later document makes anew: the newer comes first, and the older says what replaced it.

"The plan costs 30 dollars a month" is replaced by the same sentence with another figure in a later document, as rule
TMP005 finds it (`tasks.quality.statements`). It is looked for among the hits of one question alone: the two use the
same words, so what finds one finds the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

import numpy as np

from tasks.chunkers.parts.sentences import find_sentences
from tasks.quality.statements import Statement, single, statement
from warehouse.reader import Warehouse
from warehouse.records import Found, Hit, Part, Question, Successor
from warehouse.search.catalogue import company_key
from warehouse.store.words import telling_words

_PARAGRAPHS = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*•|]|\d{1,3}[.)])[ \t])")
"""What stands between paragraphs, and between the lines of lists and tables."""


@dataclass(frozen=True, slots=True)
class _DatedStatement:
    """A statement of a hit: the place of the hit among the others, and its document with its day."""

    place: int
    day: date
    document_id: str
    statement: Statement


def mark_superseded(warehouse: Warehouse, found: Found) -> Found:
    """The hits, each outdated one with its successor and, unless a time was asked for, behind it.

    A successor that moves up gets the score of what it replaces, so that scores fall as before.
    """
    hits = list(found.hits)
    replaced = _find_replaced(warehouse, found.question, hits)
    if not replaced:
        return found
    for place, (_, successor) in replaced.items():
        hits[place] = replace(hits[place], superseded_by=successor)
    if all(window.recent for window in found.question.windows):
        hits = _reordered(hits, {place: newer for place, (newer, _) in replaced.items()})
    return replace(found, hits=tuple(hits))


def _reordered(hits: Sequence[Hit], newer: dict[int, int]) -> list[Hit]:
    order: list[Hit] = []
    placed: set[int] = set()
    for place, hit in enumerate(hits):
        successor = newer.get(place)
        if successor is not None and successor > place and successor not in placed:
            newest = hits[successor]
            parts = (*newest.parts, Part("newer", hit.score - newest.score))
            citation = replace(newest.citation, relevance=hit.score)
            order.append(replace(newest, score=hit.score, parts=parts, citation=citation))
            placed.add(successor)
        if place not in placed:
            order.append(hit)
    return order


def _find_replaced(warehouse: Warehouse, question: Question, hits: Sequence[Hit]) -> dict[int, tuple[int, Successor]]:
    """The places of outdated hits, each with the place and the words of its newest successor.

    Of several statements that are replaced, the one with most of the question's words counts.
    """
    by_subject: defaultdict[str, list[_DatedStatement]] = defaultdict(list)
    for stated in _dated_statements(warehouse, hits):
        by_subject[stated.statement.subject].append(stated)
    asked = set(telling_words(question.query))
    found: dict[int, tuple[int, Successor]] = {}
    for statements in sorted(by_subject.values(), key=lambda statements: -_shared(asked, hits, statements[0])):
        newest = max(statements, key=lambda stated: stated.day)
        for stated in statements:
            if stated.place not in found and _replaces(warehouse, newest, stated):
                newer, figures = hits[newest.place], (stated.statement.figures, newest.statement.figures)
                successor = Successor(newer.chunk_id, newer.citation.source, newest.day, *figures)
                found[stated.place] = newest.place, successor
    return found


def _shared(asked: set[str], hits: Sequence[Hit], stated: _DatedStatement) -> int:
    hit, made = hits[stated.place], stated.statement
    return len(asked.intersection(telling_words(hit.text[made.start - hit.start : made.end - hit.start])))


def _replaces(warehouse: Warehouse, newer: _DatedStatement, older: _DatedStatement) -> bool:
    """Whether a statement takes the place of another, and neither is a form that its document fills in repeatedly."""
    if newer.day <= older.day or newer.statement.figures == older.statement.figures:
        return False
    documents = warehouse.catalogue.documents
    companies = {company_key(documents[each.document_id].company) for each in (newer, older)} - {""}
    return len(companies) < 2 and all(_is_single(warehouse, each) for each in (newer, older))


def _is_single(warehouse: Warehouse, stated: _DatedStatement) -> bool:
    document = stated.document_id
    made = single(list(_statements(warehouse, document, 0, warehouse.text(document))))
    return any(each.subject == stated.statement.subject for each in made)


def _dated_statements(warehouse: Warehouse, hits: Sequence[Hit]) -> Iterator[_DatedStatement]:
    """What the hits of documents with a date of their own state, where they are of more than one day."""
    entries = warehouse.snapshot.entries({hit.document_id for hit in hits})
    days = {key: each.document_date for key, each in entries.items()}
    if len({day for day in days.values() if day}) < 2:
        return
    for place, hit in enumerate(hits):
        if day := days.get(hit.document_id):
            for made in _statements(warehouse, hit.document_id, hit.start, hit.text):
                yield _DatedStatement(place, day, hit.document_id, made)


def _statements(warehouse: Warehouse, document: str, offset: int, text: str) -> Iterator[Statement]:
    """The statements of a text that begins at `offset` of a document, those left out that name a time."""
    for start, end in _sentences(text):
        made = statement(text[start:end], offset + start)
        if made is not None and not _names_a_time(warehouse, document, offset + start, offset + end):
            yield made


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(match.start() for match in _PARAGRAPHS.finditer(text)), len(text)]:
        edges = [start, *find_sentences(text, start, end), end]
        yield from pairwise(edges)
        start = end


def _names_a_time(warehouse: Warehouse, document: str, start: int, end: int) -> bool:
    snapshot = warehouse.snapshot
    ordinal = np.array([snapshot.passages.ordinal_of[document]])
    first, last = snapshot.mentions.bounds(ordinal, np.array([start]), np.array([end]))
    return bool(last[0] > first[0])
