"""Questions for figures of a period, made from a warehouse's own tables, for any corpus of dated documents.

A figure is in a row with a label and has a period: "What was Net sales for the quarter ended December 31, 2022?" is
answered by every passage with such a cell, or with another of the same figure and period. The same label has other
periods, and a period has several wordings. If there are several companies, a question names its company.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from tasks.evaluate.dataset import Gold, JudgedQuestion
from tasks.evaluate.question_maker import QuestionMaker, make_question
from tasks.temporal.fiscal_inference import make_calendar_from_month
from warehouse.identity import digest
from warehouse.reader import Warehouse
from warehouse.records.calendars import DAY, Interval
from warehouse.search.catalogue import build_name_key, iter_short_names, split_tokens


def make_figure_questions(warehouse: Warehouse, names: Mapping[str, str]) -> Iterator[JudgedQuestion]:
    """The timed questions whose figure is in only one cell of the corpus; the gold is its row.

    No other cell has this label and period, or this value in this period. The hash selects one wording of a period.
    """
    question_by_place: dict[Place, TimedQuestion] = {}
    for question in make_timed_questions(warehouse):
        if len(question.gold) == 1:
            place = min(question.gold)
            question_by_place[place] = min(
                question, question_by_place.get(place, question), key=lambda question: digest(question.text)
            )
    by_document_id: defaultdict[str, list[TimedQuestion]] = defaultdict(list)
    for (document_id, _, _), question in question_by_place.items():
        by_document_id[document_id].append(question)
    for document_id in sorted(by_document_id.keys() & names.keys()):
        text = warehouse.read_text(document_id)
        for question in by_document_id[document_id]:
            ((_, start, end),) = question.gold
            first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
            row = (first, last if last >= 0 else len(text))
            gold = Gold(names[document_id], text=text[slice(*row)], near=first, span=row)
            yield make_question("figures", question.text, text[start:end], gold)


member = QuestionMaker("a figure's row is found by its label, company and period", make_figure_questions)


_CELLS = """
    SELECT d.company, c.row_header, c.period_start, c.period_end, d.fiscal_year_start, c.value * coalesce(c.scale, 1),
        c.text, c.document_id, c.start, c."end"
    FROM cells c JOIN documents d USING (document_id)
    WHERE c.value IS NOT NULL AND c.period_start IS NOT NULL AND c.period_end IS NOT NULL
    ORDER BY c.document_id, c.start
"""
_QUARTER_DAYS, _HALF_DAYS, _YEAR_DAYS = range(80, 101), range(170, 191), range(350, 381)
_MIN_LETTERS = 6
_MAX_LABEL_LENGTH = 80
_NOTE_MARKS = re.compile(r"(?:\s?\(\w{1,2}\))+$")  # The numbers of footnotes after a label.
_MIN_DIGITS = 3  # With fewer digits, cells of the same value may be different figures.
_ORDINALS = ("first", "second", "third", "fourth")


Place = tuple[str, int, int]  # A document by its id, and the half-open span of a figure in its text.


@dataclass(frozen=True, slots=True)
class TimedQuestion:
    """A question for the figure `label` of the half-open `period`, and the places that show it."""

    text: str
    label: str
    period: Interval
    gold: frozenset[Place]


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure of a table: its company, label, period, value, and place."""

    label: str
    period: Interval
    company: str
    month: int | None
    value: float | None
    place: Place


def make_timed_questions(warehouse: Warehouse) -> tuple[TimedQuestion, ...]:
    """Every question from the tables of a warehouse, in an order that is the same on any machine.

    Only labels with several periods have questions: others are found without their time. The first wording of a period
    names its last day.
    """
    figures = list(_iter_figures(warehouse))
    places_by_value: defaultdict[tuple[str, Interval, float | None], set[Place]] = defaultdict(set)
    for figure in figures:
        places_by_value[figure.company, figure.period, figure.value].add(figure.place)
    places_by_label: defaultdict[str, defaultdict[Interval, set[Place]]] = defaultdict(lambda: defaultdict(set))
    months: defaultdict[str, set[int | None]] = defaultdict(set)
    for figure in figures:
        equal_places = places_by_value[figure.company, figure.period, figure.value] if figure.value is not None else ()
        places_by_label[figure.label][figure.period].update([figure.place, *equal_places])
        months[figure.label].add(figure.month)
    return tuple(
        TimedQuestion(f"What was {label} {name}?", label, period, frozenset(places_by_label[label][period]))
        for label in sorted(places_by_label, key=lambda label: digest("timed", label))
        if len(places_by_label[label]) > 1
        for period in sorted(places_by_label[label])
        for name in _iter_wordings(period, next(iter(months[label])) if len(months[label]) == 1 else None)
    )


def _iter_figures(warehouse: Warehouse) -> Iterator[_Figure]:
    """The figures with a label and a period; if there are several companies, only those of a known company."""
    rows = warehouse.snapshot.query_rows(_CELLS)
    names = {company: tuple(iter_short_names(company))[-1] for company, *_ in rows if company}
    names_by_key = {build_name_key(split_tokens(name)): name for name in sorted(names.values(), reverse=True)}
    has_companies = len(names_by_key) > 1
    for company, header, start, end, month, value, text, *place in rows:
        label = _NOTE_MARKS.sub("", header.rpartition(" / ")[2]).strip(" :")
        name = names_by_key[build_name_key(split_tokens(names[company]))] if has_companies and company else ""
        if sum(map(str.isalpha, label)) < _MIN_LETTERS or len(label) > _MAX_LABEL_LENGTH or bool(name) != has_companies:
            continue
        distinct_value = value if sum(map(str.isdigit, text)) >= _MIN_DIGITS else None
        full_label = f"{name}'s {label}" if name else label
        yield _Figure(full_label, (start, end), name, month, distinct_value, tuple(place))


def _iter_wordings(period: Interval, month: int | None) -> Iterator[str]:
    """Wordings of a period; `month` is the month in which the company's fiscal years begin."""
    last, days = period[1] - DAY, (period[1] - period[0]).days
    if days == 1:
        yield from (f"as of {format_day(last)}", f"at {last.day} {last:%B} {last.year}", f"on {last.isoformat()}")
    elif days in _QUARTER_DAYS:
        yield from (f"for the quarter ended {format_day(last)}", f"for the three months ended {format_day(last)}")
    elif days in _HALF_DAYS:
        yield f"for the six months ended {format_day(last)}"
    elif days in _YEAR_DAYS:
        yield from (f"for the year ended {format_day(last)}", f"for the twelve months ended {format_day(last)}")
    calendar = make_calendar_from_month(month)
    if calendar is None:
        return
    middle = period[0] + (period[1] - period[0]) / 2
    year, quarter = calendar.find_year(middle), calendar.find_quarter(middle)
    if days in _QUARTER_DAYS:
        yield from (f"in the {_ORDINALS[quarter - 1]} quarter of fiscal {year}", f"in Q{quarter} FY{year}")
    elif days in _YEAR_DAYS:
        yield from (f"in fiscal {year}", f"in FY{year}")


def format_day(day: date) -> str:
    """A day as in questions: "June 30, 2025"."""
    return f"{day:%B} {day.day}, {day.year}"
