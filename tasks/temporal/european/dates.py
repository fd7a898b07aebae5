"""European dates: "3. Mai 2021", "le 3 mai", "del 3 al 5 de mayo de 2021", "März", "verano de 2020", "XIX secolo"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.lexicon import YEAR, S
from tasks.temporal.european.lexicon import NUMBER_HEADS, EuropeanLexicon, either, heads, phrases
from tasks.temporal.grammar import SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.recurrences import (
    NumericDay,
    Recurring,
    Stepped,
    decade_of_century,
    month_day,
    month_of_year,
    season_of_year,
    weekday,
)
from tasks.temporal.meanings.spans import Between
from tasks.temporal.readings import Meaning, MentionFields, full_year

_MARK = r"(?:er|[eº°ª]|\.[ºª]|\.)?"
"""What makes a number the number of a day: 1er, 3., 1º."""
_DAY = rf"(?P<day>[0-3]?[0-9]){_MARK}(?:(?<=\.)\s?|{S})"
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi")
_ROMAN += ("xvii", "xviii", "xix", "xx", "xxi")
_CENTURIES = {name: count for count, name in enumerate(_ROMAN, 1)}
_OTHER_WORDS = frozenset(("mars",))  # The rover Mars 2020 is no month.
_LONGEST_WORD = 14
_NO_SUM = r"(?<![$€£¥#])(?<![0-9][.,])"


def date_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Days, months, weekdays and years of a language."""
    month = rf"(?P<month>{lexicon.month})"
    return (*_dated_rules(lexicon, month, month), *_partial_rules(lexicon), *_larger_rules(lexicon))


def sure_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Dates of months that are not shortened with their year: what they say in a text of any language."""
    names = lexicon.month_names
    day_month, month = (rf"(?P<month>{either(each)})" for each in (names, names - _OTHER_WORDS))
    return _dated_rules(lexicon, day_month, month)


def _dated_rules(lexicon: EuropeanLexicon, month: str, alone: str) -> tuple[GrammarRule, ...]:
    """Dates with their year: of patterns of a `month` beside a day, and `alone` with its year."""
    of = lexicon.filled
    year = rf"(?:,?{of}(?P<year>{YEAR})|[-/](?P<short>[0-9]{{2}})(?![0-9])|{S}['’](?P<quoted>[0-9]{{2}})(?![0-9]))"
    linked = rf",?{S}(?:{either(phrases(lexicon.weekday_links))}{S})?"
    named = rf"(?:{either(lexicon.weekday_numbers)}{linked})?"
    spaced = rf"{_DAY}(?:{either(phrases(lexicon.fillers))}{S}){{0,2}}"
    first = {each for line in lexicon.ordinals[:1] for each in phrases(line)}

    def read_date(match: re.Match[str]) -> MentionFields:
        return readings.of_day(date(_year(match), _month(lexicon, match), int(match["day"])))

    def read_first(match: re.Match[str]) -> MentionFields:
        return readings.of_day(date(_year(match), _month(lexicon, match), 1))

    def read_month(match: re.Match[str]) -> MentionFields:
        return readings.of_month(_year(match), _month(lexicon, match))

    def read_days(match: re.Match[str]) -> Between:
        month, year = _month(lexicon, match), _year(match)
        return Between(*(readings.of_day(date(year, month, int(match[side]))) for side in ("first", "last")))

    return (
        rule(heads(lexicon.weekday_numbers) | {SHORT_NUMBER}, rf"{_NO_SUM}{named}{spaced}{month}{year}", read_date),
        rule(
            {SHORT_NUMBER},
            rf"{_NO_SUM}(?P<day>[0-3]?[0-9])(?P<mark>[-/.]){month}(?P=mark)(?P<year>{YEAR}|[0-9]{{2}})(?![0-9])",
            read_date,
        ),
        rule(heads(first), rf"{either(first)}{of}{month}{year}", read_first),
        rule(heads(lexicon.month_numbers), rf"{alone}(?:{year}|[-/.](?P<dashed>{YEAR}))", read_month),
        rule({SHORT_NUMBER}, rf"{_days(lexicon)}{month}{year}", read_days),
    )


def _partial_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Days and months whose year is that of the text, and weekdays."""
    of, names, days = lexicon.filled, either(lexicon.month_names), either(lexicon.weekday_numbers)
    linked = rf",?{S}(?:{either(phrases(lexicon.weekday_links))}{S})?"
    spaced = rf"{_DAY}(?:{either(phrases(lexicon.fillers))}{S}){{0,2}}"
    first = {each for line in lexicon.ordinals[:1] for each in phrases(line)}
    before = frozenset(phrases(lexicon.before_month))
    point_before = frozenset(phrases(f"{lexicon.fillers}, {lexicon.since}, {lexicon.until}, {lexicon.from_}, am"))

    def read_day(match: re.Match[str]) -> Recurring:
        return month_day(_month(lexicon, match), int(match["day"]))

    def read_first(match: re.Match[str]) -> Recurring:
        return month_day(_month(lexicon, match), 1)

    def read_days(match: re.Match[str]) -> Between:
        month = _month(lexicon, match)
        return Between(*(month_day(month, int(match[side])) for side in ("first", "last")))

    def read_month(match: re.Match[str]) -> Recurring | None:
        """Only where the word before says that it is one: some are names of people, or other words."""
        return month_of_year(_month(lexicon, match)) if _word_before(match) in before else None

    def read_weekday(match: re.Match[str]) -> Recurring:
        return weekday(lexicon.weekday_numbers[folded(match["weekday"])])

    def read_stepped(match: re.Match[str]) -> Stepped:
        return Stepped(read_weekday(match), step_of(match, lexicon.steps_before, lexicon.steps_after))

    def read_point(match: re.Match[str]) -> NumericDay | None:
        """3.5. after a word that says when."""
        return (
            NumericDay(int(match["first"]), int(match["second"]), ".") if _word_before(match) in point_before else None
        )

    rules = [
        rule(
            heads(lexicon.weekday_numbers) | {SHORT_NUMBER},
            rf"{_NO_SUM}(?:{days}{linked})?{spaced}(?P<month>{names})",
            read_day,
        ),
        rule(heads(first), rf"{either(first)}{of}(?P<month>{names})", read_first),
        rule({SHORT_NUMBER}, rf"{_days(lexicon)}(?P<month>{names})", read_days),
        rule(heads(lexicon.month_names), rf"(?P<month>{names})", read_month),
        rule(heads(lexicon.weekday_numbers), rf"(?P<weekday>{days})", read_weekday),
        rule(
            {SHORT_NUMBER},
            r"(?<![0-9.])(?P<first>[0-3]?[0-9])\.\s?(?P<second>1[0-2]|0?[1-9])\.(?!\s?[0-9])",
            read_point,
        ),
    ]
    if steps := step_words(lexicon.steps_before):
        pattern = rf"(?P<before>{either(steps)}){S}(?P<weekday>{days})"
        rules.append(rule(heads(steps), pattern, read_stepped))
    if steps := step_words(lexicon.steps_after):
        pattern = rf"(?P<weekday>{days}){S}(?P<after>{either(steps)})"
        rules.append(rule(heads(lexicon.weekday_numbers), pattern, read_stepped))
    return tuple(rules)


