"""Times: how well passages fit those that a question asks about.

A passage is of the moments that it mentions, of the period that its document reports, and of the day on which that was
published; a passage of a diary is above all of the day, week or month of its entry. A question without a time uses none
of these times. A time may mean different days for different documents: "Q2 2023" is April to June for one company and
October to December 2022 for another, which depends on the document.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from warehouse.records import Window
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal
from warehouse.store.columns.passage_columns import NO_DAY, NO_END, NO_START, DocumentTimes, to_day_number
from warehouse.store.snapshot import Snapshot

SLACK_DAYS = 10  # Days by which equal ends may differ: years of 52 or 53 weeks end near a month's last day.
MIN_DAYS_WITH_SLACK = 28  # Days of the shortest time whose ends have that slack: a month.
SAME_END_FIT = 0.6
"""The least fit of a time with the same end as the other: the day of a quarter's balance, the year to its end.

On a third of 1,090 questions to tables of seven filings .3 is worse and .8 finds more passages but fewer of the right
period (.798 of them, .827 at .6).
"""
NESTED_FIT = 0.25
"""The least fit of a time that is inside the other or contains it: a day of the quarter, the year around it.

By judgement: 0 to .4 make hardly any difference.
"""
MIN_ENDLESS_DAYS = 200 * 365  # Days from which a time counts as having an open side.


def overlap(start: np.ndarray, end: np.ndarray, asked_start: np.ndarray, asked_end: np.ndarray) -> np.ndarray:
    """How well each half-open time fits the one asked about, in [0, 1]; days since 1970, all of one shape.

    Their intersection over their union; a time inside one with an open side fits it fully.
    """
    common_days = np.minimum(end, asked_end) - np.maximum(start, asked_start)
    union_days = np.maximum(end, asked_end) - np.minimum(start, asked_start)
    is_inside = (start >= asked_start) & (end <= asked_end)
    is_around = (start <= asked_start) & (end >= asked_end)
    lengths, asked_lengths = end - start, asked_end - asked_start
    has_same_end = (np.abs(end - asked_end) <= SLACK_DAYS) & (np.maximum(lengths, asked_lengths) >= MIN_DAYS_WITH_SLACK)
    is_same = (
        has_same_end
        & (np.abs(start - asked_start) <= SLACK_DAYS)
        & (np.minimum(lengths, asked_lengths) >= MIN_DAYS_WITH_SLACK)
    )
    min_fit = np.select(
        [is_same, is_inside & (asked_lengths >= MIN_ENDLESS_DAYS), has_same_end, is_inside | is_around],
        [1, 1, SAME_END_FIT, NESTED_FIT],
    )
    return np.where(common_days > 0, np.maximum(common_days / np.maximum(union_days, 1), min_fit), 0.0)


CONTRADICTED_WEIGHT = 0.5
"""The weight of a reading that the document's own calendar contradicts, if the words do not say "fiscal".

