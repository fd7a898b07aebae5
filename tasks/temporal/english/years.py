"""English years: "2019", "the year 2019", "2019-2021", "2012/13"; and numbers of four digits that are none."""

from __future__ import annotations

import re

from tasks.temporal import readings
from tasks.temporal.english.lexicon import SEASON, YEAR, S
from tasks.temporal.grammar import LONG_NUMBER, MARKED, SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.spans import Modified
from tasks.temporal.readings import FixedDate, MentionFields
from warehouse.records import Grain, Modifier

_NOT_A_YEAR_BEFORE = r"(?<![$€£¥#.@/])(?<![0-9][,:-])(?<![0-9]–)"
_NOT_A_YEAR_AFTER = (
    r"(?![,.:/][0-9]|[%°€£]|[-–][0-9]|-(?:bit|mile|page|foot|meter|metre)"
    r"|\s(?:units|people|shares|employees|students|patients|stores|jobs|items|miles|km|kg|mg|ml|feet|meters|metres"
    r"|square|points|votes|copies|words|participants|million|billion|thousand|percent|per|dollars|euros|pounds|years"
    r"|days|hours|men|women|children|members|samples|cells|characters|tokens|rows)\b)"
)
_NAMED_BY_NUMBER = frozenset(
    (
        *("section", "sections", "windows", "note", "notes", "page", "pages", "form", "rule", "rules", "item", "items"),
        *("room", "no", "model", "office", "figure", "fig", "table", "chapter", "article", "part", "iso", "building"),
        *("flight", "suite", "exhibit", "schedule", "version", "route", "highway", "interstate", "unit", "lot"),
        *("channel", "box", "number", "train", "type", "grade", "id", "rfc", "port", "code"),
        *("over", "about", "nearly", "almost", "exceed", "exceeds", "exceeding"),
    )
)
"""What is told apart by a number, or counts: Section 2023, nearly 2000."""
_COUNTS = ("more than ", "less than ", "fewer than ", "at least ", "up to ")
_STATUTE = re.compile(r"\bact\sof\s\Z", re.IGNORECASE)
"""A law is named by its year, and what is said of it is not said of that year."""
_PAGES = re.compile(r"(?:[0-9)\]]\s?:\s{0,2}|\b(?:pp?\.?|pages?|lines?|nos?\.?|vol\.?)\s?)\Z", re.IGNORECASE)
_REACH = 12
_NEAR = (1700, 2100)
_COUNTED = re.compile(r"\s[a-z]{2,20}(?<![sui])s\b|\s[a-z]{3,15}\s[a-z]{3,20}(?<![sui])s\b")
_OF_TIME = re.compile(
    r"(?:\b(?:in|since|by|until|till|before|after|from|of|year|between|circa|c\.|about|around|early|late|mid|through|during"
    r"|the|[12][0-9]{3}\s(?:and|or|to))\s|[(,–-]\s?)\Z",
    re.IGNORECASE,
)


def _year(match: re.Match[str]) -> Period | None:
    """Not what a number names; round numbers and those far from today only where the words beside them say so."""
    year, before = int(match["year"]), match.string[max(0, match.start() - _REACH) : match.start()]
    words = before.lower()
    if (
        _STATUTE.search(before)
        or words.endswith(_COUNTS)
        or words.strip().rpartition(" ")[2].strip("([.") in _NAMED_BY_NUMBER
    ):
        return None
    doubtful = year % 100 == 0 and _COUNTED.match(match.string, match.end())
    if (doubtful or not _NEAR[0] <= year <= _NEAR[1]) and not _OF_TIME.search(before):
        return None
    return Period(Grain.YEAR, year, 1)


def _named_year(match: re.Match[str]) -> Period:
    return Period(Grain.YEAR, int(match["year"]), 1)


def _years(match: re.Match[str]) -> FixedDate | None:
    """Not pages, lines or counts of other things."""
    first, last = int(match["first"]), int(match["last"])
    before = match.string[max(0, match.start() - _REACH) : match.start()]
    if not first < last <= first + 200 or _PAGES.search(before):
        return None
    if not (_NEAR[0] <= first and last <= _NEAR[1]) and not _OF_TIME.search(before):
        return None
    return FixedDate(MentionFields(f"{first}/{last}", readings.years_interval(first, last - first + 1), Grain.YEAR))


def _season_years(match: re.Match[str]) -> FixedDate | None:
    """2012/13, 1914-18."""
    first, last = int(match["first"]), int(match["first"][:2] + match["last"])
    if not first < last <= first + 25:
        return None
    return FixedDate(MentionFields(f"{first}/{last}", readings.years_interval(first, last - first + 1), Grain.YEAR))


def _year_end(match: re.Match[str]) -> Modified:
    """The end of the year that is told, or of the one that runs."""
    whole = _named_year(match) if match["year"] else Shift(Grain.YEAR, 0)
    return Modified(whole, Modifier.END)


_WHEN = (
    "|".join(rf"(?<=\b{word} )" for word in ("in", "since", "of", "by", "until", "from", "before", "after", "to"))
    + "|(?<=since)"
)
_AT = "|".join(
    rf"(?<=\b{word} )" for word in ("by", "at", "before", "until", "since", "through", "to", "around", "near")
)

RULES: tuple[GrammarRule, ...] = (
    rule(
        {LONG_NUMBER},
        rf"(?<![\d][-/.])(?P<first>{YEAR}) ?[-–—] ?(?P<last>{YEAR})(?![-/]\d|\s?(?:[cmnk]?m|k?Hz|rpm|k?g|mg|ppm)\b)",
        _years,
    ),
    rule(
        {LONG_NUMBER + MARKED},
        r"(?<![\d][-/.])(?<!ASU )(?<!Update )(?<!No\. )(?P<first>(?:19|20)\d\d)"
        rf"(?:[/–]|-(?=1[3-9]|[2-9]|\d\d{SEASON}))(?P<last>\d\d)(?![-/.]?[0-9A-Za-z])",
        _season_years,
    ),
    rule(
        {LONG_NUMBER}, rf"{_NOT_A_YEAR_BEFORE}(?P<year>1[5-9]\d\d|2[01]\d\d)(?![0-9A-Za-z]){_NOT_A_YEAR_AFTER}", _year
    ),
    rule({"year"}, rf"(?:the{S})?year{S}(?P<year>{YEAR})", _named_year, lead=rf"(?:the{S})?"),
    rule(
        {SHORT_NUMBER},
        rf"(?:{_WHEN})['’‘](?P<year>[0-9]{{2}})(?![0-9A-Za-z]|['’][a-z])",
        lambda match: Period(Grain.YEAR, readings.full_year(match["year"]), 1),
        lead=rf"(?:{_WHEN})['’‘]",
    ),
    rule(
        {"year"},
        rf"(?:{_AT})(?:the{S})?year(?:-|{S})end\b(?:{S}(?:of{S})?(?P<year>{YEAR}))?",
        _year_end,
        lead=rf"(?:{_AT})(?:the{S})?",
    ),
)
