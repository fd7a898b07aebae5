"""Queries of the search page: answering spans, nearby passages, readings of the question, tables and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from dashboards.html.passage_markup import Highlight, HighlightKind
from tasks.ask.explanations import format_subject, format_window
from tasks.ask.extracts import Extract
from tasks.ask.passage_units import Span, split_units
from tasks.query.question_parser import get_content_words
from warehouse.reader import Warehouse
from warehouse.records import Hit, Question
from warehouse.search.periods import find_both_readings
from warehouse.store.catalog import read_queries
from warehouse.store.words import split_words
from warehouse.table_notation import opens_table

_SQL = read_queries(Path(__file__).with_name("queries.sql"))

DocumentSpan = tuple[str, int, int]  # The id of a document and a half-open span of its text.


def find_answer_spans(hit: Hit, index: int, quotes: Iterable[Extract], question: str) -> tuple[Span, ...]:
    """The spans of the document's text that answer the question, ascending: the page of the hit shows them boxed.

    They are the quotations of the hit `index` (from 0); of a quoted table row the row without the header. A hit without
    quotations has those of its excerpt; of a table in it only the rows that share most words with the question.
    """
    spans = []
    for quote in (quote.text for quote in quotes if quote.hit == index):
        lines = quote.splitlines()
        text = lines[-1] if len(lines) > 1 and all(line.startswith("|") for line in lines) else quote
        if (offset := hit.text.find(text)) >= 0:
            spans.append((hit.start + offset, hit.start + offset + len(text)))
    return tuple(sorted(spans or _find_excerpt_spans(hit, frozenset(get_content_words(question)))))


def _find_excerpt_spans(hit: Hit, query_words: frozenset[str]) -> Iterator[Span]:
    start, end = hit.excerpt or (hit.start, hit.end)
    text = hit.text[start - hit.start : end - hit.start]
    for low, high in split_units(text):
        unit = text[low:high]
        spans: Sequence[Span] = _find_best_rows(unit, query_words) if opens_table(unit) else ()
        yield from ((start + low + first, start + low + last) for first, last in spans or [(0, len(unit))])


def _find_best_rows(table: str, query_words: frozenset[str]) -> list[Span]:
    """The rows whose labels have most of the words, and of those the ones with the shortest labels; may be empty."""
    offset, rows = 0, list[tuple[int, int, Span]]()
    for line in table.splitlines(keepends=True):
        row = line.rstrip("\r\n")
        label = split_words(row.strip("| ").partition("|")[0]) if row.startswith("|") else []
        common = len(query_words.intersection(label))
        if common:
            rows.append((-common, len(label), (offset, offset + len(row))))
        offset += len(line)
    best = min((rank[:2] for rank in rows), default=None)
    return [span for *rank, span in rows if tuple(rank) == best]


@dataclass(frozen=True, slots=True)
class NearbyPassage:
    """A passage near another: its number in the document from 1, its page, its start in the text, and its text."""

    number: int
    page: int | None
    start: int
    text: str

    @property
    def location(self) -> str:
        """The page and number of the passage in words."""
        return f"Page {self.page}, passage {self.number}" if self.page else f"Passage {self.number}"


def find_nearby_passages(warehouse: Warehouse, hit: Hit, reach: int) -> tuple[list[NearbyPassage], list[NearbyPassage]]:
    """The nearest `reach` passages before and after a hit in the text's order, fewer at an end of the document."""
    parameters = {"id": hit.document_id, "start": hit.start, "reach": reach}
    before = warehouse.snapshot.query_rows(_SQL["before"], parameters)
    after = warehouse.snapshot.query_rows(_SQL["after"], {**parameters, "stop": hit.end})
    return [NearbyPassage(*row) for row in reversed(before)], [NearbyPassage(*row) for row in after]


_SOFT_FILTERS = ("kinds", "topics", "journals", "paper_types", "tags", "sections")
"""Fields of `Question.soft_filters`: what a question prefers without demanding it."""


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """Words of a question, what they were read as ("time", "name", …), and their meaning; the reader may reject it."""

    words: str
    kind: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class AlternativeReading:
    """The other meaning of a period of a question, with its days, and the question that has only that meaning."""

    meaning: str
    question: str


