"""European times of day: "14h30", "8.30 Uhr", "halb acht", "las 3 de la tarde", "à midi", "hier soir", "esta noche"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tasks.temporal.english.lexicon import S
from tasks.temporal.european.lexicon import (
    NUMBER_HEADS,
    UNACCENTED,
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

_LEAD_REACH = 20
_APPOINTMENT_REACH = 50
_CLAUSE_END = re.compile(
    r"\s{0,2}(?:[.,;:!?)\n]|\Z)|\s(?:am|im|in|bei|beim|vor|zum|zur|und|mit|an|los|en|con|por|para|no|na|em|com|e|y|da|al|op|bij|met"
    r"|voor)\b",
    re.IGNORECASE,
)
"""Text after the hour of an appointment, but not after the amount by which something rose."""
_HOURS_OF_DAY, _MINUTES_OF_HOUR, _NOON, _HALF_PAST = 24, 60, 12, 30


def make_time_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Hours, and parts of a day."""
    return (
        *_make_part_rules(lexicon),
        *_make_clock_rules(lexicon),
        *_make_hour_range_rules(lexicon),
        *_make_spoken_rules(lexicon),
        *_make_hour_word_rules(lexicon),
        *_make_named_hour_rules(lexicon),
    )


def _read_day_part(lexicon: EuropeanLexicon, match: re.Match[str]) -> DayPart:
    return DayPart(lexicon.day_parts[normalize_words(match["part"])], Grain.PART, is_standalone=False)


def _make_part_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    days = {word: int(step) for step, line in lexicon.days.items() for word in split_phrases(line)}
    this_words, links = split_phrases(lexicon.steps_before["0"]), split_phrases(lexicon.part_links)
    named_hours = {word for line in lexicon.named_hours.values() for word in split_phrases(line)}
    parts = {name: value for name, value in lexicon.day_parts.items() if name not in named_hours}
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

    day_names = {*days, *lexicon.weekday_numbers}
    yield make_rule(list_heads(compounds), match_any_phrase(compounds), read_compound)
    yield make_rule(
        list_heads(day_names),
        rf"(?P<day>{match_any_phrase(day_names)}){S}{match_leading_phrase(links)}{{0,2}}{part}",
        read_part_of_day,
    )
    yield make_rule(
        list_heads(this_words),
        rf"{match_leading_phrase(this_words)}{part}",
        lambda match: TimeOnDay(Shift(Grain.DAY, 0), read_day_part(match)),
    )
    # A part alone is no time and excludes other readings of its words: "la mañana" is not tomorrow.
    yield make_rule(list_heads(parts), rf"(?!{match_any_phrase(days)}){part}", read_day_part)
    yield make_rule(list_heads(links), rf"{match_leading_phrase(links)}{{1,2}}{part}", read_day_part)


def _make_clock_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    link = match_leading_phrase(split_phrases(lexicon.part_links))
    part = rf"{link}{{1,2}}(?P<part>{match_any_phrase(lexicon.day_parts)})"
    unit = match_any_phrase(split_phrases(lexicon.clock_hours))
    at_lead = _ends_with(rf"(?<![0-9]\s)\b{match_leading_phrase(split_phrases(lexicon.at))}")
    hour_leads = _ends_with(rf"\b{match_leading_phrase(split_phrases(lexicon.hour_leads))}")
    counted_unit = re.compile(rf"\s?%|{S}{match_any_phrase(split_phrases(lexicon.counted))}", re.IGNORECASE)
    appointment = re.compile(rf"\b(?:{lexicon.appointments.translate(UNACCENTED) or '(?!)'})\b[^.;!?\d\n]*\Z")

    def read_clock(match: re.Match[str]) -> Clock:
        return make_clock(int(match["hour"]), int(match.groupdict().get("minute") or 0))

    def read_clock_in_part(match: re.Match[str]) -> Clock | Hours:
        clock = make_clock(int(match["hour"]), int(match["minute"] or 0), half_unknown=True)
        return with_day_part(clock, _read_day_part(lexicon, match))

    def read_full_hour(match: re.Match[str]) -> Clock | None:
        return read_clock(match) if _has_lead(match, at_lead) else None

    def read_bare_hour(match: re.Match[str]) -> BareNumber | Clock | None:
        """An hour only next to a day, "domani alle 9", or after an appointment: "Treffen um 8"."""
        if not _has_lead(match, hour_leads) or counted_unit.match(match.string, match.end()):
            return None
        text_before = match.string[max(0, match.start() - _APPOINTMENT_REACH) : match.start()].lower()
        is_appointment = appointment.search(text_before) and _CLAUSE_END.match(match.string, match.end())
        return make_clock(int(match["hour"]), half_unknown=True) if is_appointment else BareNumber(int(match["hour"]))

    number = rf"(?<![0-9:.,]){_HOUR}(?:[:.h]{_MINUTE})?"
    yield make_rule(
        {SHORT_NUMBER}, rf"{number}(?:\s?(?:h|{match_any_phrase(lexicon.hours)}))?{S}{part}", read_clock_in_part
    )
    if lexicon.hour_leads:
        yield make_rule({SHORT_NUMBER}, rf"{_HOUR}(?![0-9A-Za-z]|[.,:/-][0-9])", read_bare_hour)
    yield make_rule({SHORT_NUMBER}, rf"{_HOUR}\s?{unit}", read_full_hour)
    for clock_template in lexicon.clocks:
        pattern = lexicon.expand_template(clock_template, hour=_HOUR, minute=_MINUTE)
        yield make_rule(lexicon.list_template_heads(clock_template), rf"(?<![0-9:.,])(?<![0-9]\s){pattern}", read_clock)


