"""Question parser: a request made into a `Question` with its vector, times, names, lesson and related words.

`literal_terms` of the request are taken back out of what was read into it: they are mere words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from tasks.embedders.embedder import Embedder, question_vector
from tasks.parsers.language import language_of
from tasks.query.glossary import read_glossaries
from tasks.query.question_words import find_names
from tasks.query.subjects import query_within_subjects
from tasks.temporal.question import times_of
from warehouse.errors import BadInput
from warehouse.records import Filters, Question, Related, SearchRequest, Subject
from warehouse.records.fiscal import FiscalCalendar


def parse_question(
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
    query = query_within_subjects(words, times, subjects) or times.query(words)
    return Question(
        text=words,
        query=query,
        vector=question_vector(embedder, query),
        windows=times.windows,
        as_of=times.as_of,
        rest=times.rest,
        names=names_left(find_names(words), plainly),
        subjects=tuple(subjects),
        lesson=find_lesson(words),
        leaning=leaning or Filters(),
        related=_related(words, wanted, subjects, embedder),
        foreign=not embedder.reads(words),
        filters=wanted.filters,
        ranking=wanted.ranking,
        k=wanted.k,
    )


def _related(words: str, wanted: SearchRequest, subjects: Sequence[Subject], embedder: Embedder) -> Related | None:
    """What a glossary knows of a question whose documents are known; see `warehouse.search.signals.query_expansion`."""
    known = bool(wanted.filters.documents) or any(subject.spacious for subject in subjects)
    found = read_glossaries().related(words) if known and wanted.ranking.query_expansion else ""
    return Related(found, question_vector(embedder, found)) if found else None


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CHINESE = tuple("一二三四五六七八九十")
_LESSON = re.compile(
    rf"\b(?:lesson|lecture)s? (?:no\.? ?|number |#)?(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)})\b"
    rf"|\b(?P<ordinal>{'|'.join(_ORDINALS)}) (?:lesson|lecture)\b"
    rf"|第 ?(?P<chinese>\d{{1,3}}|{'|'.join(_CHINESE)}) ?[课課讲講]",
    re.IGNORECASE,
)


def find_lesson(question: str) -> int | None:
    """The number of the lesson that a question names, None without one."""
    found = _LESSON.search(question)
    if not found:
        return None
    word = next(group for group in found.groups() if group).lower()
    if word.isdecimal():
        return int(word)
    names = next(names for names in (_NUMBERS, _ORDINALS, _CHINESE) if word in names)
    return names.index(word) + 1


def plain_words(wanted: SearchRequest) -> frozenset[str]:
    """The words to be read as mere words, in small letters."""
    return frozenset(" ".join(words.split()).lower() for words in wanted.literal_terms)


def subjects_left(subjects: Iterable[Subject], plainly: frozenset[str]) -> tuple[Subject, ...]:
    """The subjects that the question names by other words."""
    return tuple(subject for subject in subjects if subject.text.lower() not in plainly)


def names_left(names: Sequence[str], plainly: frozenset[str]) -> tuple[str, ...]:
    """The names but those."""
    return tuple(name for name in names if name.lower() not in plainly)


def leaning_left(leaning: Filters, plainly: frozenset[str]) -> Filters:
    """What passages should rather have, but those values."""
    return replace(
        leaning,
        kinds=tuple(kind for kind in leaning.kinds if kind.value not in plainly),
        journals=names_left(leaning.journals, plainly),
        paper_types=names_left(leaning.paper_types, plainly),
        tags=names_left(leaning.tags, plainly),
        topics=names_left(leaning.topics, plainly),
        sections=names_left(leaning.sections, plainly),
    )
