"""The taggers compared: Kalends and dateparser."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.timexes.gold import Text, Timex
from benchmarks.timexes.scoring import Tagger
from tasks.temporal.tagger import tag


def kalends(language: str) -> Tagger:
    """The project's own; of an ambiguous expression the reading chosen."""

    def found(text: Text) -> Sequence[Timex]:
        return [
            Timex(each.start, each.end, each.value, ((each.start_date, each.end_date),))
            for each in tag(text.text, text.anchor, language)
        ]

    return found


def dateparser(language: str) -> Tagger:
    """`search_dates`, which gives texts and moments; a text is placed at its first occurrence after the one before."""
    from dateparser.search import search_dates

    def found(text: Text) -> Sequence[Timex]:
        timexes, place = [], 0
        base = {"RELATIVE_BASE": text.anchor} if text.anchor else {}
        for words, moment in search_dates(text.text, languages=[language], settings=base) or []:
            start = text.text.find(words, place)
            if start >= 0:
                place = start + len(words)
                day = moment.date()
                timexes.append(Timex(start, place, day.isoformat(), ((day, day.fromordinal(day.toordinal() + 1)),)))
        return timexes

    return found
