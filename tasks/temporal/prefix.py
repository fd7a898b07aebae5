"""Context prefixes: text put before a chunk where it is embedded and indexed, never where it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from itertools import accumulate

from tasks.temporal.readings import format_period, is_dated
from warehouse.message_notation import find_message
from warehouse.records import Calendar, Entity, Grain, Mention, TimexType
from warehouse.records.fiscal import DAY

LIMIT = 200  # The longest prefix in characters, so that context never dominates content.

_VALUES_A_LABEL = 6  # How many values one item lists, so that a table full of dates still names its quarters.

# Characters that the fields of a note's prefix may take: with their names and a date they fill the limit.
_TITLE_ROOM, _NAMES_ROOM, _SOURCE_ROOM = 40, 64, 44

_ORDER = ("Fiscal Quarters (Tabular)", "Fiscal Quarters", "Fiscal Halves", "Fiscal Years", "Dates", "Periods", "Years")


def format_context_prefix(document_date: date | None, mentions: Iterable[Mention], *, has_table: bool) -> str:
    """`[TEMPORAL_CONTEXT: Document Date: … | Contains Table Data | Fiscal Quarters (Tabular): … | … | Years: …]`.

    `mentions` are the chunk's own. A year that a finer mention names is not listed again. At most 200 characters: a
    longer context ends at its last whole item with `...`. Empty where there is nothing to say.
    """
    items = [f"Document Date: {document_date.isoformat()}"] if document_date else []
    if has_table:
        items.append("Contains Table Data")
    values = _collect_values(mentions)
    items += [f"{label}: {', '.join(list(values[label])[:_VALUES_A_LABEL])}" for label in _ORDER if values[label]]
    whole = f"[TEMPORAL_CONTEXT: {' | '.join(items)}]" if items else ""
    if len(whole) <= LIMIT:
        return whole
    return f"[TEMPORAL_CONTEXT: {' | '.join(_select_fitting(items, LIMIT - len('[TEMPORAL_CONTEXT: ...]'), ' | '))}...]"


def format_paper_prefix(title: str, section: tuple[str, ...]) -> str:
    """`Paper: title | Section: Results > Cohort`; a section path that begins with the title leaves it out."""
    path = section[1:] if section and section[0] == title else section
    heading = f"Paper: {_clip(title, LIMIT // 2)}"
    return f"{heading} | Section: {_clip(' > '.join(path), LIMIT // 2 - 20)}" if path else heading


def format_course_prefix(title: str, lesson: int | None) -> str:
    """`Course: title | Lesson 3 content:`."""
    heading = f"Course: {_clip(title, LIMIT // 2)}"
    return heading if lesson is None else f"{heading} | Lesson {_clip(str(lesson), LIMIT // 4)} content:"


def format_book_prefix(title: str, section: tuple[str, ...]) -> str:
    """`Book: title | Chapter: Part One > The storm`."""
    heading = f"Book: {_clip(title, LIMIT // 2)}"
    return f"{heading} | Chapter: {_clip(' > '.join(section), LIMIT // 2 - 20)}" if section else heading


def format_message_prefix(section: tuple[str, ...]) -> str:
    """`Message: subject | From: Anna Weber | Date: 2025-03-12`, so that each passage of a long one names its sender."""
    found = find_message(section)
    if found is None:
        return ""
    subject, heading = found
    day = f" | Date: {heading.day}" if heading.day else ""
    return f"Message: {_clip(subject, LIMIT // 2)} | From: {_clip(heading.sender, LIMIT // 4)}{day}"


def format_note_prefix(title: str, entities: Iterable[Entity], source: str, day: date | None) -> str:
    """`[title: …] [entities: PERSON:Ada Lovelace, …] [source: …] [date: …]`, fields without a value left out."""
    names = dict.fromkeys(f"{entity.label}:{entity.name}" for entity in entities)
    fields = {
        "title": _clip(title, _TITLE_ROOM),
        "entities": ", ".join(_select_fitting(names, _NAMES_ROOM, ", ")),
        "source": source if len(source) <= _SOURCE_ROOM else f"...{source[3 - _SOURCE_ROOM :]}",
        "date": day.isoformat() if day else "",
    }
    return " ".join(f"[{name}: {value}]" for name, value in fields.items() if value)


def _collect_values(mentions: Iterable[Mention]) -> dict[str, dict[str, None]]:
    """The names of periods by their label, without repetition; years that a finer mention names are left out."""
    values: dict[str, dict[str, None]] = {label: {} for label in _ORDER}
    covered: set[int] = set()
    for mention in mentions:
        label = _choose_label(mention)
        if label:
            values[label][format_period(mention)] = None
            # Of its first and last day, of the side that is known where it is open.
            last = mention.end_date - DAY if mention.end_date else None
            covered |= set() if label == "Years" else {day.year for day in (mention.start_date, last) if day}
    values["Years"] = {year: None for year in values["Years"] if not (year.isdigit() and int(year) in covered)}
    return values


def _choose_label(mention: Mention) -> str:
    """The label under which a mention is listed; empty for lengths, times that recur and times without a date."""
    if not is_dated(mention):
        return ""
    if "/" in mention.value:
        return "Years" if all(len(side) == 4 and side.isdigit() for side in mention.value.split("/")) else "Periods"
    if mention.type is TimexType.TIME or mention.grain is Grain.DAY:
        return "Dates"
    if mention.grain is Grain.YEAR:
        return "Fiscal Years" if mention.calendar is Calendar.FISCAL else "Years"
    quarters = f"Fiscal Quarters{'' if mention.table is None else ' (Tabular)'}"
    return {Grain.QUARTER: quarters, Grain.HALF: "Fiscal Halves"}.get(mention.grain or Grain.DAY, "Periods")


def _select_fitting(items: Iterable[str], room: int, joint: str) -> list[str]:
    """The first items that, joined, take no more than `room` characters."""
    every = list(items)
    lengths = accumulate(len(item) + len(joint) for item in every)
    return [item for item, length in zip(every, lengths, strict=True) if length <= room + len(joint)]


def _clip(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3].rstrip()}..."
