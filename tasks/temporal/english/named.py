"""Weekdays and months by their names alone or after "last": "Friday", "in April", "this past Sunday", "next May"."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import MONTH, MONTH_NAMES, MONTHS, WEEKDAY, WEEKDAYS, S, any_of, month
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.meanings.recurrences import Recurring, Stepped
from tasks.temporal.meanings.units import month_of_year, weekday
from tasks.temporal.readings import Meaning

_STEPS = {"last": -1, "past": -1, "this": 0, "next": 1, "coming": 1}
_TOLD = {"previous": -1, "preceding": -1, "same": 0, "following": 1}
_STEP = rf"(?:(?:this|the){S})?(?P<step>{any_of(_STEPS | _TOLD)}){S}"
_CAPITAL = r"(?-i:(?=[A-Z]))"

_BEFORE = frozenset(
    [
        "in",
        "since",
        "until",
        "till",
        "during",
        "by",
        "from",
        "to",
        "through",
        "for",
        "of",
        "between",
        "before",
        "after",
        "late",
        "early",
        "mid",
        "every",
        "each",
        "around",
        "about",
        "like",
        "than",
    ]
)
"""After these a name can only be a month's, even "May" or "Dec"."""

_CLEAR = frozenset(MONTH_NAMES) - {"march", "may"}
_UNMISTAKABLE = any_of(_CLEAR - {"august"})
"""Months that no other word is written like, even without a capital."""

_PERSON = re.compile(r"['’]?-|\s[A-Z][a-z]")
"""April Smith and August Wilson are no months."""

_IS = re.compile(r"['’]s\b|\s(?:was|were|is|saw|sales|data|figures|numbers|report|results|quarter)\b")
_TOO = re.compile(r"\s(?:and|or|through|to)\b|[,.);]")
"""What may follow March and May, which are verbs and names as well; the second only inside a sentence."""

_AFTER_MONTH = re.compile(rf"\b{MONTH}{S}(?:and|or|to|through|until){S}\Z", re.IGNORECASE)
_LONGEST_WORD = 14


def _stepped(recurring: Recurring, match: re.Match[str]) -> Meaning:
    step = match["step"].lower()
    return Stepped(recurring, _TOLD[step], told=True) if step in _TOLD else Stepped(recurring, _STEPS[step])


def _weekday(match: re.Match[str]) -> Recurring:
    return weekday(WEEKDAYS[match["weekday"].lower()])


def _month(match: re.Match[str]) -> Recurring:
    return month_of_year(month(match["month"]))


def _alone(match: re.Match[str]) -> Recurring | None:
    """A month where the words beside it leave no doubt."""
    text, start, end = match.string, match.start(), match.end()
    word = re.split(r"\s", text[max(0, start - _LONGEST_WORD) : start].rstrip(" \n-"))[-1]
    name = match["month"].lower()
    if word.lower() in _BEFORE or _AFTER_MONTH.search(text, max(0, start - _LONGEST_WORD - 6), start):
        sure = True
    elif name in _CLEAR:
        sure = not _PERSON.match(text, end)
    elif name in MONTH_NAMES:
        inside = word[:1].islower()
        sure = (inside or not word[:1].isupper()) and bool(_IS.match(text, end) or (inside and _TOO.match(text, end)))
    else:
        sure = False
    return _month(match) if sure else None


RULES: tuple[GrammarRule, ...] = (
    rule(WEEKDAYS, rf"(?P<weekday>{WEEKDAY})", _weekday),
    rule(WEEKDAYS, rf"{_STEP}(?P<weekday>{WEEKDAY})", lambda match: _stepped(_weekday(match), match), lead=_STEP),
    rule(
        MONTHS,
        rf"{_STEP}(?:{_CAPITAL}|(?={_UNMISTAKABLE}))(?P<month>{MONTH})(?!{S}[0-9])",
        lambda match: _stepped(_month(match), match),
        lead=_STEP,
    ),
    rule(MONTHS, rf"(?:{_CAPITAL}|(?={_UNMISTAKABLE}))(?P<month>{MONTH})", _alone),
)
