"""Plain text in any encoding; also what has no structure worth reading yet, such as JSON and logs."""

from __future__ import annotations

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly, clean
from tasks.parsers.contract import Raw
from tasks.parsers.datelines import WITHIN, datelines
from tasks.parsers.decoder import decode, head
from tasks.parsers.pipe_tables import parts, spanning_heads
from tasks.parsers.table_form import guess_header_rows
from tasks.parsers.text_blocks import blocks
from warehouse.records import BlockKind, Document, Kind


class PlainText:
    """Paragraphs between blank lines, lists, pipe tables, and headings where they are sure."""

    version = 4
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
        for part in parts(clean(text)):
            if isinstance(part, str):
                _add(assembly, part)
            else:
                assembly.table(part, merges=spanning_heads(part, guess_header_rows(part)))
        return assembly.finish(Kind.TEXT, self.media_type, dates=datelines(assembly.beginning(WITHIN)))


def _add(assembly: Assembly, text: str) -> None:
    for block in blocks(text):
        if block.kind is BlockKind.HEADING:
            assembly.heading(block.text, block.level)
        else:
            assembly.add(block.kind, block.text)


member = PlainText()
