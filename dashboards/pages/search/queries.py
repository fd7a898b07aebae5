"""Queries of the search page: answering spans, nearby passages, readings of the question, tables and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from dashboards.drawing.highlights import Highlight, HighlightKind
from tasks.ask.asking import content_words
from tasks.ask.explaining import subject_words, window_words
from tasks.ask.extracts import Extract
from tasks.ask.units import Span, is_table, units
from warehouse.reader import Warehouse
from warehouse.records import Hit, Question
from warehouse.search.period_words import both_readings
from warehouse.store.words import words


def answer_spans(hit: Hit, number: int, quotes: Iterable[Extract], question: str) -> tuple[Span, ...]:
    """The spans, in the document's text, of what is quoted of hit `number` (from 0), of table rows the row alone.

    Without a quotation those of its excerpt; of a table in it only the rows that share most words with the question.
    """
    quoted = [span for quote in quotes if quote.hit == number and (span := _quoted_span(hit, quote.text))]
    return tuple(sorted(quoted or _excerpt_spans(hit, frozenset(content_words(question)))))


def _quoted_span(hit: Hit, quote: str) -> Span | None:
    """Where a quotation stands. Of a table's head and a row, the row: it is the last line."""
    lines = quote.splitlines()
    told = lines[-1] if len(lines) > 1 and all(line.startswith("|") for line in lines) else quote
    place = hit.text.find(told)
    return (hit.start + place, hit.start + place + len(told)) if place >= 0 else None


def _excerpt_spans(hit: Hit, asked: frozenset[str]) -> Iterator[Span]:
    start, end = hit.excerpt or (hit.start, hit.end)
    text = hit.text[start - hit.start : end - hit.start]
    for low, high in units(text):
        unit = text[low:high]
        spans: Sequence[Span] = _best_rows(unit, asked) if is_table(unit) else ()
        yield from ((start + low + first, start + low + last) for first, last in spans or [(0, len(unit))])


def _best_rows(table: str, asked: frozenset[str]) -> list[Span]:
    """The rows whose labels hold most of the words, of those the ones with the fewest others; none without any."""
    place, held = 0, list[tuple[int, int, Span]]()
    for line in table.splitlines(keepends=True):
        shown = line.rstrip("\r\n")
        label = words(shown.strip("| ").partition("|")[0]) if shown.startswith("|") else []
        common = len(asked.intersection(label))
        if common:
            held.append((-common, len(label), (place, place + len(shown))))
        place += len(line)
    best = min((rank[:2] for rank in held), default=None)
    return [span for *rank, span in held if tuple(rank) == best]


_PASSAGE_COLUMNS = 'chunk_index, start, "end", page, text'
_BEFORE = f"""
    SELECT {_PASSAGE_COLUMNS} FROM chunks WHERE document_id = $id AND start < $start
    ORDER BY start DESC, chunk_index DESC LIMIT $reach
"""  # noqa: S608
_AFTER = f"""
    SELECT {_PASSAGE_COLUMNS} FROM chunks WHERE document_id = $id AND "end" > $stop AND start > $start
    ORDER BY start, chunk_index LIMIT $reach
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class NearbyPassage:
    """A passage beside another: its number in the document from 1, its page, where it begins, and its words."""

    number: int
    page: int | None
    start: int
    text: str

    @property
    def where(self) -> str:
        """Its place in the document."""
        return f"Page {self.page}, passage {self.number}" if self.page else f"Passage {self.number}"


@dataclass(frozen=True, slots=True)
class NearbyPassages:
    """What stands before and after a passage, both in the order of the text."""

    before: tuple[NearbyPassage, ...]
    after: tuple[NearbyPassage, ...]


def find_nearby_passages(warehouse: Warehouse, hit: Hit, reach: int) -> NearbyPassages:
    """The nearest `reach` passages on either side of a hit, fewer where the document begins or ends."""
    asked = {"id": hit.document_id, "start": hit.start, "reach": reach}
    before = warehouse.snapshot.records(_BEFORE, asked)
    after = warehouse.snapshot.records(_AFTER, {**asked, "stop": hit.end})
    return NearbyPassages(tuple(map(_nearby_passage, reversed(before))), tuple(map(_nearby_passage, after)))


def _nearby_passage(row: dict[str, Any]) -> NearbyPassage:
    return NearbyPassage(row["chunk_index"] + 1, row["page"], row["start"], row["text"])


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


_FIRST_TABLES = """
    WITH asked AS (SELECT unnest($places) AS place, unnest($ids) AS id, unnest($starts) AS low, unnest($ends) AS high)
    SELECT asked.place, min(found.number)
    FROM (SELECT * FROM tables WHERE document_id IN (SELECT unnest($ids))) AS found
    JOIN asked ON found.document_id = asked.id AND found.start < asked.high AND found."end" > asked.low
    GROUP BY asked.place