def _make_hour_range_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """From one hour to another: "von 9 bis 17 Uhr", "9–17 Uhr", "9h-17h30", "dalle 9 alle 17", "de 9 h à midi"."""
    clock_hours = split_phrases(lexicon.clock_hours)
    unit, range_words = (match_any_phrase(phrases) for phrases in (clock_hours, split_phrases(lexicon.to)))
    from_lead = _ends_with(rf"\b{match_leading_phrase(split_phrases(lexicon.from_))}{lexicon.articles}")
    hours_by_name = {word: int(hour) for hour, line in lexicon.named_hours.items() for word in split_phrases(line)}
    last, last_minute = _HOUR.replace("hour", "last"), _MINUTE.replace("minute", "last_minute")

    def read_hours(match: re.Match[str]) -> Hours | None:
        groups = match.groupdict()
        name = groups.get("name")
        end = hours_by_name[normalize_words(name)] if name else int(match["last"])
        first = make_clock(int(match["hour"]), int(groups.get("minute") or 0))
        return make_hours(first, make_clock(end, int(groups.get("last_minute") or 0)))

    def make_reader_after_lead(lead: re.Pattern[str]) -> Callable[[re.Match[str]], Hours | None]:
        return lambda match: read_hours(match) if _has_lead(match, lead) else None

    first_part = rf"{_HOUR}(?:\s?{unit})?{S}{range_words}{lexicon.filled}"
    yield make_rule({SHORT_NUMBER}, rf"{first_part}{last}\s?{unit}", make_reader_after_lead(from_lead))
    yield make_rule(
        {SHORT_NUMBER}, rf"{first_part}(?P<name>{match_any_phrase(hours_by_name)})", make_reader_after_lead(from_lead)
    )
    # With a dash "6-8 h" may be a length.
    dash, clock_units = r"\s?[-–]\s?", [hour for hour in clock_hours if hour not in lexicon.hours]
    no_number = r"(?<![0-9:.,])(?<![0-9]\s)"
    if clock_units:
        minutes = [rf"(?:[:.]{minute})?" for minute in (_MINUTE, last_minute)]
        pattern = rf"{no_number}{_HOUR}{minutes[0]}{dash}{last}{minutes[1]}\s?{match_any_phrase(clock_units)}"
        yield make_rule({SHORT_NUMBER}, pattern, read_hours)
    if "h" in clock_hours:
        hour_pair = rf"{_HOUR}h{_MINUTE}?{dash}{last}h{last_minute}?"
        yield make_rule({SHORT_NUMBER}, rf"{no_number}{hour_pair}(?![0-9A-Za-z])", read_hours)
    if lexicon.hour_leads and lexicon.spoken_at:
        spoken_lead = _ends_with(rf"\b{match_leading_phrase(split_phrases(lexicon.spoken_at))}")
        second_part = rf"{match_leading_phrase(split_phrases(lexicon.hour_leads))}{last}(?:[:.]{last_minute})?"
        pattern = rf"{_HOUR}(?:[:.]{_MINUTE})?{S}{second_part}(?:\s?{unit})?(?![0-9A-Za-z]|[.,:/-][0-9])"
        yield make_rule({SHORT_NUMBER}, pattern, make_reader_after_lead(spoken_lead))


