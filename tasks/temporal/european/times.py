"""European times of day: "14h30", "8.30 Uhr", "las 3 de la tarde", "hier soir", "lunedì mattina", "esta noche"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.temporal.english.lexicon import S
from tasks.temporal.european.lexicon import (
    EuropeanLexicon,
    list_heads,
    match_any_phrase,
    match_leading_phrase,
    normalize_words,
    split_phrases,
)
from tasks.temporal.grammar import SHORT_NUMBER, GrammarRule, make_rule
from tasks.temporal.meanings.clocks import (
    BareNumber,
    Clock,
    DayPart,
    Hours,
    TimeOnDay,
    make_clock,
    make_hours,
    with_day_part,
)
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.recurrences import make_weekday
from warehouse.records import Grain

_HOUR, _MINUTE = r"(?P<hour>[01]?[0-9]|2[0-4])", "(?P<minute>[0-5][0-9])"

_LONGEST_LEAD = 20


def make_time_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Hours, and parts of a day."""
    return (*_make_part_rules(lexicon), *_make_clock_rules(lexicon))


def _read_day_part(lexicon: EuropeanLexicon, match: re.Match[str]) -> DayPart:
    return DayPart(lexicon.day_parts[normalize_words(match["part"])], Grain.PART, alone=False)


def _make_part_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    days = {word: int(step) for step, line in lexicon.days.items() for word in split_phrases(line)}
    this, links, parts = split_phrases(lexicon.steps_before["0"]), split_phrases(lexicon.part_links), lexicon.day_parts
    part = rf"(?P<part>{match_any_phrase(parts)})"

    def read_day_part(match: re.Match[str]) -> DayPart:
        return _read_day_part(lexicon, match)

    def read_part_of_day(match: re.Match[str]) -> TimeOnDay:
        name = normalize_words(match["day"])
        day = Shift(Grain.DAY, days[name]) if name in days else make_weekday(lexicon.weekday_numbers[name])
        return TimeOnDay(day, read_day_part(match))

    # Samstagabend, zaterdagavond.
    compounds = {
        day + name: (number, value) for day, number in lexicon.weekday_numbers.items() for name, value in parts.items()
    }

    def read_compound(match: re.Match[str]) -> TimeOnDay:
        number, value = compounds[normalize_words(match[0])]
        return TimeOnDay(make_weekday(number), DayPart(value, Grain.PART))

    named = {*days, *lexicon.weekday_numbers}
    yield make_rule(list_heads(compounds), match_any_phrase(compounds), read_compound)
    yield make_rule(
        list_heads(named),
        rf"(?P<day>{match_any_phrase(named)}){S}{match_leading_phrase(links)}{{0,2}}{part}",
        read_part_of_day,
    )
    yield make_rule(
        list_heads(this),
        rf"{match_leading_phrase(this)}{part}",
        lambda match: TimeOnDay(Shift(Grain.DAY, 0), read_day_part(match)),
    )
    # A part by itself is no time, nor what its words are otherwise: "la mañana" is not tomorrow.
    yield make_rule(list_heads(parts), rf"(?!{match_any_phrase(days)}){part}", read_day_part)
    yield make_rule(list_heads(links), rf"{match_leading_phrase(links)}{{1,2}}{part}", read_day_part)


def _make_clock_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    link = match_leading_phrase(split_phrases(lexicon.part_links))
    part = rf"{link}{{1,2}}(?P<part>{match_any_phrase(lexicon.day_parts)})"
    unit, to = (match_any_phrase(split_phrases(each)) for each in (lexicon.clock_hours, lexicon.to))
    at = _ends_with(rf"(?<![0-9]\s)\b{match_leading_phrase(split_phrases(lexicon.at))}")
    begins = _ends_with(rf"\b{match_leading_phrase(split_phrases(lexicon.from_))}{lexicon.articles}")
    leads = _ends_with(rf"\b{match_leading_phrase(split_phrases(lexicon.bare_at))}")
    counted = re.compile(rf"\s?%|{S}{match_any_phrase(split_phrases(lexicon.counted))}", re.IGNORECASE)

    def read_clock(match: re.Match[str]) -> Clock:
        return make_clock(int(match["hour"]), int(match.groupdict().get("minute") or 0))

    def read_clock_in_part(match: re.Match[str]) -> Clock | Hours:
        found = make_clock(int(match["hour"]), int(match["minute"] or 0), loose=True)
        return with_day_part(found, _read_day_part(lexicon, match))

    def read_full_hour(match: re.Match[str]) -> Clock | None:
        return read_clock(match) if _is_led(match, at) else None

    def read_full_hours(match: re.Match[str]) -> Hours | None:
        return (
            make_hours(*(make_clock(int(match[side])) for side in ("hour", "last"))) if _is_led(match, begins) else None
        )

    def read_bare_hour(match: re.Match[str]) -> BareNumber | None:
        """An hour beside a day alone: "domani alle 9"."""
        is_hour = _is_led(match, leads) and not counted.match(match.string, match.end())
        return BareNumber(int(match["hour"])) if is_hour else None

    number = rf"(?<![0-9:.,]){_HOUR}(?:[:.h]{_MINUTE})?"
    yield make_rule(
        {SHORT_NUMBER}, rf"{number}(?:\s?(?:h|{match_any_phrase(lexicon.hours)}))?{S}{part}", read_clock_in_part
    )
    if lexicon.bare_at:
        yield make_rule({SHORT_NUMBER}, rf"{_HOUR}(?![0-9A-Za-z]|[.,:/-][0-9])", read_bare_hour)
    yield make_rule({SHORT_NUMBER}, rf"{_HOUR}\s?{unit}", read_full_hour)
    last = _HOUR.replace("hour", "last")
    yield make_rule({SHORT_NUMBER}, rf"{_HOUR}(?:\s?{unit})?{S}{to}{lexicon.filled}{last}\s?{unit}", read_full_hours)
    for each in lexicon.clocks:
        spelled = lexicon.expand_template(each, hour=_HOUR, minute=_MINUTE)
        yield make_rule(lexicon.list_template_heads(each), rf"(?<![0-9:.,])(?<![0-9]\s){spelled}", read_clock)


def _ends_with(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"{pattern}\Z", re.IGNORECASE)


def _is_led(match: re.Match[str], lead: re.Pattern[str]) -> bool:
    """Whether a lead stands before the match."""
    start = match.start()
    return bool(lead.search(match.string, max(0, start - _LONGEST_LEAD), start))
