"""Verification of quotations: the same file is opened again, the place is read again, and both readings are compared.

On the pages of a PDF another reader reads the boxes of the lines (`pdf_words`). Formats without pages, and pages that
are pictures, are parsed once more, by the same parser.

The comparison ignores what two readers may write differently: white space, compatible forms of characters (Unicode
NFKC), the hyphen of a word that continues on the next line, the bars between the cells of a table, glyphs without a
meaning, and the private codes of symbol fonts (U+F078 is the x of Wingdings). If a file has no character for a ligature
or a sign, the parser infers it from the glyph or the words around, and the other reader finds nothing, or another sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from tasks.parsers.office.symbol_fonts import WINGDINGS
from tasks.parsers.pdf.characters.lost_glyphs import MISREAD_LETTERS
from tasks.verify.claims import Proof, ProofReader, ProofVerdict, QuoteClaim, TextDifference, locate_claim
from tasks.verify.pdf_words import ReopenedPdf
from warehouse.errors import UnreadableFile
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Region, Status
from warehouse.search.hits import cut_lines
from warehouse.settings.models import ParseSettings
from warehouse.table_notation import MARKER

PDF_TYPE = "application/pdf"
_LAST_WORD, _FIRST_WORD = re.compile(r"\S{1,40}$"), re.compile(r"\S{1,40}")
_TABLE_MARKERS = re.compile(rf"^(?:{MARKER.pattern}|[|: -]+)$", re.MULTILINE)
_BAR = re.compile(r"\\?\|")
_DELIMITER_ROW = re.compile(r"^\|[|: -]+\|$", re.MULTILINE)
_WHITE_SPACE = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]+")
_HYPHEN_IN_WORD = re.compile(r"(?<=[^\W\d_])-")
_UNKNOWN_GLYPH = re.compile(r"\(cid:\d{1,5}\)|[\x00\ufffd]")
_LINE_END = "\x02\u00ad\ufffe"  # PDFium's characters for a hyphen at the end of a line.
_LIGATURE = re.compile("(ffi|ffl|fi|fl|ff)")
_RARE_LIGATURE = re.compile("tti|ti|tt|ft|tf|fft|fb|fh|fj|fk|Th|ct")
_MIN_OTHER_LETTERS = 2  # The minimum besides the ligatures, as fewer letters and digits could match anywhere.
_SIGN_PATTERN = r"[^\w\s]"
_SIGN = re.compile(f"[{''.join({'•', *WINGDINGS.values()} - {' '})}]")
_SYMBOL_FONT_CODES = {0xF000 + code: code for code in range(0x20, 0x100)}
_CODES_WITH_HYPHENS = {**_SYMBOL_FONT_CODES, **dict.fromkeys(map(ord, f"{_LINE_END}\u2010"), ord("-"))}
_CODES_WITHOUT_HYPHENS = {**_SYMBOL_FONT_CODES, **dict.fromkeys(map(ord, _LINE_END))}


def verify_claims(warehouse: Warehouse, claims: Sequence[QuoteClaim], limits: ParseSettings) -> list[Proof]:
    """A proof for each claim, in order; each file is opened once. `limits` apply to parsing again."""
    indexes_by_document: dict[str, list[int]] = {}
    for index, claim in enumerate(claims):
        indexes_by_document.setdefault(claim.document_id, []).append(index)
    proofs: dict[int, Proof] = {}
    for document_id, indexes in indexes_by_document.items():
        proofs |= zip(
            indexes, _iter_proofs(warehouse, document_id, [claims[index] for index in indexes], limits), strict=True
        )
    return [proofs[index] for index in range(len(claims))]


def _iter_proofs(
    warehouse: Warehouse, document_id: str, claims: Sequence[QuoteClaim], limits: ParseSettings
) -> Iterator[Proof]:
    entry_and_path = warehouse.find_file(document_id)
    if entry_and_path is None:
        yield from (Proof(claim, document_id, ProofVerdict.GONE) for claim in claims)
        return
    entry, path = entry_and_path
    try:
        data = path.read_bytes()
    except OSError:
        yield from (Proof(claim, entry.file.source, ProofVerdict.GONE) for claim in claims)
        return
    if sha256(data).hexdigest() != entry.file.sha256 or entry.status is not Status.PUBLISHED:
        yield from (Proof(claim, entry.file.source, ProofVerdict.CHANGED) for claim in claims)
        return
    with ExitStack() as stack:
        file = ReopenedFile(warehouse, entry, path, data, limits, stack)
        yield from (file.verify(claim) for claim in claims)


@dataclass(eq=False)
class ReopenedFile:
    """One file, opened when it is first needed and read only as far as needed.

    `data` are the bytes at `path`, from which `entry` was made; `limits` apply to parsing again; `stack` closes the
    opened files.
    """

    warehouse: Warehouse
    entry: CatalogEntry
    path: Path
    data: bytes
    limits: ParseSettings
    stack: ExitStack

    def verify(self, claim: QuoteClaim) -> Proof:
        """The proof whether the claimed text is in the file."""
        if claim.start is not None:
            return self._judge(claim)
        span = locate_claim(claim, self._text)
        if span is None:
            return self._make_refutation(claim, _find_most_similar(claim.text, self._text))
        actual = self._text[slice(*span)]
        if compare_readings(claim.text, actual) is Agreement.NONE:
            return self._make_refutation(claim, actual)
        return replace(self._judge(QuoteClaim(claim.document_id, actual, span[0])), claim=replace(claim, start=span[0]))

    def _judge(self, claim: QuoteClaim) -> Proof:
        """The proof of a claim with a position, by the boxes of its lines if possible, else by parsing again."""
        lines = self.warehouse.read_lines(claim.document_id, claim.start or 0, claim.end)
        pages = self._pages
        if (
            pages
            and not _has_unplaced_words(claim, lines)
            and all(pages.read_letters(line.page).text for line in lines)
        ):
            return self._verify_by_boxes(claim, lines, pages)
        return self._verify_by_parser(claim, cut_lines(lines, claim.start or 0, claim.end))

    def _verify_by_boxes(self, claim: QuoteClaim, lines: Sequence[Region], pages: ReopenedPdf) -> Proof:
        differences, is_ordered, start = [], True, claim.start or 0
        regions = cut_lines(lines, start, claim.end)
        for line, region in zip(lines, regions, strict=True):
            letters = pages.read_letters(line.page)
            quote, reading = claim.text[region.start - start : region.end - start], letters.read_box(line.box)
            agreement = compare_readings(quote, reading, letters.read_box_from_left(line.box))
            is_ordered = is_ordered and agreement is not Agreement.WORDS
            if agreement is Agreement.NONE:
                differences.append(TextDifference(line.page, quote, reading))
        verdict = ProofVerdict.DIFFERS if differences else ProofVerdict.VERIFIED
        source = self.entry.file.source
        return Proof(claim, source, verdict, ProofReader.BOXES, regions, not is_ordered, tuple(differences))

    def _verify_by_parser(self, claim: QuoteClaim, regions: tuple[Region, ...]) -> Proof:
        text = self._parsed
        if isinstance(text, UnreadableFile):
            return self._make_refutation(claim, str(text))
        actual = text[claim.start or 0 : claim.end]
        if actual == claim.text or strip_marks(claim.text) in strip_marks(text):
            return Proof(claim, self.entry.file.source, ProofVerdict.VERIFIED, ProofReader.PARSER, regions)
        return self._make_refutation(claim, actual)

    def _make_refutation(self, claim: QuoteClaim, reading: str) -> Proof:
        differences = (TextDifference(None, claim.text, reading),)
        return Proof(claim, self.entry.file.source, ProofVerdict.DIFFERS, ProofReader.PARSER, differences=differences)

    @cached_property
    def _text(self) -> str:
        """The document's text as the warehouse has it."""
        return self.warehouse.read_text(self.entry.document_id)

    @cached_property
    def _pages(self) -> ReopenedPdf | None:
        """The pages as the other reader reads them; None if there are none, or it cannot open the file."""
        from pypdfium2 import PdfiumError

        if self.entry.media_type != PDF_TYPE:
            return None
        try:
            return self.stack.enter_context(ReopenedPdf(self.data))
        except PdfiumError:
            return None

    @cached_property
    def _parsed(self) -> str | UnreadableFile:
        """The text as parsed again from the file, or the reason why it cannot be parsed."""
        from tasks.parsers.reader import Job, read_files

        job = Job(self.path.name, self.path, self.entry.file.sha256)
        ((_, document, _),) = read_files([job], self.limits)
        return document if isinstance(document, UnreadableFile) else document.text


