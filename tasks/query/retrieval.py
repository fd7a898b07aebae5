"""Retrieval: `find` is the only way to search; every interface calls it and shows its result.

A filter that leaves no passage is relaxed: one by time becomes a preference, one by names becomes words. A passage in
place of a question ("more like this", the counter of an argument, a pasted page) is searched for in full.

If a later document repeats a statement with another figure ("The plan costs 30 dollars a month"), the newer one comes
first and the older one names it, as rule TMP005 finds it (`Statement`). Only the hits of the same question are
compared: the two statements use the same words, so a question that finds one finds the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, date
from itertools import chain, pairwise

import numpy as np

from tasks.chunkers.parts.document_spans import Statement, find_sentences, parse_statement, select_single
from tasks.embedders.embedder import Embedder, embed_question
from tasks.parsers.language import detect_question_language
from tasks.query.question_embedder import PublishedEmbedder
from tasks.query.question_parser import find_places, fold_literal_terms, parse_question
from tasks.query.soft_filters import find_soft_filters
from tasks.query.subjects import Nearness, find_subjects
from tasks.rerankers.reranker import NONE, open_reranker, rerank
from tasks.temporal.question import list_times_without_year
from warehouse.reader import Warehouse
from warehouse.records import Filters, Hit, Part, Question, SearchRequest, SearchResult, Subject, Successor, Window
from warehouse.records.calendars import DAY, add_months
from warehouse.search.catalogue import make_company_key
from warehouse.search.filters import find_latest_known_days
from warehouse.settings.models import RerankSettings
from warehouse.store.words import parse_words, split_content_words

MAX_QUESTION_WORDS = 50
"""The content words of the longest question; of judged ones in English the longest has 35, arguments have 102."""
_MAX_YEARS_BACK = 30
CHINESE_PIECES_PER_WORD = 4  # The Chinese pieces that count as one word: its characters and their pairs.
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
    has_passage = is_passage(request.text)
    reranker = request.ranking.reranker or rerank_settings.model
    ranking = replace(request.ranking, reranker="" if reranker == NONE else reranker)
    search_request = replace(request, ranking=ranking)
    search_request = _as_passage(search_request) if has_passage else search_request
    result = _search(warehouse, search_request, embedder, today, rerank_settings)
    if not result.hits and request.filters.names:
        result = _search_names_as_words(warehouse, search_request, embedder, today, rerank_settings)
    passage_note = (PASSAGE_NOTE,) if has_passage else ()
    unknown_values = warehouse.describe_unknown_values(request.filters) if request.filters else ()
    unread_note = (UNREAD_NOTE,) if result.question.ranking.mode is not request.ranking.mode else ()
    embedder_note = (embedder.note,) if isinstance(embedder, PublishedEmbedder) else ()
    return replace(
        result, notes=(*request.notes, *embedder_note, *unknown_values, *passage_note, *unread_note, *result.notes)
    )


def is_passage(text: str) -> bool:
    """Whether a text is too long for a question and does not end as one."""
    content_words = [word for word in parse_words(text) if word.is_content]
    chinese_words = sum(word.is_chinese for word in content_words)
    length = len(content_words) - chinese_words + chinese_words / CHINESE_PIECES_PER_WORD
    return length > MAX_QUESTION_WORDS and not text.rstrip().endswith(("?", "？"))


def _as_passage(request: SearchRequest) -> SearchRequest:
    """The request for its meaning and words only, since it does not ask for the times and names in the passage.

    Of 150 arguments (ArguAna) the nDCG@10 of the counter is .553 this way, .430 with their times and names.
    """
    plain_ranking = replace(request.ranking, times=False, names=False, relevance_feedback=False, query_expansion=False)
    return replace(request, ranking=plain_ranking)


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
    has_reports = any(subject.is_large_company for subject in subjects)
    places = find_places(request.text, warehouse.snapshot.is_always_capitalized) if has_reports else ()
    question = parse_question(request, embedder, today, subjects, fiscal, soft_filters, places)
    question = _place_in_known_years(warehouse, question)
    reranker = request.ranking.reranker
    if not reranker:
        return mark_superseded(warehouse, search_relaxing_times(warehouse, question))
    model = open_reranker(reranker, embedder, rerank_settings.device)
    pool = search_relaxing_times(warehouse, replace(question, k=max(question.k, rerank_settings.passages)))
    hits = rerank(model, question, pool.hits, rerank_settings.share)[: question.k]
    return mark_superseded(warehouse, replace(pool, question=replace(pool.question, k=question.k), hits=tuple(hits)))


def _place_in_known_years(warehouse: Warehouse, question: Question) -> Question:
    """The question with times that name no year in the last one of which a document speaks: "on 15 July"."""
    if not question.ranking.times or not any(window.required for window in question.windows):
        return question
    texts = list_times_without_year(question.text, detect_question_language(question.text))
    windows = [
        _move_to_known_year(warehouse, window) if window.required and window.text in texts else window
        for window in question.windows
    ]
    return replace(question, windows=tuple(windows))


def _move_to_known_year(warehouse: Warehouse, window: Window) -> Window:
    """The same days at most `_MAX_YEARS_BACK` years before; the window itself where no document speaks of any."""
    if window.start is None or window.end is None:
        return window
    candidates = [
        (add_months(window.start, -12 * years), add_months(window.end, -12 * years))
        for years in range(min(_MAX_YEARS_BACK, window.start.year - 1) + 1)
    ]
    days = find_latest_known_days(warehouse.snapshot, candidates)
    return replace(window, start=days[0], end=days[1], name="") if days and days != candidates[0] else window


def _find_named_subjects(warehouse: Warehouse, request: SearchRequest, near: Nearness) -> tuple[Subject, ...]:
    """The subjects of the catalogue that a request names, without its literal terms."""
    literal_terms = fold_literal_terms(request)
    subjects = find_subjects(request.text, warehouse.catalogue, near)
    return tuple(subject for subject in subjects if subject.text.lower() not in literal_terms)


def _search_names_as_words(
    warehouse: Warehouse, request: SearchRequest, embedder: Embedder, today: date, rerank_settings: RerankSettings
) -> SearchResult:
    """Search without the filter by names, their words added to the question; a note says so."""
    names = request.filters.names
    missing_names = [name for name in names if name.lower() not in request.text.lower()]
    text, filters = " ".join([request.text, *missing_names]), replace(request.filters, names=())
    result = _search(warehouse, replace(request, text=text, filters=filters), embedder, today, rerank_settings)
    if not result.hits:
        return result
    note = f"nothing names {' or '.join(map(repr, names))}: these are the nearest in words"
    return replace(result, notes=(note, *result.notes))


def search_relaxing_times(warehouse: Warehouse, question: Question) -> SearchResult:
    """Search; if the filters by time leave no hits, search all times and prefer those near the filters' time."""
    hits = warehouse.search(question)
    undated_notes = warehouse.describe_undated_exclusion(question.filters) if question.filters else ()
    missing_notes = warehouse.describe_missing_periods(question, hits)
    # A note about a missing period already names both of its readings.
    notes = (*undated_notes, *(missing_notes or warehouse.describe_period_readings(question, hits)))
    required = _list_required_times(question.filters)
    if hits or not required:
        return SearchResult(question, tuple(hits), notes)
    wider_question = replace(question, filters=question.filters.timeless, windows=(*question.windows, *required))
    hits = warehouse.search(wider_question)
    if not hits:
        return SearchResult(question, (), notes)
    required_text = " and ".join(window.text for window in required)
    nearest_dates = " and ".join(warehouse.describe_nearest_dates(question.filters))
    nearest = f"; nearest is {nearest_dates}" if nearest_dates else ""
    note = f"nothing falls in the time {required_text}: these are of others{nearest}"
    return SearchResult(wider_question, tuple(hits), (note, *warehouse.describe_missing_periods(wider_question, hits)))


