"""What was read into a question that its reader may take back: its times, names, subjects and leanings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tasks.ask.explaining import subject_words, window_words
from warehouse.records import Question
from warehouse.search.period_words import both_readings

_SOFT_FILTERS = ("kinds", "topics", "journals", "paper_types", "tags", "sections")


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """Words of a question, what they were read as ("time", "name", …) and what that means; none for a mere name."""

    words: str
    what: str
    told: str = ""


@dataclass(frozen=True, slots=True)
class AlternativeReading:
    """The other reading of a period of a question with its days, and the question that means that one alone."""

    told: str
    question: str


def list_alternatives(question: Question) -> tuple[AlternativeReading, ...]:
    """One for each period that may be the calendar's or a company's own."""
    found = ((window, both_readings(window)) for window in question.windows)
    return tuple(
        AlternativeReading(both.other, question.text.replace(window.text, both.instead, 1))
        for window, both in found
        if both and window.text in question.text
    )


def list_readings(question: Question) -> tuple[QuestionReading, ...]:
    """Each once, by its words: of a name that the catalogue knows what it knows."""
    found: dict[str, QuestionReading] = {}
    for reading in _every_reading(question):
        found.setdefault(reading.words.lower(), reading)
    return tuple(found.values())


def _every_reading(question: Question) -> Iterator[QuestionReading]:
    for window in question.windows:
        # What a filter demanded and nothing satisfied becomes a window too: the filter is the place to change it.
        if window.text and window.text in question.text:
            yield QuestionReading(window.text, "time", window_words(window))
    for subject in question.subjects:
        yield QuestionReading(subject.text, "subject", subject_words(subject))
    for name in question.names:
        yield QuestionReading(name, "name")
    for field in _SOFT_FILTERS:
        for value in getattr(question.leaning, field):
            yield QuestionReading(str(value), field.replace("_", " ").removesuffix("s"))
