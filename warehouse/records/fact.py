"""The facts that a document tags as data itself, as filings do in inline XBRL: concept, value, unit, period, place."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Dimension:
    """What narrows a fact: `axis` "srt:ProductOrServiceAxis", `member` "us-gaap:ServiceMember".

    Where the dimension is `typed`, `member` is a value and no name: the number of a contract, a date.
    """

    axis: str
    member: str
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact as the filer reports it, whatever the page prints.

    `number` counts a document's facts from 1. `concept` has its taxonomy's usual prefix ("us-gaap:Revenues"), `label`
    is its name in words. `content` is the value as XBRL has it: exact digits ("-1204000000"), a date as YYYY-MM-DD,
    "true", words; what is longer than 2,000 characters ends in "…" there, and stands whole in the text. `value` is the
    number, None of words, and of a fact that is `nil`, which the filer reports to have no value. `scale` is what the
    printed figure was multiplied by, `decimals` how many digits behind the point are right (-6: rounded to millions),
    None for exact.

    `unit` is "USD", "shares", "USD/shares", "pure" (a ratio; .125 is 12.5 %) or what else the filer measures in;
    `currency` is its ISO 4217 code. The period is half-open and one day for an instant; both sides are None for ever
    or where the context is not known. `entity` is the filer's identifier, `group` the tuple that the fact belongs to.

    `document.text[start:end]` shows it, and so do the further spans of `continued`; hidden facts have none.
    """

    number: int
    concept: str
    label: str
    content: str
    value: float | None = None
    nil: bool = False
    unit: str = ""
    currency: str = ""
    scale: float = 1.0
    decimals: int | None = None
    period_start: date | None = None
    period_end: date | None = None
    entity: str = ""
    dimensions: tuple[Dimension, ...] = ()
    group: str = ""
    start: int | None = None
    end: int | None = None
    continued: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> str:
        """The concept without its prefix: "Revenues"."""
        return self.concept.rpartition(":")[2]

    @property
    def is_numeric(self) -> bool:
        """Whether it is measured in a unit."""
        return self.unit != ""
