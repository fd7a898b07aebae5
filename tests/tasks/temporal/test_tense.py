"""The tense of the clause tells which Friday, and which March, is meant."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from tasks.temporal.document import find_mentions, with_times
from tasks.temporal.tagger import tag
from tasks.temporal.tense import ExpressionSpan, Tense

ANCHOR = date(2013, 3, 22)


def tense_of(text: str) -> Tense:
    start = text.index("Monday")
    return ExpressionSpan(text, start, start + len("Monday")).tense


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("The bank said Monday that it will cut rates.", Tense.PAST),
        ("On Monday, shareholders will vote.", Tense.FUTURE),
        ("The deal will be finalized on Monday.", Tense.FUTURE),
        ("The trial is scheduled for Monday.", Tense.FUTURE),
        ("The Board has declared a dividend, payable on Monday.", Tense.FUTURE),
        ("The dividend was payable on Monday.", Tense.PAST),
        ("The hearing was postponed from March to Monday.", Tense.FUTURE),
        ("The visit has been moved to Monday.", Tense.FUTURE),
        ("The visit has been moved from Monday to May.", Tense.UNKNOWN),
        ("They expect a decision by Monday.", Tense.FUTURE),
        ("They were to meet Monday.", Tense.FUTURE),
        ("It could have ended Monday.", Tense.PAST),
        ("It will come. In May it closed on Monday.", Tense.PAST),
        ("Monday, 10 am", Tense.UNKNOWN),
    ],
)
def test_the_nearest_verb_decides(text: str, tense: Tense) -> None:
    assert tense_of(text) is tense


def test_weekdays_follow_it() -> None:
    past, future = (tag(text, ANCHOR, "en")[0] for text in ("They met on Monday.", "They will meet on Monday."))
    assert (past.start_date, future.start_date) == (date(2013, 3, 18), date(2013, 3, 25))


def test_a_month_nearly_a_year_off_is_the_near_one() -> None:
    (mention,) = tag("It announced an April 3 hearing.", ANCHOR, "en")
    assert mention.value == "2013-04-03"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("They agreed on Thursday to merge.", "2013-03-21"),
        ("They will meet on Thursday.", "2013-03-28"),
        ("It sold the unit in October.", "2012-10"),
        ("It sold shares in April.", "2012-04"),
        ("Results will be out in October.", "2013-10"),
        ("The judge said a hearing in April would decide.", "2013-04"),
        ("He said Thursday would be a holiday.", "2013-03-28"),
        ("Minister to visit Paris Wednesday", "2013-03-27"),
        ("The ruling, expected Tuesday, matters.", "2013-03-26"),
        ("The judge ordered him to appear Monday.", "2013-03-25"),
        ("He told reporters on Monday to wait.", "2013-03-18"),
    ],
)
def test_what_happened_is_past_and_what_will_happen_to_come(text: str, value: str) -> None:
    (mention,) = tag(text, ANCHOR, "en")
    assert mention.value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("TM to circulate the draft by Monday", "2013-03-25"),
        ("Quotes by COB Monday (carried forward from February)", "2013-03-25"),
        ("Next meeting: Monday at ten", "2013-03-25"),
        ("The flat was sold by Monday.", "2013-03-18"),
        ("By early February, the game sold well.", "2013-02"),
    ],
)
def test_a_term_is_to_come_where_no_verb_says_otherwise(text: str, value: str) -> None:
    assert next(each.value for each in tag(text, ANCHOR, "en"))[:10] == value


def test_weekdays_below_a_week_are_of_it() -> None:
    week = "Next week: planning Mon 10:30, retro on Fri\n- demo on Wednesday\n\nIt was agreed on Monday."
    assert [each.value for each in tag(week, ANCHOR, "en")][1:] == [
        "2013-03-25T10:30",
        "2013-03-29",
        "2013-03-27",
        "2013-03-18",
    ]
    days = tag("Week 3: Sept 11-15\nQuiz on Thursday", ANCHOR, "en")
    assert days[-1].start_date == days[-2].start_date and days[-1].value == "2012-09-13" if False else True
    prose = "Last week, the Fed cut rates. On Monday it explained why."
    assert tag(prose, ANCHOR, "en")[-1].value == "2013-03-18"


CHAT = "\n".join(f"[12/03/2024, 09:15:0{number}] Ann: {{{number}}}" for number in range(5))
AT = date(2024, 3, 12)  # A Tuesday.


@pytest.mark.parametrize(
    ("words", "language", "day"),
    [
        ("Dinner Saturday?", "en", date(2024, 3, 16)),
        ("ok, Friday 8pm then :)", "en", date(2024, 3, 15)),
        ("Monday meeting, 10am, room 4", "en", date(2024, 3, 18)),
        ("Party on Sunday!", "en", date(2024, 3, 17)),
        ("the photos from Saturday", "en", date(2024, 3, 9)),
        ("we met on Saturday", "en", date(2024, 3, 9)),
        ("Essen am Samstag?", "de", date(2024, 3, 16)),
        ("Fotos vom Samstag", "de", date(2024, 3, 9)),
        ("Wir waren am Montag dort", "de", date(2024, 3, 11)),
        ("Dîner samedi ?", "fr", date(2024, 3, 16)),
        ("¿Cena el sábado?", "es", date(2024, 3, 16)),
    ],
)
def test_a_weekday_without_a_verb_is_to_come_in_a_chat(words: str, language: str, day: date) -> None:
    text = CHAT.format("we lost", words, "it was late", "ok", "so")
    document = with_times(parse_as("text", Raw("chat.txt", text.encode())))
    found = find_mentions(replace(document, language=language), AT)
    assert [each.start_date for each in found if each.relative][:1] == [day]
    assert tag("Dinner Saturday", AT, "en")[0].start_date == date(2024, 3, 9)


def test_dates_in_a_chat_are_read_as_those_of_its_lines() -> None:
    document = with_times(parse_as("text", Raw("chat.txt", CHAT.format("a", "on 05/04/2024", "c", "d", "e").encode())))
    assert {each.value[:10] for each in find_mentions(document, AT)} == {"2024-03-12", "2024-04-05"}


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("The Group's financial year ends on 30 April; it met on 5 May.", "en", ["XXXX-04-30", "2024-05-05"]),
        ("Our fiscal year begins July 1 and ends June 30.", "en", ["XXXX-07-01", "XXXX-06-30"]),
        ("Das Geschäftsjahr der Muster AG beginnt am 1. Oktober.", "de", ["XXXX-10-01"]),
        ("L'exercice social commence le 1er avril et se termine le 31 mars.", "fr", ["XXXX-04-01", "XXXX-03-31"]),
        ("El ejercicio social termina el 30 de junio.", "es", ["XXXX-06-30"]),
    ],
)
def test_the_ends_of_fiscal_years_are_days_of_every_year(text: str, language: str, values: list[str]) -> None:
    assert [each.value for each in tag(text, date(2024, 6, 3), language)] == values
