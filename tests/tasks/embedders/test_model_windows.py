from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedders.bert.bert_embedder import BertEmbedder
from tasks.embedders.embedder import MAX_WINDOW_OVERLAP, Embedder, UncutSpan, WindowCutter, open_embedder
from tests.examples import examples

MINILM = open_embedder("minilm")
ROOM = 254
HEAD = "[TABLE 1]\n| Item | 2024 |\n| --- | --- |\n"

plain_words = st.text("abcxyzé ,.-", min_size=1, max_size=12)
odd_words = st.one_of(
    st.text(min_size=1, max_size=40),
    st.text("季度收入增长百分之五한국어", min_size=1, max_size=300),
    st.integers(1, 3000).map(lambda n: "supercalifragilistic"[: n % 20 + 1] * (n // 20 + 1)),
    st.sampled_from(["[SEP]", "[TABLE 1]", "[END TABLE]", "\n", "|", "😀" * 30]),
)
cells = st.lists(st.one_of(plain_words, odd_words), min_size=1, max_size=6)
rows = cells.map(lambda row: "| " + " | ".join(cell.replace("\n", " ") for cell in row) + " |")
tables = st.lists(rows, max_size=60).map(lambda body: HEAD + "".join(f"{row}\n" for row in body) + "[END TABLE]")
prose = st.lists(st.one_of(plain_words, odd_words), max_size=80).map(" ".join)
texts = st.lists(st.one_of(prose, tables, prose.map(lambda text: text * 4)), max_size=4).map("\n".join)
prefixes = st.one_of(st.just(""), st.text(max_size=200))


def chars(text: str) -> list[UncutSpan]:
    """A tokenizer whose tokens are characters and whose words are what white space divides."""
    found, start = [], 0
    for word in text.split():
        start = text.index(word, start)
        found.append(UncutSpan(start, start + len(word), len(word)))
        start += len(word)
    return found


def cut(prefix: str, text: str, room: int) -> tuple[str, ...]:
    cutter = WindowCutter(room, chars, lambda shown: sum(word.tokens for word in chars(shown)))
    return tuple(cutter.cut(prefix, text))


def assert_holds(found: tuple[str, ...], words: list[str]) -> None:
    """Every word is in a window, and the windows go through them in order."""
    at = 0
    for word in words:
        while word not in found[at]:
            at += 1
            assert at < len(found), f"{word!r} is in no window"


@given(prefixes, texts)
@examples(2)
def test_no_token_is_lost_and_every_window_fits_the_model(prefix: str, text: str) -> None:
    assert isinstance(MINILM, BertEmbedder)
    found = MINILM.cut_windows(prefix, text)
    sizes = [len(MINILM._tokenizer.encode(window).ids) for window in found]
    assert max(sizes) <= MINILM.window
    pieces = [text[word.start : word.end] for word in MINILM.split_words(text) if word.tokens < ROOM // 4]
    assert_holds(found, pieces)


@given(st.text("ab", min_size=1, max_size=30), st.lists(st.text("xyz", min_size=1, max_size=400), max_size=30))
def test_a_word_longer_than_a_window_is_cut_into_pieces_that_make_it(prefix: str, words: list[str]) -> None:
    room = 100
    text = " ".join(words)
    found = cut(prefix, text, room)
    assert all(sum(word.tokens for word in chars(window)) <= room for window in found)
    joined = "".join(window.removeprefix(prefix) for window in found)
    for letter in "xyz":
        assert joined.count(letter) >= text.count(letter)


@pytest.mark.parametrize("name", ["minilm", "hashing"])
def test_a_text_that_fits_is_its_own_only_window(name: str) -> None:
    chosen: Embedder = open_embedder(name)
    assert chosen.cut_windows("", "Revenue rose.") == ("Revenue rose.",)
    assert chosen.cut_windows("Report > Results", "Revenue rose.") == ("Report > Results\nRevenue rose.",)
    assert chosen.cut_windows("", "") == ("",)


def test_windows_of_prose_overlap_a_little_and_repeat_the_prefix() -> None:
    text = " ".join(f"w{number:03}" for number in range(200))
    found = cut("TOP", text, 103)
    bodies = [window.removeprefix("TOP\n").split() for window in found]
    assert len(bodies) > 5
    assert all(window.startswith("TOP\n") for window in found)
    for before, after in pairwise(bodies):
        shared = len(set(before) & set(after))
        assert 0 < 4 * shared <= MAX_WINDOW_OVERLAP


def test_a_long_table_gives_groups_of_rows_under_its_head() -> None:
    body = [f"| item {number} | {number * 11} |" for number in range(100)]
    table = HEAD + "\n".join(body) + "\n[END TABLE]"
    found = MINILM.cut_windows("Acme 10-K", f"In millions.\n{table}\nSee the notes.")
    tables = [window for window in found if HEAD in window]
    assert len(found) == len(tables) + 2
    assert all(window.startswith(f"Acme 10-K\n{HEAD}") for window in tables)
    shown = [line for window in tables for line in window.splitlines() if line.startswith("| item")]
    assert shown == body


def test_a_row_wider_than_the_window_is_cut_under_the_head() -> None:
    wide = "| " + " | ".join(f"value {number}" for number in range(300)) + " |"
    found = MINILM.cut_windows("", f"{HEAD}| small | 1 |\n{wide}\n| last | 2 |\n[END TABLE]")
    assert all(window.startswith(HEAD) for window in found)
    assert_holds(found, [f"value {number}" for number in range(300)])
    assert "| last | 2 |" in found[-1]


def test_a_head_or_prefix_that_would_fill_the_window_is_cut_not_repeated() -> None:
    prefix = " ".join(f"p{number}" for number in range(120))
    found = MINILM.cut_windows(prefix, " ".join(f"t{number}" for number in range(120)))
    assert_holds(found, [f"p{number}" for number in range(120)] + [f"t{number}" for number in range(120)])
    assert not any("p0 " in window for window in found[1:])
    head = "[TABLE 2]\n|" + " column |" * 150 + "\n|" + " --- |" * 150 + "\n"
    assert sum("[TABLE 2]" in window for window in MINILM.cut_windows("", f"{head}| 1 |\n[END TABLE]")) == 1


@given(st.lists(st.integers(1, 99), min_size=1, max_size=40))
def test_words_of_any_weight_are_in_a_window_in_order(sizes: list[int]) -> None:
    words = [f"{number:03}".ljust(size, "x") for number, size in enumerate(sizes, 100)]
    found = cut("", " ".join(words), 99)
    assert all(sum(word.tokens for word in chars(window)) <= 99 for window in found)
    assert_holds(found, words)
    assert len(found) <= 2 * len(words)
