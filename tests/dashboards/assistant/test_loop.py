"""The loop through the real SDK, against a server that speaks the Messages API: what goes well."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from dashboards.assistant.answer_types import (
    AnswerKind,
    AnswerProgress,
    AnswerSource,
    ConversationTurn,
    ToolCall,
    ToolCallStart,
    mark_unproven,
)
from dashboards.assistant.loop import converse
from dashboards.assistant.tools.contract import TOOLS
from dashboards.cli.answer_output import iter_footer_lines
from tests.building import build_warehouse
from tests.dashboards.assistant.messages_script import (
    Body,
    Cite,
    Drops,
    Fails,
    Reply,
    Says,
    Thinks,
    Uses,
    says,
    search_results,
)
from tests.dashboards.assistant.messages_server import MessagesServer
from tests.dashboards.assistant.tool_contexts import SAMPLES, Heard, asked, client, tool_context_at
from warehouse.reader import Warehouse

REVENUE = "total revenue three months ended June 30, 2025"
SEARCH = Reply((Uses("search", {"question": REVENUE, "count": 2}),))
ROW = "| Total revenue | 108.3 | 92.1 |"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loop") / "warehouse"
    build_warehouse(folder, SAMPLES / "reports")
    return folder


def row_cited(body: Body) -> Reply:
    """A model that finds the row among what it was given and cites it."""
    for index, result in enumerate(search_results(body)):
        for place, block in enumerate(result["content"]):
            if ROW in block["text"]:
                return Reply((Says("Total revenue was $108.3 million", (Cite(index, place),)), Says(".")))
    return says("The documents do not say.")


def searching(body: Body) -> Reply:
    """A model that searches once for the last question, and then cites the row."""
    return row_cited(body) if search_results(body) else SEARCH


def test_a_table_question_of_one_quarter_is_answered_with_the_right_cell_cited(folder: Path) -> None:
    heard = Heard()
    with MessagesServer(searching) as server:
        found = asked(folder, server, "What was total revenue in the quarter to June 30, 2025?", heard=heard)
    assert found.kind is AnswerKind.MODEL
    assert found.text == "Total revenue was $108.3 million [1]."
    (source,) = found.sources
    text = Warehouse(folder).read_text(source.hit.document_id)
    assert [text[start:end] for start, end in source.spans] == [ROW]
    assert source.hit.citation.source == "reports/northlight-fy2025-q3.pdf"
    assert source.hit.citation.page == 2
    assert found.proven == 1.0
    assert heard.text == found.text
    assert not server.refused


def test_events_come_in_order(folder: Path) -> None:
    heard = Heard()
    with MessagesServer(searching) as server:
        asked(folder, server, "Revenue?", heard=heard)
    kinds = [type(event) for event in heard.events]
    assert kinds[:4] == [AnswerProgress, ToolCallStart, ToolCall, AnswerProgress]
    assert kinds.index(AnswerSource) > kinds.index(ToolCall)


def test_tools_are_offered_in_every_round_until_the_answer(folder: Path) -> None:
    with MessagesServer([SEARCH, SEARCH, SEARCH, says("It is 108.3 million.")]) as server:
        found = asked(folder, server, "Revenue?")
    assert found.usage.rounds == 4
    assert [len(body["tools"]) for body in server.requests] == [len(TOOLS)] * 4
    assert {body["tool_choice"]["type"] for body in server.requests} == {"auto"}


def test_past_the_limit_the_model_answers_with_what_there_is(folder: Path) -> None:
    with MessagesServer([SEARCH, SEARCH, says("As far as I see, 108.3.")]) as server:
        found = asked(folder, server, "Revenue?", rounds=2)
    assert found.text == "As far as I see, 108.3."
    last = server.requests[-1]
    assert last["tool_choice"] == {"type": "none"}
    assert len(last["tools"]) == len(TOOLS)
    assert last["messages"][-1]["content"][-1]["text"].startswith("Tools cannot be used any more")


def test_parallel_uses_are_answered_together_and_in_order(folder: Path) -> None:
    uses = Reply(
        tuple(Uses("search", {"question": question, "count": 1}) for question in ("revenue", "incident", "capital"))
    )
    with MessagesServer([uses, says("Done.")]) as server:
        found = asked(folder, server, "All three?")
    results = server.requests[1]["messages"][-1]["content"]
    assert [result["tool_use_id"] for result in results] == ["toolu_1_0", "toolu_1_1", "toolu_1_2"]
    assert [call.arguments["question"] for call in found.calls] == ["revenue", "incident", "capital"]
    assert len(found.hits) == len({hit.chunk_id for hit in found.hits}) > 1


def test_a_source_has_one_number_and_all_spans_that_were_cited(folder: Path) -> None:
    cited = Reply((Says("A. ", (Cite(0, 2),)), Says("B.\n\n", (Cite(1, 0), Cite(0, 3))), Says("C.", (Cite(0, 2),))))
    with MessagesServer([SEARCH, cited]) as server:
        found = asked(folder, server, "Revenue?")
    assert found.text == "A. [1] B. [2][1]\n\nC. [1]"
    assert [len(source.spans) for source in found.sources] == [2, 1]


def test_thoughts_go_back_and_are_not_told(folder: Path) -> None:
    with MessagesServer([Reply((Thinks("I had better look."), *SEARCH.blocks)), says("108.3.")]) as server:
        found = asked(folder, server, "Revenue?")
    assert found.text == "108.3."
    assert server.requests[1]["messages"][1]["content"][0]["thinking"] == "I had better look."


def test_what_stays_the_same_is_read_from_the_cache(folder: Path) -> None:
    with MessagesServer([SEARCH, SEARCH, says("108.3.")]) as server:
        first = asked(folder, server, "Revenue?")
        server_requests = len(server.requests)
    assert server_requests == 3
    assert first.usage.cache_read > first.usage.cache_written > 0
    assert first.usage.input < first.usage.cache_written / 10


def test_follow_ups_after_uses_of_tools_never_come_back_empty(folder: Path) -> None:
    said = ["What was total revenue in the quarter to June 30, 2025?"]
    with MessagesServer(lambda body: row_cited(body) if search_results(body) else SEARCH) as server:
        for number in range(10):
            found = asked(folder, server, *said)
            assert found.text == "Total revenue was $108.3 million [1]."
            said += [found.text, f"And once more, number {number}?"]
    assert not server.refused
    assert [len(body["messages"]) for body in server.requests[::2]] == list(range(1, 20, 2))


def test_marks_of_earlier_answers_are_not_sent(folder: Path) -> None:
    with MessagesServer([says("Yes.")]) as server:
        asked(folder, server, "Revenue?", "It was 108.3 [1][2].", "Sure?")
    assert server.requests[0]["messages"][1]["content"][0]["text"] == "It was 108.3."


def test_many_conversations_at_once_do_not_mix(folder: Path) -> None:
    def own(body: Body) -> Reply:
        name = body["messages"][0]["content"][0]["text"]
        if not search_results(body):
            return Reply((Uses("search", {"question": f"{REVENUE} {name}", "count": 1}),))
        return Reply((Says(f"This is for {name}", (Cite(0, 0),)),))

    heard = [Heard() for _ in range(50)]
    with MessagesServer(own) as server, ThreadPoolExecutor(50) as pool, client(server) as shared:
        found = list(pool.map(lambda n: asked(folder, server, f"person {n}", heard=heard[n], shared=shared), range(50)))
    for number, (answer, listener) in enumerate(zip(found, heard, strict=True)):
        assert answer.text == listener.text == f"This is for person {number} [1]"
        assert [call.arguments["question"] for call in answer.calls] == [f"{REVENUE} person {number}"]
        assert answer.usage.rounds == 2
    assert not server.refused


def test_a_server_without_citations_is_answered_by_marks(folder: Path) -> None:
    script = [SEARCH, SEARCH, says("Revenue was 108.3 [2, 9], income 15.6【1】 and [7-8] so on.")]
    with MessagesServer(script) as server:
        found = asked(folder, server, "Revenue?", citations="marks")
    assert found.text == "Revenue was 108.3 [1], income 15.6[2] and so on."
    assert [source.number for source in found.sources] == [1, 2]
    given = server.requests[1]["messages"][-1]["content"][0]["content"]
    assert [block["type"] for block in given] == ["text"]
    assert '<passage number="1"' in given[0]["text"]
    assert "How to cite" in server.requests[0]["system"][0]["text"]


def test_an_answer_is_told_while_it_is_written(folder: Path) -> None:
    told = Event()

    def waiting(body: Body) -> Reply:
        return Reply((Says("It was 108.3 million in all of the quarter."),), pause=0.02)

    with MessagesServer(waiting) as server, client(server) as one:
        turns = [ConversationTurn("user", "Revenue?")]
        context = tool_context_at(folder, server.url)
        converse(
            context,
            turns,
            on_event=lambda _: told.set() if not server.seconds else None,
            ask_permission=lambda *_: False,
            system="",
            client=one,
        )
    assert told.is_set()


@pytest.mark.parametrize("trouble", [Fails(429, 0.01), Fails(529, 0.01), Fails(500, 0.01), Drops()])
def test_trouble_that_passes_is_waited_for(folder: Path, trouble: Fails | Drops) -> None:
    with MessagesServer([SEARCH, trouble, says("108.3.")]) as server:
        assert asked(folder, server, "Revenue?").text == "108.3."


@pytest.mark.parametrize(
    ("use", "said", "unproven"),
    [
        (Uses("run_sql", {"query": "SELECT count(*) AS n FROM documents"}), "There are 5 documents.", "There are 7."),
        (Uses("list_documents", {}), "There are 5 documents.", "There are 97 documents."),
        (Uses("describe_collection", {"question": "how many reports are there?"}), "4 reports.", "9 reports."),
        (
            Uses("extract_temporal_context", {"text": "in the last quarter", "anchor": "2025-02-10"}),
            "It ended on December 31, 2024.",
            "It ended on November 30, 2024.",
        ),
        (
            Uses("query_cells", {"item": "total revenue", "period": "quarter ended June 30, 2025"}),
            "It was $108.3 million.",
            "It was $107.3 million.",
        ),
    ],
)
def test_what_a_tool_returned_is_proven_by_it_and_the_tool_is_named(
    use: Uses, said: str, unproven: str, folder: Path
) -> None:
    for text, proven in ((said, True), (unproven, False)):
        with MessagesServer([Reply((use,)), says(text)]) as server:
            found = asked(folder, server, "How many, and when?")
        assert [(claim.proven, claim.tool) for claim in found.claims] == [(proven, use.name if proven else "")]
        assert ("[?]" in mark_unproven(found)) is not proven
        assert (f"[{use.name}]" in "\n".join(iter_footer_lines(found))) is proven
