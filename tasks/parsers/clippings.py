"""Clippings of a Kindle ("My Clippings.txt"): each highlight, note and bookmark is an entry of its day."""

from __future__ import annotations

import re

from tasks.parsers.assembly import MAX_HEADING_LENGTH, Assembly
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.mail.moments import find_day
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.text import split_paragraphs
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Kind

_CLIPPING_END = re.compile(r"^={10}[^\S\n]*(?:\n|\Z)", re.MULTILINE)
_FIRST_CLIPPING = re.compile(r"\A\ufeff?[^\S\n]*\S[^\n]*\n- [^\n]*\d{4}[^\n]*\n(?:[^\n]*\n)*?={10}[^\S\n]*(?:\n|\Z)")


def _is_dated(raw: Raw) -> bool:
    """Whether the second line has, in any language, the day of the first clipping."""
    return find_day(decode_head(raw.data).split("\n", 2)[1])[0] is not None


class Clippings:
    """A heading of day and book for each clipping, with its location in the book and its words below."""

    version = 1
    media_type = "text/x-kindle-clippings"
    suffixes: tuple[str, ...] = (".txt",)
    heavy = False
    signature: Signature | None = Signature(text=_FIRST_CLIPPING, confirms=_is_dated)

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        assembly = Assembly()
        days = set()
        for clipping in _CLIPPING_END.split(decode_text(raw.data)):
            book, _, details = clipping.strip().partition("\n")
            location, _, words = details.partition("\n")
            day = find_day(location)[0]
            heading = f"{day.isoformat()} {book}" if day else book
            if day and len(heading) > MAX_HEADING_LENGTH:
                assembly.add_heading(day.isoformat(), 1)
                assembly.add(BlockKind.PARAGRAPH, book)
            else:
                assembly.add_heading(heading, 1)
            assembly.add(BlockKind.PARAGRAPH, location.removeprefix("- "))
            for paragraph in split_paragraphs(words):
                assembly.add(BlockKind.PARAGRAPH, paragraph)
            if day:
                days.add(day)
        dates = [DateClaim(day, DateOrigin.HEADING) for day in sorted(days)]
        return assembly.finish(Kind.NOTE, self.media_type, dates=dates)


member = Clippings()
