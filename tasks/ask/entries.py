"""Entries of a diary that answer a question about a day, week or month as a whole: "What did I do last Tuesday?".

Except for its time, such a question has no words that an entry could match, so nothing is ranked: the entries of the
time are the answer, in order of days. For *who*, the names of people are listed, each with its sentence. A question
may name the person whose messages it asks for: "What did Tom write last Tuesday?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import compress
from operator import attrgetter

import numpy as np

from tasks.ask.passage_units import Span, is_heading, mark_spoken, split_units
from tasks.parsers.language import ask_for_events, detect_question_language
from tasks.query.soft_filters import MAIL_WORDS, find_senders
from warehouse.message_notation import find_message
from warehouse.reader import Warehouse
from warehouse.records import Filters, Hit, Question, SearchResult
from warehouse.records.calendars import WEEK, Interval
from warehouse.search.filters import mask_allowed, mask_passages_on
from warehouse.search.periods import overlaps_hits
from warehouse.search.topic import ENCOUNTER, parse_topic
from warehouse.store.columns.passage_columns import NO_DAY, to_day_number

MAX_DAYS = 31  # The longest time whose entries are listed is a month.
_PERSON_QUESTION = re.compile(
    r"\b(?:who|whom|we[rnm]|qui[ée]n(?:es)?|chi|quem)\b|^\W*(?:avec |à )?qui\b|\bwhich (?:people|persons)\b"
    r"|谁|誰|哪些人",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EntryQuestion:
    """A question about whole times: their half-open `days`, whether it asks for people, and for whose messages.

    `senders` are those of whole messages; if there are none, `speakers` may have written lines of a chat.
    """

    days: tuple[Interval, ...]
    asks_for_people: bool
    senders: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()


def parse_entry_question(question: Question) -> EntryQuestion | None:
    """A question about a diary's days, parsed; None if it asks for anything specific or for no short time."""
    days = []
    for window in question.windows:
        if window.recent or window.excluded or not (window.start and window.end):
            return None
        if (window.end - window.start).days > MAX_DAYS:
            return None
        days.append((window.start, window.end))
    asks_for_people = bool(_PERSON_QUESTION.search(question.text))
    named_senders = find_senders(question.text)
    senders = tuple(name for name in named_senders if name in question.soft_filters.sections)
    speakers = () if senders else named_senders
    topic_text = MAIL_WORDS.sub(" ", question.rest) if speakers else question.rest
    for name in senders or speakers:
        topic_text = topic_text.replace(name, " ")
    words = [word for word in parse_topic(topic_text).words if not (asks_for_people and word.is_encounter)]
    if not days or not ask_for_events((word.text for word in words), detect_question_language(question.text)):
        return None
    return EntryQuestion(tuple(days), asks_for_people, senders, speakers)


def has_entries(warehouse: Warehouse) -> bool:
    """Whether any passage is in an entry with a day."""
    return bool(warehouse.snapshot.passages.is_entry.any())


def find_entries(warehouse: Warehouse, question: Question, entry_question: EntryQuestion) -> list[str]:
    """The ids of the passages of entries within the days, then of those that overlap them.

    Both in order of day, document and place; `select_hits_of_days` selects those of the days.
    """
    snapshot = warehouse.snapshot
    passages = snapshot.passages
    entry_mask = passages.is_entry & (passages.day != NO_DAY)
    for filters in (question.filters, Filters(sections=entry_question.senders)):
        allowed = mask_allowed(snapshot, filters)
        if allowed is not None:
            entry_mask &= allowed
    is_within, is_overlapping = np.zeros(len(passages), np.bool_), np.zeros(len(passages), np.bool_)
    for start, end in entry_question.days:
        is_overlapping |= mask_passages_on(snapshot, to_day_number(start), to_day_number(end))
        is_within |= (passages.day >= to_day_number(start)) & (passages.day_end <= to_day_number(end))
    rows = np.flatnonzero(entry_mask & is_overlapping)
    order = np.lexsort((passages.start[rows], passages.document[rows], passages.day[rows], ~is_within[rows]))
    return passages.get_chunk_ids(rows[order])


