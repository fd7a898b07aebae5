"""Questions that the documents of a generation answer, made from their figures, periods, papers, courses and notes.

No model is asked. A question for a figure is kept where the lookup of figures gives the very row that it was made from;
any other is searched for by its words, and kept where what it was made from is among the first passages found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Any

from dashboards.assistant.extract_answers import figure_rows
from dashboards.assistant.tools.contract import ToolContext
from tasks.ask.filter_relaxation import search_relaxing_times
from tasks.ask.question_parser import understand
from tasks.embedders.registry import embedder
from warehouse.reader import Warehouse
from warehouse.records import Hit, Mode, Ranking, SearchRequest
from warehouse.settings.loader import Settings

COUNT = 3
"""Questions that are offered."""
FIRST_PASSAGES = 3
"""Passages among which the answer must be."""
MOST_CANDIDATES = 4
"""Questions of one sort that are searched for at most, each some hundredths of a second."""
NEWEST = 20
"""Documents of a sort that questions are made from, the newest."""
LONGEST_TITLE = 90
"""Characters of a title that can stand in a question."""

_FIGURES = """
    SELECT c.row_header, d.company, c.period_start, c.period_end, c.document_id, c.start, c."end"
    FROM cells c JOIN (
        SELECT document_id, company, document_date FROM documents
        WHERE company <> '' AND table_count > 0 AND status <> 'unreadable'
        ORDER BY document_date DESC NULLS LAST, source LIMIT $newest
    ) d USING (document_id)
    WHERE c.value IS NOT NULL AND (c.currency <> '' OR c.scale > 1) AND c.unit = '' AND c.doubt = ''
        AND c.period_start IS NOT NULL
        AND c.period_end <= d.document_date AND regexp_full_match(c.row_header, '[A-Za-z][A-Za-z ,&''-]{3,40}')
    ORDER BY d.document_date DESC NULLS LAST,
        NOT regexp_matches(lower(c.row_header), '\\b(revenues?|net sales|net income|operating income)\\b'),
        c.period_end DESC, c.start
    LIMIT 200
"""
_PERIODS = """
    SELECT start_date, end_date, grain, count(DISTINCT document_id) AS documents FROM timeline
    WHERE calendar = 'calendar' AND grain IN ('month', 'quarter') AND period NOT LIKE '%/%' AND end_date <= $today
    GROUP BY ALL ORDER BY documents DESC, start_date DESC LIMIT 4
"""
_NAMED = """
    SELECT document_id, start, "end" FROM mentions WHERE start_date = $start AND end_date = $end LIMIT 500
"""
_DOCUMENTS = """
    SELECT document_id, title, attributes.lessons FROM documents
    WHERE kind = $kind AND status <> 'unreadable' AND chunk_count > 0 AND length(title) BETWEEN 4 AND $longest
    ORDER BY language = 'en' DESC, chunk_count > 1 DESC, document_date DESC NULLS LAST, source LIMIT $newest
"""
_HEADINGS = """
    SELECT d.document_id, d.title, b.section[-1], b.start FROM (
        SELECT document_id, title, chunk_count FROM documents
        WHERE status <> 'unreadable' AND chunk_count > 1 AND length(title) BETWEEN 4 AND $longest
        ORDER BY chunk_count DESC, source LIMIT $newest
    ) d JOIN blocks b USING (document_id)
    WHERE b.kind = 'heading' AND len(b.section) > 0 AND length(b.section[-1]) BETWEEN 6 AND 60
        AND b.section[-1] <> d.title
    ORDER BY d.chunk_count DESC, d.document_id, b.start LIMIT 100
"""


@dataclass(frozen=True, slots=True)
class QuestionCandidate:
    """A question, and the places of which one answers it: spans of documents' texts, a whole document without one."""

    text: str
    places: tuple[tuple[str, int | None, int | None], ...]
    is_figure: bool = False

    def is_at(self, hit: Hit) -> bool:
        """Whether a passage holds one of the places."""
        return any(
            hit.document_id == document and (start is None or end is None or (hit.start <= start and end <= hit.end))
            for document, start, end in self.places
        )


