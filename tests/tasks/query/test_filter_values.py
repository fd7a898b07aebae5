from __future__ import annotations

from datetime import date

import pytest

from tasks.query.filter_values import parse_last_day, parse_period
from warehouse.errors import BadInput

TODAY = date(2024, 5, 15)


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("2023-06-30", date(2023, 6, 30), date(2023, 7, 1)),
        ("Q2 2023", date(2023, 4, 1), date(2023, 7, 1)),
        ("last year", date(2023, 1, 1), date(2024, 1, 1)),
        ("before 2020", None, date(2020, 1, 1)),
        ("2023年", date(2023, 1, 1), date(2024, 1, 1)),
    ],
)
def test_words_are_days(words: str, start: date | None, end: date) -> None:
    assert parse_period(words, TODAY) == (start, end)


def test_the_last_day_of_a_time() -> None:
    assert parse_last_day("March 2023", TODAY) == date(2023, 3, 31)
    with pytest.raises(BadInput, match="'since 2020' has no end"):
        parse_last_day("since 2020", TODAY)


@pytest.mark.parametrize(("words", "said"), [("soonish", "no time"), ("2020 and 2023", "several times")])
def test_other_words_are_refused_with_the_cure(words: str, said: str) -> None:
    with pytest.raises(BadInput, match=f"names {said}: write a day as YYYY-MM-DD"):
        parse_period(words, TODAY)


@pytest.mark.parametrize(("words", "time"), [("Q9 2022", "2022"), ("32 May 2023", "May 2023")])
def test_a_number_beside_a_time_is_not_passed_over(words: str, time: str) -> None:
    with pytest.raises(BadInput, match=f"of '{words}' only '{time}' is a time: write a day"):
        parse_period(words, TODAY)
