"""What a round of the chat takes beside the model's own time, and how much of what is true its proof finds.

    python benchmarks/chat.py WAREHOUSE [--conversations 100] [--uses 2]

WAREHOUSE is any ingested one. A server on the loopback plays the model: it searches for words of the warehouse's own
passages and then cites what it was given. A conversation is two rounds: the request, the stream, the search with its
embedder, and the proof are ours; the time that the server takes to answer is the model's.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np
from anthropic import Anthropic

sys.path.insert(0, str(Path(__file__).parents[1]))

from dashboards.assistant.answer_types import Answer, ConversationTurn
from dashboards.assistant.loop import converse
from dashboards.assistant.prompts import read_prompt
from dashboards.assistant.tools.contract import ToolContext
from tests.dashboards.assistant.messages_script import Body, Cite, Reply, Says, Uses, says, search_results
from tests.dashboards.assistant.messages_server import MessagesServer
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings, load_settings

TODAY = date(2026, 1, 1)
WORDS = 8
WARM = 5
"""Conversations that are not counted: the model loads, the warehouse opens."""


def model(body: Body, uses: int) -> Reply:
    """Search for the question and for parts of it; then say what the first block of each result says, and cite it."""
    results = search_results(body)
    if results:
        blocks = [result["content"][0]["text"] for result in results]
        return Reply(tuple(Says(text, (Cite(place),)) for place, text in enumerate(blocks)))
    if len(body["messages"]) > 1:
        return says("The documents do not say.")
    words = body["messages"][0]["content"][0]["text"].split()
    asked = [" ".join(words[place:]) for place in range(uses)]
    return Reply(tuple(Uses("search", {"question": question}) for question in asked))


def questions(warehouse: Warehouse, count: int) -> list[str]:
    """Words in a row of the warehouse's passages, the same at every run."""
    chance = random.Random(7)
    rows = warehouse.snapshot.query_rows("SELECT text FROM chunks ORDER BY chunk_id LIMIT 5000", {})
    texts = [words for (text,) in rows if len(words := str(text).split()) > WORDS]
    found = []
    for words in chance.choices(texts, k=count):
        first = chance.randrange(len(words) - WORDS)
        found.append(" ".join(words[first : first + WORDS]))
    return found


def timed(settings: Settings, asked: list[str], server: MessagesServer) -> Iterator[tuple[float, Answer]]:
    """The seconds of a round beside the server's, and the answer, of each question."""
    context = ToolContext(settings, Warehouse(settings.warehouse), TODAY)
    with Anthropic(api_key="none", base_url=server.url, max_retries=0) as client:
        for question in asked:
            before, begun = len(server.seconds), perf_counter()
            found = converse(
                context,
                [ConversationTurn("user", question)],
                on_event=lambda _: None,
                ask_permission=lambda *_: False,
                system=read_prompt("manner"),
                client=client,
            )
            taken = perf_counter() - begun
            yield (taken - sum(server.seconds[before:])) / found.usage.rounds, found


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warehouse", type=Path)
    parser.add_argument("--conversations", type=int, default=100)
    parser.add_argument("--uses", type=int, default=2, help="searches at once in the first round")
    options = parser.parse_args()
    asked = questions(Warehouse(options.warehouse), options.conversations + WARM)
    with MessagesServer(lambda body: model(body, options.uses)) as server:
        chat = {"base_url": server.url, "citations": "service"}
        settings = load_settings({"warehouse": options.warehouse, "chat": chat})
        every = list(timed(settings, asked, server))[WARM:]
    took = 1000 * np.array([seconds for seconds, _ in every])
    failed = [call.text for _, answer in every for call in answer.calls if call.failed]
    if failed:
        raise SystemExit(f"{len(failed)} searches failed, the first so: {failed[0]}")
    claims = [claim for _, answer in every for claim in answer.claims]
    tokens = sum(answer.usage.total for _, answer in every) / len(every)
    tools = 1000 * np.array([sum(call.seconds for call in answer.calls) / answer.usage.rounds for _, answer in every])
    print(f"a round beside the model: p50 {np.median(took):.0f} ms, p95 {np.percentile(took, 95):.0f} ms")
    print(f"its searches, one after the other: p50 {np.median(tools):.0f} ms")
    print(f"{len(every)} conversations of {every[0][1].usage.rounds} rounds, {tokens:.0f} tokens each")
    print(f"{len(claims)} claims, all of them true: {sum(claim.proven for claim in claims) / len(claims):.1%} proven")


if __name__ == "__main__":
    main()
