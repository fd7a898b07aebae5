"""Claims that words stand in a document, read from hits, answers and quotations; and the proof of each claim."""

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

_INSIDE = re.compile(r"[0-9A-Za-z][0-9A-Za-z]$|[0-9][.,][0-9]$")  # What ends where a word or a figure is cut in two.
_LEFT_OUT = re.compile(r"[\s|\\\u00ad\u2010-]")


@dataclass(frozen=True, slots=True)
class QuoteClaim:
    """That `text` stands in a document, from `start` in its text, or wherever it be."""

    document_id: str
    text: str
    start: int | None = None

    @property
    def end(self) -> int:
        """Where it ends, given that it starts at `start`."""
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
    """That a passage, a chunk or the parent of some, stands in its document; or `span` of the document's text.

    A hit may show more of a page than its chunk. Raises `BadInput` for a passage that the published generation does not
    hold, and for a span that is not in its document.
    """
    found = warehouse.read_passage(passage)
    if found is None:
        raise BadInput(f"there is no passage {passage}", "take the chunk_id of a hit of 'kalends search --json'")
    document_id, start, text = found
    if span is None:
        return QuoteClaim(document_id, text, start)
    (first, last), whole = span, warehouse.read_text(document_id)
    if not 0 <= first < last <= len(whole):
        raise BadInput(f"{first} to {last} is not in the document", f"its text ends at {len(whole)}")
    return QuoteClaim(document_id, whole[first:last], first)


def make_quotation_claims(warehouse: Warehouse, quote: str, source: str) -> list[QuoteClaim]:
    """That a quotation stands in a document; each row of a table stands for itself. `source` may be its id as well.

    Raises `BadInput` for a source that the published generation does not hold, and for a quotation without words.
    """
    document_id = warehouse.find_document_id(source)
    if document_id is None:
        raise BadInput(f"there is no document {source}", "'kalends sql \"SELECT source FROM documents\"' lists them")
    lines = quote.splitlines() if quote.startswith("|") else [quote]
    claims = [QuoteClaim(document_id, line) for line in lines if _LEFT_OUT.sub("", line)]
    if not claims:
        raise BadInput("the quotation is empty", "give its words")
    return claims


def read_claims(warehouse: Warehouse, text: str) -> list[QuoteClaim]:
    """What the JSON of `kalends search` or `kalends ask` says: each passage, each excerpt and each extract.

    Raises `BadInput` for anything else.
    """
    try:
        content = _SearchJson.model_validate_json(text)
    except ValidationError as error:
        raise BadInput("this is not what 'kalends search --json' prints", str(error.errors()[0]["msg"])) from None
    found = [claim for hit in content.hits for claim in hit.iter_claims()]
    for extract in content.extracts:
        found += make_quotation_claims(warehouse, extract.text, extract.citation.document_id)
    if not found:
        raise BadInput("there is nothing to verify in it", "give what 'kalends search --json' prints")
    return found


def locate_claim(claim: QuoteClaim, text: str) -> tuple[int, int] | None:
    """Where in a document's text the words of a claim stand, white space, hyphens and bars left aside."""
    letters = list(_iter_letters(text))
    claimed = "".join(letter for letter, _ in _iter_letters(claim.text))
    joined, place = "".join(letter for letter, _ in letters), -1
    while (place := joined.find(claimed, place + 1)) >= 0:
        start, end = letters[place][1], letters[place + len(claimed) - 1][1] + 1
        if not (_INSIDE.search(text[max(start - 2, 0) : start + 1]) or _INSIDE.search(text[end - 1 : end + 2][::-1])):
            return start, end
    return None


def _iter_letters(text: str) -> Iterator[tuple[str, int]]:
    for place, char in enumerate(text):
        if not _LEFT_OUT.match(char):
            yield from ((letter, place) for letter in unicodedata.normalize("NFKC", char) if not letter.isspace())


class ProofVerdict(StrEnum):
    """Whether the words stand there; `CHANGED` and `GONE` say that the file is no longer the one that was read."""

    VERIFIED = "verified"
    DIFFERS = "differs"
    CHANGED = "changed"
    GONE = "gone"


class ProofReader(StrEnum):
    """Who read the words again."""

    BOXES = "page boxes"
    PARSER = "file parsed again"


@dataclass(frozen=True, slots=True)
class TextDifference:
    """What is said to stand in a place, and what was found there; `page` is None in formats without pages."""

    page: int | None
    said: str
    found: str


@dataclass(frozen=True, slots=True)
class Proof:
    """A claim and its verdict.

    `regions` are the boxes of the quotation, a line each. `reordered` says that the reader met the words of a line in
    another order. `differences` has the lines that are not as claimed, in order.
    """

    claim: QuoteClaim
    source: str
    verdict: ProofVerdict
    reader: ProofReader | None = None
    regions: tuple[Region, ...] = ()
    reordered: bool = False
    differences: tuple[TextDifference, ...] = ()