def _has_unplaced_words(claim: QuoteClaim, lines: Sequence[Region]) -> bool:
    """Whether words of a claim are in no line: those that the parser read from a page without their position."""
    start = claim.start or 0
    parts, end = [], start
    for line in lines:
        parts.append(claim.text[end - start : max(line.start - start, 0)])
        end = max(end, line.end)
    parts.append(claim.text[end - start :])
    return bool(_TABLE_MARKERS.sub("", "\n".join(parts)).strip())


def _find_most_similar(quote: str, text: str) -> str:
    """The words of a text that are most similar to a quotation."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    alignment = partial_ratio_alignment(quote, text)
    if alignment is None:
        return ""
    word_before, word_after = (
        _LAST_WORD.search(text[: alignment.dest_start]),
        _FIRST_WORD.match(text, alignment.dest_end),
    )
    return text[
        word_before.start() if word_before else alignment.dest_start : word_after.end()
        if word_after
        else alignment.dest_end
    ]


class Agreement(IntEnum):
    """The agreement of two readings."""

    NONE = 0
    WORDS = 1
    """The same words in another order: cells of several lines, lines side by side."""
    TEXT = 2
    """The same text."""


def compare_readings(quote: str, reading: str, reading_from_left: str = "") -> Agreement:
    """How a line of a quotation agrees with the text of its box, which may have more than the quoted part.

    `reading` is in the order of the reader, `reading_from_left` the same from left to right, if that is known.
    """
    plain_quote = strip_marks(quote)
    readings = (strip_marks(reading), strip_marks(reading, _CODES_WITHOUT_HYPHENS), strip_marks(reading_from_left))
    if any(plain_quote in reading for reading in readings):
        return Agreement.TEXT
    if _count_words(quote) <= _count_words(reading):
        return Agreement.WORDS
    pattern = _compile_ligature_pattern(quote)
    if pattern is not None and any(pattern.search(reading) for reading in readings):
        return Agreement.TEXT
    return Agreement.NONE


def _compile_ligature_pattern(text: str) -> re.Pattern[str] | None:
    """A pattern that finds a text also if a reader lacks ligatures, or has other signs for them.

    None for a text without any, or with little else.
    """
    normalized_text = _normalize(text)
    other_letters = sum(map(str.isalnum, _LIGATURE.sub("", normalized_text)))
    if other_letters < _MIN_OTHER_LETTERS or not (
        _LIGATURE.search(normalized_text) or _RARE_LIGATURE.search(normalized_text) or _SIGN.search(normalized_text)
    ):
        return None
    words = (word for word in _WHITE_SPACE.split(normalized_text) if word)
    return re.compile("".join(_build_part_pattern(part) for word in words for part in _LIGATURE.split(word)))


def _build_part_pattern(part: str) -> str:
    """The pattern of a ligature that most fonts have, or of text without one."""
    if _LIGATURE.fullmatch(part):
        return f"(?:{part}|{part[0]}|{_SIGN_PATTERN}{{0,2}})"
    pattern = _RARE_LIGATURE.sub(
        lambda match: f"(?:{match[0]}|{_SIGN_PATTERN}|[{''.join(MISREAD_LETTERS)}])", re.escape(part)
    )
    return _SIGN.sub(".?", pattern)


def strip_marks(text: str, codes: Mapping[int, int | None] = _CODES_WITH_HYPHENS) -> str:
    """A text reduced to the characters that two readings must share; `codes` translates single characters."""
    return _WHITE_SPACE.sub("", _normalize(text, codes))


def _count_words(text: str) -> Counter[str]:
    return Counter(_HYPHEN_IN_WORD.sub(" ", _normalize(text)).split())


def _normalize(text: str, codes: Mapping[int, int | None] = _CODES_WITH_HYPHENS) -> str:
    text_without_marks = _BAR.sub(" ", _DELIMITER_ROW.sub("", _UNKNOWN_GLYPH.sub("", text)))
    return unicodedata.normalize("NFKC", text_without_marks.translate(codes))
