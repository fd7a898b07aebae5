"""European times of day: "14h30", "8.30 Uhr", "las 3 de la tarde", "hier soir", "lunedì mattina", "esta noche"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.temporal.english.lexicon import S
from tasks.temporal.european.lexicon import EuropeanLexicon, before, either, folded, heads, phrases
from tasks.temporal.grammar import SHORT_NUMBER, GrammarRule, rule
from tasks.temporal.meanings.clocks import Clock, DayPart, Hours, Timed, hours, of_hands, with_day_part
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.recurrences import weekday
from warehouse.records import Grain

_HOUR, _MINUTE = r"(?P<hour>[01]?[0-9]|2[0-4])", "(?P<minute>[0-5][0-9])"

_LONGEST_LEAD = 20


def time_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Hours, and parts of a day."""
    days = {word: int(step) for step, line in lexicon.days.items() for word in phrases(line)}
    this, parts = phrases(lexicon.steps_before["0"]), lexicon.day_parts
    linked = rf"(?:{before(phrases(lexicon.part_links))}){{0,2}}"
    part = rf"(?P<part>{either(parts)})"

    def clock(match: re.Match[str]) -> Clock:
        return of_hands(int(match["hour"]), int(match.groupdict().get("minute") or 0))

    def clock_in_part(match: re.Match[str]) -> Clock | Hours:
        found = of_hands(int(match["hour"]), int(match["minute"] or 0), loose=True)
        return with_day_part(found, day_part(match))

    def day_part(match: re.Match[str]) -> DayPart:
        return DayPart(parts[folded(match["part"])], Grain.PART, alone=False)

    def part_of_day(match: re.Match[str]) -> Timed:
        name = folded(match["day"])
        return Timed(
            weekday(lexicon.weekday_numbers[name]) if name not in days else Shift(Grain.DAY, days[name]),
            day_part(match),
        )

    def part_of_today(match: re.Match[str]) -> Timed:
        return Timed(Shift(Grain.DAY, 0), day_part(match))

    named = {*days, *lexicon.weekday_numbers}
    yield rule(heads(named), rf"(?P<day>{either(named)}){S}{linked}{part}", part_of_day)
    yield rule(heads(this), rf"{before(this)}{part}", part_of_today)
    links = rf"{before(phrases(lexicon.part_links))}{{1,2}}"
    # A part by itself is no time, nor what its words are otherwise: "la mañana" is not tomorrow.
    bare = rf"(?!{either(days)}){part}"
    yield rule(heads(parts), bare, day_part)
    yield rule(heads(phrases(lexicon.part_links)), rf"{links}{part}", day_part)
    number = rf"(?<![0-9:.,]){_HOUR}(?:[:.h]{_MINUTE})?"
    yield rule({SHORT_NUMBER}, rf"{number}(?:\s?(?:h|{either(lexicon.hours)}))?{S}{links}{part}", clock_in_part)
    unit = either(phrases(lexicon.clock_hours))
    from_ = rf"\b{before(phrases(lexicon.from_))}{lexicon.articles}\Z"
    at, begin = (re.compile(each, re.IGNORECASE) for each in (rf"(?<![0-9]\s)\b{before(phrases(lexicon.at))}\Z", from_))

    def full_hour(match: re.Match[str]) -> Clock | None:
        return clock(match) if at.search(match.string, max(0, match.start() - _LONGEST_LEAD), match.start()) else None

    def full_hours(match: re.Match[str]) -> Hours | None:
        if not begin.search(match.string, max(0, match.start() - _LONGEST_LEAD), match.start()):
            return None
        return hours(of_hands(int(match["hour"])), of_hands(int(match["last"])))

    yield rule({SHORT_NUMBER}, rf"{_HOUR}\s?{unit}", full_hour)
    last = _HOUR.replace("hour", "last")
    to = rf"{S}{either(phrases(lexicon.to))}{lexicon.filled}"
    yield rule({SHORT_NUMBER}, rf"{_HOUR}(?:\s?{unit})?{to}{last}\s?{unit}", full_hours)
    for each in lexicon.clocks:
        spelled = lexicon.template(each, hour=_HOUR, minute=_MINUTE)
        yield rule(lexicon.template_heads(each), rf"(?<![0-9:.,])(?<![0-9]\s){spelled}", clock)
