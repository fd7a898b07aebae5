"""European dates: "3. Mai 2021", "le 3 mai", "del 3 al 5 de mayo de 2021", "März", "lunes pasado", "2021"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import YEAR, S
from tasks.temporal.english.years import (
    NAMES_WITH_NUMBERS,
    NEAR_YEARS,
    is_labelled,
    is_other_number,
    is_title_with_year,
)
from tasks.temporal.european.lexicon import (
    EuropeanLexicon,
    find_word_before,
    list_heads,
    match_any_phrase,
    match_leading_phrase,
    normalize_words,
    split_phrases,
)
from tasks.temporal.grammar import LONG_NUMBER, SHORT_NUMBER, GrammarRule, make_rule
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.recurrences import (
    Recurring,
    SteppedUnit,
    make_month_day,
    make_month_of_year,
    make_season_of_year,
    make_weekday,
    make_weekday_of_month,
)
from tasks.temporal.meanings.spans import NumberedIn, NumberedUnit, TimeBetween
from tasks.temporal.readings import Meaning, MentionFields, expand_year
from warehouse.records import Grain

_MARK = r"(?:er|ro|[aeoº°ª]|\.[aoºª]|\.)?"
"""The marks of the number of a day: 1er, 3., 1º."""
DAY = rf"(?P<day>[0-3]?[0-9]){_MARK}(?:(?<=\.)\s?|{S})"
_NO_MONTHS = frozenset(("mars",))  # The rover Mars 2020 is not a month.
_TITLE_REACH = 28  # Characters before a weekday in which a title or name is searched for.
_MIN_SHORT_WEEKDAY = 4  # A short weekday without a date needs more letters.
_NO_AMOUNT_BEFORE = r"(?<![$€£¥#])(?<![0-9][.,])"
_NO_NUMBER = r"(?![0-9A-Za-z])(?![,.:/][0-9]|\s?[%°€$£]|[-–][0-9])"
"""Lookahead that excludes what may not follow a year alone."""
_NEXT_YEAR = r"(?:\s?[-–/]\s?(?:[0-9]{4}|[0-9]{2})(?![-/.]?[0-9]))?"
"""The second year of a winter."""
_MIN_PLAIN_YEAR = 1500  # A number below it is a year only after a word that says so.
_NAME_BEFORE = re.compile(r"[A-Z][a-z]{2,20}[^\S\n]\Z")
_TITLE_BEFORE = re.compile(r"\b(?:Frau|Herrn?|Familie|(?:Dr|Prof|M|Sra?)\.|Mme|Mlle|Senora?|Signora?|Mevrouw)\s\Z")
_NAME_AFTER = re.compile(r"[^\S\n][A-Z]")


def make_date_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Days, months, weekdays, seasons and years of a language."""
    month = rf"(?P<month>{lexicon.month})"
    return (
        *_make_full_date_rules(lexicon, month, month),
        *_make_day_rules(lexicon),
        *_make_weekday_rules(lexicon),
        *_make_name_rules(lexicon),
        *_make_year_rules(lexicon),
    )


