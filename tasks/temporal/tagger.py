"""Find the temporal expressions of a text and the days they mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime

from tasks.temporal import chinese, english
from tasks.temporal.grammar import LETTERS, Composer, Grammar, GrammarItem, Signal, attempt, keep_longest
from tasks.temporal.meanings.spans import Age
from tasks.temporal.readings import Context, MentionFields
from tasks.temporal.tense import ExpressionSpan
from warehouse.records import Mention, TimexType
from warehouse.records.fiscal import FiscalCalendar

_ENGLISH = Grammar(english.RULES), Composer(english.STAGES)
_EVERY = Grammar((*english.RULES, *chinese.RULES)), Composer((*chinese.STAGES, *english.STAGES))

_PLAIN = {**chinese.PLAIN, **LETTERS}


def tag(
    text: str,
    anchor: date | None,
    language: str,
    *,
    day_order: str = "",
    fiscal: FiscalCalendar | None = None,
    ages: bool = False,
) -> tuple[Mention, ...]:
    """Every temporal expression in the order of the text; none overlap, the longest wins.

    `anchor` is the day (or the moment) that relative expressions count from; without it they keep no dates.
    `language` is "en", "zh" or "und"; Chinese is looked for unless it is "en". `day_order` is how an ambiguous
    03/04/2023 is read (`Attributes.day_order`), `fiscal` the calendar of fiscal periods. With `ages`, how old somebody
    is counts as a length, as in TIMEX3; else it is none of the times that a text tells.
    """
    # Odd letters and full-width digits become ASCII, traditional characters simplified, one for one: spans stay.
    plain = text.translate(LETTERS if language == "en" else _PLAIN)
    grammar, composer = _ENGLISH if language == "en" else _EVERY
    items = composer.compose(keep_longest(grammar.scan(plain)), plain)
    clock = anchor.time() if isinstance(anchor, datetime) else None
    day = anchor.date() if isinstance(anchor, datetime) else anchor
    context = Context(day, clock, day_order=day_order, fiscal=fiscal)
    told = [item for item in items if ages or not isinstance(item.value, Age)]
    return tuple(_mentions(text, plain, told, context))


def _mentions(text: str, plain: str, items: Iterable[GrammarItem], context: Context) -> Iterator[Mention]:
    for item in items:
        if isinstance(item.value, Signal):
            continue
        reading = attempt(item.value.at, context.at_place(ExpressionSpan(plain, item.start, item.end)))
        if reading is None:
            continue
        if reading.closed and not reading.aside and reading.type is not TimexType.DURATION:
            context = replace(context, spoken=reading, spoken_end=item.end)
        yield _mention(text, item, reading)


def _mention(text: str, item: GrammarItem, reading: MentionFields) -> Mention:
    start, end = reading.interval or (None, None)
    other_start, other_end = reading.other or (None, None)
    return Mention(
        start=item.start,
        end=item.end,
        text=text[item.start : item.end],
        type=reading.type,
        value=reading.value,
        start_date=start,
        end_date=end,
        grain=reading.grain,
        relative=reading.relative,
        anchor=reading.anchor,
        calendar=reading.calendar,
        modifier=reading.modifier,
        quant=reading.quant,
        freq=reading.freq,
        other_start=other_start,
        other_end=other_end,
        basis=reading.basis,
    )