By judgement: 0 to .75 make no difference to questions to filings.
"""


@dataclass(frozen=True, slots=True, eq=False)
class WindowReading:
    """One reading of a window for each of some documents: half-open days since 1970 and its weight, in [0, 1].

    All have the shape (documents,).
    """

    start: np.ndarray
    end: np.ndarray
    weight: np.ndarray


def list_readings(window: Window, times: DocumentTimes, documents: np.ndarray) -> list[WindowReading]:
    """The readings of a window for documents by their ordinals."""
    fiscal_reading = _find_fiscal_reading(window, times, documents)
    is_known = fiscal_reading.weight > 0
    weight = np.where(is_known, 0.0 if window.fiscal else CONTRADICTED_WEIGHT, 1.0)
    readings = []
    for start, end in ((window.start, window.end), (window.other_start, window.other_end)):
        if start or end:
            bounds = (to_day_number(start) if start else NO_START, to_day_number(end) if end else NO_END)
            first, last = (np.full(len(documents), day, np.int64) for day in bounds)
            readings.append(WindowReading(first, last, weight))
    return [*readings, fiscal_reading] if is_known.any() else readings


def _find_fiscal_reading(window: Window, times: DocumentTimes, documents: np.ndarray) -> WindowReading:
    """The days of a year, half or quarter in the fiscal years of each document; weight 0 if they are unknown.

    They follow the calendar of its company, or complete months if only the month is known in which its years begin.
    """
    year, month, count = window.period or (1970, 1, 0)
    first_months = times.first_month[documents].astype(np.int64)
    first_years = year - ((first_months > 1) & ~times.named_by_start[documents])
    start = (first_years - 1970) * 12 + first_months - 1 + month - 1
    weight = ((first_months > 0) & (count > 0)).astype(np.float64)
    starts, ends = _get_first_days(start), _get_first_days(start + count)
    calendar = times.calendar[documents]
    for number in set(calendar.tolist()) - {-1} if count else ():
        has_calendar = calendar == number
        try:
            starts[has_calendar], ends[has_calendar] = map(
                to_day_number, times.calendars[number].find_months(year, month, count)
            )
            weight[has_calendar] = 1
        except (ValueError, OverflowError):  # beyond the years of the Gregorian calendar
            weight[has_calendar] = 0
    return WindowReading(starts, ends, weight)


def _get_first_days(months: np.ndarray) -> np.ndarray:
    """The first days of months counted from January 1970."""
    return np.asarray(months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64))


MAX_TIMES_SHARE = 0.15
"""The largest share of the times in the score of a passage, if a question names any.

The share falls with the square of the mean fit of the candidates: a time that all of them fit distinguishes none, nor
does the exclusion of one that all fit. The rule was chosen among five, and .15 among .05 to .3, on 236 questions of
TimeQA and 269 of TAT-QA, both halves of which had been examined before, so that those are no test of it. On a third of
1,090 questions to tables of seven filings .12 to .2 differ by .005 in MRR. On the other two thirds: found in five .852
without times, .879 with; MRR .675 and .690; the hit that shows the figure is of the right period .686 and .789.
"""
PREFERRED_WEIGHT = 0.5
"""The weight of a time that the question only prefers; that of one that it names is 1.

By judgement: .25 to 1 make no difference to the questions to filings.
"""
MENTIONED_WEIGHT = 0.7
"""The weight of the moments of a passage against that of the period of its document, if it has one.

