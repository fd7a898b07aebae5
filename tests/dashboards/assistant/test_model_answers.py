"""The way of a question through the model, against a server that speaks the Messages API."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dashboards.assistant.answer_types import Answer, AnswerEvent, AnswerKind, AnswerSource, StreamRestart, TextPiece
from dashboards.assistant.answers import answer
from dashboards.assistant.prompts import read_prompt
from dashboards.assistant.sessions import Session, Sessions
from dashboards.assistant.tools.contract import TOOLS, ToolContext
from tests.building import build_warehouse
from tests.dashboards.assistant.messages_script import Body, Cite, Drops, Fails, Reply, Says, Uses, says, search_results
from tests.dashboards.assistant.messages_server import MessagesServer
from tests.dashboards.assistant.tool_contexts import SAMPLES, tool_context_at
from warehouse.errors import NoWarehouse
from warehouse.records import Filters, Kind, SearchRequest
from warehouse.settings.loader import load_settings

COMPARE = "Compare Northlight's revenue in Q2 and in Q3 of fiscal 2025"
PARTS = ["Northlight's revenue in Q2 of fiscal 2025?", "Northlight's revenue in Q3 of fiscal 2025?"]
Said = Reply | Fails | Drops


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph") / "warehouse"
    build_warehouse(folder, SAMPLES)
    return folder


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "loopback")
    monkeypatch.setattr("dashboards.assistant.streaming.RETRY_SECONDS", (0.0, 0.0))


def step(body: Body) -> str:
    """Which of the prompts a request has."""
    system = body["system"] if isinstance(body["system"], str) else body["system"][0]["text"]
    return next(name for name in ("manner", "split", "condense", "merge") if system.startswith(read_prompt(name)))


def asked(body: Body) -> str:
    """The words of the last message of the user that is no result of a tool."""
    spoken = [m for m in body["messages"] if m["role"] == "user" and m["content"][0]["type"] != "tool_result"]
    return str(spoken[-1]["content"][0]["text"])


class Model:
    """Says what is set for each step; searches before it answers, and cites the first row of what it found."""

    def __init__(self, **said: Callable[[Body], Said]) -> None:
        self.said = said
        self.steps: list[str] = []
        self.bodies: list[Body] = []

    def __call__(self, body: Body) -> Said:
        name = step(body)
        self.steps.append(name)
        self.bodies.append(json.loads(json.dumps(body)))
        return self.said[name](body) if name in self.said else getattr(self, name)(body)

    def manner(self, body: Body) -> Said:
        if body["messages"][-1]["content"][0]["type"] != "tool_result":
            return Reply((Uses("search", {"question": asked(body)}),))
        results = search_results(body)
        return Reply((Says(f"Found for {asked(body)}", (Cite(-len(results)),) if results else ()),))

    def split(self, body: Body) -> Said:
        return Reply((Uses("ask", {"questions": PARTS}),))

    def merge(self, body: Body) -> Said:
        marks = re.findall(r"\[\d+\]", body["messages"][0]["content"])
        return says(f"Together {''.join(dict.fromkeys(marks))} and [99].")

    def condense(self, body: Body) -> Said:
        return says("They spoke of Northlight.")


@contextmanager
def served(folder: Path, model: Model, **chat: Any) -> Iterator[ToolContext]:
    with MessagesServer(model) as server:
        yield tool_context_at(folder, server.url, **chat)
        assert server.refused == []


def get(
    context: ToolContext,
    text: str,
    session: Session | None = None,
    *,
    told: list[AnswerEvent] | None = None,
    **given: Any,
) -> Answer:
    wanted = SearchRequest(text, given.pop("filters", Filters()))
    heard: list[AnswerEvent] = [] if told is None else told
    return answer(context, wanted, session, on_event=heard.append, ask_permission=lambda name, given: False, **given)


def test_a_plain_question_costs_no_call_beside_its_answer(folder: Path) -> None:
    with served(folder, model := Model()) as context:
        found = get(context, "What was the revenue in Q3 of fiscal 2025?")
    assert model.steps == ["manner", "manner"]
    assert found.kind is AnswerKind.MODEL
    assert found.sources[0].spans
    assert found.usage.rounds == 2


def test_the_day_and_the_holdings_stand_after_the_cached_words(folder: Path) -> None:
    with served(folder, model := Model(), citations="marks") as context:
        get(context, "Hello", filters=Filters(kinds=(Kind.REPORT,)))
    fixed, changing = model.bodies[0]["system"]
    assert "cache_control" in fixed
    assert "cache_control" not in changing
    assert "2025" not in fixed["text"]
    assert "Today is Saturday, 2025-11-22." in changing["text"]
    assert re.search(r"\d+ of kind report, dated 20\d\d-\d\d-\d\d to 20\d\d", changing["text"])
    assert "limits every search to kinds report" in changing["text"]


def test_two_questions_are_answered_apart_and_merged(folder: Path) -> None:
    told: list[AnswerEvent] = []
    with served(folder, model := Model()) as context:
        found = get(context, COMPARE, told=told)
    assert model.steps[0] == "split"
    assert model.steps[-1] == "merge"
    assert model.steps.count("manner") == 4
    assert sorted(asked(body) for body in model.bodies if step(body) == "manner") == sorted(PARTS * 2)
    numbers = "".join(f"[{source.number}]" for source in found.sources)
    assert found.text == f"Together {numbers} and."
    assert [source.number for source in found.sources] == list(range(1, len(found.sources) + 1))
    assert all(source.spans for source in found.sources)
    assert found.usage.rounds == 6
    assert "".join(event.text for event in told if isinstance(event, TextPiece)) == found.text
    assert [event.number for event in told if isinstance(event, AnswerSource)] == [s.number for s in found.sources]


def test_parts_are_answered_at_the_same_time(folder: Path) -> None:
    def manner(body: Body) -> Said:
        if body["messages"][-1]["content"][0]["type"] == "tool_result":
            return says("It was 108.3.")
        return Reply((Uses("search", {"question": asked(body)}),), pause=0.05)

    with served(folder, model := Model(manner=manner)) as context:
        get(context, COMPARE)
    assert {asked(body) for body in model.bodies[1:3]} == set(PARTS)


@pytest.mark.parametrize(
    "reply",
    [
        Fails(500),
        says("I would rather talk."),
        Reply(
            (
                Uses(
                    "ask",
                    '{"questions": ["a',
                ),
            ),
            stop="tool_use",
        ),
        Reply((Uses("ask", {"questions": []}),)),
        Reply((Uses("ask", {"questions": ["one?", 2]}),)),
        Reply((Uses("ask", {"questions": [f"number {n}?" for n in range(5)]}),)),
    ],
    ids=["fails", "text", "cut", "none", "mistyped", "too many"],
)
def test_a_question_that_is_not_taken_apart_is_answered_whole(folder: Path, reply: Said) -> None:
    with served(folder, model := Model(split=lambda _: reply)) as context:
        found = get(context, COMPARE)
    assert found.text.startswith(f"Found for {COMPARE}")
    assert "merge" not in model.steps


def test_one_question_passes_through_without_merging(folder: Path) -> None:
    with served(folder, model := Model(split=lambda _: Reply((Uses("ask", {"questions": PARTS[:1]}),)))) as context:
        found = get(context, COMPARE)
    assert "merge" not in model.steps
    assert f"{COMPARE}\n\n(That is: {PARTS[0]})" in found.text


@pytest.mark.parametrize("reply", [Fails(500), Reply((Says("Toge"),), cut=6)], ids=["fails", "cut"])
def test_parts_stand_below_each_other_where_they_are_not_merged(folder: Path, reply: Said) -> None:
    told: list[AnswerEvent] = []
    with served(folder, Model(merge=lambda _: reply)) as context:
        found = get(context, COMPARE, told=told)
    assert found.text.startswith(f"**{PARTS[0]}**\n\nFound for {PARTS[0]} [1]\n\n**{PARTS[1]}**")
    void = max(place for place, event in enumerate(told) if isinstance(event, StreamRestart))
    assert "".join(event.text for event in told[void:] if isinstance(event, TextPiece)) == found.text


def test_a_part_that_fails_is_said_and_the_other_told(folder: Path) -> None:
    def manner(body: Body) -> Said:
        return Fails(400) if asked(body) == PARTS[0] else says("It was 108.3.")

    with served(folder, Model(manner=manner)) as context:
        found = get(context, COMPARE)
    assert found.text == "It was 108.3."
    assert PARTS[0] in found.notes[0]


def test_a_model_that_fails_leaves_extracts_and_the_reason(folder: Path) -> None:
    told: list[AnswerEvent] = []
    with served(folder, Model(manner=lambda _: Fails(401))) as context:
        found = get(context, "total revenue three months ended June 30, 2025", told=told)
    assert found.kind is AnswerKind.EXTRACTS
    assert found.sources
    assert "did not answer" in found.notes[-1]
    assert "key" in found.notes[-1]
    assert any(isinstance(event, StreamRestart) for event in told)


def test_without_a_key_or_asked_for_them_extracts_are_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(folder, model := Model()) as context:
        assert get(context, "total revenue Q3", extracts_only=True).kind is AnswerKind.EXTRACTS
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        alone = replace(context, settings=load_settings({"warehouse": folder, "embed": {"model": "hashing"}}))
        assert get(alone, "total revenue Q3").kind is AnswerKind.EXTRACTS
    assert model.steps == []


def test_no_warehouse_is_said_and_not_papered_over(tmp_path: Path) -> None:
    with served(tmp_path / "none", Model()) as context, pytest.raises(NoWarehouse):
        get(context, "total revenue?")


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("search", {"question": "nitrate drift revenue", "kinds": ["paper"], "count": 20}),
        ("query_cells", {"item": "nitrate", "count": 20}),
        ("query_cells", {"item": "total revenue", "count": 20}),
    ],
)
def test_filters_bind_the_searches_of_the_model(folder: Path, tool: str, given: dict[str, Any]) -> None:
    def manner(body: Body) -> Said:
        if body["messages"][-1]["content"][0]["type"] == "tool_result":
            return says("Done.")
        return Reply((Uses(tool, given),))

    with served(folder, Model(manner=manner)) as context:
        found = get(context, "nitrate?", filters=Filters(roots=("elsewhere",)))
        assert found.hits == ()
        found = get(context, "nitrate?", filters=Filters(kinds=(Kind.REPORT,)))
    held = context.warehouse.snapshot.read_entries({hit.document_id for hit in found.hits})
    assert {entry.kind for entry in held.values()} <= {Kind.REPORT}
    assert bool(found.hits) == (given.get("item") != "nitrate")


def test_a_list_of_documents_keeps_to_the_filters(folder: Path) -> None:
    context = replace(tool_context_at(folder), within=Filters(kinds=(Kind.REPORT,)))
    listed = TOOLS["list_documents"].call(context, {"kinds": ["paper"], "count": 50}).data
    assert listed["count"] == sum(entry.kind is Kind.REPORT for entry in context.warehouse.list_documents())


def test_answers_from_papers_carry_the_warning_and_their_types(folder: Path) -> None:
    def manner(body: Body) -> Said:
        if body["messages"][-1]["content"][0]["type"] == "tool_result":
            return Reply((Says("It drifts.", (Cite(0),)),))
        return Reply((Uses("search", {"question": "nitrate drift", "kinds": ["paper"]}),))

    with served(folder, Model(manner=manner)) as context:
        found = get(context, "Does nitrate drift?")
        report = get(context, "total revenue Q3 of fiscal 2025", extracts_only=True)
    assert "This is not medical advice; consult a doctor." in found.notes[-1]
    assert re.search(r"\(\[1\] [A-Z]\w+", found.notes[-1])
    assert not any("medical" in note for note in report.notes)


def test_a_follow_up_is_understood_and_goes_with_its_history(folder: Path) -> None:
    sessions = Sessions(folder)
    with served(folder, model := Model(split=lambda _: Reply((Uses("ask", {"questions": PARTS[1:]}),)))) as context:
        session = sessions.start_session()
        get(context, PARTS[0], session)
        get(context, "And in Q3?", session)
    last = model.bodies[-1]["messages"]
    assert last[0]["content"][0]["text"] == PARTS[0]
    assert last[1]["content"][0]["text"].startswith("Found for")
    assert last[2]["content"][0]["text"] == f"And in Q3?\n\n(That is: {PARTS[1]})"
    assert "<conversation>" in model.bodies[2]["messages"][0]["content"]


def test_ten_exchanges_are_condensed_two_at_a_time_and_never_under_four_messages(folder: Path) -> None:
    session = Sessions(folder).start_session()
    with served(folder, model := Model()) as context:
        for number in range(10):
            get(context, f"What was the revenue reported in period number {number}?", session)
    assert model.steps[: model.steps.index("condense")] == ["manner"] * 8
    assert model.steps.count("condense") == 3
    messages = model.bodies[-1]["messages"]
    assert messages[0]["content"][0]["text"].endswith("number 6?")
    assert "They spoke of Northlight." in model.bodies[-1]["system"][1]["text"]
    assert session.usage.rounds == 23
    assert all(exchange.answer for exchange in session.exchanges)


def test_what_cannot_be_condensed_stays_verbatim(folder: Path) -> None:
    session = Sessions(folder).start_session()
    with served(folder, model := Model(condense=lambda _: Fails(500))) as context:
        for number in range(5):
            get(context, f"What was the revenue reported in period number {number}?", session)
    assert model.bodies[-1]["messages"][0]["content"][0]["text"].endswith("number 0?")


def test_past_its_cap_a_session_is_served_extracts_and_says_so(folder: Path) -> None:
    session = Sessions(folder).start_session()
    with served(folder, model := Model(), budget=1000) as context:
        assert get(context, "What was the revenue in Q3?", session).kind is AnswerKind.MODEL
        found = get(context, "total revenue Q3 of fiscal 2025", session)
        assert get(context, "total revenue in Q3?", Sessions(folder).start_session()).kind is AnswerKind.MODEL
    assert found.kind is AnswerKind.EXTRACTS
    assert "1,000 tokens" in found.notes[-1]
    assert model.steps == ["manner"] * 4


def test_an_exchange_that_cannot_be_kept_is_answered_and_that_is_said(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "sessions").symlink_to("nowhere")
    with served(folder, Model()) as context:
        found = get(context, "What was the revenue in Q3?", Sessions(tmp_path).start_session())
    assert found.kind is AnswerKind.MODEL
    assert "could not be kept" in found.notes[-1]


@pytest.mark.parametrize("number", [12, pytest.param(50, marks=pytest.mark.slow)])
def test_sessions_at_once_do_not_mix(folder: Path, number: int) -> None:
    sessions = [Sessions(folder).start_session() for _ in range(number)]

    def manner(body: Body) -> Said:
        return says(f"I heard {asked(body)}")

    def talk(number: int) -> list[str]:
        questions = [f"The number {number}.{turn} of the report, please" for turn in range(3)]
        assert [get(context, each, sessions[number]).text for each in questions] == [f"I heard {q}" for q in questions]
        return questions

    with served(folder, Model(manner=manner)) as context, ThreadPoolExecutor(number) as pool:
        said = list(pool.map(talk, range(number)))
    assert [[e.question for e in session.exchanges] for session in sessions] == said
