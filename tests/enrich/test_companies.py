"""Whose report a document is."""

from __future__ import annotations

import pytest

from tasks.entities.companies import with_company
from warehouse.records import Document, Kind

COVER = "UNITED STATES\n\nFORM 10-K\n\nCommission File Number 1-3285\n\n{name}\n\n(Exact name of registrant {rest})\n"


def company(text: str, title: str = "", kind: Kind = Kind.REPORT) -> tuple[str, tuple[str, ...]]:
    attributes = with_company(Document(kind, "text/plain", text, (), title=title)).attributes
    return attributes.company, attributes.symbols


@pytest.mark.parametrize("rest", ["as specified in its charter", "as specified in charter"])
def test_the_registrant_stands_above_the_line_that_says_so(rest: str) -> None:
    text = COVER.format(name="3M COMPANY", rest=rest) + "\nCommon Stock, Par Value $.01 MMM New York Stock Exchange\n"
    assert company(text) == ("3M COMPANY", ("MMM",))


def test_a_registrant_in_a_table_with_a_rule_below_it() -> None:
    assert company("| ADOBE INC. |  |\n_____________\n(Exact name of registrant as specified)\n") == ("ADOBE INC.", ())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Amcor reports fiscal 2023 results and provides outlook\n", ("Amcor", ())),
        (
            "First-Quarter Results\n\nPURCHASE, N.Y. - April 25, 2023 - PepsiCo, Inc. (NASDAQ: PEP) today reported\n",
            ("PepsiCo, Inc.", ("PEP",)),
        ),
        ("北光仪器股份有限公司\n2025年第三季度报告\n", ("北光仪器股份有限公司", ())),
        ("The committee reports on earnings\n", ("", ())),
    ],
)
def test_a_release_names_its_company(text: str, found: tuple[str, tuple[str, ...]]) -> None:
    assert company(text) == found


def test_the_title_of_a_filing_names_its_company() -> None:
    assert company("Item 5.07", title="Form 8-K for Foot Locker INC filed 05/19/2022") == ("Foot Locker INC", ())


def test_a_note_is_nobodys_report() -> None:
    assert company("Amcor reports fiscal 2023 results\n", kind=Kind.NOTE) == ("", ())
