"""European quarters, halves, fiscal years, and months up to a day: "1. Quartal 2021", "exercice clos fin juin 2024"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date

from tasks.temporal.english.lexicon import YEAR, S
from tasks.temporal.european.calendar_dates import DAY, read_month_number
from tasks.temporal.european.lexicon import (
    NUMBER_HEADS,
    EuropeanLexicon,
    list_heads,
    match_any_phrase,
    normalize_words,
    split_phrases,
)
from tasks.temporal.grammar import GrammarRule, make_rule
from tasks.temporal.meanings.company import FirstMonths, Period, PeriodUntil
from tasks.temporal.meanings.recurrences import make_half_of_year, make_quarter_of_year
from tasks.temporal.readings import Meaning, expand_year
from warehouse.records import Grain
from warehouse.records.calendars import DAY as ONE_DAY
from warehouse.records.calendars import add_months

_ROMAN = ("i", "ii", "iii", "iv")
ORDINAL_ENDING = r"(?:\.?(?:er[ae]?|re|e(?:me)?|nde?|ro|do|to|[ºª°ao]|ste|de)|\.)?"
"""The endings of ordinals in digits."""
YEARS = rf"(?P<year>{YEAR})(?:\s?[-–/]\s?(?P<last>[0-9]{{4}}|[0-9]{{2}})(?![-/.]?[0-9]))?"

_LAST_DAY = (
    r"(?P<last_day>[0-3]?[0-9])(?P<mark>[./-])(?P<last_month>[01]?[0-9])(?P=mark)"
    r"(?P<last_year>[12][0-9]{3}|[0-9]{2})(?![0-9A-Za-z]|[./-][0-9])"
)


def make_fiscal_rules(lexicon: EuropeanLexicon, *, is_year_required: bool) -> Iterable[GrammarRule]:
    """Rules of quarters and halves with their year, and of fiscal years.

    If it is not `is_year_required`, a quarter or half without a year is in the text's year.
    """
    fiscal, ordinals = (
        split_phrases(lexicon.fiscal_year),
        {word: number for number, line in enumerate(lexicon.ordinals, 1) for word in split_phrases(line)},
    )
    ordinals |= {name: number for number, name in enumerate(_ROMAN, 1)}
    latest_words = {word for word in split_phrases(lexicon.steps_before["-1"]) if word not in ordinals}
    of_year = rf"(?:(?P<fiscal>{match_any_phrase(fiscal)})|{match_any_phrase(split_phrases(lexicon.year))})"
    year = rf"(?:,?\s?{lexicon.filled}?(?:{of_year}{lexicon.filled})?{YEARS})"
    ordinal = rf"(?P<ordinal>{match_any_phrase({*ordinals, *latest_words})}|[1-4]{ORDINAL_ENDING})"

    def make_part_reader(grain: Grain) -> Callable[[re.Match[str]], Meaning | None]:
        count = 4 if grain is Grain.QUARTER else 2

        def read(match: re.Match[str]) -> Meaning | None:
            word = normalize_words(match["ordinal"])
            index = ordinals.get(word) or (count if word in latest_words else int(word[0]))
            if index > count:
                raise ValueError(f"no {grain} {index}")
            if match["year"]:
                return _make_period(grain, match, index, fiscal=bool(match.groupdict().get("fiscal")))
            if word in latest_words:
                return None
            return make_quarter_of_year(index) if grain is Grain.QUARTER else make_half_of_year(index)

        return read

    heads = list_heads({*ordinals, *latest_words}) | NUMBER_HEADS
    ordinal_lead = rf"{ordinal}(?:(?<=[.ºª°])\s?|{S})"
    any_ordinal = rf"(?:{match_any_phrase(ordinals)}|[1-4]{ORDINAL_ENDING})"
    links = match_any_phrase(split_phrases(f"{lexicon.and_}, {lexicon.or_}, {lexicon.to}, {lexicon.until}"))
    link = rf"(?:,?{S}{links}{S}{lexicon.articles}|\s?[-–/]\s?)"
    other_parts = rf"(?:,{S}{any_ordinal}){{0,2}}{link}{any_ordinal}(?:(?<=[.ºª°])\s?|{S})"
    for grain, name, marks in (
        (Grain.QUARTER, lexicon.quarter, split_phrases(lexicon.quarter_marks)),
        (Grain.HALF, lexicon.half, split_phrases(lexicon.half_marks)),
    ):
        yield make_rule(
            heads,
            rf"{ordinal_lead}{match_any_phrase(split_phrases(name))}{year}{'' if is_year_required else '?'}",
            make_part_reader(grain),
        )
        # The first of "the first and third quarter of 2023", and of "from the first to the third".
        yield make_rule(
            list_heads(ordinals) | NUMBER_HEADS,
            rf"{ordinal}(?={other_parts}{match_any_phrase(split_phrases(name))}{year})",
            make_part_reader(grain),
        )
        if is_year_required:
            continue
        mark = f"(?:{'|'.join(marks)})"
        fiscal_lead = rf"(?:(?P<fiscal>{match_any_phrase(fiscal)}){S})?"
        marked_year, marked_part = rf"(?:[\s/-]|{lexicon.filled}){fiscal_lead}{YEARS}", rf"{mark}\s?(?P<ordinal>[1-4])"
        other_marks = rf"(?:(?:,{S}|\s?/\s?){mark}\s?[1-4]){{0,2}}{link}{mark}\s?[1-4]"
        yield make_rule(list_heads(marks), rf"{marked_part}{marked_year}", make_part_reader(grain))
        yield make_rule(list_heads(marks), rf"{marked_part}(?={other_marks}{marked_year})", make_part_reader(grain))
        if grain is Grain.QUARTER:
            sign = r"Q(?P<number>[1-4])(?![0-9A-Za-z]|[.,/-][0-9])"
            yield make_rule({"q"}, sign, lambda match: make_quarter_of_year(int(match["number"])), exact_case=True)
        yield make_rule(
            NUMBER_HEADS,
            rf"(?P<ordinal>[1-4])[º°]?{mark}(?:[\s/-]|{lexicon.filled})?(?P<year>20[0-9]{{2}}|(?<=[A-Za-z/-])[0-9]{{2}})(?P<last>)(?![0-9])",
            make_part_reader(grain),
        )
    yield make_rule(
        heads,
        rf"{ordinal_lead}{match_any_phrase(split_phrases(lexicon.half_with_year))}{year}",
        make_part_reader(Grain.HALF),
    )
    yield make_rule(
        list_heads(fiscal),
        rf"{match_any_phrase(fiscal)}{lexicon.filled}{YEARS}",
        lambda match: _make_period(Grain.YEAR, match, 1, fiscal=True),
    )
    yield from _make_ended_rules(lexicon)


def _make_ended_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """The months of a year so far, and periods by their last day: "exercice clos le 30 juin 2024"."""
    fiscal = split_phrases(lexicon.fiscal_year)
    ending = {**dict.fromkeys(split_phrases(lexicon.half), 6), **dict.fromkeys(split_phrases(lexicon.quarter), 3)}
    ending |= dict.fromkeys((*fiscal, *split_phrases(lexicon.year)), 12)
    months = [word for word, grain in lexicon.grains.items() if grain is Grain.MONTH]

    # "9 mois 2023" are the first nine months of 2023.
    yield make_rule(
        NUMBER_HEADS,
        rf"(?<![0-9.,])(?P<count>[369]|12){S}{match_any_phrase(months)}{S}{YEARS}",
        _read_first_months,
    )

    def read_ended(match: re.Match[str]) -> PeriodUntil:
        if match["end_month"]:
            first_day = date(int(match["end_year"]), lexicon.month_numbers[match["end_month"].lower().rstrip(".")], 1)
            day = add_months(first_day, 1) - ONE_DAY
        elif match["day"]:
            day = date(int(match["year"]), read_month_number(lexicon, match), int(match["day"]))
        else:
            day = date(expand_year(match["last_year"]), int(match["last_month"]), int(match["last_day"]))
        unit = normalize_words(match["unit"] or "")
        count = ending[unit] if unit else lexicon.parse_number(match["count"])
        return PeriodUntil(day, count, fiscal=unit in fiscal, by_month=bool(match["end_month"]))

    closings = split_phrases(lexicon.ended)
    # "clos le 31 mars", "clos fin mars"
    leads = {*closings, *split_phrases(lexicon.until), *(words.rpartition(" ")[0] or words for words in closings)}
    month_end = (
        rf"{match_any_phrase(leads)}{lexicon.filled}(?:a{S})?{match_any_phrase(split_phrases(lexicon.end))}"
        rf"{lexicon.filled}(?P<end_month>{match_any_phrase(lexicon.month_names)}){lexicon.filled}(?P<end_year>{YEAR})"
    )

    yield make_rule(
        list_heads(ending) | lexicon.count_heads,
        rf"(?:(?P<unit>{match_any_phrase(ending)})|{lexicon.count}{S}{match_any_phrase(months)}){S}(?:{month_end}"
        rf"|{match_any_phrase(closings)}{S}(?:{DAY}{lexicon.articles}(?P<month>{match_any_phrase(lexicon.month_names)}){lexicon.filled}(?P<year>{YEAR})"
        rf"|{_LAST_DAY}))",
        read_ended,
    )


def _make_period(grain: Grain, match: re.Match[str], index: int, *, fiscal: bool) -> Period:
    """A year of two numbers is named by its end: the second half of 2022/23."""
    year, last = expand_year(match["year"]), match["last"]
    if not last:
        return Period(grain, year, index, fiscal)
    if int(last) % 100 != (year + 1) % 100:
        raise ValueError(f"{year} and {last} are not consecutive")
    return Period(grain, year + 1, index, fiscal=True, by_end=True)


def _read_first_months(match: re.Match[str]) -> FirstMonths:
    year = _make_period(Grain.YEAR, match, 1, fiscal=False)
    return FirstMonths(int(match["count"]), year.year, year.fiscal)