def example_questions(settings: Settings, warehouse: Warehouse, today: date) -> tuple[str, ...]:
    """Up to `COUNT` questions that the documents answer, each of another sort as far as there are so many."""
    held = warehouse.at()
    context = ToolContext(settings, held, today)
    sorts: tuple[Callable[[Warehouse, date], Iterator[QuestionCandidate]], ...] = (
        _of_figures, _of_papers, _of_courses, _of_periods, _of_notes, _of_headings,
    )  # fmt: skip
    made = [islice(sort(held, today), MOST_CANDIDATES) for sort in sorts]
    found: dict[str, None] = {}
    while made and len(found) < COUNT:
        # One of each sort, then a second of each.
        for candidates in list(made):
            answered = next((each.text for each in candidates if _is_answered(context, each)), None)
            if answered is None:
                made.remove(candidates)
            else:
                found[answered] = None
            if len(found) == COUNT:
                break
    return tuple(found)


def _is_answered(context: ToolContext, candidate: QuestionCandidate) -> bool:
    wanted = SearchRequest(candidate.text, ranking=Ranking(mode=Mode.KEYWORD), k=FIRST_PASSAGES)
    if candidate.is_figure:
        return any(candidate.is_at(lead.hit) for lead in figure_rows(context, wanted)[:1])
    # The vector is not used: the words alone are searched for.
    question = understand(wanted, embedder("hashing"), context.today)
    return any(map(candidate.is_at, search_relaxing_times(context.warehouse, question).hits[:FIRST_PASSAGES]))


def _of_figures(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    """One figure of each company, the newest first."""
    asked: set[str] = set()
    for label, company, since, until, *place in warehouse.snapshot.rows(_FIGURES, {"newest": NEWEST}):
        length = _LENGTHS.get(round((until - since).days / 30.4))
        if length and company not in asked:
            asked.add(company)
            name = " ".join(label.split())
            many = re.match(r"earnings\b|.*(?:sales|revenues|expenses|costs|assets|earnings)$", name.lower())
            ended = _day(until - timedelta(days=1))
            asks = f"What {'were' if many else 'was'} {_lowered(name)} of {company} in the {length} ended {ended}?"
            yield QuestionCandidate(asks, (tuple(place),), is_figure=True)


_LENGTHS = {3: "quarter", 6: "six months", 9: "nine months", 12: "year"}
"""By months."""


def _of_periods(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    """The months and quarters that most documents name."""
    for since, until, grain, _ in warehouse.snapshot.rows(_PERIODS, {"today": today}):
        named = warehouse.snapshot.rows(_NAMED, {"start": since, "end": until})
        called = f"{since:%B %Y}" if grain == "month" else f"Q{(since.month + 2) // 3} {since.year}"
        yield QuestionCandidate(f"What happened in {called}?", tuple(tuple(row) for row in named))


def _of_papers(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    for document, title, _ in _documents(warehouse, "paper"):
        yield QuestionCandidate(f"What did the paper “{title}” find?", ((document, None, None),))


def _of_notes(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    for document, title, _ in _documents(warehouse, "note"):
        yield QuestionCandidate(f"What do the notes say about “{title}”?", ((document, None, None),))


def _of_courses(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    for document, title, lessons in _documents(warehouse, "course"):
        for lesson in lessons or ():
            if lesson["number"] and 4 <= len(lesson["title"]) <= LONGEST_TITLE:
                yield QuestionCandidate(
                    f"What does the course say about “{lesson['title']}”?", ((document, None, None),)
                )
                break
        else:
            yield QuestionCandidate(f"What is the course “{title}” about?", ((document, None, None),))


def _of_headings(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    """A section of each document, the longest first."""
    asked: set[str] = set()
    for document, title, heading, _ in warehouse.snapshot.rows(_HEADINGS, {"longest": LONGEST_TITLE, "newest": NEWEST}):
        if document not in asked:
            asked.add(document)
            yield QuestionCandidate(f"What does “{title}” say about “{heading}”?", ((document, None, None),))


def _documents(warehouse: Warehouse, kind: str) -> Iterator[tuple[str, str, list[dict[str, Any]] | None]]:
    given = {"kind": kind, "longest": LONGEST_TITLE, "newest": NEWEST}
    for document, title, lessons in warehouse.snapshot.rows(_DOCUMENTS, given):
        yield document, " ".join(title.split()).strip("“”\"'"), lessons


def _lowered(name: str) -> str:
    """A label as it stands within a sentence: "Total revenue" is "total revenue", "EBITDA" stays."""
    return re.sub(r"\b[A-Z](?=[a-z])", lambda found: found[0].lower(), name)


def _day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"
