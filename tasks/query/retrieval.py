"""Retrieval: `find` is the only way to search; every interface calls it and only draws what it gives differently.

A filter that leaves nothing is relaxed: one by time becomes a preference, one by names becomes words. A passage in
place of a question ("more like this", the counter of an argument, a pasted page) is looked for as a whole.

Of statements that a later document makes anew the newer comes first, and the older says what replaced it: "The plan
costs 30 dollars a month" is replaced by the same sentence with another figure in a later document, as rule TMP005 finds
it (`tasks.quality.statements`). It is looked for among the hits of one question alone: the two use the same words, so
what finds one finds the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, date
from itertools import chain, pairwise

import numpy as np

from tasks.chunkers.parts.sentences import find_sentences
from tasks.embedders.embedder import Embedder, embed_question
from tasks.quality.statements import Statement, parse_statement, select_single
from tasks.query.question_embedder import PublishedEmbedder
from tasks.query.question_parser import find_places, fold_literal_terms, parse_question
from tasks.query.soft_filters import find_soft_filters
from tasks.query.subjects import Nearness, find_subjects
from tasks.rerankers.reranker import NONE, open_reranker, rerank
from warehouse.reader import Warehouse
from warehouse.records import Filters, Hit, Part, Question, SearchRequest, SearchResult, Subject, Successor, Window
from warehouse.records.fiscal import DAY
from warehouse.search.catalogue import make_company_key
from warehouse.settings.models import RerankSettings
from warehouse.store.words import parse_words, split_content_words

MAX_QUESTION_WORDS = 50
"""The telling words of the longest question; of judged ones in English the longest has 35, arguments have 102."""
CHINESE_PIECES = 4  # The Chinese pieces that count as one word: its characters and their pairs.
PASSAGE_NOTE = "read as a passage, not as a question: its times and names in passing do not count"
UNREAD_NOTE = "the embedding model does not read this script: searched by words instead"


NO_RERANKER = RerankSettings()


def find(
    warehouse: Warehouse,
    request: SearchRequest,
    embedder: Embedder,
    today: date,
    rerank_settings: RerankSettings = NO_RERANKER,
) -> SearchResult:
    """The best passages for a question, relative times read from `today`, reranked as the settings or the request say.

    Raises `BadInput` for a question without words, a `k` below one, an embedder that the vectors are not of, or a
    reranker that cannot be opened.
    """
    warehouse = warehouse.pin_generation()
    warehouse.check_model(embedder.model)
    warehouse.read_ahead()
    passage = is_passage(request.text)
    chosen = request.ranking.reranker or rerank_settings.model
    ranking = replace(request.ranking, reranker="" if chosen == NONE else chosen)
    search_request = replace(request, ranking=ranking)
    search_request = _as_passage(search_request) if passage else search_request
    found = _search(warehouse, search_request, embedder, today, rerank_settings)
    if not found.hits and request.filters.names:
        found = _search_names_as_words(warehouse, search_request, embedder, today, rerank_settings)
    passage_note = (PASSAGE_NOTE,) if passage else ()
    unknown_values = warehouse.describe_unknown_values(request.filters)
    unread = (UNREAD_NOTE,) if found.question.ranking.mode is not request.ranking.mode else ()
    embedder_note = (embedder.note,) if isinstance(embedder, PublishedEmbedder) else ()
    return replace(found, notes=(*request.notes, *embedder_note, *unknown_values, *passage_note, *unread, *found.notes))


def is_passage(text: str) -> bool:
    """Whether a text says too much, and asks nothing, to be a question."""
    telling = [word for word in parse_words(text) if word.telling]
    chinese = sum(word.chinese for word in telling)
    length = len(telling) - chinese + chinese / CHINESE_PIECES
    return length > MAX_QUESTION_WORDS and not text.rstrip().endswith(("?", "？"))


def _as_passage(request: SearchRequest) -> SearchRequest:
    """The same, looked for by its meaning and its words alone: what it names in passing is not what it asks for.

    Of 150 arguments (ArguAna) the nDCG@10 of the counter is .553 so, .430 with their times and names.
    """
    ranking = replace(request.ranking, times=False, names=False, relevance_feedback=False, query_expansion=False)
    return replace(request, ranking=ranking)


def _search(
    warehouse: Warehouse, request: SearchRequest, embedder: Embedder, today: date, rerank_settings: RerankSettings
) -> SearchResult:
    subjects: tuple[Subject, ...] = ()
    soft_filters = None
    if request.ranking.names:
        subjects = _find_named_subjects(
            warehouse, request, lambda words: warehouse.score_titles(embed_question(embedder, words))
        )
        soft_filters = find_soft_filters(request.text, warehouse.list_values, fold_literal_terms(request))
    fiscal = warehouse.find_fiscal_calendar(subjects, request.filters)
    reported = any(subject.reporting for subject in subjects)
    places = find_places(request.text, warehouse.snapshot.writes_as_name) if reported else ()
    question = parse_question(request, embedder, today, subjects, fiscal, soft_filters, places)
    reranker = request.ranking.reranker
    if not reranker:
        return mark_superseded(warehouse, search_relaxing_times(warehouse, question))
    second = open_reranker(reranker, embedder, rerank_settings.device)
    found = search_relaxing_times(warehouse, replace(question, k=max(question.k, rerank_settings.passages)))
    hits = rerank(second, question, found.hits, rerank_settings.share)[: question.k]
    return mark_superseded(warehouse, replace(found, question=replace(found.question, k=question.k), hits=tuple(hits)))


def _find_named_subjects(warehouse: Warehouse, request: SearchRequest, near: Nearness) -> tuple[Subject, ...]:
    """What a request names of the catalogue, but for its literal terms."""
    literal_terms = fold_literal_terms(request)
    subjects = find_subjects(request.text, warehouse.catalogue, near)
    return tuple(subject for subject in subjects if subject.text.lower() not in literal_terms)


def _search_names_as_words(
    warehouse: Warehouse, request: SearchRequest, embedder: Embedder, today: date, rerank_settings: RerankSettings
) -> SearchResult:
    """Search without the filter by names, their words added to the question; a note says so."""
    names = request.filters.names
    missing = [name for name in names if name.lower() not in request.text.lower()]
    text, filters = " ".join([request.text, *missing]), replace(request.filters, names=())
    found = _search(warehouse, replace(request, text=text, filters=filters), embedder, today, rerank_settings)
    if not found.hits:
        return found
    note = f"nothing names {' or '.join(map(repr, names))}: these are the nearest in words"
    return replace(found, notes=(note, *found.notes))


def search_relaxing_times(warehouse: Warehouse, question: Question) -> SearchResult:
    """Search; where the filters by time leave no hits, search all times, those near the filters' time first."""
    hits = warehouse.search(question)
    undated, missing = (
        warehouse.describe_undated_exclusion(question.filters),
        warehouse.describe_missing_periods(question, hits),
    )
    # A sentence that denies a period says both of its readings.
    notes = (*undated, *(missing or warehouse.describe_period_readings(question, hits)))
    required = _list_required_times(question.filters)
    if hits or not required:
        return SearchResult(question, tuple(hits), notes)
    wider = replace(question, filters=question.filters.timeless, windows=(*question.windows, *required))
    hits = warehouse.search(wider)
    if not hits:
        return SearchResult(question, (), notes)
    required_text = " and ".join(window.text for window in required)
    near = " and ".join(warehouse.describe_nearest_dates(question.filters))
    note = f"nothing falls in the time {required_text}: these are of others{f'; nearest is {near}' if near else ''}"
    return SearchResult(wider, tuple(hits), (note, *warehouse.describe_missing_periods(wider, hits)))


