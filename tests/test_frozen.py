"""What the comparison of two recordings prints, and what is masked in them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.frozen import compare
from benchmarks.recordings.masks import Masks

Make = Callable[[str, dict[str, str]], Path]


@pytest.fixture
def recording(tmp_path: Path) -> Make:
    def make(name: str, texts: dict[str, str]) -> Path:
        for file, text in texts.items():
            (tmp_path / name / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / file).write_text(text, encoding="utf-8")
        return tmp_path / name

    return make


def test_equal_recordings_do_not_differ(recording: Make, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {"help/search.txt": "a\nb\n", "tables/chunks.jsonl": "{}\n"}
    old = recording("old", {**texts, "recording.json": '{"commit": "one", "day": "2026-01-01"}'})
    new = recording("new", {**texts, "recording.json": '{"commit": "two", "day": "2026-01-01"}'})
    assert compare(old, new) == 0
    assert capsys.readouterr().out == "No difference in 2 parts.\n"


def test_a_changed_line_is_printed_with_its_part(recording: Make, capsys: pytest.CaptureFixture[str]) -> None:
    old = recording("old", {"help/search.txt": "a\nb\nc\n", "hits/one.txt": "same\n"})
    new = recording("new", {"help/search.txt": "a\nB\nc\n", "hits/one.txt": "same\n"})
    assert compare(old, new) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "== help: 1 files differ, 0 of them on one side only, 2 lines"
    assert {"--- old/help/search.txt", "-b", "+B"} <= set(lines)
    assert lines[-1] == "1 files differ."


def test_words_renamed_on_purpose_are_no_difference(recording: Make, capsys: pytest.CaptureFixture[str]) -> None:
    old = recording("old", {"hits/one.txt": '"has_table": null\n--has_table-x\n'})
    new = recording("new", {"hits/one.txt": '"tables": null\n--has_table-x\n'})
    assert compare(old, new, {"has_table": "tables"}) == 0
    assert compare(old, new) == 1


def test_frequent_lines_are_counted_first(recording: Make, capsys: pytest.CaptureFixture[str]) -> None:
    old = recording("old", {f"hits/{n}.txt": "a\nb\n" for n in range(6)})
    new = recording("new", {f"hits/{n}.txt": "a\nc\n" for n in range(6)})
    assert compare(old, new) == 1
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert {"6 times - b", "6 times + c"} <= set(lines[1:3])


def test_a_missing_part_is_named(recording: Make, capsys: pytest.CaptureFixture[str]) -> None:
    old = recording("old", {"help/search.txt": "a\n", "mcp/tools.json": "{}\n"})
    new = recording("new", {"help/search.txt": "a\n"})
    assert compare(old, new) == 1
    said = capsys.readouterr().out
    assert "== mcp: 1 files differ, 1 of them on one side only" in said
    assert f"mcp/tools.json: not in {new}" in said


def test_recordings_of_two_days_are_said_to_be(recording: Make, capsys: pytest.CaptureFixture[str]) -> None:
    old = recording("old", {"recording.json": '{"day": "2026-01-01"}'})
    new = recording("new", {"recording.json": '{"day": "2026-01-02"}'})
    assert compare(old, new) == 0
    assert "of two days" in capsys.readouterr().out


def test_long_differences_are_limited(recording: Make, capsys: pytest.CaptureFixture[str]) -> None:
    old = recording("old", {"hits/long.txt": "".join(f"{n}\n" for n in range(500))})
    new = recording("new", {"hits/long.txt": "".join(f"{n} more\n" for n in range(500))})
    assert compare(old, new) == 1
    said = capsys.readouterr().out
    assert "1000 lines" in said
    assert "more lines of hits/long.txt" in said
    assert len(said.splitlines()) < 60


def test_masks_hide_what_changes_from_run_to_run() -> None:
    masks = Masks(Path("/code"), Path("/place"))
    now = datetime.now(UTC)
    text = f"published {now} in 9.4 s of /place/wh at 127.0.0.1:8123; see /code/a.py, 3.1 MB"
    assert (
        masks.all(text)
        == "published <moment> in <duration> of <work>/wh at 127.0.0.1:<port>; see <checkout>/a.py, <size>"
    )
    assert masks.all("dated 2025-06-15, 51 chunks, score 0.484") == "dated 2025-06-15, 51 chunks, score 0.484"
    table = "name   ms  hits\n----  ---  ----\none   8.1     3\n\ndone   9"
    assert masks.all(table) == masks.all(table.replace("8.1", "9.7"))
