"""LaTeX sources (.tex) of papers, theses and letters."""

from __future__ import annotations

import re

from tasks.parsers.assembly import Assembly
from tasks.parsers.datelines import WITHIN, find_datelines
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.tex.tex_blocks import AUTHORS_APART, add_latex
from tasks.parsers.written_dates import find_day_order, parse_entry_interval
from warehouse.records import Attributes, DateClaim, DateOrigin, Document, Kind

_BEGINNING = re.compile(r"\A(?:\s|%[^\n]*\n)*\\document(?:class|style)\b|\A(?:\s|%[^\n]*\n)*\\begin\{document\}")
_AUTHORS = re.compile(r",\s*(?:and\s)?|;|\s+(?:and|und|et|&)\s+")


class Latex:
    """The words that a reader of the set page sees; formulas and code as they are written, comments left out."""

    version = 2
    media_type = "text/x-tex"
    suffixes: tuple[str, ...] = (".tex", ".latex", ".ltx")
    heavy = False
    signature: Signature | None = Signature(text=_BEGINNING)

    def measure_confidence(self, raw: Raw) -> float:
        """Any text under a suffix of its own; whole documents have a signature."""
        return float(raw.suffix in self.suffixes and bool(decode_head(raw.data).strip()))

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        source = decode_text(raw.data)
        assembly = Assembly()
        front = add_latex(assembly, source)
        order = find_day_order((), source)
        days = parse_entry_interval(front.fields.get("date", ""), order)
        people = (
            each.strip().split("\n", 1)[0] for each in front.fields.get("author", "").split(AUTHORS_APART) if each
        )
        return assembly.finish(
            Kind.PAPER if front.has_abstract else Kind.TEXT,
            self.media_type,
            title=front.fields.get("title", ""),
            authors=[name for each in people for name in _AUTHORS.split(each)],
            dates=[
                *([DateClaim(days[0], DateOrigin.FRONT_MATTER)] if days else []),
                *find_datelines(assembly.list_beginning(WITHIN)),
            ],
            attributes=Attributes(links=tuple(dict.fromkeys(front.links)), day_order=order),
        )


member = Latex()
