"""Where a source stands: its passage, what was quoted of it, and its file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from dashboards.assistant.answer_types import AnswerSource
from dashboards.assistant.sessions import StoredSource
from tasks.ask.units import Span
from warehouse.reader import Warehouse

_PASSAGE = """
    SELECT start, "end" FROM chunks WHERE document_id = $id AND start <= $start AND "end" >= $stop
    ORDER BY start DESC LIMIT 1
"""
_NAME = " | Source: "
_PAGE = re.compile(r"#page=(\d{1,6})\Z")


@dataclass(frozen=True, slots=True)
class LocatedSource:
    """A passage that begins at `start` in its document's text, and the `spans` of that text that were quoted.

    `citation` is its line with the link below. `file` is None where the document is no longer in the warehouse.
    """

    number: int
    citation: str
    url: str
    document_id: str
    start: int
    text: str
    spans: tuple[Span, ...]
    file: Path | None

    @property
    def quoted(self) -> tuple[Span, ...]:
        """The spans as places in the passage."""
        return tuple((start - self.start, end - self.start) for start, end in self.spans)

    @property
    def page(self) -> int | None:
        """The page that its link names."""
        found = _PAGE.search(self.url)
        return int(found[1]) if found else None

    @property
    def meant(self) -> tuple[Span, ...]:
        """The spans that the citation points to: the quoted ones, or all of the passage."""
        return self.spans or ((self.start, self.start + len(self.text)),)


def locate_source(warehouse: Warehouse, source: AnswerSource) -> LocatedSource:
    """A source of an answer that is held whole."""
    hit = source.hit
    file = _file(warehouse, hit.document_id)
    line, url = source.citation.formatted_with_link, source.citation.url
    return LocatedSource(source.number, line, url, hit.document_id, hit.start, hit.text, source.spans, file)


def locate_kept_source(warehouse: Warehouse, source: StoredSource) -> LocatedSource:
    """A source of which a session's file keeps its line and its quotations: looked up in the document as it is now."""
    document_id = warehouse.document_id(source.line.rpartition(_NAME)[2]) or ""
    text = warehouse.text(document_id) if document_id else ""
    starts = [(text.find(quote), len(quote)) for quote in source.quotes]
    spans = tuple((start, start + length) for start, length in starts if start >= 0)
    start, end = _around(warehouse, document_id, spans)
    file = _file(warehouse, document_id)
    line = f"{source.line}\nView Document: {source.url}" if source.url else source.line
    passage = text[start:end] or "\n\n".join(source.quotes)
    return LocatedSource(source.number, line, source.url, document_id, start, passage, spans, file)


def _around(warehouse: Warehouse, document_id: str, spans: tuple[Span, ...]) -> Span:
    """The passage that all the spans stand in, or what lies between the first and the last."""
    if not spans:
        return 0, 0
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    rows = warehouse.snapshot.rows(_PASSAGE, {"id": document_id, "start": first, "stop": last})
    return (int(rows[0][0]), int(rows[0][1])) if rows else (first, last)


def _file(warehouse: Warehouse, document_id: str) -> Path | None:
    found = warehouse.file_of(document_id) if document_id else None
    return found[1] if found else None
