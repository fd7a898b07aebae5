"""Questions about days are answered by the entries of a diary: what stands below their headings, names for who."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from dashboards.assistant.answer_types import Answer, ExtractsStatus
from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.tools.contract import ToolContext
from tests.building import build_warehouse
from warehouse.records import Filters, SearchRequest
from warehouse.search.filters import mask_allowed
from warehouse.settings.loader import load_settings

TODAY = date(2026, 11, 23)
NOTES = {
    "2026-11-12": "# Thursday\n\n- 08:40 Met Tom Baker at the quay about the crane\n- 11:00 Repaired the bicycle\n",
    "2026-11-16": "- 10:00 Painted the shed\n- 15:00 Coffee with Samuel Ortiz, he leaves the office\n",
    "2026-11-19": "# Thursday\n\n- 10:30 Met Grace Okafor and Henrik Larsen at the library\n- 16:00 Rain\n",
    "Tom Baker": "# Tom Baker\n\nBorn on 4 May 1968. We met at school.\n",
}


CALENDAR = """BEGIN:VCALENDAR
BEGIN:VEVENT
DTSTAMP:20261001T080000Z
DTSTART:20261006T180000
DTEND:20261006T193000
RRULE:FREQ=WEEKLY;COUNT=4
SUMMARY:Yoga class
END:VEVENT
BEGIN:VEVENT
DTSTAMP:20261001T080000Z
DTSTART:20261013T143000
SUMMARY:Dentist
END:VEVENT
END:VCALENDAR
"""


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder: Path = tmp_path_factory.mktemp("diary")
    sources = folder / "vault"
    sources.mkdir()
    for name, text in NOTES.items():
        (sources / f"{name}.md").write_text(text, encoding="utf-8")
    (sources / "calendar.ics").write_text(CALENDAR, encoding="utf-8")
    warehouse = build_warehouse(folder / "warehouse", sources)
    settings = load_settings({"warehouse": folder / "warehouse", "embed": {"model": "hashing"}})
    return ToolContext(settings, warehouse, date(2026, 11, 23))


def answer(context: ToolContext, question: str) -> Answer:
    return extract_answer(context, SearchRequest(question), on_event=lambda _: None)


def test_a_day_is_answered_by_its_entry_below_the_heading(context: ToolContext) -> None:
    found = answer(context, "What happened on 2026-11-12?")
    body = NOTES["2026-11-12"].partition("\n\n")[2].strip()
    assert found.text == f"Thursday, 12 November 2026:\n\n{body} [1]"
    assert found.sources[0].quotes == [body]


def test_a_day_is_answered_by_what_repeats_on_it(context: ToolContext) -> None:
    found = answer(context, "What do I have on 13 October 2026?")
    yoga = "| Day | Yoga class |\n| 2026-10-13 | 18:00 to 19:30 |"
    assert found.text.startswith("Tuesday, 13 October 2026:")
    assert yoga in found.text
    assert "When: 2026-10-13 14:30" in found.text
    assert yoga not in answer(context, "What do I have on 14 October 2026?").text


def test_days_of_what_repeats_are_quoted_together(context: ToolContext) -> None:
    rows = "".join(f"\n| 2026-10-{day} | 18:00 to 19:30 |" for day in ("06", "13", "20", "27"))
    assert f"| Day | Yoga class |{rows} [1]" in answer(context, "When is the yoga class in October 2026?").text


@pytest.mark.parametrize(("first", "found"), [(13, ["Yoga class", "Dentist"]), (14, []), (20, ["Yoga class"])])
def test_a_filter_by_day_finds_what_repeats_on_it(context: ToolContext, first: int, found: list[str]) -> None:
    filters = Filters(since=date(2026, 10, first), until=date(2026, 10, first + 1))
    snapshot = context.warehouse.pin_generation().snapshot
    mask = mask_allowed(snapshot, filters)
    assert mask is not None
    chunks = snapshot.keywords.read_chunks(np.flatnonzero(mask))
    assert [chunk.section[-1].partition(" ")[2] for chunk in chunks] == found


def test_a_week_is_told_in_the_order_of_its_days(context: ToolContext) -> None:
    text = answer(context, "What did I do last week?").text
    days = ["Monday, 16 November 2026:", "Painted the shed", "Thursday, 19 November 2026:", "Rain"]
    assert [text.index(each) for each in days] == sorted(text.index(each) for each in days)
    assert "bicycle" not in text


def test_who_lists_names_each_with_its_sentence(context: ToolContext) -> None:
    found = answer(context, "Who did I meet on 19 November 2026?")
    assert found.text == "- Grace Okafor, Henrik Larsen: “10:30 Met Grace Okafor and Henrik Larsen at the library” [1]"
    assert "Samuel Ortiz" in answer(context, "Who did I meet last week?").text


@pytest.mark.parametrize("question", ["What did I do on 13 November 2026?", "What happened on 13 November 2026?"])
def test_a_day_without_an_entry_is_denied_and_nothing_else_is_quoted(context: ToolContext, question: str) -> None:
    found = answer(context, question)
    assert found.text == "No entry is dated Friday, 13 November 2026."
    assert found.extracts_status is ExtractsStatus.ABSENT
    assert not found.sources


def test_a_day_without_an_entry_may_be_told_of_elsewhere(context: ToolContext) -> None:
    assert "4 May 1968" in answer(context, "What happened on 4 May 1968?").text


def test_what_is_asked_of_a_day_is_quoted_from_that_day(context: ToolContext) -> None:
    found = answer(context, "What about the crane with Tom Baker on 2026-11-12?")
    assert "Met Tom Baker at the quay" in found.text
    assert {source.hit.citation.date for source in found.sources} == {date(2026, 11, 12)}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    """A log of calls, a row or two a day, and one note that tells of a day in it."""
    folder: Path = tmp_path_factory.mktemp("logs")
    (folder / "files").mkdir()
    days = [date(2026, 1, 1) + timedelta(place // 2) for place in range(500) if place // 2 % 7 != 2]
    rows = [f"{day},{('Ada Byron', 'Bo Diaz')[place % 2]},crane {place}" for place, day in enumerate(days)]
    (folder / "files" / "calls.csv").write_text("\n".join(["Day,Caller,About", *rows]), encoding="utf-8")
    (folder / "files" / "quay.txt").write_text("The quay was flooded on 5 May 2026, and the crane stood still.\n")
    warehouse = build_warehouse(folder / "warehouse", folder / "files")
    return ToolContext(
        load_settings({"warehouse": folder / "warehouse", "embed": {"model": "hashing"}}), warehouse, TODAY
    )


def test_a_day_of_a_log_is_answered_by_its_rows_below_their_header(logs: ToolContext) -> None:
    found = answer(logs, "What happened on 15 March 2026?")
    lines = [line for line in found.text.split("\n") if line.startswith("| 2026")]
    assert found.text.startswith("Sunday, 15 March 2026:\n\n| Day | Caller | About |\n| 2026-03-15 | ")
    assert [line[:12] for line in lines] == ["| 2026-03-15"] * 2
    (source,) = found.sources
    assert source.citation.shown_date == "2026-03-15"
    assert source.citation.rows
    assert source.citation.rows[1] - source.citation.rows[0] == 1


def test_a_day_without_a_row_is_denied(logs: ToolContext) -> None:
    assert answer(logs, "What happened on 3 January 2026?").text == "No entry is dated Saturday, 3 January 2026."


def test_what_a_document_tells_of_a_day_comes_before_rows(logs: ToolContext) -> None:
    assert "flooded" in answer(logs, "What happened on 5 May 2026?").text


@pytest.fixture(scope="module")
def prices(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    """A price for each day of five hundred, and nothing else."""
    folder: Path = tmp_path_factory.mktemp("prices")
    (folder / "files").mkdir()
    days = [date(2021, 1, 1) + timedelta(place) for place in range(500)]
    rows = [f"{day},{100 + place / 10:.2f},{1000 + place}" for place, day in enumerate(days)]
    (folder / "files" / "acme.csv").write_text("\n".join(["date,close,volume", *rows]), encoding="utf-8")
    warehouse = build_warehouse(folder / "warehouse", folder / "files")
    return ToolContext(
        load_settings({"warehouse": folder / "warehouse", "embed": {"model": "hashing"}}), warehouse, TODAY
    )


@pytest.mark.parametrize("day", [date(2021, 3, 12), date(2021, 12, 12), date(2022, 5, 5)])
@pytest.mark.parametrize("written", ["%d %B %Y", "%B %d, %Y", "%Y-%m-%d"])
def test_a_row_is_quoted_only_of_the_day_that_is_asked_for(prices: ToolContext, day: date, written: str) -> None:
    found = answer(prices, f"What was the close of Acme on {day.strftime(written)}?")
    quoted = [line for extract in found.extracts for line in extract.text.split("\n") if line.startswith("| 20")]
    assert quoted == [
        f"| {day} | {100 + (day - date(2021, 1, 1)).days / 10:.2f} | {1000 + (day - date(2021, 1, 1)).days} |"
    ]
