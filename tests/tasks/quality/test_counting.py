"""What rules count faster in plain ASCII: the same as they count otherwise."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tasks.quality.rules.characters import _measure_letter_share
from tasks.quality.rules.passages import _estimate_tokens

ASCII = st.text(st.characters(max_codepoint=127), max_size=200) | st.lists(
    st.sampled_from(["word", "12,345", "https://example.org/a1", "internationally", "x_1", "\t", "\n", "1234567890"])
).map(" ".join)


@given(ASCII)
def test_tokens_are_estimated_alike(text: str) -> None:
    # What is not ASCII, and a token of its own, leads the slower way.
    assert _estimate_tokens(text) + 1 == _estimate_tokens(f"{text} é")


@given(ASCII)
def test_letters_are_counted_alike(text: str) -> None:
    words = [word for word in text.split() if "://" not in word]
    letters = sum(map(str.isalpha, "".join(word for word in words if not any(map(str.isdigit, word)))))
    assert _measure_letter_share(text) == letters / max(1, len("".join(words)))
