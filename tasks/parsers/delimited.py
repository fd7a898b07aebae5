"""Files of delimited values, CSV and TSV (RFC 4180 and what programs make of it), as one table."""

from __future__ import annotations

import csv
import re

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly, clean
from tasks.parsers.contract import Raw
from tasks.parsers.decoder import HEAD, decode, head
from tasks.parsers.dialects import Shape, records, shape_of
from tasks.parsers.text import member as plain_text
from warehouse.records import BlockKind, Document, Kind

_HINT = re.compile(r"\s*sep=.\s*\n", re.IGNORECASE)
_REMARK = re.compile(r"^#", re.MULTILINE)
_BLANK = re.compile(r"\n[^\S\n]*\n")
_MOST_EXTRA = 50


class Delimited:
    """One table with one header row, whatever the number of rows.

    It is not cut into several tables: their headers would stand in the text again and again, and the chunkers cut long
    tables at rows anyway. Lines above the header are paragraphs. What turns out to be no table is read as plain text.
    """

    version = 3
    media_type = "text/csv"
    suffixes = (".csv", ".tsv", ".tab", ".psv")
    heavy = False

    def claims(self, raw: Raw) -> float:
        """How regular the records at the beginning are; less than plain text where only the suffix can settle it.

        Remarks behind `#` are no headings where no line is blank, as around those of Markdown.
        """
        beginning = head(raw.data)
        shape = _shape(beginning, whole=len(raw.data) <= HEAD)
        if shape is None:
            return 0.0
        remarks = _REMARK.search(beginning) is not None and _BLANK.search(beginning.strip()) is None
        if not shape.is_sure:
            return 0.3 if remarks else 0.25
        if remarks:
            return 0.55
        return 0.5 if shape.width > 2 else 0.35

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the bytes are no text."""
        text = decode(raw.data)
        if text is None:
            raise refusals.unknown(raw.data)
        cleaned = clean(text)
        shape = _shape(cleaned[:HEAD], whole=len(cleaned) <= HEAD)
        rows = _rows(cleaned, shape) if shape else []
        if shape is None or not rows:
            return plain_text.parse(raw)
        assembly = Assembly()
        first = next((place for place, row in enumerate(rows) if sum(map(bool, row)) > 1), 0)
        above = [" ".join(filter(None, row)) for row in rows[:first]]
        for line in above:
            assembly.add(BlockKind.PARAGRAPH, line)
        assembly.table(rows[first:], header_rows=1, caption=" ".join(above))
        return assembly.finish(Kind.TEXT, self.media_type)


def _shape(beginning: str, *, whole: bool) -> Shape | None:
    return shape_of(_HINT.sub("", beginning, count=1) if _HINT.match(beginning) else beginning, whole=whole)


def _rows(text: str, shape: Shape) -> list[list[str]]:
    """The rows without the blanks around their fields; none where they cannot be read to the end.

    A quote that turns out to be a plain character is read as one. What stands far beyond the table's width joins the
    last column, so that one broken row does not widen all others.
    """
    hint = _HINT.match(text)
    body = text[hint.end() :] if hint else text
    most = shape.width + _MOST_EXTRA
    for quoted in (True, False) if shape.quoted else (False,):
        try:
            rows = [[field.strip() for field in row] for row in records(body, shape.delimiter, quoted=quoted)]
        except csv.Error:
            continue
        return [row if len(row) <= most else [*row[: most - 1], " ".join(row[most - 1 :])] for row in rows]
    return []


member = Delimited()
