"""The one way to find: every face calls this and only draws what it gives differently."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tasks.ask import focusing, passages
from tasks.ask.described import Nearness
from tasks.ask.leaning import leaning_of
from tasks.ask.plainly import leaning_left, plain_words, subjects_left
from tasks.ask.subjects import subjects_in
from tasks.ask.superseding import newest_first
from tasks.ask.understanding import understand
from tasks.ask.widening import found_or_widened
from tasks.embedders.contract import Embedder, question_vector
from tasks.rerankers.choosing import reranker
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
        found = focusing.told(_found(warehouse, focusing.focused(asked), embedder, today), asked)
    if whole:
        found = passages.told(found)
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
        _reranked(warehouse, question, embedder) if wanted.ranking.reranker else found_or_widened(warehouse, question)
    )
    return newest_first(warehouse, ranked)


def _nearness(warehouse: Warehouse, embedder: Embedder) -> Nearness:
    return lambda said: warehouse.near_titles(question_vector(embedder, said))


def _reranked(warehouse: Warehouse, question: Question, embedder: Embedder) -> Found:
    second = reranker(question.ranking.reranker, embedder)
    found = found_or_widened(warehouse, replace(question, k=max(question.k, READ)))
    hits = rerank(second, question, found.hits)[: question.k]
    return replace(found, question=replace(found.question, k=question.k), hits=tuple(hits))