def make_unambiguous_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Dates with full names of months and their year, which are unambiguous in a text of any language."""
    names = lexicon.month_names
    day_month, month = (rf"(?P<month>{match_any_phrase(month_names)})" for month_names in (names, names - _NO_MONTHS))
    return _make_full_date_rules(lexicon, day_month, month)


def _make_full_date_rules(lexicon: EuropeanLexicon, month: str, year_month: str) -> tuple[GrammarRule, ...]:
    """Dates with their year, by patterns of a `month` next to a day, and of one with its year alone."""
    short_year = rf"[-/](?P<short>[0-9]{{2}})(?![0-9])|{S}'(?P<quoted>[0-9]{{2}})(?![0-9])"
    clock_units = match_any_phrase(split_phrases(lexicon.clock_hours))
    year = rf"(?:,?{lexicon.filled}(?P<year>{YEAR})(?!\s?{clock_units})|{short_year})"
    weekday_lead = rf"(?:{lexicon.weekday}{lexicon.linked})?"
    other_days = _match_other_days(lexicon)
    first, last = split_phrases(lexicon.first_day), split_phrases(lexicon.last_day)

    def read_date(match: re.Match[str]) -> MentionFields:
        return readings.make_day(date(_read_year(match), read_month_number(lexicon, match), int(match["day"])))

    def read_first(match: re.Match[str]) -> MentionFields:
        return readings.make_day(date(_read_year(match), read_month_number(lexicon, match), 1))

    def read_worded(match: re.Match[str]) -> MentionFields:
        return readings.make_day(
            date(
                _read_year(match),
                read_month_number(lexicon, match),
                lexicon.worded_days[normalize_words(match["word"])],
            )
        )

    def read_month(match: re.Match[str]) -> MentionFields:
        return readings.make_month(_read_year(match), read_month_number(lexicon, match))

    def read_days(match: re.Match[str]) -> TimeBetween:
        month, year = read_month_number(lexicon, match), _read_year(match)
        return TimeBetween(*(readings.make_day(date(year, month, int(match[group]))) for group in ("first", "last")))

    return (
        make_rule(
            lexicon.weekday_heads | {SHORT_NUMBER},
            rf"{_NO_AMOUNT_BEFORE}{weekday_lead}{DAY}{lexicon.articles}{month}{year}",
            read_date,
        ),
        make_rule(
            {SHORT_NUMBER},
            rf"{_NO_AMOUNT_BEFORE}(?P<day>[0-3]?[0-9])(?P<mark>[-/.]){month}(?P=mark)(?P<year>{YEAR}|[0-9]{{2}})(?![0-9])",
            read_date,
        ),
        make_rule(list_heads(first), rf"{match_any_phrase(first)}{_match_of_month(lexicon)}{month}{year}", read_first),
        make_rule(
            list_heads(last),
            rf"{match_any_phrase(last)}{_match_of_month(lexicon)}{month}{year}",
            lambda match: NumberedIn(NumberedUnit(Grain.DAY, -1), read_month(match)),
        ),
        make_rule(
            list_heads(lexicon.worded_days),
            rf"(?P<word>{match_any_phrase(lexicon.worded_days)}){S}{lexicon.articles}{month}{year}",
            read_worded,
        ),
        make_rule(
            lexicon.weekday_heads | list_heads(lexicon.month_numbers),
            rf"(?:{lexicon.weekday},?{S})?{month}{S}(?P<day>[0-3]?[0-9])(?:,{S}?|{S})(?P<year>{YEAR})(?![0-9])",
            read_date,
        ),
        make_rule(list_heads(lexicon.month_numbers), rf"{year_month}(?:{year}|[-/.](?P<dashed>{YEAR}))", read_month),
        *(make_rule(start, rf"{days}{month}{year}", read_days) for start, days in _iter_day_ranges(lexicon)),
        make_rule(
            {SHORT_NUMBER}, rf"{_NO_AMOUNT_BEFORE}(?P<day>[0-3]?[0-9]){_MARK}{other_days}{month}{year})", read_date
        ),
        make_rule({SHORT_NUMBER}, rf"{_match_day_range(lexicon)}{other_days}{month}{year})", read_days),
    )


def _make_day_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Days whose year is that of the text."""
    month = rf"(?P<month>{lexicon.match_month(lexicon.doubtful_names)})"
    first, last = split_phrases(lexicon.first_day), split_phrases(lexicon.last_day)

    def read_day(match: re.Match[str]) -> Recurring:
        return make_month_day(read_month_number(lexicon, match), int(match["day"]))

    def read_first(match: re.Match[str]) -> Recurring:
        return make_month_day(read_month_number(lexicon, match), 1)

    def read_last(match: re.Match[str]) -> NumberedIn:
        return NumberedIn(NumberedUnit(Grain.DAY, -1), make_month_of_year(read_month_number(lexicon, match)))

    def read_worded(match: re.Match[str]) -> Recurring:
        return make_month_day(read_month_number(lexicon, match), lexicon.worded_days[normalize_words(match["word"])])

    def read_days(match: re.Match[str]) -> TimeBetween:
        month = read_month_number(lexicon, match)
        return TimeBetween(*(make_month_day(month, int(match[group])) for group in ("first", "last")))

    weekday_lead = rf"(?:{lexicon.weekday}{lexicon.linked})?"
    yield make_rule(
        lexicon.weekday_heads | {SHORT_NUMBER},
        rf"{_NO_AMOUNT_BEFORE}{weekday_lead}{DAY}{lexicon.articles}{month}",
        read_day,
    )
    yield make_rule(list_heads(first), rf"{match_any_phrase(first)}{_match_of_month(lexicon)}{month}", read_first)
    yield make_rule(list_heads(last), rf"{match_any_phrase(last)}{_match_of_month(lexicon)}{month}", read_last)
    yield make_rule(
        list_heads(lexicon.worded_days),
        rf"(?P<word>{match_any_phrase(lexicon.worded_days)}){S}{lexicon.articles}{month}",
        read_worded,
    )
    for start, days in _iter_day_ranges(lexicon):
        yield make_rule(start, rf"{days}{month}", read_days)
    other_days = _match_other_days(lexicon)
    yield make_rule({SHORT_NUMBER}, rf"{_NO_AMOUNT_BEFORE}(?P<day>[0-3]?[0-9]){_MARK}{other_days}{month})", read_day)
    yield make_rule({SHORT_NUMBER}, rf"{_match_day_range(lexicon)}{other_days}{month})", read_days)

    def read_stepped(match: re.Match[str]) -> SteppedUnit:
        return SteppedUnit(read_day(match), read_step(match, lexicon.steps_before, lexicon.steps_after))

    day = rf"{DAY}{lexicon.articles}{month}"
    links = set(split_phrases(lexicon.weekday_links)).difference(split_phrases(lexicon.fillers))
    link = rf"(?:{match_leading_phrase(links)})?" if links else ""
    if steps := list_step_words(lexicon.steps_before):
        yield make_rule(
            list_heads(steps),
            rf"(?P<before>{match_leading_phrase(steps)}){link}{day}(?!,?{lexicon.filled}{YEAR})",
            read_stepped,
        )
    if steps := list_step_words(lexicon.steps_after):
        yield make_rule(
            {SHORT_NUMBER}, rf"{_NO_AMOUNT_BEFORE}{day}{S}(?P<after>{match_any_phrase(steps)})", read_stepped
        )


