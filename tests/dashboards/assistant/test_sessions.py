"""Sessions are kept whole, apart and private."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.answer_types import AnswerKind, Usage
from dashboards.assistant.sessions import (
    MAX_TITLE_LENGTH,
    CondensedExchanges,
    Exchange,
    Sessions,
    StoredSource,
    format_conversation,
    parse_line,
    serialize_line,
)
from warehouse.errors import BadInput

ROOT = Path(__file__).parents[3]
NOW = datetime(2025, 11, 22, 3, 0, tzinfo=UTC)


def exchange(text: str, number: int = 0) -> Exchange:
    sources = (StoredSource(1, "A report (Page [2])", "file:///a.pdf#page=2", ("Revenue | 1",)),)
    said, cost = f"Answer {number} [1]", Usage(1, 2, 3, 4, 5)
    return Exchange(NOW, text, said, AnswerKind.MODEL, sources, ("a note",), 0.5, cost)


@given(st.text(), st.floats(0, 1) | st.none())
def test_what_is_written_is_read(text: str, proven: float | None) -> None:
    import json

    given = Exchange(NOW, text, text, AnswerKind.EXTRACTS, (StoredSource(1, text, text, (text,)),), (text,), proven)
    assert parse_line(json.loads(json.dumps(serialize_line(given), ensure_ascii=False))) == given
    assert parse_line(json.loads(json.dumps(serialize_line(CondensedExchanges(2, text))))) == CondensedExchanges(
        2, text
    )


NAMES = st.sampled_from(["type", "at", "usage", "sources", "notes", "kind", "text"])
PLAIN = st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["exchange", "condensed"])


@given(st.recursive(PLAIN, lambda each: st.lists(each) | st.dictionaries(NAMES, each)))
def test_whatever_else_is_written_is_passed_over(found: object) -> None:
    assert parse_line(found) is None


def test_files_are_private(tmp_path: Path) -> None:
    session = Sessions(tmp_path / "warehouse").start_session()
    session.append(exchange("one"))
    assert session.path.stat().st_mode & 0o777 == 0o600
    assert session.path.parent.stat().st_mode & 0o777 == 0o700


def test_a_session_without_exchanges_leaves_nothing(tmp_path: Path) -> None:
    session = Sessions(tmp_path).start_session()
    assert session.exchanges == ()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadInput, match="no session"):
        Sessions(tmp_path).open_session(session.id)


def test_a_torn_last_line_costs_only_itself(tmp_path: Path) -> None:
    session = Sessions(tmp_path).start_session()
    session.append(exchange("one"))
    session.append(exchange("two"))
    whole = session.path.read_bytes()
    session.path.write_bytes(whole[:-30])
    assert [each.question for each in session.exchanges] == ["one"]
    session.append(exchange("three"))
    assert [each.question for each in session.exchanges] == ["one", "three"]


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "/etc/passwd", "a" * 32 + "\n", "A" * 32, "a" * 31, "\0", "ａ" * 32]
)
def test_no_id_leaves_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "sessions").mkdir()
    with pytest.raises(BadInput, match="no session"):
        Sessions(tmp_path).open_session(name)


def test_ids_differ(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    assert len({sessions.start_session().id for _ in range(1000)}) == 1000


def test_all_are_listed_the_latest_first(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    made = [sessions.start_session() for _ in range(3)]
    for place, session in enumerate(made):
        session.append(exchange(str(place)))
        os.utime(session.path, (place, place))
    (sessions.folder / "notes.jsonl").write_text("{}")
    assert [session.id for session, _ in sessions.list_sessions()] == [session.id for session in reversed(made)]


def test_the_latest_condensed_text_counts_and_its_cost_does(tmp_path: Path) -> None:
    session = Sessions(tmp_path).start_session()
    session.append(exchange("one"))
    for count in (2, 4):
        session.append(CondensedExchanges(count, f"first {count}", Usage(10)))
    assert session.condensed_exchanges == CondensedExchanges(4, "first 4", Usage(10))
    assert session.usage.total == 30


def test_fifty_threads_on_one_session_lose_nothing(tmp_path: Path) -> None:
    session = Sessions(tmp_path).start_session()
    with ThreadPoolExecutor(50) as pool:
        list(pool.map(lambda number: session.append(exchange(f"{number} " + "x" * 5000)), range(200)))
    assert {each.question.split()[0] for each in session.exchanges} == {str(number) for number in range(200)}


def test_two_processes_on_one_session_lose_nothing(tmp_path: Path) -> None:
    session = Sessions(tmp_path).start_session()
    code = (
        "import sys; from pathlib import Path; from dashboards.assistant.sessions import MAX_TITLE_LENGTH, Session;"
        "from tests.dashboards.assistant.test_sessions import exchange;"
        "session = Session(sys.argv[1], Path(sys.argv[2]));"
        "[session.append(exchange(f'{sys.argv[3]}{n}' + 'x' * 9000)) for n in range(100)]"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, session.id, str(session.path), name], cwd=ROOT) for name in "ab"
    ]
    assert [each.wait(60) for each in running] == [0, 0]
    found = [each.question.rstrip("x") for each in session.exchanges]
    assert len(found) == 200
    for name in "ab":
        assert [each for each in found if each.startswith(name)] == [f"{name}{n}" for n in range(100)]


def test_a_session_is_exported_with_its_sources() -> None:
    text = format_conversation([exchange("What\nof it?")])
    assert "## What of it?\n" in text
    assert "Answer 0 [1]" in text
    assert "1. [A report (Page \\[2\\])](<file:///a.pdf#page=2>)\n   > Revenue | 1" in text
    assert "> Note: a note" in text
    assert "50% of its numbers" in text


@pytest.mark.parametrize("row", ["| 1 | 2 |", "| 1 | 2 | [1]"])
def test_table_rows_are_exported_as_a_table(row: str) -> None:
    text = format_conversation([replace(exchange("What?"), answer=f"| a | b |\n{row}\n\n“Said.” [2]")])
    assert "| a | b |\n| --- | --- |\n| 1 | 2 |\n" in text
    assert ("\n\n[1]\n\n" in text) == row.endswith("[1]")
    assert "“Said.” [2]" in text


def test_text_that_is_no_unicode_is_kept_as_far_as_it_is(tmp_path: Path) -> None:
    session = Sessions(tmp_path).start_session()
    session.append(exchange("caf\udce9"))
    assert [each.question for each in session.exchanges] == ["caf?"]


def test_a_title_is_kept_and_moves_nothing(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    first, second = sessions.start_session(), sessions.start_session()
    for each in (first, second):
        each.append(Exchange(datetime(2025, 1, 1, tzinfo=UTC), "What\nis it?", "A lamp.", AnswerKind.EXTRACTS))
    before = [(session.id, when) for session, when in sessions.list_sessions()]
    assert first.title == "What is it?"
    first.rename("  Of\nlamps ")
    assert first.title == "Of lamps"
    assert [(session.id, when) for session, when in sessions.list_sessions()] == before
    assert len(first.exchanges) == 1
    assert not first.usage.total
    first.rename("")
    assert first.title == "What is it?"
    first.rename("x" * 1000)
    assert len(first.title) == MAX_TITLE_LENGTH
