"""A question that goes on from those before it, put into words that can be searched for without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from dashboards.chat.sessions import Session
from dashboards.chat.signs import is_bare, leans_surely
from tasks.parsers.language import language_of
from tasks.temporal.question import Times, times_of

BACK = 4
"""Questions that are looked back at."""


def followed(question: str, session: Session | None, today: date) -> str:
    """The question with the words of those that it leans on before it; itself where it stands alone.

    A time of an earlier one gives way to that of a later: after "Revenue in Q3?", "and in Q2?" asks for that of Q2.
    """
    before = [exchange.question for exchange in session.exchanges[-BACK:]] if session else []
    said = ""
    for each in _chain([*before, question], today):
        earlier = _times(said, today).rest if said and _times(each, today).windows else said
        said = f"{earlier} {each}".strip()
    return said


def _chain(questions: Sequence[str], today: date) -> Sequence[str]:
    """The last question and, where it leans, those before it down to one that does not."""
    start = len(questions) - 1
    while start > 0 and _leans(questions[start], today):
        start -= 1
    return questions[start:]


def _leans(question: str, today: date) -> bool:
    times = _times(question, today)
    # A question of nothing but a time is left as it is.
    bare = times.rest == question or is_bare(times.rest)
    return leans_surely(question) or bool(times.windows and bare)


def _times(question: str, today: date) -> Times:
    return times_of(question, today, language_of(question))
