"""European decades, centuries and years before or after Christ: "années 1990", "jaren '80", "XIX secolo"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.temporal import readings
from tasks.temporal.english.lexicon import S
from tasks.temporal.european.calendar_dates import DAY, match_range_link, read_month_number
from tasks.temporal.european.lexicon import (
    NUMBER_HEADS,
    EuropeanLexicon,
    list_heads,
    match_any_phrase,
    match_leading_phrase,
    normalize_words,
    split_phrases,
)
from tasks.temporal.grammar import GrammarRule, make_rule
from tasks.temporal.meanings.recurrences import make_decade_of_century
from tasks.temporal.meanings.spans import TimeBetween
from tasks.temporal.readings import Meaning, MentionFields
from warehouse.records import Grain

_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = tuple(tens + ones for tens in ("", "x", "xx") for ones in _ONES)[1:22]
_BEFORE_CENTURY = (
    "(?:"
    + "|".join(
        rf"(?<={name})" for name in ("[Ii]l ", "[Ll]'", "el ", "al ", "ul ", "ll'", "primo ", "tardo ", "pieno ")
    )
    + ")"
)
"""The ends of the words before a named century: "il Novecento", "nell'Ottocento", not "Via Novecento"."""
_CENTURIES = {name: count for count, name in enumerate(_ROMAN, 1)}


def make_era_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Decades and centuries of a language."""
    tens = {word: count for word, count in lexicon.number_words.items() if count % 10 == 0 and 20 <= count <= 90}

    counts = _CENTURIES | {
        word: int(number) for number, line in lexicon.century_words.items() for word in split_phrases(line)
    }

    def read_decade(match: re.Match[str]) -> Meaning:
        name = match["decade"].lower().lstrip("'")
        count = int(name) if name.isdigit() else tens[name]
        return readings.make_decade(count) if count > 100 else make_decade_of_century(count)

    def read_century(match: re.Match[str]) -> MentionFields | None:
        name = match["century"].lower()
        count = int(name) if name.isdigit() else counts[normalize_words(name)]
        if match["before"] and 1 <= count <= len(_ROMAN):
            return MentionFields(f"BC{count - 1:02}", None, Grain.CENTURY)
        return readings.make_century((count - 1) * 100) if 1 < count <= len(_ROMAN) else None

    names = "|".join(map(re.escape, sorted(tens, key=len, reverse=True)))
    decade = rf"(?P<decade>'?(?:1[5-9]|20)?[0-9]0|{names})"
    # In "años 2020 y 2021" the first is a year as well.
    years = (
        rf"(?!{S}?(?:[-–,/]|{match_any_phrase(split_phrases(f'{lexicon.and_}, {lexicon.to}'))}){S}?[12][0-9]{{2}}[1-9])"
    )
    century = rf"(?P<century>[0-9]{{1,2}}|{'|'.join(sorted(map(re.escape, counts), key=len, reverse=True))})"
    before = lexicon.match_before_christ()
    return (
        *(
            make_rule(
                lexicon.list_template_heads(template, _list_heads(template, tens)),
                rf"(?<![0-9])(?<![0-9]\s){lexicon.expand_template(template, decade=decade)}{years}",
                read_decade,
            )
            for template in lexicon.decades
        ),
        *(
            make_rule(
                lexicon.list_template_heads(template, _list_heads(template, counts)),
                rf"{lexicon.expand_template(template, century=century)}(?:\.?\s?(?P<before>{before})(?![A-Za-z]))?",
                read_century,
            )
            for template in lexicon.centuries
        ),
        *(
            make_rule(
                {name.lower()},
                rf"{_BEFORE_CENTURY}{name}(?![A-Za-z])",
                readings.make_century(int(century) * 100),
                exact_case=True,
            )
            for century, name in lexicon.century_names.items()
        ),
    )


def make_christian_era_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Years before and after Christ, and days and months before Christ."""

    def read_before_christ(match: re.Match[str]) -> MentionFields | None:
        """A year before Christ, a day or month of it, or years, which count down; they have no interval."""
        groups = match.groupdict()
        first, year = groups.get("first"), int(match["year"])
        if first and not int(first) > year:
            return None
        day = f"-{int(groups['day']):02}" if groups.get("day") else ""
        month = f"-{read_month_number(lexicon, match):02}" if groups.get("month") else ""
        value = f"BC{int(first):04}/BC{year:04}" if first else f"BC{year:04}{month}{day}"
        return MentionFields(value, None, Grain.DAY if day else Grain.MONTH if month else Grain.YEAR)

    def read_after_christ(match: re.Match[str]) -> Meaning:
        groups, year = match.groupdict(), int(match["year"])
        if groups.get("first"):
            return TimeBetween(readings.make_year(int(match["first"])), readings.make_year(year))
        return readings.make_year(year)

    year = r"(?P<year>[0-9]{1,4})"
    years = rf"(?<![0-9.,])(?:(?P<first>[0-9]{{1,4}}){match_range_link(lexicon)})?{year}"
    between, and_ = (split_phrases(phrases) for phrases in (lexicon.between, lexicon.and_))
    year_pair = rf"{match_leading_phrase(between)}(?P<first>[0-9]{{1,4}}){S}{match_any_phrase(and_)}{lexicon.filled}"
    date_words = rf"(?:{DAY}{lexicon.articles})?(?P<month>{lexicon.month}){lexicon.filled}{year}"
    before_christ, after_christ = (
        rf"{S}(?:{era_names})(?![A-Za-z])"
        for era_names in (lexicon.match_before_christ(), lexicon.match_after_christ())
    )
    return (
        make_rule(NUMBER_HEADS, rf"{years}{before_christ}", read_before_christ),
        make_rule(list_heads(between), rf"{year_pair}{year}{before_christ}", read_before_christ),
        make_rule(
            list_heads(lexicon.month_numbers) | NUMBER_HEADS, rf"{date_words}{before_christ}", read_before_christ
        ),
        make_rule(NUMBER_HEADS, rf"{years}{after_christ}", read_after_christ),
    )


def _list_heads(template: str, words: Iterable[str]) -> frozenset[str]:
    """The heads of a template that begins with a place: numbers, or the words with their ending."""
    ending = re.match(r"\{\w+\}([a-z]*)", split_phrases(template)[0])
    return NUMBER_HEADS | {
        f"{word.partition('-')[0]}{ending[1] if ending and '-' not in word else ''}" for word in words
    }
