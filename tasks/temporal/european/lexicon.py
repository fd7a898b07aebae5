"""The words of a European language for times, read from `languages/CODE.toml`, and fragments of patterns of them.

A table has words as they are written, with their inflected forms, several separated by commas. Patterns match them
without accents, as `UNACCENTED` writes a text: one letter for one, so that offsets in the text stay.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tasks.parsers.written_dates import CALENDAR_WORDS
from tasks.temporal.english.lexicon import S, match_any
from tasks.temporal.grammar import LETTERS, LONG_NUMBER, MIDDLE_NUMBER, NAMED_GROUP, SHORT_NUMBER
from warehouse.records import Grain

_FOLDER = Path(__file__).with_name("languages")
_ACCENTED = range(0xC0, 0x250)


def _strip_accent(letter: str) -> str:
    return {"ß": "s", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "ı": "i"}.get(
        letter, unicodedata.normalize("NFD", letter)[0]
    )


UNACCENTED = {code: _strip_accent(chr(code)) for code in _ACCENTED} | LETTERS | dict.fromkeys(map(ord, "’ʼ‘"), "'")
"""Latin letters without their marks, and one apostrophe, one for one."""

NUMBER_HEADS = frozenset((SHORT_NUMBER, MIDDLE_NUMBER, LONG_NUMBER))
_AFTER_COUNT = rf"(?:{S}|-|(?<='))"
_MAX_WORD_LENGTH = 14
_FIRST_WORD = re.compile(r"[a-z]+")
_PLACE = re.compile(r"\{(\w+)\}")
_COUNT_IN_WORD = re.compile(r"\{count\}([a-z]+)")


def split_phrases(text: str) -> tuple[str, ...]:
    """The words of a table's line, in lower case and without accents."""
    return tuple(part.strip().lower().translate(UNACCENTED) for part in text.split(",") if part.strip())


def list_heads(words: Iterable[str]) -> frozenset[str]:
    """The words that the phrases begin with."""
    return frozenset(match[0] for word in words if (match := _FIRST_WORD.match(word)))


def match_any_phrase(words: Iterable[str]) -> str:
    """A group that matches one of the phrases, the longest first; a space is any white space inside an expression."""
    return match_any(words).replace(r"\ ", S)


def match_leading_phrase(words: Iterable[str]) -> str:
    """A group that matches one of the phrases and the white space after it, of which an elided one has none."""
    phrases = {word for word in words if not word.endswith("'")}
    return rf"(?:{'|'.join([*sorted(set(words) - phrases), f'{match_any_phrase(phrases)}{S}'])})"


def find_word_before(match: re.Match[str]) -> str:
    """The word before a match, in lower case, without an apostrophe."""
    start = match.start()
    text = match.string[max(0, start - _MAX_WORD_LENGTH) : start].rstrip(" \n-'")
    return re.split(r"[\s'(]", text)[-1].lower() if text else ""


def normalize_words(text: str) -> str:
    """The words of a match in the form of the tables."""
    return " ".join(text.lower().split())