def select_hits_of_days(hits: Sequence[Hit], days: Sequence[Interval]) -> tuple[Hit, ...]:
    """The hits of given days, in order of date; a passage with dated rows gets the rows of these days as excerpt.

    An entry of a week or month that contains an asked day counts only if no entry is within the time.
    """

    def is_within_days(hit: Hit) -> bool:
        first = hit.citation.date
        last = hit.citation.last_date or first
        return first is not None and last is not None and any(start <= first and last < end for start, end in days)

    cut_hits = [
        _cut_to_days(hit, days) if hit.is_dated_by_rows else hit if find_entry_body(hit) else None for hit in hits
    ]
    dated_hits = [hit for hit in cut_hits if hit is not None]
    hits_within = [hit for hit in dated_hits if hit.is_dated_by_rows or is_within_days(hit)]
    return tuple(sorted(hits_within, key=lambda hit: hit.citation.date or date.min) if hits_within else dated_hits)


def _cut_to_days(hit: Hit, days: Sequence[Interval]) -> Hit | None:
    """The hit with its rows of given days, from the first to the last of them; None if it has none."""
    dated_rows = [(row, row.days) for row in hit.rows if row.days]
    rows = [row for row, (first, stop) in dated_rows if any(_is_asked_for(first, stop, *day) for day in days)]
    return hit.with_excerpt(rows[0].start, rows[-1].end) if rows else None


def _is_asked_for(first: date, stop: date, start: date, end: date) -> bool:
    """Whether a row is of the asked days: it is within them, or its week contains them."""
    return (start <= first and stop <= end) or (first <= start and end <= stop and stop - first <= WEEK)


def split_entry(hit: Hit) -> list[Span]:
    """The spans, in the passage, of its sentences and tables; if its rows are dated, of the rows in the excerpt."""
    if hit.is_dated_by_rows and hit.excerpt:
        first, stop = hit.excerpt
        return [(row.start - hit.start, row.end - hit.start) for row in hit.rows if first <= row.start < stop]
    return split_units(hit.text)


def find_spoken_spans(hit: Hit, names: Sequence[str]) -> list[Span]:
    """The spans, in the passage, that given people wrote."""
    spans = split_entry(hit)
    return list(compress(spans, mark_spoken(hit, (hit.text[slice(*span)] for span in spans), names)))


def find_entry_body(hit: Hit) -> Span | None:
    """The span, in the passage, of the text below its heading; None if it is only a heading."""
    if hit.is_dated_by_rows and hit.excerpt:
        return hit.excerpt[0] - hit.start, hit.excerpt[1] - hit.start
    units = split_units(hit.text)
    names = (hit.citation.title, *hit.citation.section)
    body_units = [unit for unit in units if " ".join(hit.text[slice(*unit)].split()) not in names]
    while (
        body_units
        and len(body_units) > 1
        and is_heading(hit.text[slice(*body_units[0])], hit.citation)
        and body_units[0] == units[0]
    ):
        body_units = body_units[1:]
    return (body_units[0][0], body_units[-1][1]) if body_units else None


