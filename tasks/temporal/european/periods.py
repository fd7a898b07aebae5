"""European periods: school years, units counted from now or numbered, and lengths.

"letztes Jahr", "il y a trois ans", "los últimos 5 años".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from tasks.temporal.english.lexicon import YEAR, S
from tasks.temporal.european.calendar_dates import list_step_words, read_step
from tasks.temporal.european.fiscal import ORDINAL_ENDING, YEARS, make_fiscal_rules
from tasks.temporal.european.lexicon import (
    NUMBER_HEADS,
    UNACCENTED,
    EuropeanLexicon,
    find_word_before,
    list_heads,
    match_any_phrase,
    match_leading_phrase,
    normalize_words,
    split_phrases,
)
from tasks.temporal.grammar import GrammarRule, make_rule
from tasks.temporal.meanings.clocks import DayPart, TimeOnDay
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import LastMention, Origin, Rolling, Shift, TimeOffset
from tasks.temporal.meanings.recurrences import (
    Recurring,
    UnitOfYear,
    make_week_of_year,
    make_weekend,
)
from tasks.temporal.meanings.spans import Age, Duration, EdgeLength, ModifiedTime, NumberedUnit, TimeBetween
from tasks.temporal.readings import Meaning, MentionFields, expand_year, make_months_interval, make_school_year
from warehouse.records import Grain, Modifier

_MAX_LINK_LENGTH = 20
_AGE_REACH = 24
_COUNT_BEFORE = re.compile(r"[0-9)]\s\Z")  # "30 jours suivant" is no day after.
_NOW = Shift(Grain.DAY, 0)
_DIVISIBLE_UNITS = (Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.HALF, Grain.YEAR)
_COUNTED_UNITS = (Grain.WEEK, Grain.WEEKEND, Grain.MONTH)
_TIME_UNITS = (Grain.SECOND, Grain.MINUTE, Grain.HOUR)


def make_period_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """Periods of companies, units counted from now or numbered, and lengths."""
    return (
        *make_fiscal_rules(lexicon, is_year_required=False),
        *_make_school_year_rules(lexicon),
        *_make_relative_rules(lexicon),
        *_make_step_rules(lexicon),
        *_make_unit_rules(lexicon),
        *_make_counted_rules(lexicon),
        *_make_week_rules(lexicon),
        *_make_edge_rules(lexicon),
    )


def _make_school_year_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Schuljahr 2023/24, la saison 2023-2024, Wintersemester 2023/24."""
    names = split_phrases(lexicon.school_year)

    def read_school_year(match: re.Match[str]) -> MentionFields | None:
        first = int(match["year"])
        is_next = match["last"] and int(match["last"]) % 100 == (first + 1) % 100
        return make_school_year(first) if is_next else None

    yield make_rule(list_heads(names), rf"{match_any_phrase(names)}{lexicon.filled}{YEARS}", read_school_year)
    for months, line in lexicon.semesters.items():
        first, last = map(int, months.split("-"))

        def read_semester(match: re.Match[str], first: int = first, last: int = last) -> MentionFields | None:
            """A semester that ends in the next year must name it, and no other semester may name one."""
            year, last_year = expand_year(match["year"]), match["last"] or ""
            end_year = year + (last < first)
            if (end_year > year) != bool(last_year) or not f"{end_year}".endswith(last_year):
                return None
            interval = make_months_interval(year, first, (last - first) % 12 + 1)
            return MentionFields(f"{year:04}-{first:02}/{end_year:04}-{last:02}", interval, Grain.HALF)

        words = split_phrases(line)
        years = r"(?P<year>[12][0-9]{3}|[0-9]{2})(?:[/–-](?P<last>[0-9]{4}|[0-9]{2}))?(?![0-9A-Za-z]|[./-][0-9])"
        yield make_rule(list_heads(words), rf"{match_any_phrase(words)}{S}{years}", read_semester)


