"""Retrieval: `find` is the only way to search; every interface calls it and only draws what it gives differently.

A filter that leaves nothing is relaxed: one by time becomes a preference, one by names becomes words. A passage in
place of a question ("more like this", the counter of an argument, a pasted page) is looked for as a whole.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import MAXYEAR, date

from tasks.embedders.embedder import Embedder, question_vector
from tasks.query.question_parser import fold_literal_terms, parse_question
from tasks.query.soft_filters import find_soft_filters
from tasks.query.subjects import Nearness, find_subjects
from tasks.query.superseded_statements import mark_superseded
from tasks.rerankers.reranker import READ, rerank, reranker
from warehouse.reader import Warehouse
from warehouse.records import Filters, Found, Question, SearchRequest, Subject, Window
from warehouse.records.fiscal import DAY
from warehouse.store.words import read

LONGEST_QUESTION = 50
"""The telling words of the longest question; of judged ones in English the longest has 35, arguments have 102."""
CHINESE_PIECES = 4  # The Chinese pieces that count as one word: its characters and their pairs.
PASSAGE_NOTE = "read as a passage, not as a question: its times and names in passing do not count"


def find(warehouse: Warehouse, request: SearchRequest, embedder: Embedder, today: date) -> Found:
    """The best passages for a question, relative times read from `today`.

    Raises `BadInput` for a question without words, a `k` below one, an embedder that the vectors are not of, or a
    reranker that cannot be opened.
    """
    warehouse = warehouse.at()
    warehouse.check_model(embedder.model)
    passage = is_passage(request.text)
    asked = _as_passage(request) if passage else request
    found = _search(warehouse, asked, embedder, today)
    if not found.hits and request.filters.names:
        found = _search_names_as_words(warehouse, asked, embedder, today)
    passage_note = (PASSAGE_NOTE,) if passage else ()
    unheard = warehouse.unheard(request.filters)
    return replace(found, notes=(*request.notes, *unheard, *passage_note, *found.notes))


def is_passage(text: str) -> bool:
    """Whether a text says too much, and asks nothing, to be a question."""
    telling = [word for word in read(text) if word.telling]
    chinese = sum(word.chinese for word in telling)
    length = len(telling) - chinese + chinese / CHINESE_PIECES
    return length > LONGEST_QUESTION and not text.rstrip().endswith(("?", "？"))


def _as_passage(request: SearchRequest) -> SearchRequest:
    """The same, looked for by its meaning and its words alone: what it names in passing is not what it asks for.

    Of 150 arguments (ArguAna) the nDCG@10 of the counter is .553 so, .430 with their times and names.
    """
    ranking = replace(request.ranking, times=False, names=False, relevance_feedback=False, query_expansion=False)
    return replace(request, ranking=ranking)


def _search(warehouse: Warehouse, request: SearchRequest, embedder: Embedder, today: date) -> Found:
    subjects: tuple[Subject, ...] = ()
    soft_filters = None
    if request.ranking.names:
        subjects = _named_subjects(
            warehouse, request, lambda words: warehouse.near_titles(question_vector(embedder, words))
        )
        soft_filters = find_soft_filters(request.text, warehouse.values, fold_literal_terms(request))
    fiscal = warehouse.fiscal_calendar(subjects, request.filters)
    question = parse_question(request, embedder, today, subjects, fiscal, soft_filters)
    if not request.ranking.reranker:
        return mark_superseded(warehouse, search_relaxing_times(warehouse, question))
    second = reranker(question.ranking.reranker, embedder)
    found = search_relaxing_times(warehouse, replace(question, k=max(question.k, READ)))
    hits = rerank(second, question, found.hits)[: question.k]
    return mark_superseded(warehouse, replace(found, question=replace(found.question, k=question.k), hits=tuple(hits)))


def _named_subjects(warehouse: Warehouse, request: SearchRequest, near: Nearness) -> tuple[Subject, ...]:
    """What a request names of the catalogue, but for its literal terms."""
    literal_terms = fold_literal_terms(request)
    subjects = find_subjects(request.text, warehouse.catalogue, near)
    return tuple(subject for subject in subjects if subject.text.lower() not in literal_terms)


def _search_names_as_words(warehouse: Warehouse, request: SearchRequest, embedder: Embedder, today: date) -> Found:
    """Search without the filter by names, their words added to the question; a note says so."""
    names = request.filters.names
    missing = [name for name in names if name.lower() not in request.text.lower()]
    text, filters = " ".join([request.text, *missing]), replace(request.filters, names=())
    found = _search(warehouse, replace(request, text=text, filters=filters), embedder, today)
    if not found.hits:
        return found
    note = f"nothing names {' or '.join(map(repr, names))}: these are the nearest in words"
    return replace(found, notes=(note, *found.notes))


def search_relaxing_times(warehouse: Warehouse, question: Question) -> Found:
    """Search; where the filters by time leave no hits, search all times, those near the filters' time first."""
    hits = warehouse.search(question)
    undated, missing = warehouse.undated_note(question.filters), warehouse.absences(question, hits)
    # A sentence that denies a period says both of its readings.
    notes = (*undated, *(missing or warehouse.reading_notes(question, hits)))
    demanded = _demanded_times(question.filters)
    if hits or not demanded:
        return Found(question, tuple(hits), notes)
    wider = replace(question, filters=question.filters.timeless, windows=(*question.windows, *demanded))
    hits = warehouse.search(wider)
    if not hits:
        return Found(question, (), notes)
    asked = " and ".join(window.text for window in demanded)
    near = " and ".join(warehouse.nearest(question.filters))
    note = f"nothing falls in the time {asked}: these are of others{f'; nearest is {near}' if near else ''}"
    return Found(wider, tuple(hits), (note, *warehouse.absences(wider, hits)))


def _demanded_times(filters: Filters) -> tuple[Window, ...]:
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


def without_other_companies(warehouse: Warehouse, request: SearchRequest) -> SearchRequest:
    """A question that names companies, limited to their documents and to those of no company; others as they are.

    A comparison names all that it compares. Documents that the person demands stay as they are.
    """
    if request.filters.documents or not request.ranking.names:
        return request
    documents, owners = warehouse.catalogue.documents, warehouse.catalogue.owners
    subjects = _named_subjects(warehouse, request, lambda words: {})
    own = {document for subject in subjects for document in subject.documents}
    named = {owners[document] for document in own if document in owners}
    if not named:
        return request
    allowed = tuple(each for each in documents if each in own or owners.get(each, "") in {"", *named})
    if len(allowed) == len(documents):
        return request
    return replace(request, filters=replace(request.filters, documents=allowed))
