"""What came of proving a claim."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tasks.ask.claims import QuoteClaim
from warehouse.records import Region


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