def _list_required_times(filters: Filters) -> tuple[Window, ...]:
    """The times that filters demand, as windows with their days for their words."""
    required = [filters.during or (None, None), (filters.since, filters.until)]
    if filters.years:
        first, last = filters.years
        # The last year there is has no day after it.
        required.append((date(first, 1, 1), date(last + 1, 1, 1) if last < MAXYEAR else None))
    if filters.as_of:
        required.append((None, filters.as_of + DAY))
    windows = []
    for start, end in required:
        sides = (f"from {start.isoformat()}" if start else "", f"up to {(end - DAY).isoformat()}" if end else "")
        if any(sides):
            windows.append(Window(start, end, text=" ".join(filter(None, sides))))
    return tuple(windows)


def without_other_companies(warehouse: Warehouse, request: SearchRequest) -> SearchRequest:
    """A question that names companies, limited to their documents and to those of no company; others as they are.

    A comparison names all that it compares. Documents that the person demands stay as they are.
    """
    if request.filters.documents or not request.ranking.names:
        return request
    documents, owners = warehouse.catalogue.documents, warehouse.catalogue.owners
    subjects = _find_named_subjects(warehouse, request, lambda words: {})
    subject_documents = {document for subject in subjects for document in subject.documents}
    named = {owners[document] for document in subject_documents if document in owners}
    if not named:
        return request
    allowed = tuple(each for each in documents if each in subject_documents or owners.get(each, "") in {"", *named})
    if len(allowed) == len(documents):
        return request
    return replace(request, filters=replace(request.filters, documents=allowed))


_PARAGRAPHS = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*•|]|\d{1,3}[.)])[ \t])")
"""What stands between paragraphs, and between the lines of lists and tables."""


@dataclass(frozen=True, slots=True)
class _DatedStatement:
    """A statement of a hit: the place of the hit among the others, and its document with its day.

    `end` is that of its sentence in the text of the document, white space included.
    """

    place: int
    day: date
    document_id: str
    statement: Statement
    end: int


