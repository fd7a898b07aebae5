"""Retrieval: `find` is the only way to search; every interface calls it and only draws what it gives differently.

A filter that leaves nothing is relaxed: one by time becomes a preference, one by names becomes words. A passage in
place of a question ("more like this", the counter of an argument, a pasted page) is looked for as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import MAXYEAR, date

from tasks.embedders.embedder import Embedder, question_vector
from tasks.query.question_parser import leaning_left, parse_question, plain_words, subjects_left
from tasks.query.soft_filters import find_soft_filters
from tasks.query.subjects import Nearness, find_subjects
from tasks.query.superseded_statements import mark_superseded
from tasks.rerankers.registry import READ, rerank, reranker
from warehouse.months import DAY
from warehouse.reader import Warehouse
from warehouse.records import Filters, Found, Question, SearchRequest, Window
from warehouse.store.words import read


def find(warehouse: Warehouse, wanted: SearchRequest, embedder: Embedder, today: date) -> Found:
    """The best passages for a question, relative times read from `today`.

    Raises `BadInput` for a question without words, a `k` below one, an embedder that the vectors are not of, or a
    reranker that cannot be opened.
    """
    warehouse = warehouse.at()
    warehouse.check_model(embedder.model)
    whole = is_passage(wanted.text)
    asked = as_a_whole(wanted) if whole else wanted
    found = _found(warehouse, asked, embedder, today)
    if not found.hits and asked.filters.names:
        found = with_missing_names_note(_found(warehouse, without_name_filter(asked), embedder, today), asked)
    if whole:
        found = with_note(found)
    return replace(found, notes=(*wanted.notes, *warehouse.unheard(wanted.filters), *found.notes))


def _found(warehouse: Warehouse, wanted: SearchRequest, embedder: Embedder, today: date) -> Found:
    near = _nearness(warehouse, embedder)
    plainly = plain_words(wanted)
    named = find_subjects(wanted.text, warehouse.catalogue, near) if wanted.ranking.names else ()
    subjects = subjects_left(named, plainly)
    fiscal = warehouse.fiscal_calendar(subjects, wanted.filters)
    leaning = leaning_left(find_soft_filters(wanted.text, warehouse.values), plainly) if wanted.ranking.names else None
    question = parse_question(wanted, embedder, today, subjects, fiscal, leaning)
    ranked = (
        _reranked(warehouse, question, embedder)
        if wanted.ranking.reranker
        else search_relaxing_times(warehouse, question)
    )
    return mark_superseded(warehouse, ranked)


def _nearness(warehouse: Warehouse, embedder: Embedder) -> Nearness:
    return lambda said: warehouse.near_titles(question_vector(embedder, said))


def _reranked(warehouse: Warehouse, question: Question, embedder: Embedder) -> Found:
    second = reranker(question.ranking.reranker, embedder)
    found = search_relaxing_times(warehouse, replace(question, k=max(question.k, READ)))
    hits = rerank(second, question, found.hits)[: question.k]
    return replace(found, question=replace(found.question, k=question.k), hits=tuple(hits))


def search_relaxing_times(warehouse: Warehouse, question: Question) -> Found:
    """Search; where the filters by time leave no hits, search all times, those near the filters' time first."""
    hits = warehouse.search(question)
    undated, missing = warehouse.undated_note(question.filters), warehouse.absences(question, hits)
    # A sentence that denies a period says both of its readings.
    notes = (*undated, *(missing or warehouse.reading_notes(question, hits)))
    demanded = _demanded(question.filters)
    if hits or not demanded:
        return Found(question, tuple(hits), notes)
    wider = replace(question, filters=question.filters.timeless, windows=(*question.windows, *demanded))
    hits = warehouse.search(wider)
    if not hits:
        return Found(question, (), notes)
    return Found(wider, tuple(hits), (_said(warehouse, question.filters, demanded), *warehouse.absences(wider, hits)))


