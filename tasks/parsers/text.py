"""Plain text in any encoding; also what has no structure worth reading yet, such as JSON and logs."""

from __future__ import annotations

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly, clean
from tasks.parsers.contract import Raw
from tasks.parsers.datelines import WITHIN, datelines
from tasks.parsers.decoding import decode, head
from tasks.parsers.text_blocks import blocks
from warehouse.records import BlockKind, Document, Kind


class PlainText:
    """Paragraphs between blank lines, lists, and headings where they are sure."""

    version = 3
    media_type = "text/plain"
    suffixes = (".txt", ".text", ".json", ".jsonl", ".log", ".rst")
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
        for block in blocks(clean(text)):
            if block.kind is BlockKind.HEADING:
                assembly.heading(block.text, block.level)
            else:
                assembly.add(block.kind, block.text)
        return assembly.finish(Kind.TEXT, self.media_type, dates=datelines(assembly.beginning(WITHIN)))


member = PlainText()
