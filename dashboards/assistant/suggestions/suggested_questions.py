"""Suggested questions of a generation: those whose answer begins with the document that they were made from.

    suggestions = SuggestedQuestions(context)
    suggestions.get_first(3)

Kinds take turns, and the order is the same for a generation however often it is asked for. Every candidate costs an
answer without a model, so they are tried when they are asked for, at most `MAX_CANDIDATES` of a kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from threading import Lock

from dashboards.assistant.answer_types import ExtractsStatus, refuse_writes
from dashboards.assistant.answers import answer
from dashboards.assistant.suggestions.candidates import QuestionCandidate, SuggestionKind, make_candidates
from dashboards.assistant.tools.contract import ToolContext
from warehouse.errors import KalendsError
from warehouse.records import Citation, SearchRequest

MAX_QUESTIONS = 12  # Questions of a generation.


@dataclass(frozen=True, slots=True)
class SuggestedQuestion:
    """A question, its kind, and the passage that its answer quotes first."""

    text: str
    kind: SuggestionKind
    source: Citation


class SuggestedQuestions:
    """The suggested questions of one generation, found as far as they are asked for. Safe to share between threads."""

    def __init__(self, context: ToolContext) -> None:
        """The generation is the one that is published now. Raises `NoWarehouse`."""
        snapshot = context.warehouse.pin_generation()
        # Not today's date, so that the questions stay the same for the generation.
        self._context = replace(context, warehouse=snapshot, today=snapshot.list_runs()[-1].visible_from.date())
        self._found: list[SuggestedQuestion] = []
        self._remaining = _iter_answered_candidates(self._context)
        self._lock = Lock()

    def get_first(self, count: int) -> tuple[SuggestedQuestion, ...]:
        """The first questions, at most `MAX_QUESTIONS`. Raises what a search raises."""
        with self._lock:
            try:
                missing = min(count, MAX_QUESTIONS) - len(self._found)
                self._found += islice(self._remaining, max(missing, 0))
            except KalendsError:
                # A generator that failed is at its end.
                self._found, self._remaining = [], _iter_answered_candidates(self._context)
                raise
            return tuple(self._found[:count])


def _iter_answered_candidates(context: ToolContext) -> Iterator[SuggestedQuestion]:
    """The candidates that are answered: one of each kind, then a second of each."""
    kinds = [_iter_answered(context, each) for each in make_candidates(context.warehouse, context.today).values()]
    texts: set[str] = set()
    while kinds:
        for kind in list(kinds):
            question = next((each for each in kind if each.text not in texts), None)
            if question is None:
                kinds.remove(kind)
            else:
                texts.add(question.text)
                yield question


def _iter_answered(context: ToolContext, questions: Iterable[QuestionCandidate]) -> Iterator[SuggestedQuestion]:
    for each in questions:
        result = answer(
            context,
            SearchRequest(each.text),
            None,
            on_event=lambda event: None,
            ask_permission=refuse_writes,
            extracts_only=True,
        )
        source = next((source.citation for source in result.sources), None)
        if source and source.document_id in each.documents and result.extracts_status is ExtractsStatus.ANSWER:
            yield SuggestedQuestion(each.text, each.kind, source)
