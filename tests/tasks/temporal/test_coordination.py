"""Lists of times whose members share their year, their month, or what is said before the first."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.language import EUROPEAN
from tasks.temporal.european.lexicon import EuropeanLexicon, split_phrases
from tasks.temporal.tagger import tag

ANCHOR = date(2021, 6, 16)
CODES = st.sampled_from(EUROPEAN)
YEARS = st.integers(1800, 2100)


def values(text: str, code: str = "en") -> list[str]:
    return [found.value for found in tag(text, ANCHOR, code)]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "on 31 March, 30 June and 31 December 2023", ["2023-03-31", "2023-06-30", "2023-12-31"]),
        ("en", "from 2 to 5 and 9 to 12 June 2022", ["2022-06-02/2022-06-05", "2022-06-09/2022-06-12"]),
        ("en", "12–19 March and again 2–4 April 2020", ["2020-03-12/2020-03-19", "2020-04-02/2020-04-04"]),
        ("en", "February and March last year", ["2020-02", "2020-03"]),
        ("en", "in Q1 and Q3 2024 and in the spring and autumn of 2019", ["2024-Q1", "2024-Q3", "2019-SP", "2019-FA"]),
        ("en", "due on the first day of January, April and July 2023", ["2023-01-01", "2023-04-01", "2023-07-01"]),
        ("en", "the last day of February, May and August 2022", ["2022-02-28", "2022-05-31", "2022-08-31"]),
        ("en", "the last Friday of March and September 2022", ["2022-03-25", "2022-09-30"]),
        ("en", "the 15th of March, June and September", ["2021-03-15", "2021-06-15", "2021-09-15"]),
        ("en", "the first quarter of 2022 and 2021", ["2022-Q1", "2021-Q1"]),
        (
            "en",
            "The winters of 2010 and 2011, the summers of 1976 and 2003",
            ["2010-WI", "2011-WI", "1976-SU", "2003-SU"],
        ),
        ("de", "Die Winter 2010 und 2011, Sommer von 2003 und 2018", ["2010-WI", "2011-WI", "2003-SU", "2018-SU"]),
        ("fr", "Les hivers de 2010 et 2011 ; les hivers", ["2010-WI", "2011-WI"]),
        ("es", "los inviernos de 2010 y 2011", ["2010-WI", "2011-WI"]),
        ("it", "le estati del 2003, 2015 e 2018", ["2003-SU", "2015-SU", "2018-SU"]),
        ("pt", "os verões de 2003 e 2018", ["2003-SU", "2018-SU"]),
        ("nl", "de zomers van 2003 en 2018", ["2003-SU", "2018-SU"]),
        ("en", "in June 2018, 2019 and 2020", ["2018-06", "2019-06", "2020-06"]),
        ("en", "guidance for Q4 2023 and 2024", ["2023-Q4", "2024"]),
        ("en", "Since June 2018, 2019 was best", ["2018-06", "2019"]),
        ("en", "on 29 February 2020 and 2021", ["2020-02-29", "2021"]),
        ("en", "in November, December and January 2023", ["2022-11", "2022-12", "2023-01"]),
        ("en", "over Christmas and Easter 2021", ["2020-12-25", "2021-04-04"]),
        ("de", "im Dezember und Januar 2023, im Mai und März 2020", ["2022-12", "2023-01", "2020-05", "2020-03"]),
        ("en", "On 3 May and June was quiet", ["2021-05-03", "2021-06"]),
        ("en", "in May 2019 and in 2020", ["2019-05", "2020"]),
        ("de", "am ersten Tag der Monate Januar, April und Juli 2022", ["2022-01-01", "2022-04-01", "2022-07-01"]),
        ("de", "am letzten Tag des März und Juni 2022", ["2022-03-31", "2022-06-30"]),
        ("de", "zum 31. Dezember 2020 und 2019", ["2020-12-31", "2019-12-31"]),
        ("fr", "le premier jour de janvier, avril et juillet", ["2021-01-01", "2021-04-01", "2021-07-01"]),
        ("fr", "aux 31 décembre 2020 et 2019", ["2020-12-31", "2019-12-31"]),
        ("es", "el último día de marzo, junio y septiembre de 2022", ["2022-03-31", "2022-06-30", "2022-09-30"]),
        ("it", "il primo giorno di gennaio e luglio 2022", ["2022-01-01", "2022-07-01"]),
        ("pt", "no primeiro dia de janeiro e julho de 2022", ["2022-01-01", "2022-07-01"]),
        ("nl", "op de eerste dag van januari, april en juli 2022", ["2022-01-01", "2022-04-01", "2022-07-01"]),
        ("zh", "2023年3月和5月，第一季度和第三季度", ["2023-03", "2023-05", "2023-Q1", "2023-Q3"]),
    ],
)
def test_members_share_what_is_said_once(code: str, text: str, expected: list[str]) -> None:
    assert values(text, code) == expected


@given(CODES, st.lists(st.integers(1, 12), min_size=2, max_size=4, unique=True).map(sorted), YEARS)
def test_months_of_one_year_in_every_language(code: str, months: list[int], year: int) -> None:
    lexicon = EuropeanLexicon.read(code)
    names = [lexicon.months[month - 1].split(",")[0] for month in months]
    of = " de " if code in ("es", "pt") else " "
    text = f"{', '.join(names[:-1])} {split_phrases(lexicon.and_)[0]} {names[-1]}{of}{year}"
    assert values(text, code) == [f"{year}-{month:02}" for month in months]


@given(CODES, st.lists(st.integers(1, 28), min_size=4, max_size=4, unique=True).map(sorted), YEARS)
def test_ranges_of_days_in_one_month_in_every_language(code: str, days: list[int], year: int) -> None:
    lexicon = EuropeanLexicon.read(code)
    mark, of = "." if lexicon.day_points else "", " de " if code in ("es", "pt") else " "
    first, last = (f"{one}{mark}–{other}{mark}" for one, other in (days[:2], days[2:]))
    text = f"{first} {split_phrases(lexicon.and_)[0]} {last}{of}{lexicon.months[5].split(',')[0]}{of}{year}"
    june = [f"{year}-06-{day:02}" for day in days]
    assert values(text, code) == [f"{june[0]}/{june[1]}", f"{june[2]}/{june[3]}"]


@given(CODES, st.integers(1, 4), YEARS, YEARS)
def test_a_quarter_of_two_years_in_every_language(code: str, quarter: int, year: int, other: int) -> None:
    found = values(f"Q{quarter} {year} {split_phrases(EuropeanLexicon.read(code).and_)[0]} {other}", code)
    is_whole = year == other or (quarter == 4 and other > year)
    assert found[0] == f"{year}-Q{quarter}"
    assert is_whole or found[1] == f"{other}-Q{quarter}"
