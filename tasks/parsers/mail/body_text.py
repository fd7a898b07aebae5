"""Plain bodies in lines: what ">" quotes, and lines that a program broke joined again (RFC 3676)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.parsers.assembly import clean
from tasks.parsers.mail.mime_parts import Body
from tasks.parsers.mail.quotations import BodyLine

_QUOTED = re.compile(r"(?:>[ \t]?)+|(?:[ \t]>)+(?=[ \t])")
_MARKS = re.compile(r">+")
_SIGNATURE = "-- "
_DEEPEST = 50


def body_lines(body: Body) -> list[BodyLine]:
    """The lines of a plain body."""
    lines = clean(body.text).split("\n")
    return list(_flowed(lines, deletes=body.deletes_space) if body.is_flowed else map(_fixed, lines))


def _fixed(line: str) -> BodyLine:
    match = _QUOTED.match(line)
    if match is None:
        return BodyLine(0, line)
    return BodyLine(min(match[0].count(">"), _DEEPEST), line[match.end() :])


def _flowed(lines: list[str], *, deletes: bool) -> Iterator[BodyLine]:
    """The paragraphs of a flowed text: a line that ends with a blank goes on below at the same depth."""
    held, depth = "", 0
    goes_on = False
    for line in lines:
        match = _MARKS.match(line)
        own = len(match[0]) if match else 0
        text = line[own:].removeprefix(" ")
        if goes_on and (own != depth or text == _SIGNATURE):
            yield BodyLine(min(depth, _DEEPEST), held)
            held, goes_on = "", False
        held, depth = (held + text if goes_on else text), own
        goes_on = text.endswith(" ") and text != _SIGNATURE
        if goes_on:
            held = held[:-1] if deletes else held
        else:
            yield BodyLine(min(depth, _DEEPEST), held)
            held = ""
    if goes_on:
        yield BodyLine(min(depth, _DEEPEST), held)
