"""reStructuredText (.rst), read by docutils: the manuals of Python projects, their changelogs and readmes."""

from __future__ import annotations

import re

from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_head, decode_text
from tasks.parsers.document_head import HEAD_LENGTH, find_datelines
from tasks.parsers.notes.properties import list_property_claims
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.text import add_text
from tasks.parsers.written_dates import find_day_order
from warehouse.records import Attributes, Document, Kind

_RST_MARKS = (
    re.compile(r"^\.\. [\w:-]{2,40}::(?:\s|$)", re.MULTILINE),
    re.compile(r"^\.\. _[^\n]{1,80}:(?:\s|$)", re.MULTILINE),
    re.compile(r"(?<!\w):[a-z:]{2,20}:`[^`\n]+`"),
    re.compile(r"^[^\s=~^\"-][^\n]{1,78}\n([=~^\"-])\1{3,}[^\S\n]*$", re.MULTILINE),
)
_ITEM_MARK = re.compile(r"(?:[-*+•‣⁃]|\(?[\w#]{1,9}[.)]|\|)[ ]+")
_MAX_DEPTH = 20  # Lists and quotes inside each other: docutils recurses some ten times for each.


class Rst:
    """The words of the rendered page; code and invalid markup as it is written."""

    version = 4
    media_type = "text/x-rst"
    suffixes: tuple[str, ...] = (".rst", ".rest")
    heavy = False
    signature: Signature | None = None

    def measure_confidence(self, raw: Raw) -> float:
        """Any text with a suffix of the format, else a directive with another mark of it."""
        beginning = decode_head(raw.data)
        if raw.suffix in self.suffixes:
            return float(bool(beginning.strip()))
        return 0.65 if sum(mark.search(beginning) is not None for mark in _RST_MARKS) > 2 else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text = decode_text(raw.data).expandtabs(8)
        assembly = Assembly()
        title, fields = "", dict[str, str]()
        if _is_too_deep(text):
            add_text(assembly, text)
        else:
            from tasks.parsers.notes.rst_blocks import add_rst

            markup = add_rst(assembly, text)
            title, fields = markup.title, markup.fields
        order = find_day_order(assembly.headings, text)
        authors = fields.get("author") or fields.get("authors", "")
        return assembly.finish(
            Kind.TEXT,
            self.media_type,
            title=fields.get("title") or title,
            authors=re.split(r"[,;]\s*", authors),
            dates=[*list_property_claims(fields, order), *find_datelines(assembly.list_beginning(HEAD_LENGTH))],
            attributes=Attributes(day_order=order),
        )


def _is_too_deep(text: str) -> bool:
    """Whether lists and quotes are nested deeper than in real documents."""
    indents: list[int] = []
    for line in text.split("\n"):
        place = len(line) - len(line.lstrip(" "))
        if place == len(line):
            continue
        while indents and indents[-1] >= place:
            indents.pop()
        indents.append(place)
        while (mark := _ITEM_MARK.match(line, indents[-1])) and len(indents) <= _MAX_DEPTH:
            indents.append(mark.end())
        if len(indents) > _MAX_DEPTH:
            return True
    return False


member = Rst()
