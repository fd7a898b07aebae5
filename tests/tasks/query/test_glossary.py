"""The glossary: which entries a question calls for, and whose words they give."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tasks.query import glossary
from tasks.query.glossary import related_words


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
    assert words in related_words(question).split()


def test_a_question_in_english_does_not_wait_for_the_dictionary_of_chinese() -> None:
    code = (
        "import sys; from tasks.query.glossary import related_words; related_words('the quick ratio');"
        "raise SystemExit('jieba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("question", ["", "Who directed the film?", "the operating room", "What is a net?", "谁是校长"])
def test_other_questions_get_nothing(question: str) -> None:
    assert related_words(question) == ""


def test_each_word_comes_once_and_the_longest_phrase_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "own.toml"
    entries = [("blue moon", "rare event", "event"), ("blue", "colour", "colour")]
    file.write_text("".join(f'[[entry]]\nasked = ["{a}"]\nfound = ["{b}", "{c}"]\n' for a, b, c in entries))
    monkeypatch.setattr(glossary, "_OF_REPORTS", str(file))
    glossary._phrases.cache_clear()
    try:
        assert related_words("a blue moon") == "rare event"
        assert related_words("blue skies") == "colour"
    finally:
        glossary._phrases.cache_clear()
