from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.store.words import LONGEST, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Revenues were rising; the company’s revenue rose.", "revenu were rise the compani revenu rose"),
        ("1,234.5 and 1234.5 in 2025.", "1234.5 and 1234.5 in 2025"),
        ("Q2 FY2024, H1N1, 10-K", "q2 fy2024 h1n1 10 k"),
        ("up 5% to $1,250,000,", "up 5 to 1250000"),
        ("1,23 is no thousand", "1 23 is no thousand"),
        ("ＦＵＬＬ Ｗｉｄｔｈ １２３", "full width 123"),
        ("snake_case Ärger", "snake case ärger"),
        ("", ""),
        ("!?… — 😀", ""),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert words(text) == expected.split()


def test_chinese_gives_bigrams_and_the_words_of_the_dictionary() -> None:
    found = words("苹果公司2024年第二季度收入增长")
    assert {"苹果", "公司", "收入", "增长", "2024", "季度"} <= set(found)
    assert "中华人民共和国" in words("中华人民共和国成立")
    assert words("水") == ["水"]


@given(st.text(max_size=200))
def test_words_hold_no_space_are_short_and_do_not_depend_on_case(text: str) -> None:
    found = words(text)
    assert all(word and len(word) <= LONGEST and not any(char.isspace() for char in word) for word in found)
    assert words(f"{text} revenue") == [*found, "revenu"]
    if text.isascii():
        assert words(text.upper()) == found


def test_jieba_is_loaded_for_chinese_alone_and_is_silent(tmp_path: Path) -> None:
    code = """
import sys
from warehouse.store.words import words
words("plain English")
assert "jieba" not in sys.modules
words("中文")
assert "jieba" in sys.modules
"""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=Path(__file__).parents[2],
        env={"TMPDIR": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert not list(tmp_path.iterdir())