def select_entries(warehouse: Warehouse, question: Question, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits in entries of the short times that a question names; none if it names none.

    None also if all of them are rows of logs, as another document about the time may answer as well.
    """
    passages = warehouse.snapshot.passages
    windows = [(window.start, window.end) for window in question.windows if window.required and not window.excluded]
    asked_days = [
        (to_day_number(start), to_day_number(end))
        for start, end in windows
        if start and end and (end - start).days <= MAX_DAYS
    ]
    entry_hits = []
    for hit, row in zip(hits, _find_rows(warehouse, hits), strict=True):
        if row >= 0 and passages.is_entry[row]:
            first, stop = int(passages.day[row]), int(passages.day_end[row])
            if any(first < end and start < stop for start, end in asked_days):
                entry_hits.append(hit)
    return tuple(entry_hits) if any(not hit.is_dated_by_rows for hit in entry_hits) else ()


def is_covered_elsewhere(warehouse: Warehouse, result: SearchResult) -> bool:
    """Whether a hit that is in no entry is of a time that the question asks about."""
    is_entry, rows = warehouse.snapshot.passages.is_entry, _find_rows(warehouse, result.hits)
    other_hits = [hit for hit, row in zip(result.hits, rows, strict=True) if row >= 0 and not is_entry[row]]
    return any(overlaps_hits(warehouse.snapshot, window, other_hits) for window in result.question.windows)


def _find_rows(warehouse: Warehouse, hits: Sequence[Hit]) -> list[int]:
    """The row of each hit's passage, or of the first of its passages; -1 if it is not here."""
    ids = [hit.leaves[0] if hit.leaves else hit.chunk_id for hit in hits]
    rows: list[int] = warehouse.snapshot.passages.find_rows(ids).tolist()
    return rows


@dataclass(frozen=True, slots=True)
class MeetingSentence:
    """A sentence of an entry about people: their names, the index of the hit, its span in the passage.

    A sentence about a meeting may name people whose names were not recognised: `names` is then empty.
    """

    names: tuple[str, ...]
    hit: int
    span: Span


def find_meeting_sentences(warehouse: Warehouse, hits: Sequence[Hit]) -> list[MeetingSentence]:
    """The sentences about a meeting, or, if there are none, all that name people; in order, no person twice."""
    sender_sentences = [sentence for index, hit in enumerate(hits) for sentence in _iter_sender_sentences(hit, index)]
    senders = {sentence.hit for sentence in sender_sentences}
    other_hits = ((index, hit) for index, hit in enumerate(hits) if index not in senders)
    sentences = [sentence for index, hit in other_hits for sentence in _iter_sentences(warehouse, hit, index)]
    meetings = [sentence for sentence in sentences if ENCOUNTER.search(hits[sentence.hit].text[slice(*sentence.span)])]
    known_names: set[str] = set()
    unique_sentences = []
    for sentence in sorted(
        (*sender_sentences, *(meetings or [sentence for sentence in sentences if sentence.names])),
        key=attrgetter("hit", "span"),
    ):
        new_names = tuple(name for name in sentence.names if name.casefold() not in known_names)
        known_names.update(name.casefold() for name in new_names)
        if new_names or not sentence.names:
            unique_sentences.append(MeetingSentence(new_names, sentence.hit, sentence.span))
    return unique_sentences


def _iter_sender_sentences(hit: Hit, index: int) -> Iterator[MeetingSentence]:
    """The sender of a message, with its first sentence."""
    message, body = find_message(hit.citation.section), find_entry_body(hit)
    if message and body:
        first = next(unit for unit in split_entry(hit) if unit[0] >= body[0])
        yield MeetingSentence((message[1].sender,), index, first)


_ENTITIES = """
    SELECT start, "end", label FROM entities
    WHERE document_id = $id AND start >= $first AND "end" <= $stop ORDER BY start
"""
_CAPITALISED_NAME = re.compile(r"\b[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+")


def _iter_sentences(warehouse: Warehouse, hit: Hit, number: int) -> Iterator[MeetingSentence]:
    """The sentences below the heading of an entry, with the people that each names."""
    body = find_entry_body(hit)
    entities = warehouse.snapshot.query_rows(_ENTITIES, {"id": hit.document_id, "first": hit.start, "stop": hit.end})
    for start, end in split_entry(hit) if body else ():
        if body and start >= body[0]:
            sentence_entities = [(first - hit.start, stop - hit.start, label) for first, stop, label in entities]
            sentence_entities = [entity for entity in sentence_entities if start <= entity[0] < end]
            name_spans = [(first, stop) for first, stop, label in sentence_entities if label == "PERSON"]
            if ENCOUNTER.search(hit.text[start:end]):
                entity_spans = [(first, stop) for first, stop, _ in sentence_entities]
                name_spans += [
                    name for name in _iter_capitalised_names(hit.text, start, end) if not _overlaps(name, entity_spans)
                ]
            names = [" ".join(hit.text[slice(*span)].split()) for span in sorted(name_spans)]
            yield MeetingSentence(tuple(dict.fromkeys(names)), number, (start, end))


def _iter_capitalised_names(text: str, start: int, end: int) -> Iterator[Span]:
    """Runs of capitalised words, without a verb before them: "Met Grace Okafor"."""
    for match in _CAPITALISED_NAME.finditer(text, start, end):
        first, following_words = match[0].split(" ", 1)
        if not ENCOUNTER.fullmatch(first):
            yield match.span()
        elif " " in following_words:
            yield match.start() + len(first) + 1, match.end()


def _overlaps(span: Span, spans: Sequence[Span]) -> bool:
    return any(first < span[1] and span[0] < stop for first, stop in spans)
