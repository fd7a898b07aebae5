"""Find the temporal expressions of a text and the days they mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from tasks.temporal import absolute, business, chinese, partial, relative
from tasks.temporal.grammar import Grammar
from warehouse.records import Mention

_ENGLISH_RULES = (*absolute.RULES, *business.RULES, *relative.RULES, *partial.RULES)
_ENGLISH = Grammar(_ENGLISH_RULES)
_EVERY = Grammar((*_ENGLISH_RULES, *chinese.RULES))
_HALF_WIDTH = {ord("０") + digit: ord("0") + digit for digit in range(10)}


def tag(text: str, anchor: date | None, language: str) -> tuple[Mention, ...]:
    """Every temporal expression in the order of the text; none overlap, the longest wins.

    `anchor` is the day relative expressions count from; without it they keep no dates. `language` is "en", "zh" or
    "und"; Chinese is looked for unless it is "en".
    """
    if language == "en":
        return _disjoint(_ENGLISH.scan(text, anchor))
    # Full-width digits become ASCII one for one, so spans stay those of the text given.
    plain = text.translate(_HALF_WIDTH)
    found = _disjoint(_EVERY.scan(plain, anchor))
    return found if plain == text else tuple(_showing(text, mention) for mention in found)


def _disjoint(found: Iterable[Mention]) -> tuple[Mention, ...]:
    kept: list[Mention] = []
    for mention in found:
        if kept and mention.start < kept[-1].end:
            if mention.end - mention.start <= kept[-1].end - kept[-1].start:
                continue
            kept.pop()
        kept.append(mention)
    return tuple(kept)


def _showing(text: str, mention: Mention) -> Mention:
    shown = text[mention.start : mention.end]
    return mention if shown == mention.text else replace(mention, text=shown)