def _make_weekday_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Days of a month with their weekday: "vendredi 27", "Freitag, den 27."."""
    days, links = (
        lexicon.weekday_numbers,
        split_phrases(f"{lexicon.to}, {lexicon.and_}, {lexicon.at}, {lexicon.fillers}"),
    )
    number = r"(?P<day>[12][0-9]|3[01]|0?[1-9])"
    mark = rf"{number}\.(?!\s?[0-9])" if lexicon.day_points else rf"{number}(?![0-9A-Za-z%€$£]|[.,:/–-][0-9])"
    unit_words, link = match_any_phrase(split_phrases(lexicon.counted)), match_any_phrase(links)
    not_counted = rf"(?!{S}{unit_words}|{S}(?!{link})[a-z]{{3,20}}{lexicon.plural}\b)"

    def read(match: re.Match[str]) -> Recurring:
        return make_weekday_of_month(days[normalize_words(match["weekday"])], int(match["day"]))

    yield make_rule(
        list_heads(days), rf"(?P<weekday>{match_any_phrase(days)}){lexicon.linked}{mark}{not_counted}", read
    )


def _make_month_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Months without a year, and the first month of a range."""
    range_words = match_any_phrase(split_phrases(f"{lexicon.to}, {lexicon.until}"))
    before_month = rf"(?=(?:\s?[-–—/]\s?|{S}{range_words}{lexicon.filled}){lexicon.month})"

    def read_month(match: re.Match[str]) -> Recurring | None:
        return read_first_month(match) if _is_month_or_season(lexicon, match, match["month"]) else None

    def read_first_month(match: re.Match[str]) -> Recurring:
        return make_month_of_year(read_month_number(lexicon, match))

    yield make_rule(list_heads(lexicon.month_names), rf"(?P<month>{match_any_phrase(lexicon.month_names)})", read_month)
    # In a range short names are months too: "Jan.–Sep. 2023".
    yield make_rule(list_heads(lexicon.month_numbers), rf"(?P<month>{lexicon.month}){before_month}", read_first_month)
    # A full name before another in a list is a month too.
    names, and_ = (
        match_any_phrase(lexicon.month_names),
        match_any_phrase(split_phrases(f"{lexicon.and_}, {lexicon.or_}")),
    )
    in_list = rf"(?=(?:,{S}|,?{S}{and_}{S}){names}(?![A-Za-z']))"
    yield make_rule(list_heads(lexicon.month_names), rf"(?P<month>{names}){in_list}", read_first_month)