def _make_relative_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Days counted from now, "now" itself, and other words for a step from it."""
    days = {word: int(step) for step, line in lexicon.days.items() for word in split_phrases(line)}
    yield make_rule(
        list_heads(days), match_any_phrase(days), lambda match: Shift(Grain.DAY, days[normalize_words(match[0])])
    )
    now, range_words = split_phrases(lexicon.now), split_phrases(f"{lexicon.to}, {lexicon.until}")
    ends = re.compile(rf"[0-9)](?:\s?[-–—]\s?|{S}(?:{match_any_phrase(range_words)}){lexicon.filled})\Z", re.IGNORECASE)

    def read_now(match: re.Match[str]) -> Shift | None:
        is_end = ends.search(match.string, max(0, match.start() - _MAX_LINK_LENGTH), match.start())
        return Shift(Grain.DAY, 0) if is_end else None

    yield make_rule(list_heads(now), match_any_phrase(now), read_now)
    for entry in lexicon.shifts:
        words, part = split_phrases(entry["words"]), entry.get("part")
        origin = Origin.LAST_MENTION if entry.get("from_mention") else Origin.WRITTEN
        shift = Shift(Grain(entry["unit"]), entry["count"], origin)
        yield make_rule(
            list_heads(words), match_any_phrase(words), TimeOnDay(shift, DayPart(part, Grain.PART)) if part else shift
        )


def _make_step_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Units a step away: "last quarter", "the year before"."""
    grains = {word: grain for word, grain in lexicon.grains.items() if grain not in _TIME_UNITS}
    fiscal, doubtful = (frozenset(split_phrases(phrases)) for phrases in (lexicon.fiscal_year, lexicon.doubtful))
    dated = re.compile(rf"{S}{YEAR}")
    for leading, trailing, origin in (
        (lexicon.steps_before, lexicon.steps_after, Origin.WRITTEN),
        (lexicon.ended_before, lexicon.ended_after, Origin.WRITTEN),
        (lexicon.mention_steps_before, lexicon.mention_steps_after, Origin.LAST_MENTION),
    ):

        def read_stepped(
            match: re.Match[str],
            leading: Mapping[str, str] = leading,
            trailing: Mapping[str, str] = trailing,
            origin: Origin = origin,
        ) -> Shift | None:
            """The unit; None for the last day, which is one of something, and for the last month 2020."""
            unit, step = normalize_words(match["unit"]), read_step(match, leading, trailing)
            if unit in fiscal:
                return Shift(Grain.YEAR, step, origin, fiscal=True)
            if match.groupdict().get("after") and _COUNT_BEFORE.search(
                match.string, max(0, match.start() - 2), match.start()
            ):
                return None
            is_relative = match.groupdict().get("before") and origin is Origin.WRITTEN
            if is_relative and (grains[unit] is Grain.DAY or dated.match(match.string, match.end())):
                return None
            return Shift(grains[unit], step, origin)

        if words := list_step_words(leading):
            units = {*grains, *(fiscal - doubtful if origin is Origin.WRITTEN else fiscal)}
            yield make_rule(
                list_heads(words),
                rf"(?P<before>{match_leading_phrase(words)})(?P<unit>{match_any_phrase(units)})",
                read_stepped,
            )
        if words := list_step_words(trailing):
            units = {*grains, *fiscal}
            yield make_rule(
                list_heads(units),
                rf"(?P<unit>{match_any_phrase(units)}){S}(?P<after>{match_any_phrase(words)})",
                read_stepped,
            )


def _make_unit_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """The weekend, and units that are counted in a longer time: "the third month"."""
    names = [word for word, grain in lexicon.grains.items() if grain is Grain.WEEKEND]
    weekends = [word for word in names if not any(word != name and word.startswith(name) for name in names)]
    articles = {phrase.split()[-1] for phrase in split_phrases(f"{lexicon.fillers}, {lexicon.date_leads}")}

    def read_weekend(match: re.Match[str]) -> Recurring | None:
        """The weekend by the sentence's tense; without an article it is any weekend."""
        return make_weekend() if find_word_before(match) in articles else None

    yield make_rule(list_heads(weekends), match_any_phrase(weekends), read_weekend)
    indexes = {word: index for index, line in enumerate(lexicon.ordinals) for word in split_phrases(line)}
    counted_grains = {word: grain for word, grain in lexicon.grains.items() if grain in _COUNTED_UNITS}
    yield make_rule(
        list_heads(indexes) | NUMBER_HEADS,
        rf"(?:(?P<ordinal>{match_any_phrase(indexes)})|(?P<number>[1-9])(?![0-9\s]){ORDINAL_ENDING})(?:(?<=[.ºª°])\s?|{S})(?P<unit>{match_any_phrase(counted_grains)})",
        lambda match: NumberedUnit(
            counted_grains[normalize_words(match["unit"])],
            indexes[normalize_words(match["ordinal"])] if match["ordinal"] else int(match["number"]) - 1,
        ),
    )


