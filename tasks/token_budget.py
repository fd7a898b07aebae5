"""Token estimates of texts, and texts cut to a token budget.

A quarter of a token for an ASCII letter or a space, half of one for any other ASCII character, one for all others:
tokenizers have about four letters per token in English; digits, bars and Chinese cost more. The estimate is rather too
high than too low.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

DEFAULT_BUDGET = 2000  # Tokens of a tool's result by default.
MAX_BUDGET = 20_000  # The most tokens that may be asked for.
_LETTER_COST, _SIGN_COST, _NON_ASCII_COST = 1, 2, 4
_COST_PER_TOKEN = 4
OMISSION_MARK = " …"


def count_tokens(text: str) -> int:
    """The estimate for a text, rounded up."""
    return -(-sum(map(_measure_cost, text)) // _COST_PER_TOKEN)


def measure_fitting_length(text: str, budget: int) -> int:
    """The number of characters of a text that fit a budget, up to the end of a line or word if one is near."""
    costs = list(accumulate(map(_measure_cost, text[: budget * _COST_PER_TOKEN + 1])))
    fits = bisect_right(costs, budget * _COST_PER_TOKEN)
    if fits >= len(text):
        return len(text)
    for mark in ("\n", " "):
        index = text.rfind(mark, fits * 3 // 4, fits)
        if index > 0:
            return index
    return fits


def clip(text: str, budget: int) -> str:
    """A text, or as much of it as fits a budget, and then "…"."""
    if count_tokens(text) <= budget:
        return text
    return text[: measure_fitting_length(text, max(1, budget - 2))].rstrip() + OMISSION_MARK


def shorten_quote(text: str) -> str:
    """A person's or model's words on one line of at most 30 tokens, for a message that repeats them."""
    return clip(" ".join(text.split()), 30)


def split_budget(needs: Sequence[int], budget: int) -> list[int]:
    """The shares of a budget for some needs: the least need is met before any share exceeds it (max-min fairness)."""
    shares = [0] * len(needs)
    remaining, count = budget, len(needs)
    for index in sorted(range(len(needs)), key=lambda index: needs[index]):
        shares[index] = min(needs[index], remaining // count)
        remaining, count = remaining - shares[index], count - 1
    return shares


def take_fitting_lines(lines: Sequence[str], budget: int) -> list[str]:
    """The first lines that together fit a budget, at least one, which is cut if it does not fit alone."""
    fitting_lines: list[str] = []
    remaining = budget
    for line in lines:
        cost = count_tokens(line) + 1
        if cost > remaining:
            return fitting_lines or [clip(line, remaining - 1)]
        fitting_lines.append(line)
        remaining -= cost
    return fitting_lines


def paginate(lines: Iterable[str], budget: int) -> Iterator[list[str]]:
    """Lines in pages of at most `budget` tokens each; longer lines are cut."""
    page: list[str] = []
    remaining = budget
    for line in lines:
        short_line = clip(line, budget - 1)
        cost = count_tokens(short_line) + 1
        if page and cost > remaining:
            yield page
            page, remaining = [], budget
        page.append(short_line)
        remaining -= cost
    if page:
        yield page


def _measure_cost(char: str) -> int:
    if not char.isascii():
        return _NON_ASCII_COST
    return _LETTER_COST if char.isalpha() or char == " " else _SIGN_COST
