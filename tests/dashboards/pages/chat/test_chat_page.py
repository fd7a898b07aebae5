from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dashboards.assistant.answer_types import AnswerKind
from dashboards.assistant.sessions import Exchange, Session, Sessions
from dashboards.pages.chat import chat_page
from dashboards.pages.chat.chat_page import ChatTurn, list_turns
from dashboards.pages.chat.running_answers import RunningAnswer
from tests.building import DAY
from tests.dashboards.assistant.messages_script import Body, Cite, Fails, Reply, Says, Uses, search_results
from tests.dashboards.assistant.messages_server import MessagesServer
from tests.dashboards.pages.conftest import HOSTILE
from tests.dashboards.pages.conversing import asked, session_of, settled
from tests.dashboards.pages.elements import Reading, html_of, markdown_of, said
from warehouse.reader import Warehouse

Draw = Callable[..., AppTest]
ROW = "| Turbines \\| parts | 41 |"


@pytest.fixture(autouse=True)
def _alone(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key of this machine's, and no sessions of other tests."""
    shutil.rmtree(Sessions(warehouse.layout.folder).folder, ignore_errors=True)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Callable[[MessagesServer], None]:
    """Makes a loopback server the one that answers."""

    def use(server: MessagesServer) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
        monkeypatch.setenv("KALENDS_CHAT__BASE_URL", server.url)
        monkeypatch.setenv("KALENDS_CHAT__CITATIONS", "service")

    return use


def folds(page: AppTest) -> list[str]:
    return [fold.label for fold in page.expander]


def answers(body: Body) -> Reply:
    """A model that searches, cites the row, and adds a number of its own."""
    found = search_results(body)
    if not found:
        return Reply((Uses("search", {"question": "turbines parts", "count": 3}),))
    for index, result in enumerate(found):
        for place, block in enumerate(result["content"]):
            if ROW in block["text"]:
                return Reply((Says("Parts made **41**", (Cite(index, place),)), Says(", of 977 in all.")))
    return Reply((Says("The documents do not say."),))


def test_waits_for_a_question_and_says_who_will_answer(draw: Draw) -> None:
    page = draw("chat")
    assert not page.exception
    assert "Ask about " in said(page)
    assert "no key for a language model (ANTHROPIC_API_KEY)" in said(page)


def test_an_empty_conversation_offers_questions(draw: Draw) -> None:
    page = draw("chat")
    deadline = monotonic() + 60
    while not (offered := [each for each in page.button if str(each.key).startswith("chat-follow-up-0-")]):
        assert monotonic() < deadline
        page.run()
    question = offered[0].label.replace("\\", "").replace("\u2060", "")
    page = offered[0].click().run()
    assert not page.exception
    assert question[:20] in said(page)


def test_a_question_stays_where_its_answer_ends_while_the_page_is_drawn(
    draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended_before(session: Session | None, running: RunningAnswer | None, *, busy: bool) -> list[ChatTurn]:
        turns = list_turns(session, running, busy=busy)
        while running and not running.is_over:
            sleep(0.001)
        drawn.append((busy, len(turns)))
        return turns

    drawn: list[tuple[bool, int]] = []
    monkeypatch.setattr(chat_page, "list_turns", ended_before)
    monkeypatch.setattr(chat_page, "draw_running_answer", lambda running: None)
    page = draw("chat")
    page.chat_input(key="chat-question").set_value("turbine revenue").run()
    assert (True, 0) in drawn
    assert "turbine revenue" in said(page)


def test_without_a_key_the_documents_answer_with_sources(draw: Draw) -> None:
    page = asked(draw("chat"), "turbine revenue grew by a fifth")
    assert "Turbine revenue grew by a fifth." in said(page)
    assert "Extracts from the documents, word for word" in markdown_of(page)
    assert ("data-cite", "1.1") in Reading(html_of(page)).attributes
    assert any("report\\.md" in button.label for button in page.button)


def test_a_source_opens_with_what_was_quoted_marked(draw: Draw) -> None:
    page = asked(draw("chat"), "turbine revenue grew by a fifth")
    page.button(key="chat-source-1-1").click().run()
    assert not page.exception
    assert '<mark class="k-quoted">Turbine revenue grew by a fifth.</mark>' in html_of(page)
    assert "View Document: obsidian://open?vault=vault" in page.code[0].value


def test_a_session_is_resumed_from_the_address(draw: Draw, warehouse: Warehouse) -> None:
    first = asked(draw("chat"), "turbine revenue grew by a fifth")
    session = session_of(first)
    st.cache_resource.clear()
    page = draw("chat", session=session)
    assert "Turbine revenue grew by a fifth." in said(page)
    page.button(key="chat-source-1-1").click().run()
    assert '<mark class="k-quoted">Turbine revenue grew by a fifth.</mark>' in html_of(page)
    asked(page, "a turbine stood still in January")
    assert [each.question for each in Sessions(warehouse.layout.folder).open_session(session).exchanges] == [
        "turbine revenue grew by a fifth",
        "a turbine stood still in January",
    ]


def test_no_such_session_is_one_line_and_a_question_begins_another(draw: Draw) -> None:
    page = draw("chat", session="<b>nonsense")
    assert "there is no session '<b>nonsense'" in said(page)
    assert "Extracts" in markdown_of(asked(page, "turbine revenue"))
    assert session_of(page) != "<b>nonsense"


def test_sessions_are_listed_the_latest_first_and_can_be_gone_on_with(draw: Draw, warehouse: Warehouse) -> None:
    first = session_of(asked(draw("chat"), "turbine revenue"))
    page = asked(draw("chat"), "What of January?")

    def listed() -> list[str]:
        return [button.label for button in page.button if button.key.startswith("chat-open-")]

    # The list may be drawn before the answer is saved that is drawn below it.
    settled(page, lambda: len(listed()) == 2)
    assert listed() == ["What of January\\?", "turbine revenue"]
    page.button(key=f"chat-open-{first}").click().run()
    assert session_of(page) == first
    assert "turbine revenue" in said(page)
    page.button(key="chat-new").click().run()
    assert "Ask about " in said(page)


def test_a_session_can_be_taken_away(draw: Draw, warehouse: Warehouse) -> None:
    page = asked(draw("chat"), "turbine revenue")
    page.button(key="chat-delete").click().run()
    assert "Ask about " in said(page)
    assert not Sessions(warehouse.layout.folder).list_sessions()


def test_filters_bind_the_question(draw: Draw) -> None:
    page = draw("chat")
    page.multiselect(key="chat-kind").set_value(["course"]).run()
    assert "within 1 limit." in markdown_of(page)
    assert "rotor and its blades" in said(asked(page, "turbine"))
    assert "fifth" not in html_of(page)


def test_times_that_say_nothing_are_one_line_and_nothing_can_be_asked(draw: Draw) -> None:
    page = draw("chat", since="2025-01-01", until="2024-01-01")
    assert "the end, 2024-01-01, is not after the start, 2025-01-01" in said(page)
    assert page.chat_input(key="chat-question").disabled


def test_text_of_documents_and_questions_is_never_markup(draw: Draw) -> None:
    question = "turbine script ![pixel](http://evil.example/p.png) http://evil.example <b>click</b> :red[paint]"
    page = asked(draw("chat"), question)
    page.button(key="chat-source-1-1").click().run()
    html = Reading(html_of(page))
    assert HOSTILE in html.text
    assert question in html.text
    assert not {"script", "img", "b", "a"} & html.tags
    assert not [value for name, value in html.attributes if name in {"href", "src"} or name.startswith("on")]
    for label in (markdown_of(page), *(button.label for button in page.button)):
        assert "](" not in label
        assert "://" not in label.replace("\\:", ":").replace("\\/", "/") or "\u2060" in label


def test_an_answer_of_the_model_is_cited_and_what_nothing_proves_is_marked(
    draw: Draw, model: Callable[[MessagesServer], None]
) -> None:
    with MessagesServer(answers) as server:
        model(server)
        page = draw("chat")
        assert "answers from them, with numbered sources" in said(page)
        asked(page, "How many parts?")
    html = html_of(page)
    assert "<strong>41</strong>" in html
    assert 'data-cite="1.1"' in html
    assert 'class="k-unproven"' in html
    assert "977[?] in all." in Reading(html).text
    assert "1 of 2 numbers and quotations are in none of its sources" in markdown_of(page)
    assert "tokens in" in markdown_of(page)
    assert "of 2,000,000 tokens used" in markdown_of(page)
    assert any(fold.startswith("1 tool call, ") for fold in folds(page))
    assert 'search question: "turbines parts", count: 3' in Reading(html).text
    page.button(key="chat-source-1-1").click().run()
    assert '<tr class="k-quoted"><td>Turbines | parts</td>' in html_of(page)


def test_what_a_model_writes_loads_and_leads_nowhere(draw: Draw, model: Callable[[MessagesServer], None]) -> None:
    hostile = f"{HOSTILE} <https://evil.example> [1]: http://evil.example [1] ![x][1]\n\n<iframe src=x>\n\n[1]: //evil"
    with MessagesServer([Reply((Says(hostile),))]) as server:
        model(server)
        page = asked(draw("chat"), "Anything?")
    html = Reading(html_of(page))
    assert "evil.example" in html.text
    assert not {"script", "img", "iframe", "a"} & html.tags
    assert not [value for name, value in html.attributes if name in {"href", "src"} or name.startswith("on")]
    assert "evil" not in markdown_of(page)


def test_a_service_that_is_down_is_one_line_above_extracts(draw: Draw, model: Callable[[MessagesServer], None]) -> None:
    with MessagesServer([Fails(529, 61)]) as server:
        model(server)
        page = asked(draw("chat"), "turbine revenue grew by a fifth")
    assert "the language model did not answer: the service is overloaded" in said(page)
    assert "Turbine revenue grew by a fifth." in said(page)


def test_an_answer_streams_and_can_be_stopped(
    draw: Draw, model: Callable[[MessagesServer], None], warehouse: Warehouse
) -> None:
    slow = Reply((Says("The parts are many. " * 200),), pause=0.05)
    with MessagesServer([slow]) as server:
        model(server)
        page = draw("chat")
        page.chat_input(key="chat-question").set_value("How many parts?").run()
        settled(page, lambda: "The parts are" in said(page))
        assert page.chat_input(key="chat-question").disabled
        page.button(key="chat-stop").click().run()
        assert "Stopped." in said(page)
        assert "The parts are" in said(page)
        assert not page.chat_input(key="chat-question").disabled
    assert not Sessions(warehouse.layout.folder).list_sessions()


@pytest.mark.parametrize(
    ("button", "came"), [("chat-allow", "is not the path of a note"), ("chat-refuse", "did not allow it")]
)
def test_a_tool_that_writes_waits_for_leave(
    draw: Draw,
    model: Callable[[MessagesServer], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    button: str,
    came: str,
) -> None:
    """The note's name is refused by the tool itself, which is asked only with leave."""
    monkeypatch.setenv("KALENDS_VAULT__ROOT", str(tmp_path))
    monkeypatch.setenv("KALENDS_VAULT__WRITE", str(tmp_path))
    given = {"source": "parts.exe", "content": "There are 41."}
    with MessagesServer([Reply((Uses("create_note", given),)), Reply((Says("So be it."),))]) as server:
        model(server)
        page = draw("chat")
        page.chat_input(key="chat-question").set_value("Note it").run()
        settled(page, lambda: "wants to use create_note" in said(page))
        assert "There are 41." in page.code[0].value
        page.button(key=button).click().run()
        settled(page, lambda: not page.chat_input(key="chat-question").disabled)
    assert "So be it." in said(page)
    assert came in said(page)


def test_no_warehouse_yet_is_one_line_with_the_cure(
    draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "none"))
    page = draw("chat")
    assert not page.exception
    assert "run 'kalends ingest FOLDER' first" in said(page)


def test_a_session_is_downloaded_as_markdown(draw: Draw) -> None:
    page = asked(draw("chat"), "turbine revenue grew by a fifth")
    (button,) = page.get("download_button")
    assert button.label == "Download as Markdown"


def test_many_exchanges_are_drawn_from_the_latest(draw: Draw, warehouse: Warehouse) -> None:
    session = Sessions(warehouse.layout.folder).start_session()
    for number in range(25):
        session.append(Exchange(DAY, f"question {number}", "Nothing.", AnswerKind.MODEL))
    page = draw("chat", session=session.id)
    assert "question 4" not in said(page)
    assert "question 24" in said(page)
    page.toggle(key="chat-earlier").set_value(True).run()
    assert "question 4" in said(page)


def test_a_text_too_long_for_a_question_is_kept_to_be_shortened(draw: Draw, warehouse: Warehouse) -> None:
    long = "The turbine stood still. " * 1800
    page = draw("chat")
    page.chat_input(key="chat-question").set_value(long).run()
    assert "This text has 44,999 characters; a question has up to 8,000." in said(page)
    assert page.text_area[0].value == long.strip()
    assert page.button(key="chat-draft-ask").disabled
    page.text_area[0].set_value("turbine revenue grew by a fifth").run()
    assert "a question has up to" not in said(page)
    page.button(key="chat-draft-ask").click().run()
    settled(page, lambda: "Turbine revenue grew by a fifth." in said(page))
    assert not page.text_area


def test_a_text_too_long_for_a_question_can_be_added_to_the_library(
    draw: Draw, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[tuple[Path, ...]] = []
    monkeypatch.setattr(
        "dashboards.widgets.imports.start_import", lambda here, files, **told: begun.append(tuple(files))
    )
    page = draw("chat")
    page.chat_input(key="chat-question").set_value("# Of rotors\n" + "The rotor turns. " * 1000).run()
    page.button(key="chat-draft-add").click().run()
    ((file,),) = begun
    assert file.name == "Of rotors.md"
    assert "The rotor turns. The rotor turns." in file.read_text()
    page.run()
    assert not page.text_area
    file.unlink()


def test_a_text_that_waits_is_there_after_another_page(draw: Draw) -> None:
    page = draw("chat")
    page.chat_input(key="chat-question").set_value("turbine " * 2000).run()
    page.session_state["kalends-page"] = "search"
    page.run()
    assert page.text_area[0].value == ("turbine " * 2000).strip()
    page.button(key="chat-draft-discard").click().run()
    assert not page.text_area


def test_an_answer_is_copied_with_its_citations(draw: Draw) -> None:
    page = asked(draw("chat"), "turbine revenue grew by a fifth")
    (copied,) = [value for name, value in Reading(html_of(page)).attributes if name == "data-copy"]
    assert copied.startswith("“Turbine revenue grew by a fifth.” [1]")
    assert "\n\n[1] " in copied
    assert "obsidian://open?vault=vault" in copied


def test_a_question_can_be_asked_again(draw: Draw, warehouse: Warehouse) -> None:
    page = asked(draw("chat"), "turbine revenue grew by a fifth")
    page.button(key="chat-again").click().run()
    settled(page, lambda: not page.chat_input(key="chat-question").disabled)
    exchanges = Sessions(warehouse.layout.folder).open_session(session_of(page)).exchanges
    assert [each.question for each in exchanges] == ["turbine revenue grew by a fifth"] * 2


def test_a_stopped_question_can_be_asked_again(draw: Draw, model: Callable[[MessagesServer], None]) -> None:
    slow = Reply((Says("The parts are many. " * 200),), pause=0.05)
    with MessagesServer([slow, Reply((Says("There are many."),))]) as server:
        model(server)
        page = draw("chat")
        page.chat_input(key="chat-question").set_value("How many parts?").run()
        settled(page, lambda: "The parts are" in said(page))
        page.button(key="chat-stop").click().run()
        page.button(key="chat-again").click().run()
        settled(page, lambda: "There are many." in said(page))


def test_a_conversation_is_renamed_and_dated(draw: Draw, warehouse: Warehouse) -> None:
    page = asked(draw("chat"), "turbine revenue grew by a fifth")
    session = session_of(page)
    page.text_input(key=f"chat-title-{session}").set_value("About *turbines*").run()
    page.button(key="chat-rename").click().run()
    assert page.button(key=f"chat-open-{session}").label == "About \\*turbines\\*"
    assert "Today" in markdown_of(page)
    assert "today" in page.button(key=f"chat-open-{session}").help
    assert Sessions(warehouse.layout.folder).open_session(session).title == "About *turbines*"


def test_an_opened_source_has_an_address_and_closes(draw: Draw) -> None:
    page = asked(draw("chat"), "turbine revenue grew by a fifth")
    page.button(key="chat-source-1-1").click().run()
    assert page.query_params["source"] in ("1.1", ["1.1"])
    again = draw("chat", session=session_of(page), source="1.1")
    assert '<mark class="k-quoted">Turbine revenue grew by a fifth.</mark>' in html_of(again)
    again.button(key="chat-new").click().run()
    assert "source" not in again.query_params
    for nonsense in ("1", "1.9", "x.y", "7.1", "²".replace("²", "1.²")):
        assert "k-quoted" not in html_of(draw("chat", session=session_of(page), source=nonsense))


def test_progress_is_told_while_an_answer_is_made(draw: Draw, model: Callable[[MessagesServer], None]) -> None:
    silent = Reply((Says("x"),), pause=0.5)
    with MessagesServer([silent]) as server:
        model(server)
        page = draw("chat")
        page.chat_input(key="chat-question").set_value("How many parts?").run()
        settled(page, lambda: "Waiting for " in said(page))
        page.button(key="chat-stop").click().run()
