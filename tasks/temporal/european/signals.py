"""European words that modify or join adjacent times, and the joins of a language: "seit", "jusqu'à", "entre"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tasks.temporal import english
from tasks.temporal.english.lexicon import S
from tasks.temporal.english.sets import join_set_and_clock
from tasks.temporal.english.signals import DATED
from tasks.temporal.european.lexicon import (
    EuropeanLexicon,
    list_heads,
    match_any_phrase,
    match_leading_phrase,
    split_phrases,
)
from tasks.temporal.grammar import SPACE, GrammarRule, JoinRule, Signal, SignalRole, make_rule
from tasks.temporal.meanings.clocks import Clock, DayPart, Hours, TimeOnDay, with_day_part
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Origin, Rolling, Shift
from tasks.temporal.meanings.recurrences import Recurring, UnitWithin
from tasks.temporal.meanings.spans import Duration, EdgeLength, NumberedIn, NumberedUnit, OpenRange, TimeSet
from tasks.temporal.readings import Meaning, is_larger
from warehouse.records import Grain, Modifier

_NUMBERED_UNITS = (Grain.WEEK, Grain.WEEKEND, Grain.MONTH)
_WITH_ARTICLE = " the "


def make_signal_rules(lexicon: EuropeanLexicon) -> tuple[GrammarRule, ...]:
    """The signals of a language. A word in several lists, such as "bis", has the signal of the first."""
    table = (
        (lexicon.to, Signal(SignalRole.TO)),
        (lexicon.until, Signal(SignalRole.TO, Modifier.ON_OR_BEFORE)),
        (lexicon.from_, Signal(SignalRole.FROM)),
        (lexicon.between, Signal(SignalRole.BETWEEN)),
        (lexicon.and_, Signal(SignalRole.AND)),
        (lexicon.at, Signal(SignalRole.AT)),
        (lexicon.since, Signal(SignalRole.BOUND, Modifier.ON_OR_AFTER)),
        (lexicon.before, Signal(SignalRole.BOUND, Modifier.BEFORE)),
        (lexicon.after, Signal(SignalRole.BOUND, Modifier.AFTER)),
        (lexicon.start, Signal(SignalRole.PART, Modifier.START)),
        (lexicon.middle, Signal(SignalRole.PART, Modifier.MID)),
        (lexicon.end, Signal(SignalRole.PART, Modifier.END)),
        (lexicon.about, Signal(SignalRole.LENGTH, Modifier.APPROX)),
    )
    signals_by_phrase: dict[str, Signal] = {}
    for words, signal in table:
        for phrase in split_phrases(words):
            previous_signal = signals_by_phrase.setdefault(phrase, signal)
            # A word for the end of a range may also be an open bound ("bis 2020"), and one for its start ("dal 2020").
            has_same_role = previous_signal.role is signal.role
            if has_same_role or (previous_signal.role is SignalRole.FROM and signal.modifier is Modifier.ON_OR_AFTER):
                signals_by_phrase[phrase] = replace(previous_signal, modifier=signal.modifier)
    halves = match_any_phrase(split_phrases(lexicon.half_with_year))
    ranks = {Modifier.START: split_phrases(lexicon.ordinals[0]), Modifier.END: split_phrases(lexicon.ordinals[1])}
    fillers = match_leading_phrase(split_phrases(lexicon.fillers))
    # "Of" after the part of a time begins no range: "la fin de 2020".
    of_articles = rf"(?:{S}{match_leading_phrase(split_phrases(lexicon.fillers))}{{1,2}})?"
    return tuple(
        make_rule(
            list_heads([phrase]),
            f"{match_any_phrase([phrase])}{of_articles if signal.role is SignalRole.PART else ''}",
            signal,
        )
        for phrase, signal in signals_by_phrase.items()
    ) + tuple(
        make_rule(
            list_heads(words),
            rf"{match_any_phrase(words)}{S}{halves}(?:{S}{fillers}{{1,2}})?",
            Signal(SignalRole.HALF, modifier),
        )
        for modifier, words in ranks.items()
    )


def make_joins(lexicon: EuropeanLexicon) -> tuple[tuple[JoinRule, ...], ...]:
    """The English stages with the language's articles in place of English ones, and the joins of the language."""
    articles = re.compile(rf"{SPACE.pattern}{lexicon.articles}", re.IGNORECASE)

    one_or_two_articles = re.compile(
        rf"{S}{match_leading_phrase(split_phrases(lexicon.fillers))}{{1,2}}", re.IGNORECASE
    )

    links = (*split_phrases(lexicon.part_links), *split_phrases(lexicon.weekday_links))
    day_links = re.compile(rf"{S}{match_leading_phrase(links)}", re.IGNORECASE)

    def widen_gap(pattern: re.Pattern[str]) -> re.Pattern[str]:
        if not pattern.fullmatch(_WITH_ARTICLE):
            return pattern
        return re.compile(rf"{articles.pattern}|{pattern.pattern}", re.IGNORECASE)

    def fit_join(join: JoinRule) -> JoinRule:
        gaps: re.Pattern[str] | Sequence[re.Pattern[str]]
        gaps = widen_gap(join.gap) if isinstance(join.gap, re.Pattern) else [widen_gap(pattern) for pattern in join.gap]
        return replace(join, gap=gaps)

    of_role = SignalRole.FROM
    language_joins: tuple[tuple[JoinRule, ...], ...] = (
        (
            JoinRule((Recurring, of_role, Shift), _join_unit_within, (SPACE, articles)),
            JoinRule((Recurring, Shift), _join_unit_within, articles),
            JoinRule((Shift, Recurring), lambda outer, unit: _join_unit_within(unit, outer), articles),
            *(
                JoinRule(((NumberedUnit, Shift), *link, DATED), _join_numbered_within, gap)
                for link, gap in (((of_role,), articles), ((), one_or_two_articles))
            ),
            *(JoinRule((EdgeLength, *link, DATED), _join_length_within, articles) for link in ((of_role,), ())),
            *(JoinRule((Rolling, *link, (Period, Shift)), _join_last_of, articles) for link in ((of_role,), ())),
        ),
        (
            JoinRule((DATED, (SignalRole.AT, SignalRole.TO), Clock), _join_day_and_clock, articles),
            JoinRule((Clock, (DayPart, *DATED)), _join_clock_and_day, day_links),
            JoinRule((TimeSet, (SignalRole.AT, SignalRole.TO), Clock), join_set_and_clock, articles),
            JoinRule((DATED, SignalRole.FROM, Hours), _join_day_and_clock, articles),
            JoinRule((TimeSet, SignalRole.FROM, Hours), join_set_and_clock, articles),
        ),
        (),
        (),
        (JoinRule((SignalRole.FROM, DATED), _join_since, articles, (1, 2), takes_modifier=True),),
    )
    return tuple((*first, *map(fit_join, stage)) for first, stage in zip(language_joins, english.STAGES, strict=True))


