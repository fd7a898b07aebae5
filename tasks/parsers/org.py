"""Org mode (.org): outlines, diaries and task lists of Emacs."""

from __future__ import annotations

import re

from tasks.parsers.assembly import Assembly
from tasks.parsers.dated_lines import make_heading_claims, parse_section_days
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.document_head import HEAD_LENGTH, find_datelines
from tasks.parsers.notes.org_blocks import add_org
from tasks.parsers.notes.properties import list_property_claims
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.written_dates import find_day_order
from warehouse.records import Attributes, Document, Kind

_ORG_MARK = re.compile(
    r"^(?:#\+(?:TITLE|AUTHOR|STARTUP|OPTIONS|FILETAGS|BEGIN_SRC)\b|[ \t]*:PROPERTIES:[ \t]*$"
    r"|[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[]\d{4}-)",
    re.MULTILINE | re.IGNORECASE,
)
_HEADLINE = re.compile(r"^\*+ \S", re.MULTILINE)


class Org:
    """The words of the exported file, and its keywords, properties and clocks."""

    version = 4
    media_type = "text/x-org"
    suffixes: tuple[str, ...] = (".org", ".org_archive")
    heavy = False
    signature: Signature | None = None

    def measure_confidence(self, raw: Raw) -> float:
        """Any text with a suffix of Org, else headlines with keywords, properties or planning."""
        beginning = decode_head(raw.data)
        if raw.suffix in self.suffixes:
            return float(bool(beginning.strip()))
        return 0.7 if _ORG_MARK.search(beginning) and _HEADLINE.search(beginning) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        source = decode_text(raw.data)
        assembly = Assembly()
        markup = add_org(assembly, source)
        headings = assembly.headings
        order = find_day_order(headings, source)
        beginning = [words for words in assembly.list_beginning(HEAD_LENGTH) if words not in headings]
        return assembly.finish(
            Kind.NOTE,
            self.media_type,
            title=markup.fields.get("title", ""),
            authors=markup.fields.get("author", "").split(","),
            dates=[
                *list_property_claims(markup.fields, order),
                *find_datelines(beginning),
                *make_heading_claims(parse_section_days(path, order) for path in assembly.heading_paths),
            ],
            attributes=Attributes(
                tags=tuple(dict.fromkeys(markup.tags)), links=tuple(dict.fromkeys(markup.links)), day_order=order
            ),
        )


member = Org()
