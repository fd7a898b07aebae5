"""Temporal expressions of a text, and their data for the command line, the HTTP API and the tools."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from warehouse.errors import BadInput
from warehouse.records import Document, Mention
from warehouse.records.calendars import parse_year_end_rule


class ReadLanguage(StrEnum):
    """Language of the expressions that are looked for; `any` is that of the text, with English and full dates."""

    ANY = "any"
    ENGLISH = "en"
    CHINESE = "zh"
    GERMAN = "de"
    FRENCH = "fr"
    SPANISH = "es"
    ITALIAN = "it"
    PORTUGUESE = "pt"
    DUTCH = "nl"


class ReadDayOrder(StrEnum):
    """How 03/04/2023 is read, where nothing in the text settles it."""

    MONTH_FIRST = "month-first"
    DAY_FIRST = "day-first"


@dataclass(frozen=True, slots=True)
class TextReading:
    """How the times of a text are read.

    `fiscal_year_end` is the last day of fiscal years ("09-30", "last Saturday of September"), which otherwise the text
    itself may tell. With `ages`, ages of people are mentions too, as in TimeML.
    """

    language: ReadLanguage = ReadLanguage.ANY
    day_order: ReadDayOrder | None = None
    fiscal_year_end: str = ""
    ages: bool = False

    def find_mentions(self, text: str, anchor: date | None, name: str = "the text") -> tuple[Mention, ...]:
        """The mentions of a text that was written on the day (or moment) `anchor`.

        Raises `BadInput` for a fiscal year end that says no day, and `StageError`, which calls the text by its `name`.
        """
        # The grammar takes a tenth of a second to import, which other commands should not pay.
        from tasks.faults import isolate_document
        from tasks.parsers.written_dates import find_settled_day_order
        from tasks.temporal.fiscal_inference import choose_calendar, find_year_ends
        from tasks.temporal.tagger import tag

        language = _detect_language(text) if self.language is ReadLanguage.ANY else self.language.value
        rule = parse_year_end_rule(self.fiscal_year_end) if self.fiscal_year_end else None
        with isolate_document("temporal", name):
            calendar = choose_calendar(find_year_ends(text, language), corrected=self.fiscal_year_end)
            if calendar and rule:
                calendar = replace(calendar, basis=f"fiscal years end {rule.description}, as was given")
            order = find_settled_day_order(text) or self._order
            return tag(text, anchor, language, day_order=order, fiscal=calendar, ages=self.ages)

    def apply_to(self, document: Document) -> Document:
        """A document in the language that is given here, with the order of dates that its text does not settle."""
        from tasks.parsers.written_dates import find_settled_day_order
        from tasks.temporal.document import infer_day_order

        language = document.language if self.language is ReadLanguage.ANY else self.language.value
        order = find_settled_day_order(document.text) or self._order or infer_day_order(document)
        return replace(document, language=language, attributes=replace(document.attributes, day_order=order))

    @property
    def _order(self) -> str:
        return self.day_order.value.replace("-", " ") if self.day_order else ""


def _detect_language(text: str) -> str:
    """The language of a text whose times are read by a grammar of its own, else "und", which reads most."""
    from tasks.parsers.language import EUROPEAN, detect_language

    language = detect_language(text)
    return language if language in EUROPEAN else "und"


def parse_moment(text: str) -> date:
    """A date, or a `datetime` if the text has a time of day. Raises `BadInput`."""
    try:
        return datetime.fromisoformat(text) if "T" in text or " " in text.strip() else date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text!r} is not a date", "write it as 2023-05-17 or 2023-05-17T16:30") from None


_ALWAYS = ("start", "end", "text", "type", "value", "start_date", "end_date", "grain", "relative", "calendar")
_WHERE_THEY_APPLY = {
    "anchor": "anchor",
    "mod": "modifier",
    "quant": "quant",
    "freq": "freq",
    "other_start_date": "other_start",
    "other_end_date": "other_end",
    "basis": "basis",
    "table": "table",
    "row_header": "row_header",
    "column_header": "column_header",
}
"""The fields of a mention by their names in the data."""


def serialize_mention(mention: Mention) -> dict[str, Any]:
    """The fields of a mention as data; those that do not apply to it are left out."""
    extra = {name: getattr(mention, field) for name, field in _WHERE_THEY_APPLY.items()}
    extra_values = {name: value for name, value in extra.items() if value not in (None, "")}
    return {name: getattr(mention, name) for name in _ALWAYS} | extra_values
