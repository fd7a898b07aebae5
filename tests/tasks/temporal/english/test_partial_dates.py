from __future__ import annotations

from datetime import date

import pytest

from tasks.temporal.tagger import tag

ANCHOR = date(2024, 3, 12)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Midterm: Wed, Oct. 16", "2024-10-16"),
        ("Midterm: Mon, Oct. 16", "2023-10-16"),
        ("Wednesday, October 16, 7-9 pm, Hall B", "2024-10-16T19:00/2024-10-16T21:00"),
        ("Fri 05/04/2024", "2024-04-05"),
        ("Sat 05/04/2024", "2024-05-04"),
        ("See you on Friday the 15th.", "2024-03-15"),
        ("Tara to send the revised plan by Friday 3/15", "2024-03-15"),
        ("Standup: Friday, 3/15", "2024-03-15"),
        ("Friday the 13th", "2023-10-13"),
        ("It was Tuesday, May 9, when we met.", "2023-05-09"),
        ("It was Sunday, February 5, when we met.", "2023-02-05"),
        # It was none in these years: the day stays the near one.
        ("It was Friday, February 5, when we met.", "2024-02-05"),
    ],
)
def test_the_weekday_tells_the_year_or_the_order_of_the_numbers(text: str, value: str) -> None:
    assert [mention.value for mention in tag(text, ANCHOR, "en")] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "Mia goes to Sunday School.",
        "The Sunday Times and the Sunday Mail.",
        "Ruby Tuesday shares.",
        "Friday Night Lights.",
    ],
)
def test_weekdays_in_names_are_no_days(text: str) -> None:
    assert tag(text, ANCHOR, "en") == ()


@pytest.mark.parametrize("text", ["the Sunday school trip", "on Sunday school was closed", "Monday night"])
def test_weekdays_before_common_words_are_days(text: str) -> None:
    assert len(tag(text, ANCHOR, "en")) == 1


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("I am away 17-21 March and back on the 24th.", ["2025-03-17", "2025-03-24"]),
        ("I am away from 28 March 2025 and back on the 4th.", ["2025-03-28", "2025-04-04"]),
        ("The fund was launched on 3 March 2014. It held 412m on 6 March.", ["2014-03-03", "2025-03-06"]),
        ("It was launched on 3 March 2014. It held 412m on 30 April.", ["2014-03-03", "2014-04-30"]),
    ],
)
def test_a_day_without_its_year_or_month_follows_the_sentence_or_is_the_day_of_the_text(
    text: str, days: list[str]
) -> None:
    assert [str(each.start_date) for each in tag(text, date(2025, 3, 6), "en")] == days


@pytest.mark.parametrize(
    "text",
    [
        "Rechnung Nr. 4/2024",
        "Invoice No. 11/2023",
        "Ley 12/2013",
        "Aktenzeichen 3 O 12/2023",
        "2 BvR 11/2019",
        "Auftrag 7/2024",
        "Ref. 11/2024",
        "Estratto conto n. 3/2025",
        "décret n° 3/2020",
    ],
)
@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "und"])
def test_a_paper_s_number_within_its_year_is_no_month(text: str, language: str) -> None:
    assert tag(text, None, language) == ()
    assert [each.value for each in tag("The report of 4/2024", None, language)] == ["2024-04"]
