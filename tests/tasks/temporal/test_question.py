"""The times of a question: windows, what it demands and what it leans to, and the question without its dates."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.fiscal_inference import make_calendar_from_month
from tasks.temporal.question import list_times_without_year, parse_times
from warehouse.records import DayOrder

TODAY = date(2024, 5, 15)


def window(question: str, fiscal_year_start: int | None = None) -> tuple[str, str, bool]:
    (found,) = parse_times(question, TODAY, "en", make_calendar_from_month(fiscal_year_start)).windows
    return str(found.start), str(found.end), found.required


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("revenue in Q2 2023", "2023-04-01", "2023-07-01"),
        ("what changed before 2020?", "None", "2020-01-01"),
        ("revenue since 2019, by segment", "2019-01-01", "None"),
        ("How did sales change between Q1 2023 and Q2 2023?", "2023-01-01", "2023-07-01"),
        ("What was revenue last year?", "2023-01-01", "2024-01-01"),
        ("what did I do in the two weeks before Christmas 2023", "2023-12-11", "2023-12-25"),
        ("what happened in the 30 days after 2023-10-07", "2023-10-08", "2023-11-07"),
        ("what was two weeks before Christmas 2023", "2023-12-11", "2023-12-12"),
        ("what did I write this day last year", "2023-05-15", "2023-05-16"),
        ("the summer before last", "2022-06-01", "2022-09-01"),
        ("what do I have on Thursday", "2024-05-16", "2024-05-17"),
        ("what did I have on Thursday", "2024-05-09", "2024-05-10"),
        ("who was here three weekends ago", "2024-04-27", "2024-04-29"),
        ("what did we do on New Year's", "2024-01-01", "2024-01-02"),
        ("growth over the past three years", "2021-05-15", "2024-05-16"),
        ("How much did revenue fall 2022?", "2022-01-01", "2023-01-01"),
        ("by how much will sales fall 2024", "2024-01-01", "2025-01-01"),
        ("Did sales grow in fall 2022?", "2022-09-01", "2022-12-01"),
        ("Did sales grow fall 2022?", "2022-09-01", "2022-12-01"),
    ],
)
def test_a_time_that_is_named_is_demanded(question: str, start: str, end: str) -> None:
    assert window(question) == (start, end, True)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("latest revenue", "2023-05-15", "2024-05-16"),
        ("What is currently planned?", "2023-05-15", "2024-05-16"),
        ("recent developments", "2023-05-15", "2024-05-16"),
        ("net income over the last few years", "2021-05-15", "2024-05-16"),
        ("debt as of March 2023", "2023-03-01", "2023-04-01"),
    ],
)
def test_a_question_may_only_lean(question: str, start: str, end: str) -> None:
    assert window(question) == (start, end, False)


@pytest.mark.parametrize(
    "question", ["total current assets", "How long is the lease of 5 years?", "Windows 2000 support", ""]
)
def test_a_question_without_a_time_has_no_window(question: str) -> None:
    assert parse_times(question, TODAY, "en").windows == ()


def test_the_as_of_day_is_the_last_of_its_time() -> None:
    assert parse_times("the current ratio as of March 2023", TODAY, "en").as_of == date(2023, 3, 31)
    assert parse_times("the current ratio in March 2023", TODAY, "en").as_of is None


def test_the_calendar_of_the_company_applies_and_the_other_stays() -> None:
    assert window("revenue in Q2 2023", 10) == ("2023-01-01", "2023-04-01", True)
    (found,) = parse_times("revenue in Q2 2023", TODAY, "en", make_calendar_from_month(10)).windows
    assert (found.other_start, found.other_end) == (date(2023, 4, 1), date(2023, 7, 1))


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("What was revenue in the second half of fiscal 2023?", "What was revenue?"),
        ("How did sales change between Q1 2023 and Q2 2023?", "How did sales change?"),
        ("Sales in FY 2023 vs FY 2022, without currency effects?", "Sales, without currency effects?"),
        ("What was income in 2019 and 2018 respectively?", "What was income?"),
        ("last year's revenue", "revenue"),
        ("As of FY2022, is the margin better?", "is the margin better?"),
        ("What (in 2021) was it?", "What was it?"),
        ("What is the most recent guidance?", "What is guidance?"),
        ("Who replaced the sensor the last time?", "Who replaced the sensor?"),
        ("Who was CEO?", "Who was CEO?"),
        ("2021", "2021"),
    ],
)
def test_the_rest_is_clean_grammar(question: str, rest: str) -> None:
    assert parse_times(question, TODAY, "en").remaining_text == rest


@pytest.mark.parametrize(
    ("question", "language", "order", "rest"),
    [
        ("Wann war Tom zuletzt hier?", "de", DayOrder.NEWEST, "Wann war Tom hier?"),
        ("Wann kam Tom zum ersten Mal?", "de", DayOrder.OLDEST, "Wann kam Tom?"),
        ("Quand est venu Tom la dernière fois ?", "fr", DayOrder.NEWEST, "Quand est venu Tom?"),
        ("Quand est venu Tom pour la première fois ?", "fr", DayOrder.OLDEST, "Quand est venu Tom?"),
        ("¿Cuándo vino Tom por última vez?", "es", DayOrder.NEWEST, "¿Cuándo vino Tom?"),
        ("¿Cuándo vino Tom por primera vez?", "es", DayOrder.OLDEST, "¿Cuándo vino Tom?"),
        ("Wanneer was Tom hier voor het laatst?", "nl", DayOrder.NEWEST, "Wanneer was Tom hier?"),
    ],
)
def test_words_of_order_are_read_in_each_language(question: str, language: str, order: DayOrder, rest: str) -> None:
    times = parse_times(question, TODAY, language)
    assert (times.order, times.remaining_text) == (order, rest)


@pytest.mark.parametrize(
    ("question", "rest"), [("2023年第一季度的营业收入", "营业收入"), ("公司在去年的利润是多少？", "公司利润是多少？")]
)
def test_chinese_too(question: str, rest: str) -> None:
    found = parse_times(question, TODAY, "zh")
    assert (found.remaining_text, len(found.windows)) == (rest, 1)


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("revenue in the third quarter of fiscal 2023", "revenue in the third quarter of fiscal 2023 Q3 2023"),
        ("revenue last quarter", "revenue last quarter Q1 2024"),
        ("revenue in q1 2023", "revenue in q1 2023"),
        ("total current assets", "total current assets"),
    ],
)
def test_what_is_looked_for_has_the_names_of_its_times(question: str, query: str) -> None:
    assert parse_times(question, TODAY, "en").expand_query(question) == query


@pytest.mark.parametrize("words", ["early 2022", "at the end of 2022", "since 2022", "before 2022", "until Q2 2022"])
def test_a_part_or_a_bound_of_a_year_is_not_the_year_of_a_company(words: str) -> None:
    (found,) = parse_times(f"revenue {words}", TODAY, "en", make_calendar_from_month(12)).windows
    assert found.period is None
    assert (found.other_start is None, found.other_end is None) == (found.start is None, found.end is None)


def test_weeks_of_courses_and_trials_are_no_times_of_a_question() -> None:
    for question in ("What was the lecture of week 3 about?", "dose at week 12 of the trial"):
        assert parse_times(question, TODAY, "en").windows == ()
    assert len(parse_times("What did I do in week 3?", TODAY, "en").windows) == 1


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("What did the board approve on 15 July?", "en", {"15 July"}),
        ("What was decided in March and on 3 May 2024?", "en", {"March"}),
        ("¿Qué aprobó el consejo el 15 de julio?", "es", {"15 de julio"}),
        ("Was geschah gestern und im Jahr 2023?", "de", set()),
    ],
)
def test_times_of_any_year_in_a_question(question: str, language: str, expected: set[str]) -> None:
    assert list_times_without_year(question, language) == expected
