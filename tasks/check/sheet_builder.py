"""Sheets of documents: their findings located in the source, and their digests.

The imports here take half a second: do not import this for files whose sheets are known.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import islice, pairwise, takewhile
from pathlib import PurePosixPath

from tasks.check.selection import find_suppressions
from tasks.check.sheet import ChunkBestScore, Sheet, locate_finding
from tasks.chunkers.parts.document_spans import (
    CURRENT_TIME_WORD,
    Statement,
    find_sentences,
    parse_statement,
    select_single,
)
from tasks.document_date import find_date_disputes, find_name_claims
from tasks.parsers.decoder import decode_as_written
from tasks.quality.acronyms import find_acronyms
from tasks.quality.checked_document import MARKDOWN, CheckedDocument, is_back_matter
from tasks.quality.corpus import ChunkSketch, Digest
from tasks.quality.note_links import make_note_digest
from tasks.quality.scoring import LocatedFinding, check_document, compute_best_score
from tasks.quality.similarity import make_sample, make_sketch
from tasks.single_file import prepare_file
from warehouse.identity import digest
from warehouse.message_notation import MAIL
from warehouse.records import BlockKind, Document, TimexType
from warehouse.settings.loader import Settings
from warehouse.settings.models import SourceSettings

_TYPES_WITHOUT_LINES = (
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/epub+zip",
    *MAIL,
)
"""Archives, and mail, whose lines are those of its transfer encoding."""
_MAX_STATEMENTS = 2_000


def build_sheet(
    document: Document, name: str, data: bytes, sha256: str, settings: Settings, source: SourceSettings
) -> Sheet:
    """The sheet of a file as it was read; `data` are its bytes."""
    subject = prepare_file(document, name, settings, source, raw=decode_source(data, document.media_type))
    return judge_document(subject, name, sha256)


def decode_source(data: bytes, media_type: str) -> str:
    """The source of a file that is text, as it is written, with line ends of Unix; "" for others."""
    text = None if media_type in _TYPES_WITHOUT_LINES else decode_as_written(data)
    return "" if text is None else text.replace("\r\n", "\n").replace("\r", "\n")


def judge_document(subject: CheckedDocument, name: str, sha256: str) -> Sheet:
    """The sheet of a document that was read before."""
    document, file = subject.document, PurePosixPath(name).name
    reported_findings = (*document.findings, *find_date_disputes(document.dates, file, subject.date))
    lines = subject.raw.split("\n")
    findings = (*map(LocatedFinding, reported_findings), *check_document(subject))
    acronyms, spelled_out = find_acronyms(subject)
    corpus_digest = Digest(
        sha256=sha256,
        date=subject.date,
        claims=(*document.dates, *find_name_claims(file, before=subject.date.date if subject.date else date.min)),
        sketch=make_sketch(document.text),
        chunks=tuple(
            ChunkSketch(chunk.chunk_id, chunk.chunk_index, chunk.start, chunk.end, chunk.page, make_sample(chunk.text))
            for chunk in subject.chunks
        ),
        acronyms=acronyms,
        spelled_out=spelled_out,
        statements=_find_statements(subject),
        note=make_note_digest(subject.raw) if document.media_type == MARKDOWN else None,
    )
    return Sheet(
        findings=tuple(locate_finding(finding, subject.anchors, document.text, lines) for finding in findings),
        chunks=tuple(
            ChunkBestScore(chunk.chunk_id, compute_best_score(chunk, document), chunk.size) for chunk in subject.chunks
        ),
        suppressions=find_suppressions(subject.raw),
        anchors=subject.anchors,
        digest=corpus_digest,
    )


def _find_statements(subject: CheckedDocument) -> tuple[Statement, ...]:
    """At most 2,000 statements of a document, in order, each with a digest of its words as the subject."""
    statements_with_spans = (
        (parse_statement(subject.document.text[start:end], start), start, end)
        for start, end in _iter_sentences(subject)
    )
    statements = (
        item for item, start, end in statements_with_spans if item is not None and not _is_dated(subject, start, end)
    )
    single_statements = select_single(list(islice(statements, _MAX_STATEMENTS)))
    return tuple(replace(item, subject=digest(item.subject)) for item in single_statements)


def _iter_sentences(subject: CheckedDocument) -> Iterator[tuple[int, int]]:
    text = subject.document.text
    for block in subject.prose:
        if is_back_matter(block):
            continue
        edges = [block.start, *find_sentences(text, block.start, block.end), block.end]
        if block.kind is BlockKind.LIST:
            lines = [match.end() for match in re.finditer("\n", text[block.start : block.end])]
            edges = sorted({*edges, *(block.start + line for line in lines)})
        yield from pairwise(edges)


def _is_dated(subject: CheckedDocument, start: int, end: int) -> bool:
    """Whether the sentence names a time; a length ("30 days") is none, nor is "now"."""
    first = bisect_left(subject.mentions, start, key=lambda mention: mention.start)
    mentions = takewhile(lambda mention: mention.start < end, subject.mentions[first:])
    dates = (TimexType.DATE, TimexType.TIME)
    return any(mention.type in dates and not CURRENT_TIME_WORD.fullmatch(mention.text) for mention in mentions)
