"""Sources in a markup made of pieces, each with words that no other has, and what their parser makes of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time

from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from tests.call_counts import count_calls
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import Document

_PLACE = re.compile(r"@")
_WORD = re.compile(r"word\d+x")


def sources(pieces: Sequence[str]) -> st.SearchStrategy[str]:
    """Texts of such pieces in any order; each `@` in them is a word of its own."""

    def fill(chosen: list[str]) -> str:
        numbers = iter(range(1, 10_000))
        return _PLACE.sub(lambda _: f"word{next(numbers)}x", "\n".join(chosen))

    return st.lists(st.sampled_from(pieces), max_size=15).map(fill)


def loses_no_word(name: str, text: str) -> None:
    """Every word of the source is in the document, once at least."""
    document = parse_as(name, Raw("x", text.encode()))
    keeps_its_promises(document)
    assert set(_WORD.findall(text)) <= set(_WORD.findall(document.text))


def is_linear(name: str, unit: str, end: str = "", *, start: str = "") -> None:
    """Four times as much of a piece costs no more than about four times as many calls, nor much more time.

    Searches that go back step by step make no calls, so time is measured too; again only where something disturbed it.
    """
    small, large = (
        partial(parse_as, name, Raw("x", (start + unit * count + end * count).encode())) for count in (300, 1_200)
    )
    (many, long), (few, short) = _measure(large), _measure(small)
    assert many < 6 * few + 6_000
    assert long < 10 * short + 0.1 or any(_measure(large)[1] < 10 * _measure(small)[1] + 0.1 for _ in range(4))


def _measure(work: Callable[[], object]) -> tuple[int, float]:
    """The calls, and the seconds of the processor."""
    started = process_time()
    return count_calls(work), process_time() - started


def shown(document: Document) -> list[tuple[str, str]]:
    """The kind and the text of each block."""
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]
