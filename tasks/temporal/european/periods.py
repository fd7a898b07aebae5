"""European quarters, halves and fiscal years, units counted from now, lengths, sets, and clocks.

"1. Quartal 2021", "exercice 2022/23", "letztes Jahr", "il y a trois ans", "los últimos 5 años", "ogni mese", "14h30".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from tasks.temporal.english.lexicon import YEAR, S
from tasks.temporal.european.dates import folded, step_of, step_words
from tasks.temporal.european.lexicon import NUMBER_HEADS, EuropeanLexicon, either, heads, phrases
from tasks.temporal.grammar import SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.clocks import Clock, of_hands
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Away, Origin, Rolling, Shift
from tasks.temporal.meanings.recurrences import half_of_year, quarter_of_year
from tasks.temporal.meanings.spans import SYMBOLS, Duration, Every
from tasks.temporal.readings import Meaning, full_year
from warehouse.records import Grain

_ROMAN = ("i", "ii", "iii", "iv")
_ENDING = r"(?:er|[eo]|ro|do|to|ste|de|\.?[ºª°]|\.)?"
"""What makes a number an ordinal."""
_NOW = Shift(Grain.DAY, 0)
_SMALLEST = (Grain.SECOND, Grain.MINUTE, Grain.HOUR)
_YEARS = rf"(?P<year>{YEAR})(?:\s?[-–/]\s?(?P<last>[0-9]{{4}}|[0-9]{{2}})(?![-/.]?[0-9]))?"


def fiscal_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Quarters and halves with their year, and fiscal years."""
    return tuple(_fiscal_rules(lexicon, rf"{lexicon.filled}", required=True))


def period_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """All that is no date and no signal."""
    return (
        *_fiscal_rules(lexicon, lexicon.filled, required=False),
        *_relative_rules(lexicon),
        *_counted_rules(lexicon),
        *_set_rules(lexicon),
        *_clock_rules(lexicon),
    )


def _fiscal_rules(lexicon: EuropeanLexicon, filled: str, *, required: bool) -> Iterable[GrammarRule]:
    """Without a year, where it is not `required`, a quarter or half is that of the text's year."""
    fiscal, ordinals = (
        phrases(lexicon.fiscal_year),
        {w: n for n, line in enumerate(lexicon.ordinals, 1) for w in phrases(line)},
    )
    ordinals |= {name: number for number, name in enumerate(_ROMAN, 1)}
    year = rf"(?:,?\s?{filled}?(?:(?:(?P<fiscal>{either(fiscal)})|{either(phrases(lexicon.year))}){filled})?{_YEARS})"
    ordinal = rf"(?P<ordinal>{either(ordinals)}|[1-4]{_ENDING})"

    def period(grain: Grain) -> Callable[[re.Match[str]], Meaning]:
        def read(match: re.Match[str]) -> Meaning:
            word = folded(match["ordinal"])
            index = ordinals[word] if word in ordinals else int(word[0])
            if grain is Grain.HALF and index > 2:
                raise ValueError(f"no half {index}")
            if not match["year"]:
                return quarter_of_year(index) if grain is Grain.QUARTER else half_of_year(index)
            return _period(grain, match, index, fiscal=bool(match.groupdict().get("fiscal")))

        return read

    for grain, name, marks in (
        (Grain.QUARTER, lexicon.quarter, phrases(lexicon.quarter_marks)),
        (Grain.HALF, lexicon.half, phrases(lexicon.half_marks)),
    ):
        begin = heads(ordinals) | NUMBER_HEADS
        optional = "" if required else "?"
        yield rule(begin, rf"{ordinal}(?:(?<=[.ºª°])\s?|{S}){either(phrases(name))}{year}{optional}", period(grain))
        if required:
            continue
        mark = f"(?:{'|'.join(marks)})"
        yield rule(
            heads(marks),
            rf"{mark}\s?(?P<ordinal>[1-4])(?:[\s/-]|{S})(?:(?P<fiscal>{either(fiscal)}){S})?{_YEARS}",
            period(grain),
        )
        yield rule(
            NUMBER_HEADS,
            rf"(?P<ordinal>[1-4]){mark}[\s/-]?(?P<year>(?:20)?[0-9]{{2}})(?P<last>)(?![0-9])",
            period(grain),
        )
    yield rule(
        heads(fiscal),
        rf"{either(fiscal)}{filled}{_YEARS}",
        lambda match: _period(Grain.YEAR, match, 1, fiscal=True),
    )


