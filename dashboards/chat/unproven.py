"""The mark behind what no source of an answer has."""

from __future__ import annotations

from dashboards.chat.records import Answer

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