def _larger_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Seasons, decades and centuries."""
    seasons = {name: index for index, line in enumerate(lexicon.seasons) for name in phrases(line)}
    season = rf"(?P<season>{either(seasons)})"
    before = frozenset(phrases(lexicon.before_month))

    def read_season(match: re.Match[str]) -> Meaning | None:
        index = seasons[folded(match["season"])]
        if match["year"]:
            return readings.of_season(date(int(match["year"]), 3 + 3 * index, 1))
        return season_of_year(index) if _word_before(match) in before else None

    def read_decade(match: re.Match[str]) -> Meaning:
        digits = match["decade"]
        return readings.of_decade(int(digits)) if len(digits) > 2 else decade_of_century(int(digits))

    def read_century(match: re.Match[str]) -> MentionFields | None:
        name = folded(match["century"])
        count = int(name) if name.isdigit() else _CENTURIES[name]
        return readings.of_century((count - 1) * 100) if 1 < count <= len(_ROMAN) else None

    number = rf"(?P<century>[0-9]{{1,2}}|{'|'.join(reversed(_ROMAN))})"
    century_heads = NUMBER_HEADS | set(_ROMAN) | {f"{name}{end}" for name in _ROMAN for end in ("e", "eme", "o")}
    return (
        rule(heads(seasons), rf"{season}(?:{lexicon.filled}(?P<year>{YEAR}))?", read_season),
        *(
            rule(
                lexicon.template_heads(each),
                rf"(?<![0-9]){lexicon.template(each, decade='(?P<decade>(?:1[5-9]|20)?[0-9]0)')}",
                read_decade,
            )
            for each in lexicon.decades
        ),
        *(
            rule(lexicon.template_heads(each, century_heads), lexicon.template(each, century=number), read_century)
            for each in lexicon.centuries
        ),
    )


def _days(lexicon: EuropeanLexicon) -> str:
    """The first and last day of a range in one month, and what stands before the month."""
    to = rf"(?:\s?[-–—/]\s?|{S}{either(phrases(lexicon.to))}{lexicon.filled})"
    link = rf"(?:(?<=\.)\s?|{S})(?:{either(phrases(lexicon.fillers))}{S}){{0,2}}"
    return rf"{_NO_SUM}(?P<first>[0-3]?[0-9]){_MARK}{to}(?P<last>[0-3]?[0-9]){_MARK}{link}"


def step_words(steps: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(word for line in steps.values() for word in phrases(line))


def step_of(match: re.Match[str], before: Mapping[str, str], after: Mapping[str, str]) -> int:
    """The step that the group `before` or `after` names."""
    groups = match.groupdict()
    side, steps = ("before", before) if groups.get("before") else ("after", after)
    word = folded(match[side])
    return next(int(step) for step, line in steps.items() if word in phrases(line))


def _word_before(match: re.Match[str]) -> str:
    """The word before a match, in lower case, without an apostrophe's."""
    start = match.start()
    before = match.string[max(0, start - _LONGEST_WORD) : start].rstrip(" \n-")
    return re.split(r"[\s'’(]", before)[-1].lower() if before else ""


def folded(text: str) -> str:
    return " ".join(text.lower().split())


def _month(lexicon: EuropeanLexicon, match: re.Match[str]) -> int:
    return lexicon.month_numbers[match["month"].lower().rstrip(".")]


def _year(match: re.Match[str]) -> int:
    groups = match.groupdict()
    return full_year(next(value for name in ("year", "dashed", "short", "quoted") if (value := groups.get(name))))
