"""A question made into a record that the warehouse can answer."""

from __future__ import annotations

from datetime import date

from tasks.embedders.contract import Embedder, question_vector
from tasks.parsers.language import language_of
from tasks.temporal.tagger import tag
from warehouse.errors import BadInput
from warehouse.records import Filters, Question


def understand(text: str, embedder: Embedder, today: date, filters: Filters | None = None, k: int = 5) -> Question:
    """The question with its vector and the times it speaks of, relative ones read from `today`.

    Raises `BadInput` for a question without words or a `k` below one.
    """
    words = " ".join(text.split())
    if not words:
        raise BadInput("the question is empty", "say what to look for")
    if k < 1:
        raise BadInput(f"{k} hits cannot be shown", "ask for one at least")
    moments = tag(words, today, language_of(words))
    return Question(words, question_vector(embedder, words), moments, filters or Filters(), k)
