"""A text with its temporal expressions marked up in place, as TimeML has it (ISO 24617-1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from xml.sax.saxutils import escape, quoteattr

from tasks.temporal.tagger import tag
from warehouse.records import Mention, TimexType
from warehouse.records.calendars import DAY

_NOT_XML = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "\ufffd")
_LEAD = re.compile(r"(?:from|between)\s+(?:the\s+)?(?=\S)|自|从|從", re.IGNORECASE)
_JOINTS = (
    re.compile(r",?\s+(?:to|through|thru|until|till|and)\s+(?:the\s+)?(?=\S)", re.IGNORECASE),
    re.compile(r"\s*(?:[–—~～至到]|--)\s*(?=\S)|\s+-\s+(?=\S)"),
    re.compile(r"/"),
    re.compile(r"-"),
)
"""Separators of the ends of a range, the surest first; the middle one of several of one kind is used."""
_ENDED = re.compile(r",?\s+(?:ended|ending)\s+(?:(?:on|in)\s+)?(?=\S)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Element:
    """A TIMEX3 at `text[start:end]`."""

    start: int
    end: int
    type: TimexType
    value: str
    mention: Mention


def format_timeml(text: str, anchor: date | None, mentions: Sequence[Mention]) -> str:
    """A TimeML document: the creation time t0 and the text with a TIMEX3 element around each mention.

    A range is written as annotators write it: an element around each of its ends ("from <May> to <June>"), and one
    around the length of a period that is named by its last day ("<three months> ended <March 31>"). Characters that
    XML cannot hold become U+FFFD.
    """
    return "".join(_iter_pieces(text, anchor, mentions))


def _iter_pieces(text: str, anchor: date | None, mentions: Sequence[Mention]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<TimeML>\n'
    if anchor is not None:
        day = anchor.isoformat()
        creation = {"tid": "t0", "type": "DATE", "value": day, "functionInDocument": "CREATION_TIME"}
        yield f"<DCT><TIMEX3{_format_attributes(creation)}>{day}</TIMEX3></DCT>\n"
    yield "<TEXT>"
    position = 0
    for number, element in enumerate((element for mention in mentions for element in _make_elements(mention)), 1):
        yield _escape(text[position : element.start])
        attributes = _format_attributes(_collect_attributes(element, number))
        yield f"<TIMEX3{attributes}>{_escape(text[element.start : element.end])}</TIMEX3>"
        position = element.end
    yield _escape(text[position:])
    yield "</TEXT>\n</TimeML>\n"


def _make_elements(mention: Mention) -> Sequence[_Element]:
    """The elements of a mention: two for a range, or for a period with its last day, where the words separate them."""
    whole = _Element(mention.start, mention.end, mention.type, mention.value, mention)
    if mention.type not in (TimexType.DATE, TimexType.TIME):
        return [whole]
    return _split_period(whole) or _split_range(whole) or [whole]


def _split_range(element: _Element) -> Sequence[_Element]:
    """Two elements for the ends of a range; none if its value is no range or its text has no joint."""
    first, slash, last = element.value.partition("/")
    if not slash:
        return []
    text = element.mention.text
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    for joint in _JOINTS:
        matches = list(joint.finditer(text, start))
        if matches:
            joint_match = matches[len(matches) // 2]
            return [
                _make_part(element, start, joint_match.start(), first),
                _make_part(element, joint_match.end(), len(text), last),
            ]
    return []


def _split_period(element: _Element) -> Sequence[_Element]:
    """Two elements for "three months ended March 31": the length and its last day; none for other words."""
    text, end = element.mention.text, element.mention.end_date
    ended_match = _ENDED.search(text)
    if ended_match is None:
        return []
    lengths = tag(text[: ended_match.start()], None, "en")
    days = tag(text[ended_match.end() :], end - DAY if end else None, "en")
    if len(days) != 1:
        return []
    day = _make_part(element, ended_match.end() + days[0].start, ended_match.end() + days[0].end, days[0].value)
    if len(lengths) == 1 and lengths[0].type is TimexType.DURATION:
        length = _make_part(element, lengths[0].start, lengths[0].end, lengths[0].value)
        return [replace(length, type=TimexType.DURATION), day]
    return [_make_part(element, 0, ended_match.start(), element.value), day]


def _make_part(element: _Element, start: int, end: int, value: str) -> _Element:
    kind = TimexType.TIME if "T" in value else TimexType.DATE
    return _Element(element.start + start, element.start + end, kind, value, element.mention)


def _collect_attributes(element: _Element, number: int) -> dict[str, str]:
    """The attributes of a TIMEX3 element; a range that was not split has the value of its length in days."""
    mention, value, kind = element.mention, element.value, str(element.type)
    if "/" in value:
        start, end, kind = mention.start_date, mention.end_date, str(TimexType.DURATION)
        value = f"P{(end - start).days}D" if start and end else "PXD"
    attributes = {
        "tid": f"t{number}",
        "type": kind,
        "value": value,
        "mod": str(mention.modifier or ""),
        "quant": mention.quant,
        "freq": mention.freq,
        "temporalFunction": "true" if mention.relative else "",
    }
    return {name: value for name, value in attributes.items() if value}


def _format_attributes(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(_clean(value))}" for name, value in attributes.items())


def _escape(text: str) -> str:
    return escape(_clean(text))


def _clean(text: str) -> str:
    return text.translate(_NOT_XML).encode("utf-8", "replace").decode("utf-8")
