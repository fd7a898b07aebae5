"""What no source of an answer has: the mark behind it, and what tools gave instead."""

from __future__ import annotations

from dashboards.assistant.records import Answer

UNPROVEN = "[?]"
"""Stands behind each number and quotation without proof."""


def marked(answer: Answer) -> str:
    """The text with a mark behind each number and quotation that its sources do not have."""
    pieces, place = [], 0
    for claim in sorted(answer.claims, key=lambda each: each.end):
        if not claim.proven:
            pieces += [answer.text[place : claim.end], UNPROVEN]
            place = claim.end
    return "".join([*pieces, answer.text[place:]])


def given_by_tools(answer: Answer) -> dict[str, list[str]]:
    """The numbers, times and quotations that stand in the result of a tool and in no cited passage, by tool."""
    found: dict[str, dict[str, None]] = {name: {} for name in answer.tools}
    for claim in answer.claims:
        if claim.tool:
            found[claim.tool][answer.text[claim.start : claim.end]] = None
    return {name: list(said) for name, said in found.items()}