def list_alternatives(question: Question) -> tuple[AlternativeReading, ...]:
    """The other reading of each period that may be of the calendar year or of a company's fiscal year."""
    readings = ((window, find_both_readings(window)) for window in question.windows)
    return tuple(
        AlternativeReading(both.other_reading, question.text.replace(window.text, both.other_words, 1))
        for window, both in readings
        if both and window.text in question.text
    )


def list_readings(question: Question) -> tuple[QuestionReading, ...]:
    """The readings of a question, one for each of its words: a time before a subject, a subject before a mere name."""
    readings: dict[str, QuestionReading] = {}
    for reading in _iter_readings(question):
        readings.setdefault(reading.words.lower(), reading)
    return tuple(readings.values())


def _iter_readings(question: Question) -> Iterator[QuestionReading]:
    for window in question.windows:
        # A window whose words are not in the question comes from a filter, and is changed there.
        if window.text and window.text in question.text:
            yield QuestionReading(window.text, "time", format_window(window))
    for subject in question.subjects:
        yield QuestionReading(subject.text, "subject", format_subject(subject))
    for name in question.names:
        yield QuestionReading(name, "name")
    for field in _SOFT_FILTERS:
        for value in getattr(question.soft_filters, field):
            yield QuestionReading(str(value), field.replace("_", " ").removesuffix("s"))


def find_first_tables(warehouse: Warehouse, hits: Sequence[Hit]) -> dict[int, int]:
    """The number of the first table that each hit touches, by the index of the hit; no entry without a table."""
    parameters = {
        "places": list(range(len(hits))),
        "ids": [hit.document_id for hit in hits],
        "starts": [hit.start for hit in hits],
        "ends": [hit.end for hit in hits],
    }
    return {
        int(index): int(number) for index, number in warehouse.snapshot.query_rows(_SQL["first_tables"], parameters)
    }


_LABEL_WORDS = {"PERSON": "a person", "ORG": "an organisation", "GPE": "a place", "WORK_OF_ART": "a work"}


def find_highlights(
    warehouse: Warehouse, passages: Sequence[DocumentSpan], kinds: Iterable[HighlightKind]
) -> list[tuple[Highlight, ...]]:
    """The highlights of each passage, ascending and without overlaps; a date comes before a name at the same place."""
    highlights: list[list[Highlight]] = [[] for _ in passages]
    selected_kinds = set(kinds)
    for row in _read_rows_inside(warehouse, passages, "mentions") if HighlightKind.DATE in selected_kinds else ():
        days = _format_days(row["start_date"], row["end_date"])
        if days:
            highlights[row["place"]].append(Highlight(row["start"], row["end"], HighlightKind.DATE, days))
    for row in _read_rows_inside(warehouse, passages, "entities") if HighlightKind.NAME in selected_kinds else ():
        label = _LABEL_WORDS.get(row["label"], row["label"].lower())
        meaning = f"{row['name']}, {label}" if row["name"] else label
        highlights[row["place"]].append(Highlight(row["start"], row["end"], HighlightKind.NAME, meaning))
    return [tuple(_without_overlaps(highlight)) for highlight in highlights]


def _read_rows_inside(warehouse: Warehouse, passages: Sequence[DocumentSpan], table: str) -> list[dict[str, Any]]:
    """The rows of a table of facts that lie within passages: `place` is the index of the passage, spans are in it."""
    ids, starts, ends = (list(column) for column in zip(*passages, strict=True)) if passages else ([], [], [])
    parameters = {"places": list(range(len(ids))), "ids": ids, "starts": starts, "ends": ends}
    return warehouse.snapshot.query_records(_SQL["facts_inside"].format(table=table), parameters)


def _without_overlaps(highlights: Iterable[Highlight]) -> Iterable[Highlight]:
    end = 0
    for highlight in sorted(highlights, key=lambda highlight: (highlight.start, highlight.kind, -highlight.end)):
        if highlight.start >= end:
            yield highlight
            end = highlight.end


def _format_days(start: date | None, end: date | None) -> str:
    """The first and the last day of a half-open interval, as text; empty without both."""
    last = end - timedelta(days=1) if end and end > date.min else None
    if start and last:
        return start.isoformat() if start >= last else f"{start} to {last}"
    if start:
        return f"from {start} on"
    return f"up to {last}" if last else ""