def _said(warehouse: Warehouse, filters: Filters, demanded: Sequence[Window]) -> str:
    asked = " and ".join(window.text for window in demanded)
    near = " and ".join(warehouse.nearest(filters))
    return f"nothing falls in the time {asked}: these are of others{f'; nearest is {near}' if near else ''}"


def _demanded(filters: Filters) -> tuple[Window, ...]:
    """The times that filters demand, as windows."""
    windows = []
    if filters.during and any(filters.during):
        windows.append(_window(*filters.during))
    if filters.since or filters.until:
        windows.append(_window(filters.since, filters.until))
    if filters.years:
        first, last = filters.years
        # The last year there is has no day after it.
        windows.append(_window(date(first, 1, 1), date(last + 1, 1, 1) if last < MAXYEAR else None))
    if filters.as_of:
        windows.append(_window(None, filters.as_of + DAY))
    return tuple(windows)


def _window(start: date | None, end: date | None) -> Window:
    """A window with its days for its words."""
    sides = (f"from {start.isoformat()}" if start else "", f"up to {(end - DAY).isoformat()}" if end else "")
    return Window(start, end, text=" ".join(filter(None, sides)))


def without_name_filter(wanted: SearchRequest) -> SearchRequest:
    """The same without its filter by names, their words added to the question."""
    missing = [name for name in wanted.filters.names if name.lower() not in wanted.text.lower()]
    return replace(wanted, text=" ".join([wanted.text, *missing]), filters=replace(wanted.filters, names=()))


def with_missing_names_note(found: Found, wanted: SearchRequest) -> Found:
    """The hits with a note that the names were not found, where there are hits."""
    if not found.hits:
        return found
    names = " or ".join(repr(name) for name in wanted.filters.names)
    return replace(found, notes=(f"nothing names {names}: these are the nearest in words", *found.notes))


LONGEST_QUESTION = 50
"""The telling words of the longest question; of judged ones in English the longest has 35, arguments have 102."""
CHINESE_PIECES = 4
"""The Chinese pieces that count as one word: its characters and their pairs."""
PASSAGE_NOTE = "read as a passage, not as a question: its times and names in passing do not count"


def is_passage(text: str) -> bool:
    """Whether a text says too much, and asks nothing, to be a question."""
    telling = [word for word in read(text) if word.telling]
    chinese = sum(word.chinese for word in telling)
    return len(telling) - chinese + chinese / CHINESE_PIECES > LONGEST_QUESTION and not text.rstrip().endswith(
        ("?", "？")
    )


def as_a_whole(wanted: SearchRequest) -> SearchRequest:
    """The same, looked for by its meaning and its words alone: what it names in passing is not what it asks for.

    Of 150 arguments (ArguAna) the nDCG@10 of the counter is .553 so, .430 with their times and names.
    """
    return replace(
        wanted,
        ranking=replace(wanted.ranking, times=False, names=False, relevance_feedback=False, query_expansion=False),
    )


def with_note(found: Found) -> Found:
    """What was found that way, and a note that says so."""
    return replace(found, notes=(PASSAGE_NOTE, *found.notes))


def without_other_companies(warehouse: Warehouse, wanted: SearchRequest) -> SearchRequest:
    """A question that names companies, limited to their documents and to those of no company; others as they are.

    A comparison names all that it compares. Documents that the person demands stay as they are.
    """
    if wanted.filters.documents or not wanted.ranking.names:
        return wanted
    catalogue = warehouse.catalogue
    subjects = subjects_left(find_subjects(wanted.text, catalogue, lambda said: {}), plain_words(wanted))
    own = {document for subject in subjects for document in subject.documents}
    if not any(document in catalogue.owners for document in own):
        return wanted
    named = {catalogue.owners[document] for document in own if document in catalogue.owners}
    allowed = tuple(
        document
        for document in catalogue.documents
        if document in own or catalogue.owners.get(document, "") in {"", *named}
    )
    if len(allowed) == len(catalogue.documents):
        return wanted
    return replace(wanted, filters=replace(wanted.filters, documents=allowed))