"""


def first_tables(warehouse: Warehouse, hits: Sequence[Hit]) -> dict[int, int]:
    """The number of the first table that each hit touches, by the hit's place; none for one without a table."""
    asked = {
        "places": list(range(len(hits))),
        "ids": [hit.document_id for hit in hits],
        "starts": [hit.start for hit in hits],
        "ends": [hit.end for hit in hits],
    }
    return {int(place): int(number) for place, number in warehouse.snapshot.rows(_FIRST_TABLES, asked)}


DocumentSpan = tuple[str, int, int]
"""A document and a span of its text."""


_FACTS_INSIDE = """
    WITH asked AS (SELECT unnest($places) AS place, unnest($ids) AS id, unnest($starts) AS low, unnest($ends) AS high)
    SELECT asked.place, found.start - asked.low AS start, found."end" - asked.low AS "end",
        found.* EXCLUDE (start, "end")
    FROM (SELECT * FROM {table} WHERE document_id IN (SELECT unnest($ids))) AS found
    JOIN asked ON found.document_id = asked.id AND found.start >= asked.low AND found."end" <= asked.high
    ORDER BY ALL
"""
_TIMES = "mentions"
_NAMES = "entities"
_LABEL_WORDS = {"PERSON": "a person", "ORG": "an organisation", "GPE": "a place", "WORK_OF_ART": "a work"}


def find_highlights(
    warehouse: Warehouse, passages: Sequence[DocumentSpan], looks: Iterable[HighlightKind]
) -> list[tuple[Highlight, ...]]:
    """The marks of each passage, rising and apart; of two that overlap the earlier stays, a date before a name."""
    found: list[list[Highlight]] = [[] for _ in passages]
    chosen = set(looks)
    for row in _rows_inside(warehouse, passages, _TIMES) if HighlightKind.DATE in chosen else ():
        told = _day_words(row["start_date"], row["end_date"])
        if told:
            found[row["place"]].append(Highlight(row["start"], row["end"], HighlightKind.DATE, told))
    for row in _rows_inside(warehouse, passages, _NAMES) if HighlightKind.NAME in chosen else ():
        found[row["place"]].append(Highlight(row["start"], row["end"], HighlightKind.NAME, _name_words(row)))
    return [tuple(_without_overlaps(marks)) for marks in found]


def _rows_inside(warehouse: Warehouse, passages: Sequence[DocumentSpan], table: str) -> list[dict[str, Any]]:
    ids, starts, ends = (list(column) for column in zip(*passages, strict=True)) if passages else ([], [], [])
    asked = {"places": list(range(len(ids))), "ids": ids, "starts": starts, "ends": ends}
    return warehouse.snapshot.records(_FACTS_INSIDE.format(table=table), asked)


def _without_overlaps(marks: Iterable[Highlight]) -> Iterable[Highlight]:
    done = 0
    for mark in sorted(marks, key=lambda each: (each.start, each.look, -each.end)):
        if mark.start >= done:
            yield mark
            done = mark.end


def _day_words(start: date | None, end: date | None) -> str:
    """A half-open interval by its first and its last day."""
    last = end - timedelta(days=1) if end and end > date.min else None
    if start and last:
        return start.isoformat() if start >= last else f"{start} to {last}"
    if start:
        return f"from {start} on"
    return f"up to {last}" if last else ""


def _name_words(row: dict[str, Any]) -> str:
    what = _LABEL_WORDS.get(row["label"], row["label"].lower())
    return f"{row['name']}, {what}" if row["name"] else what
