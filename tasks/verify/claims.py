"""Claims that words are in a document, read from hits, answers and quotations; and the proof of each claim."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ValidationError

from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Region

_WORD_CONTINUATION = re.compile(
    r"[0-9A-Za-z][0-9A-Za-z]$|[0-9][.,][0-9]$"
)  # Matches at an end inside a word or a figure.
_IGNORED_CHARACTERS = re.compile(r"[\s|\\\u00ad\u2010-]")


@dataclass(frozen=True, slots=True)
class QuoteClaim:
    """The claim that `text` is in a document, from `start` in its text, or anywhere if that is None."""

    document_id: str
    text: str
    start: int | None = None

    @property
    def end(self) -> int:
        """Its end, if it starts at `start`."""
        return (self.start or 0) + len(self.text)


class _JsonSpan(BaseModel):
    start: int
    text: str


class _JsonHit(_JsonSpan):
    document_id: str
    excerpt: _JsonSpan | None = None

    def iter_claims(self) -> Iterator[QuoteClaim]:
        for span in (self, self.excerpt):
            if span is not None and span.text.strip():
                yield QuoteClaim(self.document_id, span.text, span.start)


class _JsonCitation(BaseModel):
    document_id: str


class _JsonExtract(BaseModel):
    text: str
    citation: _JsonCitation


class _SearchJson(BaseModel):
    hits: list[_JsonHit] = []
    extracts: list[_JsonExtract] = []


def make_passage_claim(warehouse: Warehouse, passage: str, span: tuple[int, int] | None = None) -> QuoteClaim:
    """The claim that a passage (a chunk, or a parent of chunks), or a `span` of text, is in its document.

    A hit may show more of a page than its chunk. Raises `BadInput` for a passage that the published generation lacks,
    and for a span that is not in its document.
    """
    passage_text = warehouse.read_passage(passage)
    if passage_text is None:
        raise BadInput(f"there is no passage {passage}", "take the chunk_id of a hit of 'kalends search --json'")
    document_id, start, text = passage_text
    if span is None:
        return QuoteClaim(document_id, text, start)
    (first, last), document_text = span, warehouse.read_text(document_id)
    if not 0 <= first < last <= len(document_text):
        raise BadInput(f"{first} to {last} is not in the document", f"its text ends at {len(document_text)}")
    return QuoteClaim(document_id, document_text[first:last], first)


def make_quotation_claims(warehouse: Warehouse, quote: str, source: str) -> list[QuoteClaim]:
    """The claims that a quotation is in a document, one for each row of a table. `source` may be the document's id.

    Raises `BadInput` for a source that the published generation lacks, and for a quotation without words.
    """
    document_id = warehouse.find_document_id(source)
    if document_id is None:
        raise BadInput(f"there is no document {source}", "'kalends sql \"SELECT source FROM documents\"' lists them")
    lines = quote.splitlines() if quote.startswith("|") else [quote]
    claims = [QuoteClaim(document_id, line) for line in lines if _IGNORED_CHARACTERS.sub("", line)]
    if not claims:
        raise BadInput("the quotation is empty", "give its words")
    return claims


def read_claims(warehouse: Warehouse, text: str) -> list[QuoteClaim]:
    """The claims in the JSON of `kalends search` or `kalends ask`: each passage, each excerpt and each extract.

    Raises `BadInput` for any other text.
    """
    try:
        content = _SearchJson.model_validate_json(text)
    except ValidationError as error:
        raise BadInput("this is not what 'kalends search --json' prints", str(error.errors()[0]["msg"])) from None
    claims = [claim for hit in content.hits for claim in hit.iter_claims()]
    for extract in content.extracts:
        claims += make_quotation_claims(warehouse, extract.text, extract.citation.document_id)
    if not claims:
        raise BadInput("there is nothing to verify in it", "give what 'kalends search --json' prints")
    return claims


def locate_claim(claim: QuoteClaim, text: str) -> tuple[int, int] | None:
    """The span of a claim's words in a document's text, ignoring white space, hyphens and bars."""
    letters = list(_iter_letters(text))
    claim_letters = "".join(letter for letter, _ in _iter_letters(claim.text))
    text_letters, index = "".join(letter for letter, _ in letters), -1
    while (index := text_letters.find(claim_letters, index + 1)) >= 0:
        start, end = letters[index][1], letters[index + len(claim_letters) - 1][1] + 1
        if not (
            _WORD_CONTINUATION.search(text[max(start - 2, 0) : start + 1])
            or _WORD_CONTINUATION.search(text[end - 1 : end + 2][::-1])
        ):
            return start, end
    return None


def _iter_letters(text: str) -> Iterator[tuple[str, int]]:
    for position, char in enumerate(text):
        if not _IGNORED_CHARACTERS.match(char):
            yield from ((letter, position) for letter in unicodedata.normalize("NFKC", char) if not letter.isspace())


class ProofVerdict(StrEnum):
    """Whether the words are there; `CHANGED` and `GONE` say that the file is no longer the one that was read."""

    VERIFIED = "verified"
    DIFFERS = "differs"
    CHANGED = "changed"
    GONE = "gone"


class ProofReader(StrEnum):
    """What read the words again."""

    BOXES = "page boxes"
    PARSER = "file parsed again"


@dataclass(frozen=True, slots=True)
class TextDifference:
    """The text claimed at a place, and the text found there; `page` is None in formats without pages."""

    page: int | None
    said: str
    found: str


@dataclass(frozen=True, slots=True)
class Proof:
    """A claim and its verdict.

    `regions` are the boxes of the quotation, one per line. `reordered` says that the reader found the words of a line
    in another order. `differences` has the lines that are not as claimed, in order.
    """

    claim: QuoteClaim
    source: str
    verdict: ProofVerdict
    reader: ProofReader | None = None
    regions: tuple[Region, ...] = ()
    reordered: bool = False
    differences: tuple[TextDifference, ...] = ()