@dataclass(frozen=True)
class EuropeanLexicon:
    """The words of one language; a line of several words has commas between them.

    Lists are in the order of the calendar, or from one on. In templates `{count}` is a number, `{unit}` a unit,
    `{length}` both, `{decade}`, `{century}`, `{hour}` and `{minute}` what they are called.
    """

    code: str
    fillers: str
    """Words between a day, its month and its year, or after a preposition: articles, "of"."""
    months: list[str]
    """The name first, then short forms, which may have a point."""
    before_month: str
    """After these a name is certainly that of a month or season."""
    capitals: bool
    """Whether months and weekdays have a capital; if not, a capital inside a sentence may begin a person's name."""
    doubtful: str
    """The months, seasons and names of fiscal years that are other words as well."""
    first_day: str
    """The first, of a month."""
    last_day: str
    weekdays: list[str]
    weekday_short: list[str]
    """Short names, which may have a point; they are weekdays only next to a date."""
    weekday_plurals: list[str]
    """Forms of recurring days: "montags"."""
    weekday_plural_leads: str
    """After these every weekday recurs: "los lunes"."""
    weekday_links: str
    """Words between a weekday and its date."""
    seasons: list[str]
    season_plurals: list[str]
    """Their plurals, which name seasons of the years after them: "les hivers de 2010 et 2011"."""
    ordinals: list[str]
    """From the first to at least the fourth; to the 31st if they count the days of a month."""
    numbers: Mapping[str, str]
    units: Mapping[str, str]
    days: Mapping[str, str]
    """Today and its neighbours, by their distance in days."""
    steps_before: Mapping[str, str]
    """Words for last (-1), this (0) and next (1) before a unit."""
    steps_after: Mapping[str, str]
    ended_before: Mapping[str, str]
    """Words for the last one that has just ended, which never mean the last of a year."""
    ended_after: Mapping[str, str]
    mention_steps_before: Mapping[str, str]
    """Steps that are counted from the last mention."""
    mention_steps_after: Mapping[str, str]
    shifts: list[Mapping[str, Any]]
    """Words that are both a unit and a step: "Vorjahr"; or a day and its `part`: "stasera"."""
    parts: Mapping[str, str]
    """Mornings (MO), afternoons (AF), evenings (EV) and nights (NI)."""
    part_links: str
    """Words between a day or an hour and its part."""
    now: str
    """The end of a range that is not over: "2018 - présent"."""
    age_leads: str
    """Words that make the length after them an age; then those that make the length before them one."""
    age_ends: str
    ago: list[str]
    hence: list[str]
    earlier: list[str]
    later: list[str]
    """Before and after the last mention."""
    first_of: list[str]
    """The first months of a year."""
    rolling_back: list[str]
    rolling_on: list[str]
    quarter: str
    quarter_marks: str
    half: str
    half_with_year: str
    """Words for half of something."""
    half_marks: str
    fiscal_year: str
    school_year: str
    """Years that run from summer to summer and are named by both years: "Schuljahr", "saison"."""
    semesters: Mapping[str, str]
    """Halves of academic years, by their first and last months: "10-03"."""
    year: str
    year_after: str
    """After these even a round number is a year."""
    numbered: str
    """Words before a number that is a label or a count: "article 1950"."""
    counted: str
    """Words after a number that counts them."""
    plural: str
    """A pattern of the endings of plurals."""
    before_christ: str
    after_christ: str
    ended: str
    """Words between a fiscal year, quarter or half and the day on which it ends."""
    start: str
    middle: str
    end: str
    edges: list[Mapping[str, str]]
    """Words that are both a unit and its `part` (START, MID, END): "Jahresende"."""
    decades: list[str]
    centuries: list[str]
    century_words: Mapping[str, str]
    """The ordinals of centuries in words."""
    century_names: Mapping[str, str]
    """Names with a capital, by the first digits of the years: Ottocento."""
    clocks: list[str]
    clock_hours: str
    """Units that mean an hour of the day only after `at`, else a length: "à 15 h"."""
    date_leads: str
    """After these 05/03 is a day, and 3.5. where days are written with points."""
    day_points: bool
    at: str
    hour_leads: str
    """Words before a number that is an hour if a day is next to it or an appointment is before it."""
    appointments: str
    """A pattern of such words, in lower case."""
    spoken_at: str
    """Before hours in words, which need such a word: "las" of "las tres y media"."""
    spoken_clocks: Mapping[str, list[str]]
    """Templates by the minutes past the hour, negative for minutes before it."""
    minutes_after: Mapping[str, list[str]]
    minutes_before: Mapping[str, list[str]]
    """Templates of a number of minutes after such a time, or before it: "fünf nach halb acht"."""
    named_hours: Mapping[str, str]
    """Names of noon and midnight."""
    since: str
    until: str
    due: str
    """Words before a future day, with or without a colon: "Abgabe: Freitag"."""
    before: str
    after: str
    from_: str
    to: str
    between: str
    and_: str
    or_: str
    about: str
    week_names: str
    """Names of a calendar week with its number; then those that also need its year."""
    week_names_of_year: str
    halves: str
    """Words before a unit that add half a unit to the number; then those after it."""
    halves_after: str
    holidays: Mapping[str, str]
    """Names by the day, in the notation of `parse_holiday`."""
    holiday_things: str
    """Before the name of a holiday, or "of" it, these are no times: trees, markets, islands."""
    past: str
    """A pattern of the words that indicate the past, in lower case; then of those that indicate the future."""
    future: str
    often: Mapping[str, str]
    """Adverbs by the value of the TIMEX3 set that they are: P1W for weekly."""
    every: str
    every_few: list[str]
    times_per: list[str]

    @classmethod
    def read(cls, code: str) -> EuropeanLexicon:
        """The lexicon of a language."""
        names = CALENDAR_WORDS[code]
        with (_FOLDER / f"{code}.toml").open("rb") as file:
            return cls(code=code, months=names["months"], weekdays=names["weekdays"], **tomllib.load(file))

    @cached_property
    def month_numbers(self) -> dict[str, int]:
        """Every name of a month, and its number."""
        return {name: number for number, line in enumerate(self.months, 1) for name in split_phrases(line)}

    @cached_property
    def month_names(self) -> frozenset[str]:
        """The full names of months."""
        return frozenset(split_phrases(line)[0] for line in self.months)

    @cached_property
    def month(self) -> str:
        """A pattern of a month; a short form may have its point."""
        return self.match_month()

    def match_before_christ(self) -> str:
        """A pattern of the words after a year or century before Christ, alternatives without a group."""
        return "|".join(re.escape(phrase).replace(r"\ ", r"\s?") for phrase in split_phrases(self.before_christ))

    def match_after_christ(self) -> str:
        """The same of a year after Christ."""
        return "|".join(re.escape(phrase).replace(r"\ ", r"\s?") for phrase in split_phrases(self.after_christ))

    def match_month(self, doubtful: frozenset[str] = frozenset()) -> str:
        """The same without some short forms."""
        short_names = self.month_numbers.keys() - self.month_names - doubtful
        return rf"(?:{match_any_phrase(self.month_names)}|{match_any_phrase(short_names)}\.?)"

    @cached_property
    def season_numbers(self) -> dict[str, int]:
        """Every name of a season; spring is 0."""
        return {name: number for number, line in enumerate(self.seasons) for name in split_phrases(line)}

    @cached_property
    def season_words(self) -> dict[str, int]:
        """Every name of a season and its plural."""
        plurals = {name: number for number, line in enumerate(self.season_plurals) for name in split_phrases(line)}
        return plurals | self.season_numbers

    @cached_property
    def doubtful_names(self) -> frozenset[str]:
        """The names that are other words as well."""
        return frozenset(split_phrases(self.doubtful))

    @cached_property
    def month_leads(self) -> frozenset[str]:
        """The words before a month, an elided one without its apostrophe."""
        return frozenset(phrase.removesuffix("'") for phrase in split_phrases(self.before_month))

    @cached_property
    def weekday(self) -> str:
        """A pattern of a weekday next to a date; a short form may have its point."""
        short_names = [name for line in self.weekday_short for name in split_phrases(line)]
        return rf"(?:{match_any_phrase(self.weekday_numbers)}|{match_any_phrase(short_names)}\.?)"

    @cached_property
    def weekday_heads(self) -> frozenset[str]:
        """The heads of a weekday next to a date."""
        return list_heads(self.weekday_numbers) | list_heads(
            name for line in self.weekday_short for name in split_phrases(line)
        )

    @cached_property
    def linked(self) -> str:
        """A pattern of the text between a weekday and its date."""
        return rf",?{S}(?:{match_leading_phrase(split_phrases(self.weekday_links))})?"

    @cached_property
    def year_leads(self) -> frozenset[str]:
        """The words before a year."""
        lines = (
            self.fillers,
            self.year,
            self.since,
            self.until,
            self.before,
            self.after,
            self.from_,
            self.between,
        )
        return self.month_leads | {
            phrase.split()[-1].removesuffix("'") for line in lines for phrase in split_phrases(line)
        }

    @cached_property
    def day_parts(self) -> dict[str, str]:
        """Every name of a part of the day, and its value."""
        return {name: value for value, line in self.parts.items() for name in split_phrases(line)}

    @cached_property
    def weekday_numbers(self) -> dict[str, int]:
        """Every name of a weekday; Monday is 0."""
        return {name: number for number, line in enumerate(self.weekdays) for name in split_phrases(line)}

    @cached_property
    def number_words(self) -> dict[str, int]:
        """Every word for a number."""
        return {word: int(number) for number, line in self.numbers.items() for word in split_phrases(line)}

    @cached_property
    def worded_days(self) -> dict[str, int]:
        """Every word for a day of a month, except the first."""
        ordinals = {word: number for number, line in enumerate(self.ordinals, 1) for word in split_phrases(line)}
        return {word: day for word, day in (self.number_words | ordinals).items() if 1 < day <= 31}

    @cached_property
    def grains(self) -> dict[str, Grain]:
        """Every name of a unit."""
        return {word: Grain(name) for name, line in self.units.items() for word in split_phrases(line)}

    @cached_property
    def hours(self) -> tuple[str, ...]:
        """The words for an hour."""
        return tuple(word for word, grain in self.grains.items() if grain is Grain.HOUR)

    @cached_property
    def count(self) -> str:
        """A pattern of a number, in digits or words, or as contracts write it in both: "trois (3)"."""
        return rf"(?P<count>[0-9]{{1,3}}|{match_any_phrase(self.number_words)}(?:{S}?\([0-9]{{1,3}}\))?)"

    @cached_property
    def prefixed_count(self) -> str:
        """The same at the beginning of a longer word: "dreimal"."""
        return rf"(?P<count>[0-9]{{1,3}}|{'|'.join(sorted(self.number_words, key=len, reverse=True))})"

    @cached_property
    def unit(self) -> str:
        """A pattern of a unit."""
        return rf"(?P<unit>{match_any_phrase(self.grains)})"

    @cached_property
    def filled(self) -> str:
        """White space with at most two of the fillers in it."""
        return rf"(?:{S}{self.articles})"

    @cached_property
    def articles(self) -> str:
        """At most two of the fillers, each with the white space after it."""
        return rf"{match_leading_phrase(split_phrases(self.fillers))}{{0,2}}"

    @cached_property
    def amount(self) -> re.Pattern[str]:
        """A number of units, with decimals or a half: "1,5 Jahre", "un an et demi"."""
        half_after = (
            rf"(?:{S}(?P<more>{match_any_phrase(split_phrases(self.halves_after))}))?"
            if self.halves_after
            else "(?P<more>)"
        )
        half = rf"|(?P<half>{match_any_phrase(split_phrases(self.halves))})" if self.halves else "(?P<half>)"
        decimals = "(?P<decimals>(?<=[0-9])[.,][0-9]{1,2})?"
        return re.compile(rf"(?:{self.count}{decimals}{half}){_AFTER_COUNT}{self.unit}{half_after}", re.IGNORECASE)

    @cached_property
    def length(self) -> str:
        """A pattern of one or several amounts, the larger first, with an optional word for about."""
        amount = NAMED_GROUP.sub("(?:", self.amount.pattern)
        about = rf"(?:(?P<about>{match_any_phrase(split_phrases(self.about))}){S})?"
        return rf"{about}(?P<length>{amount}(?:(?:{S}{match_any_phrase(split_phrases(self.and_))})?{S}{amount}){{0,3}})"

    @cached_property
    def count_heads(self) -> frozenset[str]:
        """The heads of a number."""
        return NUMBER_HEADS | list_heads(self.number_words) | list_heads(split_phrases(self.halves))

    def parse_number(self, text: str) -> int:
        """The number that digits or a word name."""
        return int(text) if text.isdigit() else self.number_words[normalize_words(text.partition("(")[0])]

    def parse_grain(self, text: str) -> Grain:
        """The grain of a unit in any of its forms."""
        return self.grains[normalize_words(text)]

    def expand_template(self, text: str, **places: str) -> str:
        """The pattern of a template, with patterns for its places."""
        pieces = _PLACE.sub("\0\\1\0", text.lower().translate(UNACCENTED)).split("\0")
        count = self.prefixed_count if _COUNT_IN_WORD.search(text) else self.count
        pattern_by_place = {"count": count, "unit": self.unit, "length": self.length, **places}
        words = (
            pattern_by_place[piece] if is_place else re.escape(piece).replace(r"\ ", S)
            for is_place, piece in _mark_alternating(pieces)
        )
        return "".join(words) + r"(?![0-9A-Za-z])"

    def list_template_heads(self, text: str, place_heads: frozenset[str] = NUMBER_HEADS) -> frozenset[str]:
        """The heads of a template; `place_heads` if it begins with a place other than a count or length."""
        if text.startswith("{length}"):
            return self.count_heads | list_heads(split_phrases(self.about))
        if text.startswith("{count}"):
            suffix = _COUNT_IN_WORD.match(text)
            return self.count_heads | {f"{word}{suffix[1]}" for word in self.number_words if suffix}
        return place_heads if text.startswith("{") else list_heads(split_phrases(text))


def _mark_alternating(parts: Iterable[str]) -> Iterable[tuple[bool, str]]:
    return ((index % 2 == 1, part) for index, part in enumerate(parts))
