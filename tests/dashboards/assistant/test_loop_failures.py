"""The loop through the real SDK, against a server that fails in every way that the service does."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboards.assistant.answer_types import Answer, ConversationTurn, StreamRestart, TextPiece
from dashboards.assistant.loop import converse
from dashboards.assistant.service import is_model_available, make_client
from dashboards.assistant.tools.contract import ToolContext
from tests.building import build_warehouse
from tests.dashboards.assistant.messages_script import Drops, Fails, Reply, Says, Thinks, Uses, says
from tests.dashboards.assistant.messages_server import MessagesServer
from tests.dashboards.assistant.tool_contexts import SAMPLES, Heard, asked, tool_context_at
from warehouse.errors import BadInput, NoAnswer

SEARCH = Reply((Uses("search", {"question": "revenue", "count": 1}),))
ANSWER = says("It was 108.3 million.")
BUSY = Fails(529, 0.01)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("failures") / "warehouse"
    build_warehouse(folder, SAMPLES / "vault")
    return folder


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (Fails(429, 0.01), "too many requests"),
        (BUSY, "the service is overloaded"),
        (Fails(500, 0.01), "the service failed (500)"),
        (Drops(), "the service cannot be reached"),
        (Reply(ANSWER.blocks, cut=5), "the connection was lost"),
        (Reply(ANSWER.blocks, cut=5, fault="overloaded_error"), "the service is overloaded"),
    ],
)
def test_trouble_that_passes_is_told_and_asked_again(folder: Path, trouble: Reply | Fails | Drops, why: str) -> None:
    heard = Heard()
    with MessagesServer([SEARCH, trouble, ANSWER]) as server:
        found = asked(folder, server, "Revenue?", heard=heard)
    assert found.text == "It was 108.3 million."
    (again,) = [place for place, event in enumerate(heard.events) if isinstance(event, StreamRestart)]
    assert heard.events[again] == StreamRestart(why)
    assert "".join(event.text for event in heard.events[again:] if isinstance(event, TextPiece)) == found.text
    assert not server.refused


def test_what_was_said_before_the_broken_round_is_told_again(folder: Path) -> None:
    heard = Heard()
    first = Reply((Says("I look."), *SEARCH.blocks))
    with MessagesServer([first, Reply(ANSWER.blocks, cut=6), ANSWER]) as server:
        found = asked(folder, server, "Revenue?", heard=heard)
    again = next(place for place, event in enumerate(heard.events) if isinstance(event, StreamRestart))
    assert "".join(event.text for event in heard.events[again:] if isinstance(event, TextPiece)) == found.text
    assert found.text == "I look.\n\nIt was 108.3 million."


def test_a_stream_that_ends_early_is_no_answer(folder: Path) -> None:
    with MessagesServer([Reply(ANSWER.blocks, cut=0), Reply(ANSWER.blocks, cut=7), ANSWER]) as server:
        assert asked(folder, server, "Revenue?").text == "It was 108.3 million."


def test_trouble_that_stays_ends_in_a_line(folder: Path) -> None:
    with MessagesServer(lambda _: BUSY) as server, pytest.raises(NoAnswer, match="overloaded: try again later"):
        asked(folder, server, "Revenue?")
    assert len(server.requests) == 5


def test_nobody_is_kept_waiting_for_minutes(folder: Path) -> None:
    with (
        MessagesServer([Fails(429, 300)]) as server,
        pytest.raises(NoAnswer, match="too many requests: try again in 300 s"),
    ):
        asked(folder, server, "Revenue?")


def test_tokens_spent_in_vain_are_counted(folder: Path) -> None:
    with MessagesServer([SEARCH, Fails(401)]) as server, pytest.raises(NoAnswer) as failed:
        asked(folder, server, "Revenue?")
    assert failed.value.tokens > 100


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (401, "the key was refused .*: set ANTHROPIC_API_KEY"),
        (403, "the key is not allowed to do this .*: use another key"),
        (404, "does not know the model claude-.*: correct the setting chat.model"),
        (400, r"the service refused the request \(400\)"),
        (413, "the conversation is too long"),
    ],
)
def test_trouble_that_does_not_pass_is_one_line_with_a_cure(folder: Path, status: int, line: str) -> None:
    with MessagesServer(lambda _: Fails(status)) as server, pytest.raises(NoAnswer, match=line) as failed:
        asked(folder, server, "Revenue?")
    assert len(server.requests) == 1
    assert "\n" not in str(failed.value)


def converse_with_own_client(context: ToolContext, *turns: ConversationTurn) -> Answer:
    with make_client(context.settings) as own:
        return converse(context, turns, on_event=lambda _: None, ask_permission=lambda *_: False, system="", client=own)


def test_a_server_that_is_not_there_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboards.assistant.streaming.RETRY_SECONDS", ())
    context = tool_context_at(folder, "http://127.0.0.1:9")
    with pytest.raises(NoAnswer, match=r"http://127\.0\.0\.1:9: the service cannot be reached: check the connection"):
        converse_with_own_client(context, ConversationTurn("user", "Revenue?"))


def test_a_refusal_is_no_answer(folder: Path) -> None:
    with (
        MessagesServer([Reply((Says("I would"),), stop="refusal")]) as server,
        pytest.raises(NoAnswer, match="refused"),
    ):
        asked(folder, server, "Revenue?")


def test_an_answer_that_is_cut_is_gone_on_with_once(folder: Path) -> None:
    cut = Reply((Says("It was 108.3 "),), stop="max_tokens")
    with MessagesServer([cut, says("million.")]) as server:
        found = asked(folder, server, "Revenue?")
    assert found.text == "It was 108.3 million."
    assert not found.notes
    assert not server.refused


def test_an_answer_that_is_cut_twice_says_so(folder: Path) -> None:
    cut = Reply((Says("and so on "),), stop="max_tokens")
    with MessagesServer([cut, cut]) as server:
        found = asked(folder, server, "Revenue?", tokens=300)
    assert found.text == "and so on and so on"
    assert found.notes == ("The answer was cut at 300 tokens; the setting chat.tokens allows more.",)


def test_an_input_that_is_cut_is_asked_for_again_with_more_room(folder: Path) -> None:
    cut = Reply((Thinks("long"), Uses("search", '{"question": "rev')), stop="max_tokens")
    with MessagesServer([cut, SEARCH, ANSWER]) as server:
        found = asked(folder, server, "Revenue?", tokens=300)
    assert found.text == "It was 108.3 million."
    assert [body["max_tokens"] for body in server.requests[:2]] == [300, 600]
    assert not server.refused


def test_a_pause_is_gone_on_from(folder: Path) -> None:
    with MessagesServer([Reply((Says("It was "),), stop="pause_turn"), says("108.3.")]) as server:
        found = asked(folder, server, "Revenue?")
    assert found.text == "It was 108.3."
    assert not server.refused


@pytest.mark.parametrize("nothing", [Reply(), says("  \n"), Reply((Thinks("hm"),))])
def test_an_empty_answer_is_asked_for_once_more(folder: Path, nothing: Reply) -> None:
    with MessagesServer([SEARCH, nothing, ANSWER]) as server:
        found = asked(folder, server, "Revenue?")
    assert found.text == "It was 108.3 million."
    assert server.requests[-1]["messages"][-1]["content"][0]["type"] == "tool_result"
    assert not server.refused


def test_nothing_said_twice_is_an_error(folder: Path) -> None:
    with MessagesServer([SEARCH, Reply(), Reply()]) as server, pytest.raises(NoAnswer, match="gave no answer"):
        asked(folder, server, "Revenue?")


@pytest.mark.parametrize(
    ("use", "line"),
    [
        (Uses("search", '{"question": revenue}'), "search: the input is not a JSON object"),
        (Uses("search", '{"question": "reve'), "search: the input is not a JSON object"),
        (Uses("search", "[1]"), "search: the input is not a JSON object"),
        (Uses("search", {"question": "x", "count": "many"}), "search: count: "),
        (Uses("search", {"question": "x", "cuont": 3}), "search: cuont: Extra inputs are not permitted"),
        (Uses("search_the_web", {"q": "x"}), "there is no tool search_the_web: there are "),
        (Uses("search", {"question": "x", "documents": ["no such file"]}), "no such file"),
    ],
)
def test_what_is_wrong_with_a_use_goes_back_to_the_model(folder: Path, use: Uses, line: str) -> None:
    with MessagesServer([Reply((use,)), ANSWER]) as server:
        found = asked(folder, server, "Revenue?")
    (result,) = server.requests[1]["messages"][-1]["content"]
    assert result["is_error"] is True
    assert line in result["content"][0]["text"]
    assert found.text == "It was 108.3 million."
    assert found.calls[0].failed
    assert not server.refused


def test_good_uses_beside_a_bad_one_are_answered(folder: Path) -> None:
    with MessagesServer([Reply((*SEARCH.blocks, Uses("nothing", {}), *SEARCH.blocks)), ANSWER]) as server:
        found = asked(folder, server, "Revenue?")
    assert [call.failed for call in found.calls] == [False, True, False]
    assert not server.refused


def test_uses_where_no_tool_may_be_used_are_left_alone(folder: Path) -> None:
    with MessagesServer([SEARCH, Reply((Says("So far 108.3."), *SEARCH.blocks))]) as server:
        found = asked(folder, server, "Revenue?", rounds=1)
    assert found.text == "So far 108.3."
    assert len(found.calls) == 1


def test_without_a_key_there_is_nobody_to_ask(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path))
    settings = tool_context_at(folder).settings
    assert not is_model_available(settings)
    with pytest.raises(NoAnswer, match="there is no key for the language model: set ANTHROPIC_API_KEY"):
        make_client(settings)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
    assert is_model_available(settings)


def test_another_server_needs_no_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with MessagesServer([ANSWER]) as server:
        context = tool_context_at(folder, server.url)
        found = converse_with_own_client(context, ConversationTurn("user", "Revenue?"))
    assert is_model_available(context.settings)
    assert found.text == "It was 108.3 million."


@pytest.mark.parametrize(
    "turns",
    [[], [ConversationTurn("user", " ")], [ConversationTurn("user", "Hm?"), ConversationTurn("assistant", "Yes.")]],
)
def test_without_a_question_nothing_is_asked(folder: Path, turns: list[ConversationTurn]) -> None:
    with MessagesServer([]) as server, pytest.raises(BadInput, match="the question is empty"):
        converse_with_own_client(tool_context_at(folder, server.url), *turns)
