"""Question parser: a request made into a `Question` with its vector, times, names, lesson and related words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tasks.embedders.embedder import Embedder, question_vector
from tasks.parsers.language import language_of
from tasks.query.glossary import read_glossaries
from tasks.query.question_words import find_lesson, find_names, fold_literal_terms
from tasks.query.subjects import query_within_subjects
from tasks.temporal.question import times_of
from warehouse.errors import BadInput
from warehouse.records import Filters, Question, Related, SearchRequest, Subject
from warehouse.records.fiscal import FiscalCalendar


def parse_question(
    request: SearchRequest,
    embedder: Embedder,
    today: date,
    subjects: Sequence[Subject] = (),
    fiscal: FiscalCalendar | None = None,
    soft_filters: Filters | None = None,
) -> Question:
    """The question with its vector and the times it asks about, relative ones read from `today`.

    `subjects` are what it names of the catalogue (`find_subjects`), `fiscal` is the calendar of the company it asks
    about, where that is known (`Warehouse.fiscal_calendar`), `soft_filters` what it says of its passages
    (`find_soft_filters`). Raises `BadInput` for a question without words or a `k` below one.
    """
    words = " ".join(request.text.split())
    if not words:
        raise BadInput("the question is empty", "say what to look for")
    if request.k < 1:
        raise BadInput(f"{request.k} hits cannot be shown", "ask for one at least")
    literal_terms = fold_literal_terms(request)
    times = times_of(words, today, language_of(words), fiscal, literal_terms)
    query = query_within_subjects(words, times, subjects) or times.query(words)
    return Question(
        text=words,
        query=query,
        vector=question_vector(embedder, query),
        windows=times.windows,
        as_of=times.as_of,
        rest=times.rest,
        names=tuple(name for name in find_names(words) if name.lower() not in literal_terms),
        subjects=tuple(subjects),
        lesson=find_lesson(words),
        leaning=soft_filters or Filters(),
        related=_related_words(words, request, subjects, embedder),
        foreign=not embedder.reads(words),
        filters=request.filters,
        ranking=request.ranking,
        k=request.k,
    )


def _related_words(
    words: str, request: SearchRequest, subjects: Sequence[Subject], embedder: Embedder
) -> Related | None:
    """What a glossary knows of a question whose documents are known; see `warehouse.search.signals.query_expansion`."""
    known = bool(request.filters.documents) or any(subject.spacious for subject in subjects)
    related = read_glossaries().related(words) if known and request.ranking.query_expansion else ""
    return Related(related, question_vector(embedder, related)) if related else None
