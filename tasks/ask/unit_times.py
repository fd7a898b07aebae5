"""Times of the units of a passage: how well the time of each sentence or list line fits the times of a question.

A line of a chronology is about the dates in it. A state lasts from its date to the next later one below it ("1990:
chairman", "1994: retired"). A unit without a date gets a part of the score of the text above it, headings included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np

from tasks.parsers.language import detect_language
from tasks.temporal.tagger import tag
from warehouse.records import Hit, Question

Days = tuple[int, int]  # Half-open, by proleptic Gregorian ordinals.

MIN_PARTIAL_SCORE = 0.5  # The minimum score of a time that overlaps the asked one and exceeds it.
LASTING_SCORE = 0.6  # The score of a date if the next date is after the asked time: the state lasts in between.
LAST_SCORE = 0.4  # Its score if no later date follows in the passage.
INHERITANCE_FACTOR = 0.5  # The factor of a dated unit's score for those without a date below it.


def score_unit_times(question: Question, hit: Hit, spans: Sequence[tuple[int, int]]) -> np.ndarray:
    """How well each unit fits the best of the times that the question names, in [0, 1]; 0 if it names none.

    `spans` are the units' in the passage, in order. Shape (units,), float64.
    """
    asked_days = list(_iter_asked_days(question))
    if not asked_days:
        return np.zeros(len(spans))
    best_scores: np.ndarray = np.max([_score_units(days, hit, spans) for days in asked_days], axis=0)
    return best_scores


def asks_for_time(question: Question) -> bool:
    """Whether a question names a time that its answer should have."""
    return any(True for _ in _iter_asked_days(question))


def _iter_asked_days(question: Question) -> Iterator[Days]:
    for window in question.windows:
        if window.required and not window.excluded and not window.recent:
            for start, end in ((window.start, window.end), (window.other_start, window.other_end)):
                if start or end:
                    yield _to_days(start, end)


def _to_days(start: date | None, end: date | None) -> Days:
    return (start or date.min).toordinal(), (end or date.max).toordinal()


def _find_stated_days(hit: Hit, text: str) -> list[tuple[int, Days]]:
    """The times that a text of the passage states, each with its position in the text."""
    mentions = tag(text, hit.citation.date, detect_language(hit.text))
    return [
        (mention.start, _to_days(mention.start_date, mention.end_date))
        for mention in mentions
        if mention.start_date or mention.end_date
    ]


def _score_units(asked_days: Days, hit: Hit, spans: Sequence[tuple[int, int]]) -> np.ndarray:
    stated_days = _find_stated_days(hit, hit.text)
    fits = np.zeros(len(spans))
    inherited = max(
        (
            _measure_overlap(days, asked_days)
            for _, days in _find_stated_days(hit, "\n".join(hit.citation.section[-1:]))
        ),
        default=0.0,
    )
    for index, (start, end) in enumerate(spans):
        unit_days = [days for position, days in stated_days if start <= position < end]
        if unit_days:
            later_days = [days[0] for position, days in stated_days if position >= end]
            fits[index] = inherited = max(_measure_overlap(days, asked_days) for days in unit_days) or _score_lasting(
                unit_days, later_days, asked_days
            )
        else:
            fits[index] = INHERITANCE_FACTOR * inherited
    return fits


def _measure_overlap(days: Days, asked_days: Days) -> float:
    """1 for a time within the asked one, less the more it exceeds it."""
    overlap = min(days[1], asked_days[1]) - max(days[0], asked_days[0])
    if overlap <= 0:
        return 0.0
    within, covered = overlap / max(days[1] - days[0], 1), overlap / max(asked_days[1] - asked_days[0], 1)
    return 1.0 if within >= 1 else max(within * covered, MIN_PARTIAL_SCORE)


def _score_lasting(unit_days: Sequence[Days], later_days: Sequence[int], asked_days: Days) -> float:
    """The score of the last state that began before the asked time, by the dates that follow."""
    last_start = max((start for start, _ in unit_days if start <= asked_days[0]), default=None)
    if last_start is None:
        return 0.0
    next_start = min((start for start in later_days if start > last_start), default=None)
    if next_start is None:
        return LAST_SCORE
    return LASTING_SCORE if next_start > asked_days[0] else 0.0