def _read_length(lexicon: EuropeanLexicon, match: re.Match[str]) -> Duration:
    """The length by the groups `count` and `unit`, or by all amounts in `length`, each smaller than the last."""
    if not (length_text := match.groupdict().get("length")):
        return Duration((_read_amount(lexicon, match),))
    first, *parts = (Duration((_read_amount(lexicon, match),)) for match in lexicon.amount.finditer(length_text))
    for part in parts:
        total = first.combine(part)
        if total is None:
            raise ValueError(f"no length: {length_text}")
        first = total
    return first


def _read_amount(lexicon: EuropeanLexicon, match: re.Match[str]) -> tuple[float, Grain]:
    """A half year as a length is six months."""
    groups, grain = match.groupdict(), lexicon.parse_grain(match["unit"])
    count: float = lexicon.parse_number(match["count"]) if match["count"] else 1
    if decimals := groups.get("decimals"):
        count += float(f"0.{decimals[1:]}")
    if groups.get("half") or groups.get("more"):
        return count + 0.5, grain
    return (6 * count, Grain.MONTH) if grain is Grain.HALF else (count, grain)


def _make_counted_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    def read_length(match: re.Match[str]) -> Duration:
        return _read_length(lexicon, match)

    leads, ends = (match_any_phrase(split_phrases(phrases)) for phrases in (lexicon.age_leads, lexicon.age_ends))
    age_lead, age_end = re.compile(rf"\b{leads}{S}\Z", re.IGNORECASE), re.compile(rf"{S}{ends}", re.IGNORECASE)

    def read_length_or_age(match: re.Match[str]) -> Duration | Age:
        length, text = read_length(match), match.string
        is_age = age_lead.search(text, max(0, match.start() - _AGE_REACH), match.start()) or age_end.match(
            text, match.end()
        )
        return Age(length) if is_age else length

    def match_adverb(template: str) -> str:
        """Lookahead that excludes a base: "deux ans après la fin" counts from an end, not from the last mention."""
        word = template.rpartition("} ")[2].translate(UNACCENTED)
        bounds = [phrase for phrase in split_phrases(f"{lexicon.before}, {lexicon.after}") if phrase.split()[0] == word]
        links = [phrase.removeprefix(word).strip() for phrase in bounds if phrase != word]
        if word in bounds:
            links += split_phrases(lexicon.fillers)
        return rf"(?!{S}(?:[0-9]|{match_leading_phrase(links)}))" if links else ""

    def make_offset_reader(direction: int, base: Meaning = _NOW) -> Callable[[re.Match[str]], TimeOffset]:
        def read(match: re.Match[str]) -> TimeOffset:
            *first, (count, grain) = ((direction * count, grain) for count, grain in read_length(match).steps or ())
            about = Modifier.APPROX if match.groupdict().get("about") else None
            return TimeOffset(grain, count, base, about, first=tuple(first), to_day=direction > 0)

        return read

    def make_rolling_reader(direction: int) -> Callable[[re.Match[str]], Rolling]:
        def read(match: re.Match[str]) -> Rolling:
            ((count, grain),) = read_length(match).steps or ()
            return Rolling(grain, direction * count, read_length(match).value)

        return read

    yield make_rule(lexicon.count_heads, rf"(?<![0-9.,]){lexicon.amount.pattern}(?![0-9A-Za-z])", read_length_or_age)
    for templates, read in (
        (lexicon.ago, make_offset_reader(-1)),
        (lexicon.hence, make_offset_reader(1)),
        (lexicon.earlier, make_offset_reader(-1, LastMention())),
        (lexicon.later, make_offset_reader(1, LastMention())),
        (lexicon.rolling_back, make_rolling_reader(-1)),
        (lexicon.rolling_on, make_rolling_reader(1)),
        (lexicon.first_of, lambda match: EdgeLength(read_length(match), first=True)),
    ):
        is_from_mention = templates in (lexicon.earlier, lexicon.later)
        for template in templates:
            pattern = rf"(?<![0-9.,]){lexicon.expand_template(template)}"
            pattern += match_adverb(template) if is_from_mention else ""
            yield make_rule(lexicon.list_template_heads(template), pattern, read)


