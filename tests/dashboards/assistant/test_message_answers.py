"""Questions about mailboxes and books: by sender and day, cited by subject and sender, by title and chapter."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from dashboards.assistant.answer_types import Answer
from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.tools.contract import ToolContext
from tasks.ask.collection.answers import answer_collection_question
from tests.building import build_warehouse
from warehouse.records import Filters, SearchRequest
from warehouse.settings.loader import load_settings

FILES = Path(__file__).parents[2] / "tasks/parsers/files"


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder: Path = tmp_path_factory.mktemp("mail")
    (folder / "mail").mkdir()
    for name in ("pier.mbox", "tides.epub", "visit.eml"):
        shutil.copy(FILES / name, folder / "mail")
    warehouse = build_warehouse(folder / "warehouse", folder / "mail")
    settings = load_settings({"warehouse": folder / "warehouse", "embed": {"model": "hashing"}})
    return ToolContext(settings, warehouse, date(2025, 3, 12))


def answer(context: ToolContext, question: str, **filters: date) -> Answer:
    return extract_answer(context, SearchRequest(question, filters=Filters(**filters)), on_event=lambda _: None)


def test_what_somebody_wrote_are_their_messages_of_the_time(context: ToolContext) -> None:
    found = answer(context, "What did Tom write last week?")
    assert found.text.startswith("Thursday, 6 March 2025:\n\nI replaced the seal yesterday.")
    assert "loses pressure" not in found.text
    assert "Agreed" not in found.text
    citation = found.sources[0].hit.citation
    assert (citation.label, citation.date) == ("Feed pump on pier 4 - Tom Okafor", date(2025, 3, 6))
    assert citation.url.endswith("/mail/pier.mbox")


def test_who_wrote_are_the_senders(context: ToolContext) -> None:
    text = answer(context, "Who wrote last week?").text
    assert "- 2025-03-03: Anna Weber: “The pump on pier 4 loses pressure again" in text
    assert "- 2025-03-06: Tom Okafor: “I replaced the seal yesterday.”" in text


def test_filters_by_day_take_messages_and_not_mailboxes(context: ToolContext) -> None:
    found = answer(context, "pump", since=date(2025, 3, 3), until=date(2025, 3, 5))
    assert {source.hit.citation.date for source in found.sources} == {date(2025, 3, 3)}


def test_the_messages_are_counted(context: ToolContext) -> None:
    found = answer_collection_question(context.warehouse, "How many emails are there?", Filters(), context.today)
    assert found is not None
    assert found.head == "6 messages in 2 documents"


def test_a_book_is_cited_by_its_chapter(context: ToolContext) -> None:
    found = answer(context, "How far do currents follow the tide?")
    assert found.sources[0].hit.citation.label == "Tides and Currents - Part One"
    assert found.sources[0].hit.citation.section == ("Part One", "2 Currents")


def test_the_days_are_in_the_table_of_passages(context: ToolContext) -> None:
    sql = "SELECT DISTINCT passage_date, section[2] FROM chunks WHERE passage_date IS NOT NULL ORDER BY 1, 2"
    rows = context.warehouse.snapshot.query_rows(sql)
    assert (date(2025, 3, 6), "2025-03-06 17:40, Tom Okafor") in rows
    assert (date(2025, 3, 20), "2025-03-20 09:00, Anna Weber (quoted)") in rows
    assert all(heading.startswith(str(day)) for day, heading in rows)
