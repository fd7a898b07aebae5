"""The one way to find: every face calls this and only draws what it gives differently."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tasks.ask import filter_relaxation, passages
from tasks.ask.described import Nearness
from tasks.ask.filter_relaxation import search_relaxing_times
from tasks.ask.literal_terms import leaning_left, plain_words, subjects_left
from tasks.ask.question_parser import understand
from tasks.ask.soft_filters import leaning_of
from tasks.ask.subjects import subjects_in
from tasks.ask.superseded_statements import newest_first
from tasks.embedders.contract import Embedder, question_vector
from tasks.rerankers.registry import reranker
from tasks.rerankers.reranking import READ, rerank
from warehouse.reader import Warehouse
from warehouse.records import Found, Question, SearchRequest


def find(warehouse: Warehouse, wanted: SearchRequest, embedder: Embedder, today: date) -> Found:
    """The best passages for a question, relative times read from `today`.

    Raises `BadInput` for a question without words, a `k` below one, an embedder that the vectors are not of, or a
    reranker that cannot be opened.
    """
    warehouse = warehouse.at()
    warehouse.check_model(embedder.model)
    whole = passages.is_passage(wanted.text)
    asked = passages.as_a_whole(wanted) if whole else wanted
    found = _found(warehouse, asked, embedder, today)
    if not found.hits and asked.filters.names:
        found = filter_relaxation.with_missing_names_note(
            _found(warehouse, filter_relaxation.without_name_filter(asked), embedder, today), asked
        )
    if whole:
        found = passages.with_note(found)
    return replace(found, notes=(*wanted.notes, *warehouse.unheard(wanted.filters), *found.notes))


def _found(warehouse: Warehouse, wanted: SearchRequest, embedder: Embedder, today: date) -> Found:
    near = _nearness(warehouse, embedder)
    plainly = plain_words(wanted)
    named = subjects_in(wanted.text, warehouse.catalogue, near) if wanted.ranking.names else ()
    subjects = subjects_left(named, plainly)
    fiscal = warehouse.fiscal_calendar(subjects, wanted.filters)
    leaning = leaning_left(leaning_of(wanted.text, warehouse.values), plainly) if wanted.ranking.names else None
    question = understand(wanted, embedder, today, subjects, fiscal, leaning)
    ranked = (
        _reranked(warehouse, question, embedder)
        if wanted.ranking.reranker
        else search_relaxing_times(warehouse, question)
    )
    return newest_first(warehouse, ranked)


def _nearness(warehouse: Warehouse, embedder: Embedder) -> Nearness:
    return lambda said: warehouse.near_titles(question_vector(embedder, said))


def _reranked(warehouse: Warehouse, question: Question, embedder: Embedder) -> Found:
    second = reranker(question.ranking.reranker, embedder)
    found = search_relaxing_times(warehouse, replace(question, k=max(question.k, READ)))
    hits = rerank(second, question, found.hits)[: question.k]
    return replace(found, question=replace(found.question, k=question.k), hits=tuple(hits))
