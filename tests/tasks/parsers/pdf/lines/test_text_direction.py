"""Hebrew and Arabic, which a page shows from right to left, are read in the order of their letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.pdf.lines.text_direction import join_words, read_letters


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        ("םולש", "שלום"),
        ("?םלוכ", "כולם?"),
        ("4202-ראוני", "ינואר-4202"),
        ("(4)(ב)15", "15(ב)(4)"),
        (")4()ב(15", "15(ב)(4)"),
        ("(ריאני)", "(ינאיר)"),
        ("ﺔﻴﺑﺮﻌﻟﺍ", "العربية"),
        ("naïve", "naïve"),
        ("(plain)", "(plain)"),
    ],
)
def test_letters_of_a_word(seen: str, read: str) -> None:
    assert read_letters(seen, seen) == read


def test_a_ligature_is_one_letter() -> None:
    assert read_letters("طوطلاا", ["ط", "و", "ط", "لا", "ا"]) == "الاطوط"


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        ("שולש םייתש תחא", "תחא םייתש שולש"),
        ("2024 לירפא 14", "14 לירפא 2024"),
        ("Line הלמ תחא here", "Line תחא הלמ here"),
        ("הז Open אוה הז", "הז אוה Open הז"),
        ("Net sales 2024 2023", "Net sales 2024 2023"),
        ("", ""),
    ],
)
def test_words_of_a_line(seen: str, read: str) -> None:
    assert join_words(seen.split()) == read


@given(st.lists(st.text(min_size=1, max_size=6).filter(lambda word: not word.isspace()), max_size=8))
def test_no_word_is_lost(words: list[str]) -> None:
    assert sorted(join_words(words)) == sorted(" ".join(words))