def _make_week_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """ISO weeks by number: "KW 12", "12. KW 2021", "semaine 12 de 2021"; those of a course have no year."""
    week_names, week_names_of_year = split_phrases(lexicon.week_names), split_phrases(lexicon.week_names_of_year)
    number = r"(?P<week>[0-5]?[0-9])"
    year = rf"(?:(?:/|,?{S}{lexicon.articles})(?P<year>(?:19|20)[0-9]{{2}})(?![0-9]))"
    to_week = r"(?:\s?[-–—]\s?(?P<last>[0-5]?[0-9]))?"

    def read_weeks(match: re.Match[str]) -> Recurring | TimeBetween | UnitOfYear:
        weeks = [make_week_of_year(int(week)) for week in (match["week"], match.groupdict().get("last")) if week]
        year = Period(Grain.YEAR, int(match["year"])) if match["year"] else None
        readings = [UnitOfYear(week, year) for week in weeks] if year else weeks
        return readings[0] if len(readings) == 1 else TimeBetween(*readings)

    for names, has_year in ((week_names, "?"), (week_names_of_year, "")):
        if names:
            ending = rf"{year}{has_year}(?![0-9A-Za-z]|[.,:][0-9])"
            yield make_rule(list_heads(names), rf"{match_any_phrase(names)}\.?\s?{number}{to_week}{ending}", read_weeks)
            yield make_rule(NUMBER_HEADS, rf"{number}{ORDINAL_ENDING}\s?{match_any_phrase(names)}{ending}", read_weeks)


def _make_edge_rules(lexicon: EuropeanLexicon) -> Iterable[GrammarRule]:
    """Parts of the last mentioned unit: "Ende des Monats", "à la fin de l'année"."""
    grains = {word: grain for word, grain in lexicon.grains.items() if grain in _DIVISIBLE_UNITS}
    words_by_part = ((lexicon.start, Modifier.START), (lexicon.middle, Modifier.MID), (lexicon.end, Modifier.END))
    steps = match_any_phrase(
        (*list_step_words(lexicon.steps_after), *list_step_words(lexicon.mention_steps_after), *lexicon.month_names)
    )
    not_followed = rf"(?!{lexicon.filled}(?:[0-9]|{steps})|{S}{match_leading_phrase(split_phrases(lexicon.fillers))})"
    for words, modifier in words_by_part:
        lead = rf"{match_any_phrase(split_phrases(words))}{lexicon.filled}"

        def read_edge(match: re.Match[str], modifier: Modifier = modifier) -> ModifiedTime | None:
            """The part; None for "fim de semana", which is a weekend."""
            if normalize_words(match[0]) in lexicon.grains:
                return None
            return ModifiedTime(Shift(grains[normalize_words(match["unit"])], 0, Origin.LAST_MENTION), modifier)

        yield make_rule(
            list_heads(split_phrases(words)), rf"{lead}(?P<unit>{match_any_phrase(grains)}){not_followed}", read_edge
        )

    for edge in lexicon.edges:
        names, unit, modifier = split_phrases(edge["words"]), Grain(edge["unit"]), Modifier(edge["part"])

        def read_word(match: re.Match[str], unit: Grain = unit, modifier: Modifier = modifier) -> ModifiedTime:
            year = match["year"]
            unit_time = Period(unit, int(year)) if year else Shift(unit, 0, Origin.LAST_MENTION)
            return ModifiedTime(unit_time, modifier)

        year = rf"(?:{S}(?P<year>{YEAR}))?" if unit is Grain.YEAR else "(?P<year>)"
        yield make_rule(list_heads(names), match_any_phrase(names) + year, read_word)