def _make_spoken_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Minutes and hours in words: "halb acht", "sept heures et quart", "las ocho menos cuarto"."""
    words = _get_hour_words(lexicon)
    is_lead_needed, lead = bool(lexicon.spoken_at), _match_spoken_lead(lexicon)
    article_numbers = {word for word, number in words.items() if number == 1} - {"eins"}
    counted_words = match_any_phrase({*lexicon.grains, *split_phrases(lexicon.counted)})
    hour = rf"(?P<hour>{match_any_phrase(words)}|[01]?[0-9]|2[0-4])(?![0-9])"

    minute_words = [word for word, number in lexicon.number_words.items() if number < _MINUTES_OF_HOUR]
    minute = rf"(?P<minute>{match_any_phrase(minute_words)}|[0-5]?[0-9])(?![0-9])"
    at_lead = _ends_with(rf"\b{match_leading_phrase(split_phrases(lexicon.at))}")

    def make_reader(minutes: int, direction: int) -> Callable[[re.Match[str]], Clock | None]:
        def read(match: re.Match[str]) -> Clock | None:
            """The minutes past the hour, or before it if they are negative."""
            # Half an hour more may be a length, and "one" an article.
            needs_lead = is_lead_needed or minutes == _HALF_PAST or normalize_words(match["hour"]) in article_numbers
            if not _has_lead(match, at_lead) if direction else needs_lead and not _has_lead(match, lead):
                return None
            minutes_past = minutes + direction * lexicon.parse_number(match["minute"]) if direction else minutes
            hour = lexicon.parse_number(match["hour"])
            hour = hour if minutes_past >= 0 else hour - 1 if hour > 1 else _NOON
            return make_clock(hour, minutes_past % _MINUTES_OF_HOUR, half_unknown=True)

        return read

    tables = ((lexicon.spoken_clocks, 0), (lexicon.minutes_after, 1), (lexicon.minutes_before, -1))
    for table, direction in tables:
        for minutes, templates in table.items():
            for template in templates:
                heads = lexicon.list_template_heads(template, NUMBER_HEADS | list_heads([*words, *minute_words]))
                expanded_template = lexicon.expand_template(template, hour=hour, minute=minute)
                pattern = rf"{expanded_template}(?!{S}{counted_words}|\s?[%€$]|[:.,/-][0-9])"
                yield make_rule(heads, pattern, make_reader(int(minutes), direction))


def _make_hour_word_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Full hours in words: "acht Uhr abends", "à sept heures", "las tres de la tarde", "domani alle nove"."""
    words, lead = _get_hour_words(lexicon), _match_spoken_lead(lexicon)
    hour_leads = split_phrases(lexicon.hour_leads)
    hour_lead = _ends_with(rf"\b{match_leading_phrase(hour_leads)}")
    hour, clock_hours = rf"(?P<hour>{match_any_phrase(words)})", split_phrases(lexicon.clock_hours)
    links = match_leading_phrase(split_phrases(lexicon.part_links))
    unit = rf"{S}(?P<unit>{match_any_phrase({*lexicon.hours, *clock_hours})}){S}{links}{{0,2}}"

    def read_hour_in_part(match: re.Match[str]) -> Clock | Hours | None:
        clock = make_clock(lexicon.parse_number(match["hour"]), half_unknown=True)
        return with_day_part(clock, _read_day_part(lexicon, match)) if match["unit"] or _has_lead(match, lead) else None

    def read_full_hour(match: re.Match[str]) -> Clock | None:
        return make_clock(lexicon.parse_number(match["hour"]), half_unknown=True) if _has_lead(match, lead) else None

    def read_bare_hour(match: re.Match[str]) -> BareNumber | None:
        return BareNumber(lexicon.parse_number(match["hour"])) if _has_lead(match, hour_lead) else None

    heads, part = list_heads(words), match_any_phrase(lexicon.day_parts)
    yield make_rule(heads, rf"{hour}(?:{unit}|{S}{links}{{1,2}})(?P<part>{part})", read_hour_in_part)
    yield make_rule(heads, rf"{hour}{S}{match_any_phrase(clock_hours)}(?!{S}d(?:e\b|'))", read_full_hour)
    if hour_leads:
        yield make_rule(heads, rf"{hour}(?=\s*(?:[.,;!?)\n]|\Z))", read_bare_hour)


def _get_hour_words(lexicon: EuropeanLexicon) -> dict[str, int]:
    return {word: number for word, number in lexicon.number_words.items() if number <= _HOURS_OF_DAY}


def _match_spoken_lead(lexicon: EuropeanLexicon) -> re.Pattern[str]:
    """A pattern of the words before an hour in words."""
    return _ends_with(rf"\b{match_leading_phrase(split_phrases(f'{lexicon.at}, {lexicon.spoken_at}'))}")


def _make_named_hour_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Noon and midnight, after a word for a time: "à midi", not "le midi de la France"."""
    days = {*lexicon.weekday_numbers, *(word for line in lexicon.days.values() for word in split_phrases(line))}
    bounds = (lexicon.to, lexicon.until, lexicon.since, lexicon.before, lexicon.after)
    leads = {*split_phrases(lexicon.at), *days, *(word for line in bounds for word in split_phrases(line))}
    lead = _ends_with(rf"\b{match_leading_phrase(leads)}")
    hours_by_name = {word: int(hour) for hour, line in lexicon.named_hours.items() for word in split_phrases(line)}

    from_lead = _ends_with(rf"\b{match_leading_phrase(split_phrases(lexicon.from_))}")
    range_end = re.compile(rf"{S}{match_leading_phrase(split_phrases(lexicon.to))}[0-9]", re.IGNORECASE)

    def read_named_hour(match: re.Match[str]) -> Clock | None:
        is_name = match[0][0].isupper() and not lexicon.capitals
        is_first = _has_lead(match, from_lead) and range_end.match(match.string, match.end())
        is_time = not is_name and (is_first or _has_lead(match, lead))
        return make_clock(hours_by_name[normalize_words(match[0])]) if is_time else None

    yield make_rule(list_heads(hours_by_name), match_any_phrase(hours_by_name), read_named_hour)


def _ends_with(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"{pattern}\Z", re.IGNORECASE)


def _has_lead(match: re.Match[str], lead: re.Pattern[str]) -> bool:
    """Whether a lead is before the match."""
    start = match.start()
    return bool(lead.search(match.string, max(0, start - _LEAD_REACH), start))
