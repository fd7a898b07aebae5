"""Cells of figures that the filer tags: whose value they have, and when the printed table says otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.tables.cells import read_cells
from tasks.tables.totals import find_totals
from tests.tasks.parsers.xbrl.invented_filing import amount, context, page
from tests.tasks.parsers.xbrl.northlight import northlight
from warehouse.records import Cell, CorrectedField, Correction, Document, DocumentCorrections, TableMark

CONTEXTS = [
    context("q25", "2025-04-01", "2025-06-30"),
    context("q24", "2024-04-01", "2024-06-30"),
    context("h25", "2025-01-01", "2025-06-30"),
    context("i25", "2025-06-30"),
]


def document_of(*rows: tuple[str, str, str], head: str = "Three months ended June 30,") -> Document:
    """A statement in millions with a column of 2025 and one of 2024."""
    body = "".join(f"<tr><td>{label}</td><td>{now}</td><td>{then}</td></tr>" for label, now, then in rows)
    head = f"<tr><th></th><th colspan='2'>{head}</th></tr><tr><th></th><th>2025</th><th>2024</th></tr>"
    above = "<p>Statements of income</p><p>(In millions of U.S. dollars, except per share amounts)</p>"
    text = page(f"{above}<table>{head}{body}</table>", CONTEXTS)
    return read(Raw("a.htm", text.encode()))


def list_cells(document: Document) -> tuple[Cell, ...]:
    return read_cells(document, find_totals(document))


def first(document: Document) -> Cell:
    """The first figure of the table."""
    return next(cell for cell in list_cells(document) if cell.column == 1)


def sales(text: str = "1,204", when: str = "q25", **given: str) -> str:
    return amount(text, "us-gaap:Revenues", when, **given)


def test_a_tagged_figure_is_the_filers_and_the_others_are_read() -> None:
    found = {(cell.row_header, cell.column): cell for cell in list_cells(read(Raw("a.htm", northlight().encode())))}
    loss, before = found["Net loss", 1], found["Net sales: / Services", 2]
    assert (loss.value, loss.currency, loss.scale) == (-2_400_000, "USD", 1e6)
    assert (loss.concept, loss.period_start, loss.period_end) == (
        "us-gaap:NetIncomeLoss", date(2025, 3, 30), date(2025, 6, 29),
    )  # fmt: skip
    assert (before.value, before.concept, before.fact) == (23_900_000, "", None)
    rate, share = found["Effective tax rate", 1], found["Diluted earnings per share", 1]
    assert (rate.value, rate.unit, rate.scale) == (21.5, "%", 1.0)
    assert (share.value, share.currency, share.unit) == (-0.06, "USD", "")
    dash, nil = found["Restructuring", 2], found["Impairment", 1]
    assert (dash.text, dash.value) == ("—", 0.0)
    assert (nil.text, nil.value, nil.concept) == ("n/a", None, "us-gaap:AssetImpairmentCharges")
    assert found["Impairment", 2].doubt == "the printed table reads 5,000,000, the filer's tag says 5,000 USD"
    assert sum(bool(cell.doubt) for cell in found.values()) == 1


def test_brackets_do_not_turn_the_sign_of_a_concept() -> None:
    cell = first(document_of(("Purchases of equipment", f"({sales()})", "(900)")))
    assert (cell.value, cell.doubt) == (1.204e9, "")


@pytest.mark.parametrize(
    ("label", "tagged", "said"),
    [
        ("Revenue", sales(scale="3"), "the printed table reads 1,204,000,000 USD, the filer's tag says 1,204,000 USD"),
        (
            "Revenue",
            sales(when="q24"),
            "of 2025-04-01 to 2025-06-30, the filer's tag of 2024-04-01",
        ),
        (
            "Revenue",
            sales(when="h25"),
            "of 2025-04-01 to 2025-06-30, the filer's tag of 2025-01-01",
        ),
        ("Revenue", f"$ {sales(unitRef='shares')}", "the printed table reads 1,204,000,000 USD, the filer's tag says"),
        ("Margin", f"{sales('12.5', scale='0')} %", "the printed table reads 12.5 %, the filer's tag says 12.5 USD"),
        ("Tax rate (%)", sales("12.5", unitRef="pure", scale="0"), "the filer's tag says 12.5 pure"),
        (
            "Earnings per share",
            sales("1.25", unitRef="usdPerShare", scale="6"),
            "tag says 1,250,000 USD/shares",
        ),
    ],
)
def test_a_tag_that_says_otherwise_than_its_table_is_told(label: str, tagged: str, said: str) -> None:
    cell = first(document_of((label, tagged, "900")))
    assert said in cell.doubt
    assert cell.concept == "us-gaap:Revenues"


@pytest.mark.parametrize(
    ("label", "tagged"),
    [
        ("Revenue", sales()),
        ("Revenue", sales("1.204,0", format="ixt:num-comma-decimal")),
        ("Cash at the end", sales(when="i25")),
        ("Weighted average shares", sales(unitRef="shares", scale="3")),
        ("Tax rate", f"{sales('12.5', unitRef='pure', scale='-2')} %"),
        ("Earnings per share", sales("1.25", unitRef="usdPerShare", scale="0")),
        ("Something odd", sales("1.25", unitRef="usdPerShare", scale="0")),
    ],
)
def test_a_tag_that_may_mean_the_same_is_silent(label: str, tagged: str) -> None:
    assert first(document_of((label, tagged, "900"))).doubt == ""


@pytest.mark.parametrize("tagged", [f"{sales()} of 5", f"since 2019 {sales()}", f"About {sales()}"])
def test_a_cell_that_says_more_than_a_tagged_figure_is_none(tagged: str) -> None:
    cell = first(document_of(("Revenue", tagged, "900")))
    assert (cell.concept, cell.fact) == ("", None)


def test_the_mark_of_a_footnote_is_no_other_figure() -> None:
    cell = first(document_of(("Revenue", f"$ {sales()} (1)", "900")))
    assert (cell.value, cell.concept) == (1.204e9, "us-gaap:Revenues")


@pytest.mark.parametrize(
    ("field", "said", "value", "concept", "currency"),
    [
        (CorrectedField.SCALE, "thousands", 1.204e6, "", "USD"),
        (CorrectedField.SCALE, "millions", 1.204e9, "us-gaap:Revenues", "USD"),
        (CorrectedField.CURRENCY, "CAD", 1.204e9, "us-gaap:Revenues", "CAD"),
    ],
)
def test_what_a_person_corrects_stands_before_the_tag(
    field: CorrectedField, said: str, value: float, concept: str, currency: str
) -> None:
    document = document_of(("Revenue", sales(), "900"))
    mark = TableMark.from_table(document.tables[0], document.tables)
    own = Correction("a/a.htm", "", field, said, datetime(2026, 1, 1, tzinfo=UTC), table=mark)
    read_anew = read_cells(document, (), corrections=DocumentCorrections((own,)))
    found = next(cell for cell in read_anew if cell.column == 1)
    assert (found.value, found.concept, found.currency) == (value, concept, currency)


def test_without_tags_the_table_is_read_as_before() -> None:
    document = read(Raw("a.htm", northlight().encode()))
    assert all(cell.concept == "" for cell in list_cells(replace(document, facts=())))
