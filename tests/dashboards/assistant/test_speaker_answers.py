"""What a person wrote on some days is answered by that person's lines of the days, in chats and channels."""

from __future__ import annotations

from datetime import date

import pytest

from dashboards.assistant.answer_types import Answer, ExtractsStatus
from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.tools.contract import ToolContext
from tests.building import build_warehouse
from tests.tasks.ask.test_speakers import CHANNEL, CHAT, TALK
from warehouse.records import SearchRequest
from warehouse.settings.loader import load_settings


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ToolContext:
    folder = tmp_path_factory.mktemp("speakers")
    (folder / "docs").mkdir()
    for name, text in (("chat.txt", CHAT), ("channel.log", CHANNEL), ("talk.vtt", TALK)):
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    warehouse = build_warehouse(folder / "warehouse", folder / "docs")
    settings = load_settings({"warehouse": folder / "warehouse", "embed": {"model": "hashing"}})
    return ToolContext(settings, warehouse, date(2021, 4, 1))


def answer(context: ToolContext, question: str) -> Answer:
    return extract_answer(context, SearchRequest(question), on_event=lambda _: None)


def test_all_lines_of_the_person_on_the_day_are_the_answer(context: ToolContext) -> None:
    found = answer(context, "What did Anna write on 12 March 2021?")
    lines = [line for line in (CHANNEL + CHAT).splitlines() if "nna" in line and ("12/03" in line or "-12 " in line)]
    quoted = " ".join(extract.text for extract in found.extracts)
    assert len(lines) == 3
    assert [line for line in lines if line not in quoted] == []
    assert "tom" not in quoted.lower()
    assert found.text.startswith("Friday, 12 March 2021:\n\n“")
    assert "\n".join(quote for source in found.sources for quote in source.quotes).split() == quoted.split()


def test_messages_of_a_month_are_listed_by_day(context: ToolContext) -> None:
    found = answer(context, "messages from Lena in March 2021")
    assert found.text == "Saturday, 13 March 2021:\n\n“13/03/2021, 08:10 - Lena: Launch of the dinghies is moved” [1]"


def test_of_a_person_who_wrote_nothing_no_line_is_given_as_the_answer(context: ToolContext) -> None:
    found = answer(context, "What did Bertha write on 12 March 2021?")
    assert found.extracts_status in (ExtractsStatus.NEAREST, ExtractsStatus.ABSENT)
