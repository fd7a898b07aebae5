"""A text with its temporal expressions marked up in place, as TimeML has it (ISO 24617-1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from xml.sax.saxutils import escape, quoteattr

from warehouse.records import Mention, TimexType

_NOT_XML = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "\ufffd")


def timeml(text: str, anchor: date | None, mentions: Sequence[Mention]) -> str:
    """A TimeML document: the creation time t0 and the text with a TIMEX3 element around each mention.

    Characters that XML cannot hold become U+FFFD.
    """
    return "".join(_pieces(text, anchor, mentions))


def _pieces(text: str, anchor: date | None, mentions: Sequence[Mention]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<TimeML>\n'
    if anchor is not None:
        day = anchor.isoformat()
        made = {"tid": "t0", "type": "DATE", "value": day, "functionInDocument": "CREATION_TIME"}
        yield f"<DCT><TIMEX3{_attributes(made)}>{day}</TIMEX3></DCT>\n"
    yield "<TEXT>"
    place = 0
    for number, mention in enumerate(mentions, 1):
        yield _escaped(text[place : mention.start])
        yield f"<TIMEX3{_attributes(_named(mention, number))}>{_escaped(mention.text)}</TIMEX3>"
        if _is_range(mention):
            yield from _ends(mention, number)
        place = mention.end
    yield _escaped(text[place:])
    yield "</TEXT>\n</TimeML>\n"


def _is_range(mention: Mention) -> bool:
    """Whether the value goes from one date to another, which TIMEX3 says by the points of a duration."""
    return mention.type is TimexType.DATE and "/" in mention.value


def _ends(mention: Mention, number: int) -> Iterator[str]:
    """The two ends of a range as elements without text."""
    for side, value in zip("be", mention.value.split("/", 1), strict=True):
        yield f"<TIMEX3{_attributes({'tid': f't{number}{side}', 'type': 'DATE', 'value': value})}/>"


def _named(mention: Mention, number: int) -> dict[str, str]:
    """The attributes of TIMEX3; a relative expression is marked as one."""
    points = {"beginPoint": f"t{number}b", "endPoint": f"t{number}e"} if _is_range(mention) else {}
    named = {
        "tid": f"t{number}",
        "type": "DURATION" if points else str(mention.type),
        "value": _length(mention) if points else mention.value,
        "mod": str(mention.modifier or ""),
        "quant": mention.quant,
        "freq": mention.freq,
        "temporalFunction": "true" if mention.relative else "",
        **points,
    }
    return {name: value for name, value in named.items() if value}


def _length(mention: Mention) -> str:
    """The length of a range in days; of unknown length, PXD."""
    if mention.start_date is None or mention.end_date is None:
        return "PXD"
    return f"P{(mention.end_date - mention.start_date).days}D"


def _attributes(named: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(_clean(value))}" for name, value in named.items())


def _escaped(text: str) -> str:
    return escape(_clean(text))


def _clean(text: str) -> str:
    return text.translate(_NOT_XML).encode("utf-8", "replace").decode("utf-8")
