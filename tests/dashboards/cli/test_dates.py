"""`kalends dates` as its users meet it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from dashboards.cli.main import run
from tests.dashboards.cli.test_main import SAMPLES

RELEASE = SAMPLES / "reports" / "northlight-fy2025-q3.pdf"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["dates", *words]) == 0
    return capsys.readouterr().out


def test_a_line_says_what_was_read_and_what_was_not_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "On 03/04/2023, since last year", "--anchor", "2023-05-17").splitlines()
    assert lines == [
        "03/04/2023",
        (
            "  DATE 2023-03-04, from 2023-03-04 to 2023-03-05, month first, as filings are written, "
            "or from 2023-04-03 to 2023-04-04"
        ),
        "last year",
        "  DATE 2022, from 2022-01-01 on, ON_OR_AFTER, relative to 2023-05-17",
    ]
    assert printed(capsys, "nothing here") == "no dates\n"


def test_json_has_exact_spans(capsys: pytest.CaptureFixture[str]) -> None:
    text = "Sales in Q1 2023 and 2023年上半年"
    found = json.loads(printed(capsys, text, "--json"))
    assert [text[each["start"] : each["end"]] for each in found] == ["Q1 2023", "2023年上半年"]
    assert (found[1]["start_date"], found[1]["end_date"]) == ("2023-01-01", "2023-07-01")


def test_timeml_keeps_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    text = "from March to May 2021 <&> \x01 yesterday"
    tree = etree.fromstring(printed(capsys, text, "--timeml", "--anchor", "2021-06-02").encode())
    assert "".join(tree.find("TEXT").itertext()) == text.replace("\x01", "\ufffd")
    assert [(each.get("tid"), each.get("type"), each.get("value")) for each in tree.iter("TIMEX3")] == [
        ("t0", "DATE", "2021-06-02"),
        ("t1", "DATE", "2021-03"),
        ("t2", "DATE", "2021-05"),
        ("t3", "DATE", "2021-06-01"),
    ]


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("from March to May 2021", [("March", "2021-03"), ("May 2021", "2021-05")]),
        ("between 12 and 18 months", [("12", "P12M"), ("18 months", "P18M")]),
        ("in 2001 and 2002", [("2001", "2001"), ("2002", "2002")]),
        ("the years 2019-2021", [("2019", "2019"), ("2021", "2021")]),
        ("on May 4-22, 2021", [("May 4", "2021-05-04"), ("22, 2021", "2021-05-22")]),
        ("2021-03-01/2021-03-09", [("2021-03-01", "2021-03-01"), ("2021-03-09", "2021-03-09")]),
        ("3pm to 4pm", [("3pm", "2021-06-02T15:00"), ("4pm", "2021-06-02T16:00")]),
        ("nine months ended March 31", [("nine months", "P9M"), ("March 31", "2021-03-31")]),
        ("the first and second quarters of 2020", [("the first", "2020-Q1"), ("second quarters of 2020", "2020-Q2")]),
        ("over the past decade", [("the past decade", "P10Y")]),
        ("a 22-year-old man", [("22-year-old", "P22Y")]),
        ("2021年3月至5月", [("2021年3月", "2021-03"), ("5月", "2021-05")]),
    ],
)
def test_timeml_marks_each_end_of_a_range_and_ages(
    capsys: pytest.CaptureFixture[str], text: str, elements: list[tuple[str, str]]
) -> None:
    tree = etree.fromstring(printed(capsys, text, "--timeml", "--anchor", "2021-06-02").encode())
    assert "".join(tree.find("TEXT").itertext()) == text
    assert [(each.text, each.get("value")) for each in tree.find("TEXT").iter("TIMEX3")] == elements


def test_relative_times_of_an_undated_file_are_no_days(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Sales fell last month.\n", encoding="utf-8")
    assert run(["dates", "--file", str(file)]) == 0
    shown = capsys.readouterr()
    assert "last month\n  DATE XXXX\n" in shown.out
    assert "the file has no date" in shown.err
    assert run(["dates", "--file", str(file), "--anchor", "2021-03-04"]) == 0
    shown = capsys.readouterr()
    assert "from 2021-02-01 to 2021-03-01" in shown.out
    assert not shown.err


def test_a_file_is_read_against_its_own_date(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed(capsys, "--file", str(RELEASE), "--json"))
    assert any("column_header" in each for each in found)
    assert all("start_date" in each for each in found)
    assert json.loads(printed(capsys, str(RELEASE), "--json")) == found


def streamed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str, *words: str
) -> tuple[int, list[Any], str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    code = run(["dates", "--jsonl", *words])
    out, err = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()], err


def test_lines_are_answered_one_by_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = '{"id": 7, "text": "last year", "anchor": "2020-02-01"}\n\n{"id": "b", "text": "last year"}\n'
    code, found, err = streamed(capsys, monkeypatch, lines, "--anchor", "2011-01-01")
    assert (code, err) == (0, "")
    assert [(each["id"], each["mentions"][0]["value"]) for each in found] == [(7, "2019"), ("b", "2010")]
    file = tmp_path / "lines.jsonl"
    file.write_text(lines, encoding="utf-8")
    assert streamed(capsys, monkeypatch, "", "--file", str(file), "--anchor", "2011-01-01")[1] == found


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('{"text": "x"}\n{"id"', "line 2 is not JSON"),
        ('{"text": "x"}\n[1]', 'line 2 has no "text"'),
        ('{"text": "x"}\n{"text": "y", "anchor": "soon"}', "'soon' is not a date"),
        ('{"text": "x"}\n{"text": "y", "anchor": 5}', 'the "anchor" of line 2'),
    ],
)
def test_a_bad_line_is_named_and_those_before_it_answered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lines: str, said: str
) -> None:
    code, found, err = streamed(capsys, monkeypatch, lines)
    assert (code, len(found)) == (2, 1)
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give a text or a file"),
        (["x", "--file", "y"], "give a text or a file"),
        (["x", "--anchor", "2023-02-30"], "'2023-02-30' is not a date"),
        (["x", "--json", "--timeml"], "cannot be combined"),
        (["x", "--jsonl"], "cannot be combined with a text"),
        (["--file", "nowhere.pdf"], "cannot be opened"),
        (["--jsonl", "--file", "nowhere.jsonl"], "cannot be read"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert run(["dates", *words]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
