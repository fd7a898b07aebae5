"""Suggested questions of a generation: those whose answer begins with the document that they were made from.

    suggestions = SuggestedQuestions(context)
    suggestions.get_first(3)

Kinds take turns, and the order is the same for a generation however often it is asked for. Every candidate costs an
answer without a model, so they are tried when they are asked for, at most `MAX_CANDIDATES` of a kind.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from itertools import chain, islice, zip_longest
from pathlib import Path
from threading import Lock
from typing import Any

from dashboards.assistant.answer_types import ExtractsStatus, refuse_writes
from dashboards.assistant.answers import answer
from dashboards.assistant.tools.contract import ToolContext
from warehouse.errors import KalendsError
from warehouse.reader import Warehouse
from warehouse.records import Citation, SearchRequest
from warehouse.store.catalog import read_queries

MAX_CANDIDATES = 6  # Questions of a kind that are tried at most; each costs what an answer costs.
NEWEST = 20  # The newest documents of a kind are those that questions are made from.
MAX_TITLE_LENGTH = 90  # Characters of a title in a question at most.
_QUERIES = read_queries(Path(__file__).with_name("queries.sql"))


class SuggestionKind(StrEnum):
    """What a suggested question asks for."""

    FIGURE = "figure"
    PAPER = "paper"
    COURSE = "course"
    DAY = "day"
    PERIOD = "period"
    NOTE = "note"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class QuestionCandidate:
    """A question, and the ids of the documents with its answer, any of which may be quoted first."""

    kind: SuggestionKind
    text: str
    documents: frozenset[str]


Maker = Callable[[Warehouse, date], Iterator[QuestionCandidate]]
_LENGTHS = {3: ("quarter", "季度"), 6: ("six months", "半年"), 9: ("nine months", "九个月"), 12: ("year", "年度")}
"""Names of the lengths of periods, by months."""
_PLURAL = re.compile(r"earnings\b|.*(?:sales|revenues|expenses|costs|assets|earnings)$")


def make_candidates(warehouse: Warehouse, today: date) -> Mapping[SuggestionKind, Iterator[QuestionCandidate]]:
    """Candidates of each kind, the newest documents first; `today` is the last day that questions may be about."""
    return {kind: islice(make(warehouse, today), MAX_CANDIDATES) for kind, make in _MAKERS.items()}


def _iter_figure_questions(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    """A figure of each company, the newest first, then a second of each."""
    by_company: defaultdict[str, dict[str, QuestionCandidate]] = defaultdict(dict)
    for label, company, since, until, document, language in warehouse.snapshot.query_rows(
        _QUERIES["figures"], {"newest": NEWEST}
    ):
        length = _LENGTHS.get(round((until - since).days / 30.4))
        name = " ".join(label.split())
        if length and name not in by_company[company]:
            text = _format_figure_question(name, company, until - timedelta(days=1), *length, language)
            by_company[company][name] = QuestionCandidate(SuggestionKind.FIGURE, text, frozenset({document}))
    turns = zip_longest(*(questions.values() for questions in by_company.values()))
    yield from filter(None, chain.from_iterable(turns))


def _format_figure_question(
    label: str, company: str, last: date, length: str, chinese_length: str, language: str
) -> str:
    if language == "zh":
        return f"{company}截至{last.year}年{last.month}月{last.day}日的{chinese_length}{label}是多少？"
    verb = "were" if _PLURAL.match(label.lower()) else "was"
    # "Total revenue" becomes "total revenue", "EBITDA" stays.
    figure = re.sub(r"\b[A-Z](?=[a-z])", lambda match: match[0].lower(), label)
    return f"What {verb} {figure} of {company} in the {length} ended {_format_day(last)}?"


def _iter_day_questions(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    """The newest days of diaries and logs that only one document has."""
    for day, document in warehouse.snapshot.query_rows(_QUERIES["days"], {"today": today, "most": MAX_CANDIDATES}):
        text = f"What happened on {_format_day(day)}?"
        yield QuestionCandidate(SuggestionKind.DAY, text, frozenset({document}))


def _iter_period_questions(warehouse: Warehouse, today: date) -> Iterator[QuestionCandidate]:
    """The periods of the newest reports, then the months that most documents speak of."""
    for document, company, period in warehouse.snapshot.query_rows(_QUERIES["reports"], {"most": MAX_CANDIDATES}):
        text = f"What did {company} report for {_spell_out_period(period)}?"
        yield QuestionCandidate(SuggestionKind.PERIOD, text, frozenset({document}))
    for since, until, _ in warehouse.snapshot.query_rows(_QUERIES["months"], {"today": today, "most": MAX_CANDIDATES}):
        rows = warehouse.snapshot.query_rows(_QUERIES["mentions"], {"start": since, "end": until})
        documents = frozenset(document for (document,) in rows)
        yield QuestionCandidate(SuggestionKind.PERIOD, f"What happened in {since:%B %Y}?", documents)


def _spell_out_period(period: str) -> str:
    """A period in words: "Q3 FY2025" becomes "the third quarter of fiscal 2025"."""
    period = period.replace("FY", "fiscal ")
    return re.sub(r"^Q([1-4]) ", lambda match: f"the {_ORDINALS[int(match[1]) - 1]} quarter of ", period)


_ORDINALS = ("first", "second", "third", "fourth")


def _iter_paper_questions(warehouse: Warehouse, _: date) -> Iterator[QuestionCandidate]:
    for document, title, language, _lessons in _iter_documents(warehouse, SuggestionKind.PAPER):
        text = f"论文《{title}》有什么发现？" if language == "zh" else f"What did the paper “{title}” find?"
        yield QuestionCandidate(SuggestionKind.PAPER, text, frozenset({document}))


def _iter_course_questions(warehouse: Warehouse, _: date) -> Iterator[QuestionCandidate]:
    """A lesson of each course; a course without lessons by its title."""
    for document, title, _language, lessons in _iter_documents(warehouse, SuggestionKind.COURSE):
        number = next((lesson["number"] for lesson in lessons or () if lesson["number"]), None)
        text = f"What is lesson {number} of “{title}” about?" if number else f"What is the course “{title}” about?"
        yield QuestionCandidate(SuggestionKind.COURSE, text, frozenset({document}))


def _iter_note_questions(warehouse: Warehouse, _: date) -> Iterator[QuestionCandidate]:
    for document, title, language, _lessons in _iter_documents(warehouse, SuggestionKind.NOTE):
        text = f"笔记里关于“{title}”说了什么？" if language == "zh" else f"Which notes are about “{title}”?"
        yield QuestionCandidate(SuggestionKind.NOTE, text, frozenset({document}))


def _iter_section_questions(warehouse: Warehouse, _: date) -> Iterator[QuestionCandidate]:
    """A section of each document, the longest documents first."""
    documents: set[str] = set()
    parameters = {"longest": MAX_TITLE_LENGTH, "newest": NEWEST}
    for document, title, language, heading in warehouse.snapshot.query_rows(_QUERIES["headings"], parameters):
        if document not in documents:
            documents.add(document)
            english, chinese = f"What does “{title}” say about “{heading}”?", f"《{title}》中“{heading}”说了什么？"
            text = chinese if language == "zh" else english
            yield QuestionCandidate(SuggestionKind.SECTION, text, frozenset({document}))


def _iter_documents(warehouse: Warehouse, kind: str) -> Iterator[tuple[str, str, str, list[dict[str, Any]] | None]]:
    parameters = {"kind": kind, "longest": MAX_TITLE_LENGTH, "newest": NEWEST}
    for document, title, language, lessons in warehouse.snapshot.query_rows(_QUERIES["documents"], parameters):
        yield document, " ".join(title.split()).strip("“”\"'"), language, lessons


def _format_day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


_MAKERS: Mapping[SuggestionKind, Maker] = {
    SuggestionKind.FIGURE: _iter_figure_questions,
    SuggestionKind.PAPER: _iter_paper_questions,
    SuggestionKind.COURSE: _iter_course_questions,
    SuggestionKind.DAY: _iter_day_questions,
    SuggestionKind.PERIOD: _iter_period_questions,
    SuggestionKind.NOTE: _iter_note_questions,
    SuggestionKind.SECTION: _iter_section_questions,
}


MAX_QUESTIONS = 12  # Questions of a generation.


@dataclass(frozen=True, slots=True)
class SuggestedQuestion:
    """A question, its kind, and the passage that its answer quotes first."""

    text: str
    kind: SuggestionKind
    source: Citation


class SuggestedQuestions:
    """The suggested questions of one generation, found as far as they are asked for. Safe to share between threads."""

    def __init__(self, context: ToolContext) -> None:
        """The generation is the one that is published now. Raises `NoWarehouse`."""
        snapshot = context.warehouse.pin_generation()
        # Not today's date, so that the questions stay the same for the generation.
        self._context = replace(context, warehouse=snapshot, today=snapshot.list_runs()[-1].visible_from.date())
        self._questions: list[SuggestedQuestion] = []
        self._remaining = _iter_answered_candidates(self._context)
        self._lock = Lock()

    def get_first(self, count: int) -> tuple[SuggestedQuestion, ...]:
        """The first questions, at most `MAX_QUESTIONS`. Raises what a search raises."""
        with self._lock:
            try:
                missing = min(count, MAX_QUESTIONS) - len(self._questions)
                self._questions += islice(self._remaining, max(missing, 0))
            except KalendsError:
                # A generator that failed is at its end.
                self._questions, self._remaining = [], _iter_answered_candidates(self._context)
                raise
            return tuple(self._questions[:count])


def _iter_answered_candidates(context: ToolContext) -> Iterator[SuggestedQuestion]:
    """The candidates that are answered: one of each kind, then a second of each."""
    kinds = [
        _iter_answered(context, candidate) for candidate in make_candidates(context.warehouse, context.today).values()
    ]
    texts: set[str] = set()
    while kinds:
        for kind in list(kinds):
            question = next((candidate for candidate in kind if candidate.text not in texts), None)
            if question is None:
                kinds.remove(kind)
            else:
                texts.add(question.text)
                yield question


def _iter_answered(context: ToolContext, questions: Iterable[QuestionCandidate]) -> Iterator[SuggestedQuestion]:
    for question in questions:
        result = answer(
            context,
            SearchRequest(question.text),
            None,
            on_event=lambda event: None,
            ask_permission=refuse_writes,
            extracts_only=True,
        )
        source = next((source.citation for source in result.sources), None)
        if source and source.document_id in question.documents and result.extracts_status is ExtractsStatus.ANSWER:
            yield SuggestedQuestion(question.text, question.kind, source)
