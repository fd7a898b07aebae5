"""European dates in numbers that English does not write: "18.10.14", "5.8. – 16.8.2017", "Di, 19.12.", "le 05/03"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import S
from tasks.temporal.european.lexicon import EuropeanLexicon, find_word_before, match_any_phrase, split_phrases
from tasks.temporal.grammar import SHORT_NUMBER, GrammarRule, make_rule
from tasks.temporal.meanings.numeric_days import NumericDay
from tasks.temporal.meanings.recurrences import make_month_day
from tasks.temporal.meanings.spans import TimeBetween
from tasks.temporal.readings import Meaning, MentionFields, expand_year

_DAY, _MONTH = "(?:0?[1-9]|[12][0-9]|3[01])", "(?:1[0-2]|0?[1-9])"
_YEAR = r"(?:(?:19|20)[0-9]{2}|[0-9]{2})"
_NO_NUMBER_BEFORE = r"(?<![0-9A-Za-z$€£¥#])(?<![0-9][.,:/–-])"
_DATE_END = r"(?![0-9A-Za-z%€$£]|[.,:/–-][0-9]|\s[%€$£])"
"""The end of a date: neither a number nor a version continues."""
_CLOCK_FOLLOWS = r"(?=,?\s(?:[a-z]{2,12}\s){0,2}(?:[01]?[0-9]|2[0-3])(?:[:.][0-5][0-9](?![.,]?[0-9])|\s?"


def make_numeric_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Dates with the day first; possible versions, fractions or headings only next to a word, a weekday or an hour."""
    leads = frozenset(word for phrase in split_phrases(lexicon.date_leads) for word in phrase.split()[-1:])
    numbered = frozenset(split_phrases(lexicon.numbered))
    weekday_lead = rf"(?P<named>{lexicon.weekday}{lexicon.linked})"

    def read_date(match: re.Match[str]) -> MentionFields | None:
        """18.10.14, and 3.5.21 after a word for a date: else it is a version or a section."""
        is_full_date = len(match["day"] + match["month"]) == 4 and match["mark"] == "."
        if find_word_before(match) in numbered or not (
            is_full_date or match["named"] or find_word_before(match) in leads
        ):
            return None
        return readings.make_day(date(expand_year(match["year"]), int(match["month"]), int(match["day"])))

    numbers = rf"(?P<day>{_DAY})(?P<mark>[.-])(?P<month>{_MONTH})(?P=mark)(?P<year>[0-9]{{2}})"
    yield make_rule(
        lexicon.weekday_heads | {SHORT_NUMBER}, rf"{_NO_NUMBER_BEFORE}{weekday_lead}?{numbers}{_DATE_END}", read_date
    )

    def read_days(match: re.Match[str]) -> TimeBetween | None:
        """5.8. – 16.8.2017; without a year only if both end with a point or a word introduces a date."""
        year, last_month = match["year"], int(match["last_month"])
        month = int(match["month"] or last_month)
        is_date = (match["point"] and match["last_point"]) or match["word"] or find_word_before(match) in leads
        if not (year or is_date) or find_word_before(match) in numbered:
            return None
        sides: list[Meaning] = []
        for number, day in ((month, int(match["day"])), (last_month, int(match["last"]))):
            # The first day of a range over the turn of the year is in the year before.
            year_of_day = expand_year(year) - (number > last_month) if year else None
            sides.append(
                readings.make_day(date(year_of_day, number, day)) if year_of_day else make_month_day(number, day)
            )
        return TimeBetween(*sides)

    range_link = rf"(?:\s?[-–—]\s?|(?P<word>{S}{match_any_phrase(split_phrases(lexicon.to))}{S}))"
    first = rf"(?P<day>{_DAY})(?:\.\s?(?P<month>{_MONTH}))?(?P<point>\.)?"
    last = rf"(?P<last>{_DAY})\.\s?(?P<last_month>{_MONTH})(?:\.\s?(?P<year>{_YEAR})|(?P<last_point>\.))?"
    yield make_rule({SHORT_NUMBER}, rf"{_NO_NUMBER_BEFORE}{first}{range_link}{last}{_DATE_END}", read_days)

    def read_day(match: re.Match[str]) -> NumericDay:
        return NumericDay(int(match["day"]), int(match["month"]), ".")

    day_and_month = rf"(?P<day>{_DAY})\.\s?(?P<month>{_MONTH})\.?"
    yield make_rule(lexicon.weekday_heads, rf"{weekday_lead}{day_and_month}{_DATE_END}", read_day)
    hours = match_any_phrase(split_phrases(lexicon.clock_hours))
    yield make_rule(
        {SHORT_NUMBER}, rf"{_NO_NUMBER_BEFORE}{day_and_month}{_DATE_END}{_CLOCK_FOLLOWS}{hours}\b))", read_day
    )

    def read_day_after_lead(match: re.Match[str]) -> NumericDay | None:
        """3.5. after a word for a date; so is 05/03, but 2/3 may be a fraction."""
        first, second = match["day"], match["month"]
        is_day = match["mark"] == "." or "0" in (first[0], second[0]) or int(first) > int(second)
        return read_day(match) if is_day and find_word_before(match) in leads else None

    def read_split_date(match: re.Match[str]) -> MentionFields:
        return readings.make_day(date(int(match["year"]), int(match["month"]), int(match["day"])))

    day, month = rf"{_NO_NUMBER_BEFORE}(?P<day>{_DAY})", f"(?P<month>{_MONTH})"
    yield make_rule({SHORT_NUMBER}, rf"{day}(?P<mark>/){month}{_DATE_END}", read_day_after_lead)
    if lexicon.day_points:
        # In two lines in headers of tables.
        yield make_rule(
            {SHORT_NUMBER}, rf"{day}\.\s?{month}\.\s(?P<year>(?:19|20)[0-9]{{2}})(?![0-9A-Za-z%])", read_split_date
        )
        yield make_rule({SHORT_NUMBER}, rf"{day}(?P<mark>\.)\s?{month}\.(?!\s?[0-9])", read_day_after_lead)
        # After a label, alone in a cell or in brackets, in two digits each.
        yield make_rule(
            {SHORT_NUMBER},
            rf"(?:(?<=[:|]\s)|(?<=\())(?=\d\d\.\d\d\.){day_and_month}(?=\s{{0,2}}(?:[,;)|\n]|\Z))",
            read_day,
        )
