"""Talks whose speakers stand on lines of their own: who speaks stands before what is said."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.entities.companies import with_company
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_docx import p, read_word
from warehouse.records import Document, Kind

CALL = """Halcyon Robotics, Inc. (HLCN) Q1 2024 Earnings Call Transcript
May 2, 2024 5:00 PM ET

Company Participants

Dana Whitfield - Investor Relations
Priya Raman - Chief Financial Officer

Operator

Good afternoon, and welcome to the call.

Priya Raman{role}

Gross margin was 42.3%, up from 39.6% a year ago.

We opened our plant in April.

Question-and-Answer Session

Operator

Our first question comes from Joel Stern.

Joel Stern{role}

And in the back half of the year?

Priya Raman{role}

We expect 43% to 44%.
"""


def _read(text: str, name: str = "call.txt") -> Document:
    found = read(Raw(name, text.encode()))
    keeps_its_promises(found)
    return found


@pytest.mark.parametrize("role", ["", " - Chief Financial Officer", " -- Finance", ", CFO", " (CFO)", ":"])
def test_who_speaks_stands_before_what_is_said(role: str) -> None:
    found = _read(CALL.replace("{role}", role))
    words = [found.text[block.start : block.end] for block in found.blocks]
    assert words[-6:] == [
        "Priya Raman: Gross margin was 42.3%, up from 39.6% a year ago.",
        "We opened our plant in April.",
        "Question-and-Answer Session",
        "Operator: Our first question comes from Joel Stern.",
        "Joel Stern: And in the back half of the year?",
        "Priya Raman: We expect 43% to 44%.",
    ]
    assert found.blocks[-1].section[-1] == "Question-and-Answer Session"


def test_a_call_on_results_is_a_report_of_its_company_and_day() -> None:
    found = with_company(_read(CALL.replace("{role}", "")))
    assert found.kind is Kind.REPORT
    assert (found.attributes.company, found.attributes.symbols) == ("Halcyon Robotics, Inc.", ("HLCN",))
    assert [claim.date for claim in found.dates] == [date(2024, 5, 2)]


@pytest.mark.parametrize(
    ("title", "company"),
    [
        ("Apple (AAPL) Q4 2023 Earnings Call", "Apple"),
        ("Microsoft Corporation, Q2 2024 Earnings Call", "Microsoft Corporation"),
        ("Halcyon Robotics First Quarter 2024 Results Conference Call", "Halcyon Robotics"),
        ("Q1 2024 Earnings Call", ""),
        ("Welcome to the first quarter results conference call", ""),
    ],
)
def test_the_title_of_a_call_names_its_company(title: str, company: str) -> None:
    found = with_company(_read(CALL.replace("{role}", "").replace(CALL.partition("\n")[0], title)))
    assert found.attributes.company == company


def test_a_page_of_a_talk_is_one_too() -> None:
    parts = CALL.replace("{role}", " -- Finance").split("\n\n")
    page = "".join(f"<p><strong>{part}</strong></p>" if len(part) < 40 else f"<p>{part}</p>" for part in parts)
    found = _read(f"<html><body>{page}</body></html>", "call.html")
    assert "Priya Raman: We expect 43% to 44%." in found.text


def test_so_is_a_document_of_word() -> None:
    parts = CALL.replace("{role}", "").split("\n\n")
    found = read_word("".join(p(part.replace("\n", " ")) for part in parts))
    keeps_its_promises(found)
    assert "Priya Raman: We expect 43% to 44%." in found.text
    assert "Operator: Our first question comes from Joel Stern." in found.text


NO_TALKS = {
    "headings": "Revenue\n\nIt rose by 5% in the year.\n\nCosts\n\nThey fell.\n\nOutlook\n\nWe expect more.\n",
    "licences": "Terms and Conditions\n\nYou may copy it.\n\nEnd of Terms\n\nCopyright held by all.\n\n" * 3,
    "sections": "Details - One\n\nIt is one part.\n\nSummary\n\nIt is short.\n\n" * 3,
    "two turns": "Anna\n\nHello to you all.\n\nBen\n\nHello to you too.\n",
    "list of people": "Board\n\nAnna Long\n\nBen Short\n\nCara Wide\n\nDan Small\n",
}


@pytest.mark.parametrize("text", NO_TALKS.values(), ids=NO_TALKS)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert _read(text).text == text.strip()