def _period(grain: Grain, match: re.Match[str], index: int, *, fiscal: bool) -> Period:
    """A year of two numbers is named by its end: the second half of 2022/23."""
    year, last = full_year(match["year"]), match["last"]
    if not last:
        return Period(grain, year, index, fiscal)
    if int(last) % 100 != (year + 1) % 100:
        raise ValueError(f"{year} and {last} do not run into each other")
    return Period(grain, year + 1, index, fiscal=True, by_end=True)


def _relative_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    days = {word: int(step) for step, line in lexicon.days.items() for word in phrases(line)}
    yield rule(heads(days), either(days), lambda match: Shift(Grain.DAY, days[folded(match[0])]))
    units = {word for word, grain in lexicon.grains.items() if grain not in _SMALLEST}
    unit = rf"(?P<unit>{either(units)})"
    for before, after, origin in (
        (lexicon.steps_before, lexicon.steps_after, Origin.WRITTEN),
        (lexicon.told_before, lexicon.told_after, Origin.TOLD),
    ):

        def stepped(
            match: re.Match[str],
            before: Mapping[str, str] = before,
            after: Mapping[str, str] = after,
            origin: Origin = origin,
        ) -> Shift:
            return Shift(lexicon.grain(match["unit"]), step_of(match, before, after), origin)

        if words := step_words(before):
            yield rule(heads(words), rf"(?P<before>{either(words)}){S}{unit}", stepped)
        if words := step_words(after):
            yield rule(heads(units), rf"{unit}{S}(?P<after>{either(words)})", stepped)
    for each in lexicon.shifts:
        words = phrases(each["words"])
        origin = Origin.TOLD if each.get("told") else Origin.WRITTEN
        yield rule(heads(words), either(words), Shift(Grain(each["unit"]), each["count"], origin))


def _counted_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    def length(match: re.Match[str]) -> Duration:
        return Duration(((lexicon.number(match["count"]), lexicon.grain(match["unit"])),))

    def away(side: int) -> Callable[[re.Match[str]], Away]:
        def read(match: re.Match[str]) -> Away:
            count, grain = side * lexicon.number(match["count"]), lexicon.grain(match["unit"])
            return Away(grain, count, _NOW, to_day=side > 0)

        return read

    def rolling(side: int) -> Callable[[re.Match[str]], Rolling]:
        def read(match: re.Match[str]) -> Rolling:
            count, grain = lexicon.number(match["count"]), lexicon.grain(match["unit"])
            return Rolling(grain, side * count, length(match).value)

        return read

    yield rule(lexicon.count_heads, rf"(?<![0-9.,]){lexicon.count}(?:{S}|-){lexicon.unit}", length)
    for templates, read in (
        (lexicon.ago, away(-1)),
        (lexicon.hence, away(1)),
        (lexicon.rolling_back, rolling(-1)),
        (lexicon.rolling_on, rolling(1)),
    ):
        for each in templates:
            yield rule(lexicon.template_heads(each), lexicon.template(each), read)


def _set_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    symbols = {"D": Grain.DAY, "W": Grain.WEEK, "M": Grain.MONTH, "Y": Grain.YEAR, "H": Grain.HOUR}
    often = {word: value for value, line in lexicon.often.items() for word in phrases(line)}
    yield rule(
        heads(often), either(often), lambda match: Every(often[folded(match[0])], symbols[often[folded(match[0])][-1]])
    )
    every, days = phrases(lexicon.every), lexicon.weekday_numbers

    def each(match: re.Match[str]) -> Every:
        name = folded(match["name"])
        if name in days:
            return Every(f"XXXX-WXX-{days[name] + 1}", Grain.DAY)
        if name in lexicon.month_numbers:
            return Every(f"XXXX-{lexicon.month_numbers[name]:02}", Grain.MONTH)
        grain = lexicon.grain(name)
        return Every(f"P{'T' if grain in _SMALLEST else ''}1{SYMBOLS[grain]}", grain)

    names = either({*days, *lexicon.month_names, *(word for word, grain in lexicon.grains.items() if grain in SYMBOLS)})
    yield rule(heads(every), rf"{either(every)}{S}(?P<name>{names})", each)
    for template in lexicon.every_few:

        def every_few(match: re.Match[str]) -> Every:
            grain = lexicon.grain(match["unit"])
            return Every(Duration(((lexicon.number(match["count"]), grain),)).value, grain)

        yield rule(lexicon.template_heads(template), lexicon.template(template), every_few)


def _clock_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    places = {"hour": r"(?P<hour>[01]?[0-9]|2[0-4])", "minute": "(?P<minute>[0-5][0-9])"}

    def clock(match: re.Match[str]) -> Clock:
        return of_hands(int(match["hour"]), int(match.groupdict().get("minute") or 0))

    for each in lexicon.clocks:
        yield rule({SHORT_NUMBER}, rf"(?<![0-9:.,]){lexicon.template(each, **places)}", clock)