def _join_unit_within(unit: Recurring, outer: Shift) -> UnitWithin | None:
    """The first quarter of last year."""
    return UnitWithin(unit, outer) if outer.grain is unit.parent else None


def _join_numbered_within(unit: NumberedUnit | Shift, outer: Meaning) -> NumberedIn | None:
    """The second week of January, the last week of July."""
    if isinstance(unit, Shift):
        if unit.count != -1 or unit.origin is not Origin.WRITTEN or unit.fiscal or unit.grain not in _NUMBERED_UNITS:
            return None
        unit = NumberedUnit(unit.grain, -1)
    return NumberedIn(unit, outer) if outer.grain and is_larger(outer.grain, unit.grain) else None


def _join_length_within(length: EdgeLength, outer: Meaning) -> EdgeLength | None:
    """The first nine months of 2021."""
    return None if length.outer else replace(length, outer=outer)


def _join_last_of(length: Rolling, outer: Meaning) -> EdgeLength | None:
    """The last three months of 2021."""
    if length.count > 0 or outer.grain is not Grain.YEAR:
        return None
    return EdgeLength(Duration(((-length.count, length.grain),)), first=False, outer=outer)


def _join_day_and_clock(day: Meaning, clock: Clock | Hours) -> TimeOnDay | None:
    return TimeOnDay(day, clock) if day.grain is Grain.DAY else None


def _join_clock_and_day(clock: Clock, day: Meaning) -> Meaning | None:
    """Half past seven on Monday, half past seven in the evening."""
    if isinstance(clock, DayPart):
        return None
    return with_day_part(clock, day) if isinstance(day, DayPart) else _join_day_and_clock(day, clock)


def _join_since(time: Meaning, modifier: Modifier | None) -> OpenRange | None:
    return OpenRange(time, modifier) if modifier else None