def mark_superseded(warehouse: Warehouse, found: SearchResult) -> SearchResult:
    """The hits, each outdated one with its successor and, unless a time was asked for, behind it.

    A successor that moves up gets the score of what it replaces, so that scores fall as before.
    """
    hits = list(found.hits)
    replaced = _find_replaced(warehouse, found.question, hits)
    if not replaced:
        return found
    for place, (_, successor) in replaced.items():
        hits[place] = replace(hits[place], superseded_by=successor)
    if all(window.recent for window in found.question.windows):
        hits = _reorder(hits, {place: newer for place, (newer, _) in replaced.items()})
    return replace(found, hits=tuple(hits))


def _reorder(hits: Sequence[Hit], newer: dict[int, int]) -> list[Hit]:
    order: list[Hit] = []
    placed: set[int] = set()
    for place, hit in enumerate(hits):
        successor = newer.get(place)
        if successor is not None and successor > place and successor not in placed:
            newest = hits[successor]
            parts = (*newest.parts, Part("newer", hit.score - newest.score))
            citation = replace(newest.citation, relevance=hit.score)
            order.append(replace(newest, score=hit.score, parts=parts, citation=citation))
            placed.add(successor)
        if place not in placed:
            order.append(hit)
    return order


def _find_replaced(warehouse: Warehouse, question: Question, hits: Sequence[Hit]) -> dict[int, tuple[int, Successor]]:
    """The places of outdated hits, each with the place and the words of its newest successor.

    Of several statements that are replaced, the one with most of the question's words counts.
    """
    by_subject: defaultdict[str, list[_DatedStatement]] = defaultdict(list)
    for stated in _iter_dated_statements(warehouse, hits):
        by_subject[stated.statement.subject].append(stated)
    of_days = [
        [each for each in statements if _is_timeless(warehouse, each.document_id, each.statement.start, each.end)]
        for statements in by_subject.values()
        if len({stated.day for stated in statements}) > 1
    ]
    question_words = set(split_content_words(question.query))
    found: dict[int, tuple[int, Successor]] = {}
    for statements in sorted(
        filter(None, of_days), key=lambda statements: -_count_shared_words(question_words, hits, statements[0])
    ):
        newest = max(statements, key=lambda stated: stated.day)
        for stated in statements:
            if stated.place not in found and _does_replace(warehouse, newest, stated):
                newer, figures = hits[newest.place], (stated.statement.figures, newest.statement.figures)
                successor = Successor(newer.chunk_id, newer.citation.source, newest.day, *figures)
                found[stated.place] = newest.place, successor
    return found


def _count_shared_words(question_words: set[str], hits: Sequence[Hit], stated: _DatedStatement) -> int:
    hit, made = hits[stated.place], stated.statement
    return len(
        question_words.intersection(split_content_words(hit.text[made.start - hit.start : made.end - hit.start]))
    )


def _does_replace(warehouse: Warehouse, newer: _DatedStatement, older: _DatedStatement) -> bool:
    """Whether a statement takes the place of another, and neither is a form that its document fills in repeatedly."""
    if newer.day <= older.day or newer.statement.figures == older.statement.figures:
        return False
    documents = warehouse.catalogue.documents
    companies = {make_company_key(documents[each.document_id].company) for each in (newer, older)} - {""}
    if len(companies) > 1:
        return False
    for each in (newer, older):
        stated = _iter_statements(0, warehouse.read_text(each.document_id))
        timeless = [made for made, end in stated if _is_timeless(warehouse, each.document_id, made.start, end)]
        if all(made.subject != each.statement.subject for made in select_single(timeless)):
            return False
    return True


def _iter_dated_statements(warehouse: Warehouse, hits: Sequence[Hit]) -> Iterator[_DatedStatement]:
    """What the hits of documents with a date of their own state, where they are of more than one day."""
    days = warehouse.snapshot.read_document_dates({hit.document_id for hit in hits})
    if len({day for day in days.values() if day}) < 2:
        return
    for place, hit in enumerate(hits):
        if day := days[hit.document_id]:
            for made, end in _iter_statements(hit.start, hit.text):
                yield _DatedStatement(place, day, hit.document_id, made, end)


def _iter_statements(offset: int, text: str) -> Iterator[tuple[Statement, int]]:
    """The statements of a text that begins at `offset` of a document, each with the end of its sentence."""
    breaks = [0, *(match.start() for match in _PARAGRAPHS.finditer(text)), len(text)]
    edges = (pairwise([first, *find_sentences(text, first, last), last]) for first, last in pairwise(breaks))
    for start, end in chain.from_iterable(edges):
        made = parse_statement(text[start:end], offset + start)
        if made is not None:
            yield made, offset + end


def _is_timeless(warehouse: Warehouse, document: str, start: int, end: int) -> bool:
    """Whether no time is named in a span of a document."""
    ordinal = np.array([warehouse.snapshot.passages.ordinal_of[document]])
    first, last = warehouse.snapshot.mentions.find_runs(ordinal, np.array([start]), np.array([end]))
    return bool(last[0] <= first[0])