def _list_required_times(filters: Filters) -> tuple[Window, ...]:
    """The times that filters demand, as windows whose text is their days."""
    bounds = [filters.during or (None, None), (filters.since, filters.until)]
    if filters.years:
        first, last = filters.years
        # The last possible year has no day after it.
        bounds.append((date(first, 1, 1), date(last + 1, 1, 1) if last < MAXYEAR else None))
    if filters.as_of:
        bounds.append((None, filters.as_of + DAY))
    windows = []
    for start, end in bounds:
        bounds_text = (f"from {start.isoformat()}" if start else "", f"up to {(end - DAY).isoformat()}" if end else "")
        if any(bounds_text):
            windows.append(Window(start, end, text=" ".join(filter(None, bounds_text))))
    return tuple(windows)


def without_other_companies(warehouse: Warehouse, request: SearchRequest) -> SearchRequest:
    """A request that names companies, limited to their documents and to those of no company; others unchanged.

    A comparison names all companies that it compares. A request with a filter by documents is unchanged.
    """
    if request.filters.documents or not request.ranking.names:
        return request
    documents, owners = warehouse.catalogue.documents, warehouse.catalogue.owners
    subjects = _find_named_subjects(warehouse, request, lambda words: {})
    subject_documents = {document for subject in subjects for document in subject.documents}
    companies = {owners[document] for document in subject_documents if document in owners}
    if not companies:
        return request
    allowed = tuple(
        document
        for document in documents
        if document in subject_documents or owners.get(document, "") in {"", *companies}
    )
    if len(allowed) == len(documents):
        return request
    return replace(request, filters=replace(request.filters, documents=allowed))


_PARAGRAPH_START = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*•|]|\d{1,3}[.)])[ \t])")
"""Breaks between paragraphs, and between the lines of lists and tables."""


@dataclass(frozen=True, slots=True)
class _DatedStatement:
    """A statement of a hit, with the index of the hit, its document and the document's day.

    `end` is the end of its sentence in the text of the document, white space included.
    """

    hit_index: int
    day: date
    document_id: str
    statement: Statement
    end: int


