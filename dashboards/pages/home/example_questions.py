"""Example questions that the documents answer, made from their figures, periods, papers, courses, notes and headings.

No language model is used. A question about a figure is kept where the search of figures returns the row it was made
from; any other where a keyword search returns the place it was made from among the first passages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import islice
from typing import Any

from dashboards.assistant.extract_answers import figure_rows
from dashboards.assistant.tools.contract import ToolContext
from dashboards.pages import read_queries
from tasks.embedders.embedder import embedder
from tasks.query.question_parser import parse_question
from tasks.query.retrieval import search_relaxing_times
from warehouse.reader import Warehouse
from warehouse.records import Hit, Mode, Ranking, SearchRequest
from warehouse.settings.loader import Settings

_SQL = read_queries("home")

COUNT = 3  # Questions that are shown.
FIRST_PASSAGES = 3  # Passages among which the answer must be.
MOST_CANDIDATES = 4  # Questions of one kind that are tried at most; each costs some hundredths of a second.
NEWEST = 20  # The newest documents of a kind are those that questions are made from.
LONGEST_TITLE = 90  # Characters of a title in a question at most.

_LENGTHS = {3: "quarter", 6: "six months", 9: "nine months", 12: "year"}  # Names of the lengths of periods, by months.


@dataclass(frozen=True, slots=True)
class QuestionCandidate:
    """A question, and the places that answer it: spans of documents' texts, or whole documents without a span."""

    text: str
    places: tuple[tuple[str, int | None, int | None], ...]
    is_figure: bool = False

    def is_at(self, hit: Hit) -> bool:
        """Whether a passage contains one of the places."""
        return any(
            hit.document_id == document and (start is None or end is None or (hit.start <= start and end <= hit.end))
            for document, start, end in self.places
        )


def example_questions(settings: Settings, warehouse: Warehouse, today: date) -> tuple[str, ...]:
    """Up to `COUNT` questions that the documents answer, of different kinds as far as there are enough."""
    snapshot = warehouse.at()
    context = ToolContext(settings, snapshot, today)
    papers = partial(_of_titles, "paper", "What did the paper “{}” find?")
    notes = partial(_of_titles, "note", "What do the notes say about “{}”?")
    generators: Sequence[Callable[[Warehouse, date], Iterator[QuestionCandidate]]]
    generators = (_of_figures, papers, _of_courses, _of_periods, notes, _of_headings)
    kinds = [islice(generate(snapshot, today), MOST_CANDIDATES) for generate in generators]
    questions: dict[str, None] = {}
    while kinds and len(questions) < COUNT:
        # One of each kind, then a second of each.
        for candidates in list(kinds):
            question = next((each.text for each in candidates if _is_answered(context, each)), None)
            if question is None:
                kinds.remove(candidates)
            else:
                questions[question] = None
            if len(questions) == COUNT:
                break
    return tuple(questions)


def _is_answered(context: ToolContext, candidate: QuestionCandidate) -> bool:
    request = SearchRequest(candidate.text, ranking=Ranking(mode=Mode.KEYWORD), k=FIRST_PASSAGES)
    if candidate.is_figure:
        return any(candidate.is_at(lead.hit) for lead in figure_rows(context, request)[:1])
    # Any embedder will do: a keyword search does not use the vector.
    question = parse_question(request, embedder("hashing"), context.today)
    return any(map(candidate.is_at, search_relaxing_times(context.warehouse, question).hits[:FIRST_PASSAGES]))


def _of_figures(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    """One figure of each company, the newest first."""
    companies: set[str] = set()
    for label, company, since, until, *place in warehouse.snapshot.rows(_SQL["figures"], {"newest": NEWEST}):
        length = _LENGTHS.get(round((until - since).days / 30.4))
        if length and company not in companies:
            companies.add(company)
            name = " ".join(label.split())
            is_plural = re.match(r"earnings\b|.*(?:sales|revenues|expenses|costs|assets|earnings)$", name.lower())
            last = until - timedelta(days=1)
            verb = "were" if is_plural else "was"
            # "Total revenue" becomes "total revenue", "EBITDA" stays.
            figure = re.sub(r"\b[A-Z](?=[a-z])", lambda match: match[0].lower(), name)
            period = f"{length} ended {last:%B} {last.day}, {last.year}"
            text = f"What {verb} {figure} of {company} in the {period}?"
            yield QuestionCandidate(text, (tuple(place),), is_figure=True)


def _of_periods(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    """The months and quarters that most documents mention."""
    for since, until, grain, _ in warehouse.snapshot.rows(_SQL["periods"], {"today": today}):
        mentions = warehouse.snapshot.rows(_SQL["mentions"], {"start": since, "end": until})
        period = f"{since:%B %Y}" if grain == "month" else f"Q{(since.month + 2) // 3} {since.year}"
        yield QuestionCandidate(f"What happened in {period}?", tuple(tuple(row) for row in mentions))


def _of_titles(kind: str, question: str, warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    for document, title, _ in _documents(warehouse, kind):
        yield QuestionCandidate(question.format(title), ((document, None, None),))


def _of_courses(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    for document, title, lessons in _documents(warehouse, "course"):
        for lesson in lessons or ():
            if lesson["number"] and 4 <= len(lesson["title"]) <= LONGEST_TITLE:
                text = f"What does the course say about “{lesson['title']}”?"
                yield QuestionCandidate(text, ((document, None, None),))
                break
        else:
            yield QuestionCandidate(f"What is the course “{title}” about?", ((document, None, None),))


def _of_headings(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    """A section of each document, the longest documents first."""
    documents: set[str] = set()
    for document, title, heading, _ in warehouse.snapshot.rows(
        _SQL["headings"], {"longest": LONGEST_TITLE, "newest": NEWEST}
    ):
        if document not in documents:
            documents.add(document)
            yield QuestionCandidate(f"What does “{title}” say about “{heading}”?", ((document, None, None),))


def _documents(warehouse: Warehouse, kind: str) -> Iterator[tuple[str, str, list[dict[str, Any]] | None]]:
    parameters = {"kind": kind, "longest": LONGEST_TITLE, "newest": NEWEST}
    for document, title, lessons in warehouse.snapshot.rows(_SQL["documents"], parameters):
        yield document, " ".join(title.split()).strip("“”\"'"), lessons