def _make_name_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Months, weekdays and seasons by their names, alone or a step away."""
    days, seasons, months = lexicon.weekday_numbers, lexicon.season_numbers, lexicon.month_names

    def read_season(match: re.Match[str]) -> Meaning | None:
        """A season; its plural only with a year."""
        name, year = normalize_words(match["season"]), match["year"]
        index, is_single = (
            lexicon.season_words[name],
            name in seasons and _is_month_or_season(lexicon, match, match["season"]),
        )
        if (name in lexicon.doubtful_names or not year) and not is_single:
            return None
        return readings.make_season(date(int(year), 3 + 3 * index, 1)) if year else make_season_of_year(index)

    def read_weekday(match: re.Match[str]) -> Recurring | None:
        return None if _is_name(lexicon, match) else make_weekday(days[normalize_words(match[0])])

    def read_stepped(match: re.Match[str]) -> SteppedUnit | None:
        name, step = normalize_words(match["name"]), read_step(match, lexicon.steps_before, lexicon.steps_after)
        if name in days:
            return SteppedUnit(make_weekday(days[name]), step)
        if name in months:
            return SteppedUnit(make_month_of_year(lexicon.month_numbers[name]), step)
        is_after = match.groupdict().get("after") and name in lexicon.doubtful_names
        if is_after and not _is_month_or_season(lexicon, match, match["name"]):
            return None
        return SteppedUnit(make_season_of_year(seasons[name]), step)

    short_days = {
        name: number
        for number, line in enumerate(lexicon.weekday_short)
        for name in split_phrases(line)
        if len(name) > _MIN_SHORT_WEEKDAY
    }

    def read_short(match: re.Match[str]) -> Recurring | None:
        """Nesta terça, before a mark: "a terça parte" is a third."""
        return (
            make_weekday(short_days[normalize_words(match[0])])
            if find_word_before(match) in lexicon.month_leads
            else None
        )

    yield from _make_month_rules(lexicon)
    # Plurals recur, and are sets.
    single_days = days.keys() - {name for line in lexicon.weekday_plurals for name in split_phrases(line)}
    yield make_rule(list_heads(single_days), match_any_phrase(single_days), read_weekday)
    if short_days:
        yield make_rule(list_heads(short_days), rf"{match_any_phrase(short_days)}(?=\s?[.,;:!?()]|\s?\Z)", read_short)
    yield make_rule(
        list_heads(lexicon.season_words),
        rf"(?P<season>{match_any_phrase(lexicon.season_words)})(?:{lexicon.filled}(?P<year>{YEAR}){_NEXT_YEAR})?",
        read_season,
    )
    units = {*days, *seasons, *months}
    name = rf"(?P<name>{match_any_phrase(units)})"
    month_words = (word for word, grain in lexicon.grains.items() if grain is Grain.MONTH)
    month_word = rf"(?:{match_any_phrase(month_words)}{lexicon.filled})?"
    if steps := list_step_words(lexicon.steps_before):
        yield make_rule(
            list_heads(steps), rf"(?P<before>{match_leading_phrase(steps)}){month_word}{name}", read_stepped
        )
    if steps := list_step_words(lexicon.steps_after):
        yield make_rule(list_heads(units), rf"{name}{S}(?P<after>{match_any_phrase(steps)})", read_stepped)


def _is_month_or_season(lexicon: EuropeanLexicon, match: re.Match[str], name: str) -> bool:
    """Whether a name is that of a month or season: some are names of people, or other words."""
    if not lexicon.capitals:
        if name[0].islower() and normalize_words(name) not in lexicon.doubtful_names:
            return True
        if name[0].isupper() and _NAME_AFTER.match(match.string, match.end()):
            return False
    return find_word_before(match) in lexicon.month_leads


def _is_name(lexicon: EuropeanLexicon, match: re.Match[str]) -> bool:
    """Whether a weekday is part of a name, as in Santo Domingo or Frau Montag."""
    start = match.start()
    text_before = match.string[max(0, start - _TITLE_REACH) : start]
    if _TITLE_BEFORE.search(text_before):
        return True
    if lexicon.capitals or match[0][0].islower():
        return False
    return bool(_NAME_BEFORE.search(text_before) or (start and _NAME_AFTER.match(match.string, match.end())))


def _make_year_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Years alone, and ranges of two."""
    numbered, year_words = (frozenset(split_phrases(phrases)) for phrases in (lexicon.numbered, lexicon.year_after))
    compounds, numbers = tuple(numbered & {"nr", "nummer"}), numbered | NAMES_WITH_NUMBERS  # Kundennr. 2008
    pair_links = match_any_phrase(split_phrases(f"{lexicon.and_}, {lexicon.or_}, {lexicon.to}"))
    # Or one of two numbers that count the same unit: "2000 y 1950 millones".
    counted_unit = re.compile(
        rf"(?:{S}{pair_links}{S}[0-9.,]{{1,9}})?{S}{match_any_phrase(split_phrases(lexicon.counted))}", re.IGNORECASE
    )
    links = match_any_phrase(split_phrases(f"{lexicon.to}, {lexicon.and_}, {lexicon.fillers}"))
    plural = re.compile(rf"[^\S\n](?!{links})[a-z]{{3,20}}{lexicon.plural}\b")

    def read_year(match: re.Match[str]) -> Period | None:
        """A year; None for the number of something, or a count."""
        year, word = int(match["year"]), find_word_before(match).strip(".:#")
        is_number = word in numbered or is_labelled(match, numbers) or word.endswith(compounds)
        if is_number or counted_unit.match(match.string, match.end()) or is_other_number(match):
            return None
        if is_title_with_year(match) and word not in year_words | lexicon.year_leads:
            return None
        is_round = year % 100 == 0 and plural.match(match.string, match.end())
        if (is_round and word not in year_words) or (
            year < _MIN_PLAIN_YEAR and (word not in year_words or plural.match(match.string, match.end()))
        ):
            return None
        if not NEAR_YEARS[0] <= year <= NEAR_YEARS[1] and word not in year_words | lexicon.year_leads:
            return None
        return Period(Grain.YEAR, year)

    def read_years(match: re.Match[str]) -> TimeBetween:
        return TimeBetween(*(readings.make_year(int(match[group])) for group in ("first", "last")))

    return (
        make_rule(
            {LONG_NUMBER},
            rf"(?<![$€£¥#.@/=])(?<!=\s)(?<![0-9][,:-])(?<![0-9]–)(?P<year>1[0-9]{{3}}|2[01][0-9]{{2}}){_NO_NUMBER}",
            read_year,
        ),
        make_rule(
            list_heads(split_phrases(lexicon.year)),
            rf"{match_any_phrase(split_phrases(lexicon.year))}{lexicon.filled}(?P<year>[12][0-9]{{3}}){_NO_NUMBER}",
            lambda match: Period(Grain.YEAR, int(match["year"])),
        ),
        make_rule(
            {LONG_NUMBER},
            rf"(?<![0-9/])(?P<first>(?:19|20)[0-9]{{2}})/(?P<last>(?:19|20)[0-9]{{2}}){_NO_NUMBER}",
            read_years,
        ),
    )


