"""A question made into a record that the warehouse can answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tasks.ask.glossary import glossary
from tasks.ask.lessons import lesson_of
from tasks.ask.literal_terms import names_left, plain_words
from tasks.ask.names import names_in
from tasks.ask.subjects import looked_for_inside
from tasks.embedders.contract import Embedder, question_vector
from tasks.parsers.language import language_of
from tasks.temporal.question import times_of
from warehouse.errors import BadInput
from warehouse.records import Filters, Question, Related, SearchRequest, Subject
from warehouse.records.fiscal import FiscalCalendar


def understand(
    wanted: SearchRequest,
    embedder: Embedder,
    today: date,
    subjects: Sequence[Subject] = (),
    fiscal: FiscalCalendar | None = None,
    leaning: Filters | None = None,
) -> Question:
    """The question with its vector and the times it asks about, relative ones read from `today`.

    `subjects` are what it names of the catalogue (`subjects_in`), `fiscal` is the calendar of the company it asks
    about, where that is known (`Warehouse.fiscal_calendar`), `leaning` is what it says of its passages (`leaning_of`).
    Raises `BadInput` for a question without words or a `k` below one.
    """
    words = " ".join(wanted.text.split())
    if not words:
        raise BadInput("the question is empty", "say what to look for")
    if wanted.k < 1:
        raise BadInput(f"{wanted.k} hits cannot be shown", "ask for one at least")
    plainly = plain_words(wanted)
    times = times_of(words, today, language_of(words), fiscal, plainly)
    query = looked_for_inside(words, times, subjects) or times.query(words)
    return Question(
        text=words,
        query=query,
        vector=question_vector(embedder, query),
        windows=times.windows,
        as_of=times.as_of,
        rest=times.rest,
        names=names_left(names_in(words), plainly),
        subjects=tuple(subjects),
        lesson=lesson_of(words),
        leaning=leaning or Filters(),
        related=_related(words, wanted, subjects, embedder),
        foreign=not embedder.reads(words),
        filters=wanted.filters,
        ranking=wanted.ranking,
        k=wanted.k,
    )


def _related(words: str, wanted: SearchRequest, subjects: Sequence[Subject], embedder: Embedder) -> Related | None:
    """What a glossary knows of a question whose documents are known; see `warehouse.search.query_expansion`."""
    known = bool(wanted.filters.documents) or any(subject.spacious for subject in subjects)
    found = glossary().related(words) if known and wanted.ranking.query_expansion else ""
    return Related(found, question_vector(embedder, found)) if found else None
