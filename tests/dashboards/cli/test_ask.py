"""`kalends chat` and `kalends ask` as their users meet them, the model being a server on the loopback."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from dashboards.cli.main import run
from tests.building import build_warehouse
from tests.dashboards.assistant.messages_script import Body, Cite, Fails, Reply, Says, Uses, says
from tests.dashboards.assistant.messages_server import MessagesServer
from tests.dashboards.assistant.tool_contexts import SAMPLES
from tests.forked_process import COMMAND_LINE, STREAMS, ForkedProcess

ROOT = Path(__file__).parents[3]
QUESTION = "What was the total revenue of Northlight in Q3 of fiscal 2025?"
QUOTED = "total revenue three months ended June 30, 2025"
ANSWER = "Total revenue was 108.3 million USD."


@dataclass(frozen=True)
class Told:
    """What a command printed, and how it ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chat") / "warehouse"
    build_warehouse(folder, SAMPLES / "reports")
    return folder


def model(body: Body) -> Reply:
    if body["messages"][-1]["content"][0]["type"] == "tool_result":
        return Reply((Says(ANSWER, (Cite(0),)),))
    asked = body["messages"][-1]["content"][0]["text"]
    return says("Hello.") if asked == "Hello" else Reply((Uses("search", {"question": asked}),))


def environment(server: MessagesServer | None, **variables: str) -> dict[str, str]:
    own = {"PYTHONPATH": str(ROOT), "KALENDS_EMBED__MODEL": "hashing", "PYTHONUNBUFFERED": "1", **variables}
    if server:
        own |= {"ANTHROPIC_API_KEY": "loopback", "KALENDS_CHAT__BASE_URL": server.url}
        own |= {"KALENDS_CHAT__CITATIONS": "service"}
    return {**{name: each for name, each in os.environ.items() if not name.startswith("ANTHROPIC")}, **own}