def _match_of_month(lexicon: EuropeanLexicon) -> str:
    """The words between the first or last day and the name of its month: "des", "du mois de"."""
    month_words = (word for word, grain in lexicon.grains.items() if grain is Grain.MONTH)
    return rf"{lexicon.filled}(?:{match_any_phrase(month_words)}{lexicon.filled})?"


def _match_day_range(lexicon: EuropeanLexicon) -> str:
    """The first and last day of a range in one month."""
    first, last = (rf"(?P<{name}>[0-3]?[0-9]){_MARK}" for name in ("first", "last"))
    return rf"{_NO_AMOUNT_BEFORE}{first}{match_range_link(lexicon)}{last}"


def match_range_link(lexicon: EuropeanLexicon) -> str:
    """A dash, or a word for "to" with its articles."""
    return rf"(?:\s?[-–—/]\s?|{S}{match_any_phrase(split_phrases(lexicon.to))}{lexicon.filled})"


def _iter_day_ranges(lexicon: EuropeanLexicon) -> Iterable[tuple[frozenset[str], str]]:
    """The heads and the pattern of the first and last day of a range in one month, with the words before the month."""
    first, last = (rf"(?P<{name}>[0-3]?[0-9]){_MARK}" for name in ("first", "last"))
    end = rf"(?:(?<=\.)\s?|{S}){lexicon.articles}"
    yield frozenset((SHORT_NUMBER,)), rf"{_match_day_range(lexicon)}{end}"
    between, and_ = (
        split_phrases(lexicon.between),
        rf"{S}{match_any_phrase(split_phrases(lexicon.and_))}{lexicon.filled}",
    )
    yield list_heads(between), rf"{match_leading_phrase(between)}{lexicon.articles}{first}{and_}{last}{end}"


