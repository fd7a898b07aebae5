"""A quarter that a question names is the company's own, as its releases tell, and nothing denies what is shown."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from tests.tasks.temporal.releases import Release, in_a_page, in_a_table, in_one_sentence, without_days
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest, SearchResult
from warehouse.records.calendars import FiscalCalendar, Weeks

TODAY = date(2026, 1, 1)
GROCER = FiscalCalendar(8, "", weeks=Weeks(6, quarters=(12, 24, 36)))
OUTFITTER = FiscalCalendar(1, "", weeks=Weeks(5), named_by_start=True)
RELEASES = {
    "grocer-may": (in_one_sentence, Release(GROCER, 2023, 3, "Harrow Provisions Inc.")),
    "grocer-march": (without_days, Release(GROCER, 2023, 2, "Harrow Provisions Inc.")),
    "outfitter-august": (in_a_table, Release(OUTFITTER, 2023, 2, "Tarn Outfitters Corp.")),
    "outfitter-june": (in_a_page, Release(OUTFITTER, 2023, 1, "Tarn Outfitters Corp.")),
    "outfitter-late": (without_days, Release(OUTFITTER, 2023, 3, "Tarn Outfitters Corp.")),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("quarters")
    (folder / "releases").mkdir()
    for name, (style, of) in RELEASES.items():
        (folder / "releases" / f"{name}.txt").write_text(style(of), encoding="utf-8")
    return build_warehouse(folder / "warehouse", folder / "releases")


def ask(house: Warehouse, text: str) -> SearchResult:
    return find(house, SearchRequest(text), open_embedder("hashing"), TODAY)


def test_the_documents_of_a_company_share_its_calendar(house: Warehouse) -> None:
    rows = house.snapshot.query_rows(
        "SELECT path, reported_name, reported_start, reported_end FROM documents ORDER BY path"
    )
    own = {f"{name}.txt": (f"Q{of.quarter} {of.year}", of.start, of.end) for name, (_, of) in RELEASES.items()}
    assert {path: tuple(rest) for path, *rest in rows} == own
    calendars = house.snapshot.query_rows("SELECT count(DISTINCT fiscal_calendar) FROM documents GROUP BY company")
    assert calendars == [(1,), (1,)]


@pytest.mark.parametrize("name", RELEASES)
@pytest.mark.parametrize(
    "words", ["{ordinal} quarter {year}", "Q{quarter} {year}", "the {ordinal} quarter of fiscal {year}"]
)
def test_a_question_means_the_quarter_of_the_company(house: Warehouse, name: str, words: str) -> None:
    _, of = RELEASES[name]
    asked = words.format(ordinal=of.ordinal.lower(), quarter=of.quarter, year=of.year)
    found = ask(house, f"{of.company.split()[0]} {of.company.split()[1]} sales {asked}")
    (window,) = found.question.windows
    assert (window.start, window.end) == (of.start, of.end)
    # The other reading is kept: somebody may mean the calendar's.
    assert window.other_start == date(of.year, of.quarter * 3 - 2, 1) or "fiscal" in words
    assert not any("no report" in note for note in found.notes)
    assert Path(found.hits[0].citation.source).stem == name


def test_the_quarter_ended_on_a_day_is_not_denied(house: Warehouse) -> None:
    for _, of in RELEASES.values():
        last = of.end - timedelta(days=1)
        assert ask(house, f"{of.company} sales in the quarter ended {last:%B} {last.day}, {last.year}").notes == ()


def test_what_no_document_of_the_company_touches_is_denied(house: Warehouse) -> None:
    (note,) = ask(house, "Harrow Provisions sales third quarter of fiscal 2019").notes
    assert note.startswith("no report covers third quarter of fiscal 2019 for Harrow Provisions")
    assert note.endswith("; nearest is Q2 fiscal 2023 (Nov 21, 2022 to Feb 12, 2023)")


def test_a_denial_says_both_readings(house: Warehouse) -> None:
    (note,) = ask(house, "Harrow Provisions sales Q3 2019").notes
    assert note.startswith(
        "no report covers Q3 2019, neither Q3 fiscal 2019 (Feb 18 to May 12, 2019) nor calendar Q3 2019 "
        "(Jul 1 to Sep 30, 2019), for Harrow Provisions; nearest is "
    )


def test_a_note_says_which_reading_was_taken_and_offers_the_other(house: Warehouse) -> None:
    (note,) = ask(house, "Harrow Provisions sales Q3 2023").notes
    assert note == (
        "“Q3 2023” was read as Q3 fiscal 2023 of Harrow Provisions (Feb 13 to May 7, 2023); the other reading is "
        "calendar Q3 2023 (Jul 1 to Sep 30, 2023): ask for “calendar Q3 2023” to mean that"
    )
    (window,) = ask(house, "Harrow Provisions sales calendar Q3 2023").question.windows
    assert (window.start, window.end, window.other_start, window.period) == (
        date(2023, 7, 1),
        date(2023, 10, 1),
        None,
        None,
    )
    assert ask(house, "Harrow Provisions sales Q3 fiscal 2023").notes == ()


def test_a_period_without_a_company_is_told_for_each_that_was_found(house: Warehouse) -> None:
    (note,) = ask(house, "sales in Q3 2023").notes
    assert note.startswith("“Q3 2023” was read as calendar Q3 2023 (Jul 1 to Sep 30, 2023), and also as Q3 fiscal 2023")
    assert "of Harrow Provisions Inc. (Feb 13 to May 7, 2023)" in note
    (note,) = ask(house, "sales in the third quarter of fiscal 2023").notes
    assert note.startswith("“third quarter of fiscal 2023” is each company's own: Q3 fiscal 2023 of ")


def test_a_company_is_known_by_the_beginning_of_its_name_however_its_files_write_it(house: Warehouse) -> None:
    files = {"a": "Corvid Wholesale Corporation", "b": "CORVID WHOLESALE CORP"}
    folder = house.layout.folder.parent
    (folder / "written").mkdir()
    for name, company in files.items():
        (folder / "written" / f"{name}.txt").write_text(f"FORM 10-K\n\n{company}\n\n(Exact name of registrant)\n")
    found = ask(build_warehouse(folder / "other", folder / "written"), "What does Corvid sell?")
    assert [len(subject.documents) for subject in found.question.subjects] == [2]
