"""Times without bounds: "now", "recently", "the past", "soon"; and "then", which is what the text spoke of."""

from __future__ import annotations

import re

from tasks.temporal.english.lexicon import S, any_of
from tasks.temporal.grammar import GrammarRule, rule
from tasks.temporal.meanings.offsets import Told
from tasks.temporal.readings import Meaning, Vague

_WORDS = {
    "now": "PRESENT_REF",
    "nowadays": "PRESENT_REF",
    "currently": "PRESENT_REF",
    "presently": "PRESENT_REF",
    "recently": "PAST_REF",
    "lately": "PAST_REF",
    "soon": "FUTURE_REF",
    "shortly": "FUTURE_REF",
}
_NOUNS = {"past": "PAST_REF", "future": "FUTURE_REF", "present": "PRESENT_REF"}
_THE = rf"the{S}(?:(?:near|not-too-distant|foreseeable|distant|immediate|recent|very){S})?"
_NOT_A_NOUN = (
    r"(?=[.,;:!?)\"'’”]|\s{1,2}(?:and|or|but|to|with|by|for|in|on|as|at|is|was|were|has|had|have|that|when|where|which"
    r"|than|will|would|can|could|may|should|it|he|she|they|we|you|I|because|if|there)\b|\s{0,3}\Z)"
)
_NOT_THEN = rf"(?!{S}(?:that|after|before|afterwards?|thereafter|let|suppose|consider|to{S}be)\b)"
"""Soon after something, and "now that": no times."""
_LONG = rf"(?:(?:not|so|very){S})?(?:an?{S})?(?:(?:long|short|some){S}time|long)"
_ACCOUNTS = (
    "assets?|liabilit(?:y|ies)|portion|debt|accounts?|tax(?:es)?|income tax(?:es)?|service cost|ratio|maturities"
    "|borrowings?|receivables?|payables?|investments?|provisions?|and|or"
)
"""What is current in a balance sheet."""
_TERMS = any_of(("long", "longer", "near", "short", "shorter", "medium", "immediate"))


def _word(match: re.Match[str]) -> Meaning:
    return Vague(_WORDS[match["word"].lower()])


def _noun(match: re.Match[str]) -> Meaning:
    return Vague(_NOUNS[match["noun"].lower()])


RULES: tuple[GrammarRule, ...] = (
    rule(_WORDS, rf"(?P<word>{any_of(_WORDS)}){_NOT_THEN}", _word, lead=r"(?<!\bas )(?<!known )"),
    rule({"now"}, rf"(?:right|just){S}(?P<word>now)\b", _word, lead=rf"(?:right|just){S}"),
    rule(
        {"recently", "soon"},
        rf"(?:more|most|very|just|quite|as){S}(?P<word>recently|soon)\b(?!{S}as\b){_NOT_THEN}",
        _word,
        lead=rf"(?:more|most|very|quite){S}",
    ),
    rule({"recent"}, r"recent\b", lambda _: Vague("PAST_REF")),
    rule({"current"}, rf"(?<!-)current\b(?!-|{S}(?:{_ACCOUNTS})\b)", lambda _: Vague("PRESENT_REF")),
    rule({"past", "future", "present"}, rf"{_THE}(?P<noun>past|future|present)\b{_NOT_A_NOUN}", _noun, lead=_THE),
    rule({"present"}, rf"present\b{_NOT_A_NOUN}", lambda _: Vague("PRESENT_REF"), lead=r"(?<=\bat )"),
    rule({"term"}, rf"the{S}{_TERMS}{S}term\b(?!-)", lambda _: Vague("FUTURE_REF"), lead=rf"the{S}{_TERMS}{S}"),
    rule(
        {"time", "moment"},
        rf"(?:the{S}(?:present{S}time|current{S}time|time{S}being|(?:(?<=at the )|(?<=for the ))moment)|this{S}moment)"
        rf"\b(?!{S}(?:I|you|we|he|she|it|they|of|when|that)\b)",
        lambda _: Vague("PRESENT_REF"),
        lead=rf"(?:the{S}(?:(?:present|current){S})?|this{S})",
    ),
    rule(
        {"time"}, rf"that{S}time\b", lambda _: Told(), lead=rf"(?:(?<=\bat )|(?<=\bby )|(?<=since )|(?<=until ))that{S}"
    ),
    rule({"ago"}, rf"{_LONG}{S}ago\b", lambda _: Vague("PAST_REF"), lead=rf"{_LONG}{S}"),
    rule(
        {"then"}, r"then\b", lambda _: Told(), lead=r"(?:(?<=\bby )|(?<=since )|(?<=until )|(?<=\bback )|(?<=before ))"
    ),
)