def mark_superseded(warehouse: Warehouse, result: SearchResult) -> SearchResult:
    """The hits, each outdated one with its successor and, unless a time was asked for, after it.

    A successor that moves up gets the score of the hit that it replaces, so that scores still descend.
    """
    hits = list(result.hits)
    successors = _find_successors(warehouse, result.question, hits)
    if not successors:
        return result
    for index, (_, successor) in successors.items():
        hits[index] = replace(hits[index], superseded_by=successor)
    if all(window.recent for window in result.question.windows):
        hits = _reorder(hits, {index: newer_index for index, (newer_index, _) in successors.items()})
    return replace(result, hits=tuple(hits))


def _reorder(hits: Sequence[Hit], newer_indexes: dict[int, int]) -> list[Hit]:
    order: list[Hit] = []
    placed_indexes: set[int] = set()
    for index, hit in enumerate(hits):
        successor = newer_indexes.get(index)
        if successor is not None and successor > index and successor not in placed_indexes:
            newest = hits[successor]
            parts = (*newest.parts, Part("newer", hit.score - newest.score))
            citation = replace(newest.citation, relevance=hit.score)
            order.append(replace(newest, score=hit.score, parts=parts, citation=citation))
            placed_indexes.add(successor)
        if index not in placed_indexes:
            order.append(hit)
    return order


def _find_successors(warehouse: Warehouse, question: Question, hits: Sequence[Hit]) -> dict[int, tuple[int, Successor]]:
    """The indexes of outdated hits, each with the index and the words of its newest successor.

    If several statements of a hit are replaced, the one that shares the most words with the question is used.
    """
    by_subject: defaultdict[str, list[_DatedStatement]] = defaultdict(list)
    for dated in _iter_dated_statements(warehouse, hits):
        by_subject[dated.statement.subject].append(dated)
    groups = [
        [dated for dated in statements if _is_timeless(warehouse, dated.document_id, dated.statement.start, dated.end)]
        for statements in by_subject.values()
        if len({dated.day for dated in statements}) > 1
    ]
    question_words = set(split_content_words(question.query))
    successors: dict[int, tuple[int, Successor]] = {}
    for statements in sorted(
        filter(None, groups), key=lambda statements: -_count_shared_words(question_words, hits, statements[0])
    ):
        newest = max(statements, key=lambda dated: dated.day)
        for dated in statements:
            if dated.hit_index not in successors and _is_successor(warehouse, newest, dated):
                hit, figures = (hits[newest.hit_index], (dated.statement.figures, newest.statement.figures))
                successor = Successor(hit.chunk_id, hit.citation.source, newest.day, *figures)
                successors[dated.hit_index] = newest.hit_index, successor
    return successors


def _count_shared_words(question_words: set[str], hits: Sequence[Hit], dated: _DatedStatement) -> int:
    hit, statement = hits[dated.hit_index], dated.statement
    return len(
        question_words.intersection(
            split_content_words(hit.text[statement.start - hit.start : statement.end - hit.start])
        )
    )


def _is_successor(warehouse: Warehouse, newer: _DatedStatement, older: _DatedStatement) -> bool:
    """Whether a statement replaces another, and neither is of a form that its document fills in repeatedly."""
    if newer.day <= older.day or newer.statement.figures == older.statement.figures:
        return False
    documents = warehouse.catalogue.documents
    companies = {make_company_key(documents[dated.document_id].company) for dated in (newer, older)} - {""}
    if len(companies) > 1:
        return False
    for dated in (newer, older):
        statements = _iter_statements(0, warehouse.read_text(dated.document_id))
        timeless = [
            statement
            for statement, end in statements
            if _is_timeless(warehouse, dated.document_id, statement.start, end)
        ]
        if all(statement.subject != dated.statement.subject for statement in select_single(timeless)):
            return False
    return True


def _iter_dated_statements(warehouse: Warehouse, hits: Sequence[Hit]) -> Iterator[_DatedStatement]:
    """The statements of the hits whose documents are dated; none if all are of the same day."""
    days = warehouse.snapshot.read_document_dates({hit.document_id for hit in hits})
    if len({day for day in days.values() if day}) < 2:
        return
    for index, hit in enumerate(hits):
        if day := days[hit.document_id]:
            for statement, end in _iter_statements(hit.start, hit.text):
                yield _DatedStatement(index, day, hit.document_id, statement, end)


def _iter_statements(offset: int, text: str) -> Iterator[tuple[Statement, int]]:
    """The statements of a text that begins at `offset` of a document, each with the end of its sentence."""
    breaks = [0, *(match.start() for match in _PARAGRAPH_START.finditer(text)), len(text)]
    edges = (pairwise([first, *find_sentences(text, first, last), last]) for first, last in pairwise(breaks))
    for start, end in chain.from_iterable(edges):
        statement = parse_statement(text[start:end], offset + start)
        if statement is not None:
            yield statement, offset + end


def _is_timeless(warehouse: Warehouse, document: str, start: int, end: int) -> bool:
    """Whether no time is named in a span of a document."""
    ordinal = np.array([warehouse.snapshot.passages.ordinal_of[document]])
    first, last = warehouse.snapshot.mentions.find_runs(ordinal, np.array([start]), np.array([end]))
    return bool(last[0] <= first[0])