def kalends(server: MessagesServer | None, *words: object, said: str = "") -> Told:
    """A command run in this process: one of its own takes a second to begin, and has tests of its own below."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in {*os.environ} - {*environment(server)}:
            patch.delenv(name)
        for name, value in environment(server).items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdin", StringIO(said))
        code = run([str(word) for word in words])
    return Told(code, out.getvalue(), err.getvalue())


def session_in(done: Told) -> str:
    found = re.search(r"--session ([0-9a-f]{32})", done.stderr)
    assert found, done.stderr
    return found[1]


def test_a_session_is_had_explained_exported_and_gone_on_with(warehouse: Path, tmp_path: Path) -> None:
    lines = [QUESTION, "/sources", "/explain", f"/export {tmp_path / 'said.md'}", "/nonsense", "/reset", "/sources"]
    with MessagesServer(model) as server:
        done = kalends(server, "chat", "-w", warehouse, said="\n".join([*lines, "Hello"]))
        assert (done.returncode, server.refused) == (0, [])
        first = re.findall(
            r"^([0-9a-f]{32}) ", kalends(None, "chat", "--sessions", "-w", warehouse).stdout, re.MULTILINE
        )
        assert session_in(done) == first[0]
        again = kalends(server, "chat", "-w", warehouse, "--session", first[1], said="And before that, in Q2?\n/quit\n")
        assert (again.returncode, server.refused) == (0, [])
    assert f"{ANSWER} [1]\n" in done.stdout
    assert re.search(r"^\[1\] .*, page \d+, .*\n(?:   \S.*\n)?   \S+  file://", done.stdout, re.MULTILINE)
    assert "   “" in done.stdout
    assert re.search(r"^Tool       search\(question=.*\) answered in ", done.stdout, re.MULTILINE)
    assert re.search(r"^Cost       2 rounds, [\d,]+ tokens in", done.stdout, re.MULTILINE)
    assert "there is no command /nonsense: /help lists the commands" in done.stderr
    assert "The last answer has no sources." in done.stdout
    assert "Hello." in done.stdout
    assert f"## {QUESTION}" in (tmp_path / "said.md").read_text(encoding="utf-8")
    spoken = [message["content"][0].get("text") for message in server.requests[-1]["messages"][:3]]
    assert spoken[0] == QUESTION
    assert str(spoken[1]).startswith(ANSWER)
    assert str(spoken[2]).startswith("And before that, in Q2?")


def test_examples_are_questions_that_the_documents_answer(warehouse: Path) -> None:
    done = kalends(None, "chat", "-w", warehouse, "--extracts", said="/examples\n")
    assert done.returncode == 0
    examples = [line for line in done.stdout.splitlines() if line.endswith(("?", "？"))]
    assert 0 < len(examples) <= 6
    answered = kalends(None, "ask", examples[0], "-w", warehouse, "--extracts")
    assert "No direct quote found" not in answered.stdout


def test_json_has_a_line_for_each_event_and_answer(warehouse: Path) -> None:
    with MessagesServer(model) as server:
        done = kalends(server, "chat", "-w", warehouse, "--json", said=f"{QUESTION}\n/help\nHello\n/what\n")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    names = [line["event"] for line in lines]
    assert names[:5] == ["progress", "progress", "calling", "call", "progress"]
    first, second = (place for place, name in enumerate(names) if name == "answer")
    assert names[first + 1] == "said"
    assert names[-1] == "error"
    assert "".join(line["text"] for line in lines[:first] if line["event"] == "piece") == lines[first]["answer"]
    assert lines[first]["kind"] == "model"
    assert lines[first]["sources"][0]["quotes"][0]["text"]
    assert lines[first]["session"] == lines[second]["session"] == session_in(done)


def test_a_question_of_its_own_is_answered_by_the_model_and_verified(warehouse: Path, tmp_path: Path) -> None:
    with MessagesServer(model) as server:
        done = kalends(server, "ask", QUESTION, "-w", warehouse, "--json")
        told = kalends(server, "ask", QUESTION, "-w", warehouse)
        quoted = kalends(server, "ask", QUESTION, "-w", warehouse, "--extracts", "--json")
        assert len(server.requests) == 4
    found = json.loads(done.stdout)
    assert found["kind"] == "model"
    assert {"question", "kind", "notes", "extracts"} < found.keys()
    quotations = json.loads(quoted.stdout)
    assert quotations["kind"] == "extracts"
    for each in (found, quotations):
        texts = {passage["chunk_id"]: passage["text"] for passage in each["passages"]}
        for source in each["sources"]:
            assert all(quote["text"] in texts[source["chunk_id"]] for quote in source["quotes"])
        assert all(0 <= passage["score"] <= 1 for passage in each["passages"])
    assert told.stdout.startswith(f"{ANSWER} [1]\n\n[1] ")
    (tmp_path / "answer.json").write_text(done.stdout, encoding="utf-8")
    proven = kalends(None, "verify", "--file", tmp_path / "answer.json", "-w", warehouse)
    assert proven.returncode == 0, proven.stdout


def test_a_model_that_fails_leaves_extracts_and_one_line(warehouse: Path) -> None:
    with MessagesServer(lambda _: Fails(401)) as server:
        done = kalends(server, "ask", QUOTED, "-w", warehouse)
    assert done.returncode == 0
    assert "Note: the language model did not answer: " in done.stdout
    assert "Verbatim extracts from the documents:" in done.stdout
    assert done.stderr == ""


def test_without_a_key_the_documents_answer_and_that_is_said(warehouse: Path) -> None:
    done = kalends(None, "chat", "-w", warehouse, said=f"{QUOTED}\n")
    assert "Verbatim extracts from the documents:" in done.stdout
    assert done.stderr.startswith("kalends: no key for a language model")


def test_no_warehouse_and_no_session_are_said_at_once(warehouse: Path, tmp_path: Path) -> None:
    done = kalends(None, "chat", "-w", tmp_path / "none", said="Hello\n")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    done = kalends(None, "chat", "-w", warehouse, "--session", "../../x", said="Hello\n")
    assert done.returncode == 2
    assert "there is no session '../../x'" in done.stderr


def waiting(found: Callable[[], Any], seconds: float = 60) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.02)
    raise AssertionError("it did not come")


def test_ctrl_c_stops_the_answer_and_not_the_chat(warehouse: Path) -> None:
    def slow(body: Body) -> Reply:
        asked = body["messages"][-1]["content"][0]["text"]
        return says("Hello.") if asked == "Hello" else Reply((Says("a long answer " * 50),), pause=0.2)

    words = ["chat", "-w", str(warehouse)]
    with (
        MessagesServer(slow) as server,
        ForkedProcess(COMMAND_LINE, *words, pipes=STREAMS, environment=environment(server)) as running,
    ):
        assert running.stdin
        running.stdin.write("Tell me everything\n")
        running.stdin.flush()
        waiting(lambda: server.requests)
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate("Hello\n")
        last = server.requests[-1]["messages"]
    assert running.returncode == 0, err
    assert out.startswith("Stopped.\nHello.\n")
    assert [message["content"][0]["text"] for message in last] == ["Hello"]


@pytest.fixture
def terminal(warehouse: Path) -> Iterator[Callable[[MessagesServer], Any]]:
    running: list[ForkedProcess] = []
    yield lambda server: _at_terminal(warehouse, server, running)
    for each in running:
        each.kill()
        each.wait()


def _at_terminal(warehouse: Path, server: MessagesServer, running: list[ForkedProcess]) -> Any:
    import pty

    ours, theirs = pty.openpty()
    words, given = ["chat", "-w", str(warehouse)], environment(server, TERM="dumb")
    running.append(ForkedProcess(COMMAND_LINE, *words, environment=given, terminal=theirs))
    os.close(theirs)
    os.set_blocking(ours, False)
    seen: list[str] = []

    def read() -> str:
        with suppress(OSError):
            seen.append(os.read(ours, 65536).decode())
        return "".join(seen).replace("\r\n", "\n")

    return ours, read, running[-1]


def test_on_a_terminal_the_answer_is_streamed(warehouse: Path, terminal: Callable[[MessagesServer], Any]) -> None:
    def slow(body: Body) -> Reply:
        return Reply((Says("one two three \x1b[31mfour five six seven eight nine ten."),), pause=0.3)

    with MessagesServer(slow) as server:
        ours, read, process = terminal(server)
        waiting(lambda: "\n> " in read())
        os.write(ours, b"Count\n")
        waiting(lambda: "one two" in read())
        assert "ten." not in read()
        waiting(lambda: "ten." in read())
        waiting(lambda: read().endswith("> "))
        os.write(ours, b"\x04")
        waiting(lambda: process.poll() is not None)
    assert process.returncode == 0
    assert "\x1b[31m" not in read()
    assert "kalends chat --session" in read()