Chosen among .4 to .7 on a third of the questions to filings (MRR .741 at .4, .757 at .7).
"""
PUBLISHED_FIT = 0.6  # The fit of a document without a reported period that was published within the time; by judgement.
MEAN_FIT_WEIGHT = 0.5  # The weight of the mean fit to all times against the best fit to one; by judgement.
HALF_LIFE, ENTRY_HALF_LIFE = 365, 14
"""Days after which a document, or an entry of a diary, counts half as much as the newest, if the question asks for the
newest and its ranking gives no other half-life; by judgement."""


class Temporal(SearchSignal):
    """How well candidates fit the question's windows."""

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their fit; the better all of them fit, the smaller is its share."""
        windows = self.question.windows
        if not self.question.ranking.times or not windows or not len(pool):
            return None
        fits_by_window = np.stack([self._score_window(window, pool) for window in windows])
        fits = MEAN_FIT_WEIGHT * fits_by_window.mean(axis=0) + (1 - MEAN_FIT_WEIGHT) * fits_by_window.max(axis=0)
        values = 1 - fits if all(window.excluded for window in windows) else fits
        return ScorePart("time", MAX_TIMES_SHARE * float(1 - values.mean()) ** 2 if len(fits) else 0.0, fits)

    def _score_window(self, window: Window, pool: CandidatePool) -> np.ndarray:
        """How well each candidate fits one window."""
        times, documents = self.snapshot.document_times, self.snapshot.passages.document[pool.rows]
        readings = list_readings(window, times, documents)
        moments, is_dated = self._score_moments(readings, pool.rows)
        period, reports = _score_periods(self.snapshot, readings, pool.rows)
        is_entry = self.snapshot.passages.is_entry[pool.rows]
        document_fits = np.where(
            reports,
            MENTIONED_WEIGHT * moments + (1 - MENTIONED_WEIGHT) * period,
            np.maximum(moments, PUBLISHED_FIT * period),
        )
        fits = np.where(is_entry, np.maximum(period, MENTIONED_WEIGHT * moments), document_fits)
        if window.excluded:
            fits = np.where(is_dated | reports | is_entry, 1 - fits, 0.0)
        if window.recent:
            return np.asarray(np.maximum(PREFERRED_WEIGHT * fits, self._score_recency(pool.rows, None)))
        as_of = self.question.as_of
        if as_of and not window.required:
            fits = np.maximum(fits, self._score_recency(pool.rows, as_of))
            fits[_is_later(times, readings, documents)] = 0.0
        return np.asarray(fits if window.required else PREFERRED_WEIGHT * fits)

    def _score_moments(self, readings: list[WindowReading], rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How well the best moment that each candidate mentions fits, and whether it mentions any."""
        passages, mentions = self.snapshot.passages, self.snapshot.mentions
        positions, moments = mentions.find_inside(passages.document[rows], passages.start[rows], passages.end[rows])
        starts, ends = mentions.start_date[moments], mentions.end_date[moments]
        best_fits, is_dated = np.zeros(len(rows)), np.zeros(len(rows), np.bool_)
        is_dated[positions] = True
        for reading in readings:
            fit = overlap(starts, ends, reading.start[positions], reading.end[positions])
            np.maximum.at(best_fits, positions, reading.weight[positions] * fit)
        return best_fits, is_dated

    def _score_recency(self, rows: np.ndarray, until: date | None) -> np.ndarray:
        """How new each passage is among those dated up to a day: 1 for the newest, half as much each half-life earlier.

        Without `until` the value of the oldest is subtracted from all, so that passages differ more; 0 for passages
        without a date and for those of a later day.
        """
        passages = self.snapshot.passages
        days, is_entry = passages.newest_day[rows], passages.is_entry[rows]
        is_eligible = days != NO_DAY
        if until is not None:
            is_eligible &= days <= to_day_number(until)
        if not is_eligible.any():
            return np.zeros(len(rows))
        half_life = self.question.ranking.half_life or np.where(is_entry, ENTRY_HALF_LIFE, HALF_LIFE)
        newest = days[is_eligible].max()
        recency = 0.5 ** ((newest - np.where(is_eligible, days, newest)) / half_life)
        return np.where(is_eligible, recency - (recency.min() if until is None else 0.0), 0.0)


def _score_periods(snapshot: Snapshot, readings: list[WindowReading], rows: np.ndarray) -> tuple[np.ndarray, ...]:
    """How well the entry or the document's period of each passage fits, and whether its document reports one.

    For a passage without either, the day on which its document was published counts.
    """
    times, passages = snapshot.document_times, snapshot.passages
    documents = passages.document[rows]
    reports = (times.reported_start[documents] != NO_DAY) & ~passages.is_entry[rows]
    start = np.where(reports, times.reported_start[documents], passages.day[rows]).astype(np.int64)
    end = np.where(reports, times.reported_end[documents], passages.day_end[rows]).astype(np.int64)
    best_fits = np.zeros(len(rows))
    for reading in readings:
        is_inside = (start >= reading.start) & (end <= reading.end)
        overlap_share = overlap(start, end, reading.start, reading.end)
        fit = np.where(reports, overlap_share, np.where(is_inside, 1.0, passages.is_entry[rows] * overlap_share))
        best_fits = np.maximum(best_fits, reading.weight * fit)
    return np.where(start == NO_DAY, 0.0, best_fits), reports


def _is_later(times: DocumentTimes, readings: list[WindowReading], documents: np.ndarray) -> np.ndarray:
    """Whether each document reports a period that continues after the time, in every reading."""
    end = times.reported_end[documents]
    is_later = [(end > reading.end + SLACK_DAYS) | (reading.weight < 1) for reading in readings]
    return np.asarray(np.all(is_later, axis=0) & (end != NO_DAY))
