"""What is read of real filings, held against a direct reading of their markup."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from tasks.entities.companies import with_company
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.tables.cells import read_cells
from tasks.tables.totals import find_totals
from tasks.temporal.document import with_times
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.xbrl.direct_reading import DirectFigure, figures_of
from tests.tasks.parsers.xbrl.real_facts import aeon, apple, companies_house
from warehouse.records import Document, Fact

FILINGS = [apple, aeon, companies_house]
Filing = Callable[[], str]


def document_of(page: str) -> Document:
    return with_company(with_times(read(Raw("filing.htm", page.encode()))))


def as_direct(fact: Fact) -> DirectFigure:
    assert fact.period_start
    assert fact.period_end
    value = None if fact.nil else Decimal(fact.content)
    members = tuple(f"{each.axis}={each.member}" for each in fact.dimensions)
    return DirectFigure(fact.concept, value, fact.unit, fact.period_start, fact.period_end, members)


@pytest.mark.parametrize("filing", FILINGS)
def test_every_figure_is_the_filers(filing: Filing) -> None:
    document, direct = document_of(filing()), list(figures_of(filing()))
    assert [as_direct(fact) for fact in document.facts if fact.is_numeric] == direct
    assert len(direct) >= 10
    assert document.findings == ()
    keeps_its_promises(document)


@pytest.mark.parametrize("filing", FILINGS)
def test_every_figure_of_a_table_is_a_cell_and_agrees_with_the_printed_table(filing: Filing) -> None:
    document = document_of(filing())
    facts = {fact.number: fact for fact in document.facts}
    tagged = [cell for cell in read_cells(document, find_totals(document)) if cell.concept]
    labels = 2 if filing is aeon else 0  # Amounts that a label tells in passing.
    assert len(tagged) == sum(fact.is_numeric for fact in facts.values()) - labels
    for cell in tagged:
        fact = facts[cell.fact or 0]
        assert (cell.value, cell.currency, cell.scale) == (fact.value, fact.currency, fact.scale)
        assert (cell.period_start, cell.period_end) == (fact.period_start, fact.period_end)
        assert cell.doubt == ""
        assert document.text[fact.start : fact.end] in cell.text


def test_the_tags_of_a_cover_say_what_the_filing_is() -> None:
    attributes = document_of(apple()).attributes
    assert (attributes.company, attributes.symbols, attributes.paper_type) == ("Apple Inc.", ("AAPL",), "10-Q")
    assert attributes.reported_name == "Q2 2025"
    assert [str(day) for day in (attributes.reported_start, attributes.reported_end)] == ["2024-12-29", "2025-03-30"]
    assert attributes.fiscal_year_start == 10
    british = document_of(companies_house()).attributes
    assert british.company.startswith("COMMA NAME")
    assert (british.reported_name, str(british.reported_start), str(british.reported_end)) == (
        "FY2017", "2016-04-01", "2017-04-01",
    )  # fmt: skip
