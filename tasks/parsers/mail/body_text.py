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


def read_body_lines(body: Body) -> list[BodyLine]:
    """The lines of a plain body."""
    lines = clean(body.text).split("\n")
    return list(_join_flowed(lines, deletes=body.deletes_space) if body.is_flowed else map(_make_line, lines))


def _make_line(line: str) -> BodyLine:
    match = _QUOTED.match(line)
    if match is None:
        return BodyLine(0, line)
    return BodyLine(min(match[0].count(">"), _DEEPEST), line[match.end() :])


def _join_flowed(lines: list[str], *, deletes: bool) -> Iterator[BodyLine]:
    """The paragraphs of a flowed text: a line that ends with a blank goes on below at the same depth."""
    paragraph, depth = "", 0
    goes_on = False
    for line in lines:
        match = _MARKS.match(line)
        line_depth = len(match[0]) if match else 0
        text = line[line_depth:].removeprefix(" ")
        if goes_on and (line_depth != depth or text == _SIGNATURE):
            yield BodyLine(min(depth, _DEEPEST), paragraph)
            paragraph, goes_on = "", False
        paragraph, depth = (paragraph + text if goes_on else text), line_depth
        goes_on = text.endswith(" ") and text != _SIGNATURE
        if goes_on:
            paragraph = paragraph[:-1] if deletes else paragraph
        else:
            yield BodyLine(min(depth, _DEEPEST), paragraph)
            paragraph = ""
    if goes_on:
        yield BodyLine(min(depth, _DEEPEST), paragraph)
