"""Reports of companies that do not exist, made of TAT-QA's tables and paragraphs: four contexts a report.

The halves of TAT-QA, "choose" and "report", are told apart by the hash of the table's id, so that no table is in both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from typing import Any

CONTEXTS = 4
"""Contexts a report has: enough that a question must be told from others, few enough that most reports differ."""
HALVES = ("choose", "report")
_NAMES = (
    "Aldermoor Brackwater Calderstone Dunmarrow Elverton Farrowdale Glasswick Hartsmere Inglewood Jessamy Kelderhead"
    " Larkspur Marlhurst Netherfield Oakhanger Pellworth Quillmark Ravensholm Silverthorpe Tarnbrook Umberleigh Vexmoor"
    " Wolverdale Yarrowby Zellmoor Ashcombe Birkenfell Copperdale Drayhurst Eskmouth"
)
_FIRST = _NAMES.split()
_SECOND = ("Instruments", "Foods", "Logistics")
COMPANIES = tuple(f"{first} {second}" for second, first in product(_SECOND, _FIRST))


@dataclass(frozen=True)
class Report:
    """A report: its company, its half, and the contexts of TAT-QA that it consists of."""

    company: str
    half: str
    contexts: tuple[dict[str, Any], ...]

    @property
    def name(self) -> str:
        """The file's name."""
        return f"{self.company.lower().replace(' ', '-')}.html"

    def html(self) -> str:
        """The report as a page: a title, then a section of paragraphs and a table for each context."""
        parts = [f"<h2>Note {number}</h2>{''.join(_parts(each))}" for number, each in enumerate(self.contexts, 1)]
        title = f"{self.company}, Inc. Annual Report"
        head = f"<head><title>{title}</title></head>"
        return f"<!doctype html><html>{head}<body><h1>{title}</h1>{''.join(parts)}</body></html>"

    @property
    def text(self) -> str:
        """Its words in small letters."""
        rows = [" ".join(row) for each in self.contexts for row in each["table"]["table"]]
        return "\n".join([*rows, *(part["text"] for each in self.contexts for part in each["paragraphs"])]).lower()


def hashed(text: str) -> int:
    """A number that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


def half_of(text: str) -> str:
    """The half that a table or question is in, by its id."""
    return HALVES[hashed(text) % 2]


def reports(contexts: Sequence[dict[str, Any]]) -> list[Report]:
    """The contexts as reports, each of one half."""
    found = []
    names = iter(COMPANIES)
    for half in HALVES:
        ids = {each["table"]["uid"]: each for each in contexts if half_of(each["table"]["uid"]) == half}
        own = [ids[uid] for uid in sorted(ids, key=lambda uid: hashed(f"{uid} report"))]
        starts = range(0, len(own), CONTEXTS)
        found += [Report(next(names), half, tuple(own[start : start + CONTEXTS])) for start in starts]
    return found


def _parts(context: dict[str, Any]) -> Iterator[str]:
    ordered = sorted(context["paragraphs"], key=lambda each: each["order"])
    yield from (f"<p>{escape(each['text'])}</p>" for each in ordered)
    rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in context["table"]["table"]]
    yield f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
