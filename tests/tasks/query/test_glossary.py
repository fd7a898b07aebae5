"""A glossary: which entries a question calls for, whose words they give, and what a bad file is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tasks.query.glossary import read_glossaries
from warehouse.errors import BadSettings


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Does it have an improving operating margin?", "operating"),
        ("OPERATING MARGINS of 2020", "revenue"),
        ("a healthy liquidity profile based on its quick ratio", "liabilities"),
        ("Is it a capital-intensive business?", "purchases"),
        ("what is the year end net PPNE", "property,"),
        ("the P&L statement", "operations"),
        ("2023年毛利率是多少", "营业成本"),
    ],
)
def test_an_entry_gives_the_words_of_its_pages(question: str, words: str) -> None:
    assert words in read_glossaries().related(question).split()


def test_a_question_in_english_does_not_wait_for_the_dictionary_of_chinese() -> None:
    code = (
        "import sys; from tasks.query.glossary import read_glossaries; read_glossaries().related('the quick ratio');"
        "raise SystemExit('jieba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("question", ["", "Who directed the film?", "the operating room", "What is a net?", "谁是校长"])
def test_other_questions_get_nothing(question: str) -> None:
    assert read_glossaries().related(question) == ""


def test_each_word_comes_once_and_the_longest_phrase_counts(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    entries = [("blue moon", "rare event", "event"), ("blue", "colour", "colour")]
    file.write_text("".join(f'[[entry]]\nasked = ["{a}"]\nfound = ["{b}", "{c}"]\n' for a, b, c in entries))
    own = read_glossaries((file,))
    assert own.related("a blue moon") == "rare event"
    assert own.related("blue skies") == "colour"


@pytest.mark.parametrize("text", ["[[entry]\n", "[[entry]]\nasked = 3\n"])
def test_a_bad_file_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises(BadSettings, match=r"own\.toml is not a glossary"):
        read_glossaries((file,))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"nothing\.toml cannot be read"):
        read_glossaries((tmp_path / "nothing.toml",))
