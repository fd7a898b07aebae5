"""English decades and centuries: "the 1990s", "the '80s", "the nineties", "the 19th century", "500 BC"."""

from __future__ import annotations

import re

from tasks.temporal import readings
from tasks.temporal.english.lexicon import S
from tasks.temporal.english.ordinals import ORDINAL_WORD, ordinal
from tasks.temporal.grammar import LETTERED, LONG_NUMBER, MIDDLE_NUMBER, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.recurrences import Recurring
from tasks.temporal.meanings.spans import Between
from tasks.temporal.meanings.units import decade_of_century
from tasks.temporal.readings import FixedDate, Meaning, MentionFields
from warehouse.records import Grain

_TENS = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}
_CENTURIES = {"eighteen": 1800, "nineteen": 1900, "twenty": 2000}
_NAMED = {"noughties": 2000, "aughts": 2000}
_THE = rf"(?:the{S})?"
_TENS_WORD = "|".join(_TENS)
_BEFORE_SHORT = rf"(?:the{S}(?:(?:early|mid|late)(?:{S}|-))?|(?<=early )|(?<=late )|(?<=mid-)|(?<=mid ))['’‘]?"
_REACH = 14
_OWN = re.compile(r"\b(?:his|her|their|my|our|your)\s(?:(?:early|mid|late)[\s-])?\Z", re.IGNORECASE)
_ORDER = r"(?:[12]?[0-9](?:st|nd|rd|th)|" + ORDINAL_WORD + ")"
_ERA = r"(?:\s?(?P<era>B\.?C\.?(?:E\.?)?|A\.?D\.?|C\.E\.|CE)(?![A-Za-z]))?"


def _long(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_decade(int(match["year"])))


_AFTER_DECADE = re.compile(r"[2-9]0['’]?s(?:,?\s(?:and|or|to|through)|,)\s(?:the\s)?['’‘]?\Z")


def _listed(match: re.Match[str]) -> Recurring | None:
    """The 80s of "the 70s and 80s"."""
    return _short(match) if _AFTER_DECADE.search(match.string, max(0, match.start() - _REACH), match.start()) else None


def _short(match: re.Match[str]) -> Recurring | None:
    """She is in her late 30s: no decade of a century."""
    if _OWN.search(match.string, max(0, match.start() - _REACH), match.start()):
        return None
    return decade_of_century(int(match["tens"]))


def _word(match: re.Match[str]) -> Meaning:
    tens, century = _TENS[match["tens"].lower()], match["century"]
    if century is None:
        return decade_of_century(tens)
    return FixedDate(readings.of_decade(_CENTURIES[century.lower()] + tens))


def _named(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_decade(_NAMED[match["name"].lower()]))


def _tens(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_decade(2010))


def _number(text: str) -> int:
    return int(text[:-2]) if text[0].isdigit() else ordinal(text)


def _century(match: re.Match[str]) -> Meaning:
    number, first = _number(match["number"]), match["first"]
    if (match["era"] or "").upper().startswith("B"):
        return FixedDate(MentionFields(f"BC{number - 1:02}", None, Grain.CENTURY))
    last = FixedDate(readings.of_century((number - 1) * 100))
    return Between(FixedDate(readings.of_century((_number(first) - 1) * 100)), last) if first else last


def _before_christ(match: re.Match[str]) -> FixedDate:
    return FixedDate(MentionFields(f"BC{int(match['year']):04}", None, Grain.YEAR))


RULES: tuple[GrammarRule, ...] = (
    rule({LONG_NUMBER}, rf"{_THE}(?P<year>[12][0-9][0-9]0)(?:['’]?s|\ss)(?![A-Za-z0-9'’])", _long, lead=_THE),
    rule(
        {SHORT_NUMBER + LETTERED}, rf"{_BEFORE_SHORT}(?P<tens>[2-9]0)['’]?s(?![A-Za-z0-9])", _short, lead=_BEFORE_SHORT
    ),
    rule({SHORT_NUMBER + LETTERED}, r"(?P<tens>[2-9]0)['’]?s(?![A-Za-z0-9])", _listed),
    rule({SHORT_NUMBER + LETTERED}, r"['’‘](?P<tens>[2-9]0)s(?![A-Za-z0-9])", _short, lead=r"(?<=[\s(])['’‘]"),
    rule(
        _TENS,
        rf"the{S}(?:(?P<century>eighteen|nineteen|twenty)[ -])?(?P<tens>{_TENS_WORD})\b",
        _word,
        lead=rf"the{S}(?:(?:eighteen|nineteen|twenty)[ -])?",
    ),
    rule(_NAMED, rf"{_THE}(?P<name>noughties|aughts)\b", _named, lead=_THE),
    rule({"tens"}, rf"{_THE}twenty[ -]tens\b", _tens, lead=rf"{_THE}\btwenty[ -]"),
    rule(
        {"century", "centuries"},
        rf"{_THE}(?:(?P<first>{_ORDER}){S}(?:and|to|or){S}(?:the{S})?)?(?P<number>{_ORDER})(?:{S}|-)centur(?:y|ies)\b{_ERA}",
        _century,
        lead=rf"{_THE}(?:{_ORDER}{S}(?:and|to|or){S}(?:the{S})?)?{_ORDER}(?:{S}|-)",
    ),
    rule(
        {SHORT_NUMBER, MIDDLE_NUMBER, LONG_NUMBER},
        r"(?P<year>[0-9]{1,4})\s?(?:BCE?|B\.C\.(?:E\.)?)(?![A-Za-z])",
        _before_christ,
        exact_case=True,
    ),
)