def _match_other_days(lexicon: EuropeanLexicon) -> str:
    """Lookahead after a day, or a range of days, to others of the same month: "3., 4. und 5. Mai", "2-5 e 9-12 mai".

    It ends where the month begins; its parenthesis is open.
    """
    and_ = match_any_phrase(split_phrases(f"{lexicon.and_}, {lexicon.or_}"))
    leads = match_leading_phrase(split_phrases(f"{lexicon.fillers}, {lexicon.from_}"))
    member = rf"{leads}{{0,2}}[0-3]?[0-9]{_MARK}(?:{match_range_link(lexicon)}[0-3]?[0-9]{_MARK})?"
    return rf"(?=(?:,{S}{member}){{0,5}},?{S}{and_}{S}{member}(?:(?<=\.)\s?|{S}){lexicon.articles}"


def list_step_words(steps: Mapping[str, str]) -> tuple[str, ...]:
    """The words of all steps."""
    return tuple(word for line in steps.values() for word in split_phrases(line))


def read_step(match: re.Match[str], before: Mapping[str, str], after: Mapping[str, str]) -> int:
    """The step that the group `before` or `after` names."""
    groups = match.groupdict()
    group, steps = ("before", before) if groups.get("before") else ("after", after)
    word = normalize_words(match[group])
    return next(int(step) for step, line in steps.items() if word in split_phrases(line))


def read_month_number(lexicon: EuropeanLexicon, match: re.Match[str]) -> int:
    """The number of the group `month`."""
    return lexicon.month_numbers[match["month"].lower().rstrip(".")]


def _read_year(match: re.Match[str]) -> int:
    groups = match.groupdict()
    return expand_year(next(value for name in ("year", "dashed", "short", "quoted") if (value := groups.get(name))))
