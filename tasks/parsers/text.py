"""Plain text in any encoding; also what has no structure worth reading yet, such as CSV, JSON and logs."""

from __future__ import annotations

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly, clean
from tasks.parsers.contract import Raw
from tasks.parsers.decoding import decode, head
from tasks.parsers.prose import is_list, paragraphs
from warehouse.records import BlockKind, Document, Kind


class PlainText:
    """Paragraphs between blank lines; a paragraph of items is a list."""

    version = 1
    media_type = "text/plain"
    suffixes = (".txt", ".text", ".csv", ".tsv", ".json", ".jsonl", ".log")
    heavy = False

    def claims(self, raw: Raw) -> float:
        """Any text, a little; not XML, which would be tag soup."""
        beginning = head(raw.data).lstrip()
        return 0.3 if beginning and not beginning.startswith("<?xml") else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text = decode(raw.data)
        if text is None:
            raise refusals.unknown(raw.data)
        assembly = Assembly()
        for paragraph in paragraphs(clean(text)):
            assembly.add(BlockKind.LIST if is_list(paragraph) else BlockKind.PARAGRAPH, paragraph)
        return assembly.finish(Kind.TEXT, self.media_type)


member = PlainText()
