from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag

ANCHOR = date(2024, 3, 12)


def _find_years(text: str) -> list[str]:
    return [mention.value for mention in tag(text, ANCHOR, "en")]


@pytest.mark.parametrize(
    "text",
    [
        "MATH 2010 and PHYS 1999 are required.",
        "I flew UA 1904 to Denver and LH 1998 back.",
        "Your flight BA 2027 departs from gate 1984.",
        "Do Problem 1984 and Exercise 2001.",
        "The proof of Theorem 2003 (slides 2000-2010).",
        "The infant weighed 1900 g and the jar holds 2000 mg.",
        "It took 2024 ms (n = 1998), see § 1983 and GET /2019/05.",
        "The engine turns at 2000 rpm and eats 1999 kcal.",
    ],
)
def test_numbers_of_courses_flights_and_measures_are_no_years(text: str) -> None:
    assert _find_years(text) == []


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("CES 2024 and ACL 2023 were crowded.", ["2024", "2023"]),
        ("The AA 2019 report came out in 2020.", ["2019", "2020"]),
        ("In the US 1998 was a good year.", ["1998"]),
        ("The famine of 1316 and the Treaty of 1492.", ["1316", "1492"]),
        ("He died in 1400; she was crowned in 1200.", ["1400", "1200"]),
        ("They built 1200 homes, a total of 1316 so far.", []),
    ],
)
def test_years_beside_codes_and_events(text: str, years: list[str]) -> None:
    assert _find_years(text) == years
