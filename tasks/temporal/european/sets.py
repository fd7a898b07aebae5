"""European recurring times: "jeden zweiten Dienstag", "ogni mese", "montags", "los lunes", "Mo–Fr", "täglich"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.temporal.english.lexicon import S
from tasks.temporal.european.lexicon import (
    EuropeanLexicon,
    find_word_before,
    list_heads,
    match_any_phrase,
    match_leading_phrase,
    normalize_words,
    split_phrases,
)
from tasks.temporal.grammar import GrammarRule, make_rule
from tasks.temporal.meanings.recurrences import Recurring, make_weekday
from tasks.temporal.meanings.spans import Duration, TimeSet
from warehouse.records import Grain

_SHORT_WEEKDAY = 4  # Letters of a short weekday; longer ones, as "quarta", may be ordinals except after "de".


def make_set_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Recurring days and units, and their frequency."""
    return (*_make_each_rules(lexicon), *_make_weekday_rules(lexicon), *_make_rate_rules(lexicon))


def _make_each_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """With a word for every: "jeden zweiten Dienstag", "ogni mese"."""
    every, days, parts = split_phrases(lexicon.every), lexicon.weekday_numbers, lexicon.day_parts

    seconds = (*split_phrases(lexicon.ordinals[1]), *split_phrases(lexicon.numbers["2"]))

    def read_each(match: re.Match[str]) -> TimeSet:
        name, is_other = normalize_words(match["name"]), bool(match["other"])
        if name in days:
            quant = "EVERY OTHER" if is_other else "EVERY"
            return TimeSet(f"XXXX-WXX-{days[name] + 1}", Grain.DAY, quant)
        if is_other:
            return _make_set(2, lexicon.parse_grain(name))
        if name in parts:
            return TimeSet(f"XXXX-XX-XXT{parts[name]}", Grain.PART)
        if name in lexicon.month_numbers:
            return TimeSet(f"XXXX-{lexicon.month_numbers[name]:02}", Grain.MONTH)
        return _make_set(1, lexicon.parse_grain(name))

    names = {*days, *parts, *lexicon.month_names, *lexicon.grains}
    is_other = rf"(?P<other>{match_any_phrase(seconds)}{S}(?={match_any_phrase({*days, *lexicon.grains})}))?"
    yield make_rule(
        list_heads(every), rf"{match_leading_phrase(every)}{is_other}(?P<name>{match_any_phrase(names)})", read_each
    )


def _make_weekday_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Weekdays in a form that recurs, and ranges of weekdays: "montags", "los lunes", "Mo–Fr"."""
    plurals = {name: number for number, line in enumerate(lexicon.weekday_plurals) for name in split_phrases(line)}
    days, leads = lexicon.weekday_numbers | plurals, split_phrases(lexicon.weekday_plural_leads)

    def read_plural(match: re.Match[str]) -> TimeSet:
        return TimeSet(f"XXXX-WXX-{days[normalize_words(match['name'])] + 1}", Grain.DAY)

    if plurals:
        yield make_rule(list_heads(plurals), rf"(?P<name>{match_any_phrase(plurals)})", read_plural)
    if leads:
        yield make_rule(
            list_heads(leads), rf"{match_leading_phrase(leads)}(?P<name>{match_any_phrase(days)})", read_plural
        )

    # Mo–Fr, lun-ven, ma t/m vr.
    short_days = {name: number for number, line in enumerate(lexicon.weekday_short, 1) for name in split_phrases(line)}
    to, from_ = match_any_phrase(split_phrases(lexicon.to)), split_phrases(lexicon.from_)

    def read_short(match: re.Match[str]) -> Recurring | None:
        is_capitalized = match["name"][0].isupper() or not lexicon.capitals
        return make_weekday(short_days[normalize_words(match["name"])] - 1) if is_capitalized else None

    unit, name = match_any_phrase(split_phrases(lexicon.clock_hours)), match_any_phrase(short_days)
    hour = rf"[0-2]?[0-9](?:[:h][0-5][0-9]|\s?{unit}|\s?[-–]\s?[0-2]?[0-9](?:[:.][0-5][0-9])?\s?{unit})"
    other_days = rf"(?:\.?(?:\s?[/+&]\s?|,\s|\s{match_any_phrase(split_phrases(lexicon.and_))}\s){name}){{0,5}}"
    yield make_rule(
        list_heads(short_days),
        rf"(?<![-–/0-9A-Za-z])(?P<name>{name})\.?(?={other_days}\.?[,:]?\s{{1,2}}{hour})",
        read_short,
    )
    yield make_rule(
        list_heads(short_days), rf"(?<=[/+])(?P<name>{name})\.?(?={other_days}\.?[,:]?\s{{1,2}}{hour})", read_short
    )

    def read_weekdays(match: re.Match[str]) -> TimeSet | None:
        names = [normalize_words(match[group]) for group in ("first", "last")]
        if any(len(name) > _SHORT_WEEKDAY for name in names) and find_word_before(match) not in from_:
            return None
        first, last = (short_days[name] for name in names)
        is_capitalized = all(match[group][0].isupper() for group in ("first", "last")) or not lexicon.capitals
        return TimeSet(f"XXXX-WXX-{first}/XXXX-WXX-{last}", Grain.DAY) if first < last and is_capitalized else None

    yield make_rule(
        list_heads(short_days),
        rf"(?<![-/])(?P<first>{match_any_phrase(short_days)})\.?(?:\s?[-–]\s?|{S}{to}{S})(?P<last>{match_any_phrase(short_days)})(?![-/])",
        read_weekdays,
    )


def _make_rate_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """How often: "täglich", "alle zwei Wochen", "deux fois par jour"."""
    symbols = {"D": Grain.DAY, "W": Grain.WEEK, "M": Grain.MONTH, "Y": Grain.YEAR, "H": Grain.HOUR}
    sets_by_word = {word: value for value, line in lexicon.often.items() for word in split_phrases(line)}

    def read_frequency_word(words: str) -> TimeSet:
        value = sets_by_word[normalize_words(words)]
        return TimeSet(value, symbols[value[-1]])

    yield make_rule(
        list_heads(sets_by_word), match_any_phrase(sets_by_word), lambda match: read_frequency_word(match[0])
    )

    def read_every_few(match: re.Match[str]) -> TimeSet:
        return _make_set(lexicon.parse_number(match["count"]), lexicon.parse_grain(match["unit"]))

    def read_times_per(match: re.Match[str]) -> TimeSet:
        frequency = match.groupdict().get("often")
        time_set = read_frequency_word(frequency) if frequency else _make_set(1, lexicon.parse_grain(match["unit"]))
        return TimeSet(time_set.value, time_set.grain, quant="", freq=f"{lexicon.parse_number(match['count'])}X")

    for templates, read in ((lexicon.every_few, read_every_few), (lexicon.times_per, read_times_per)):
        for template in templates:
            pattern = lexicon.expand_template(template, often=rf"(?P<often>{match_any_phrase(sets_by_word)})")
            yield make_rule(lexicon.list_template_heads(template), pattern, read)


def _make_set(count: int, grain: Grain) -> TimeSet:
    length = (6 * count, Grain.MONTH) if grain is Grain.HALF else (count, grain)
    return TimeSet(Duration((length,)).value, grain)
