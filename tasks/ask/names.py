"""The names in a question: what it quotes, and its runs of words with capitals, kept whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from warehouse.search.name_variants import TOKEN

_QUOTED = re.compile(
    r"\"([^\"\n]{2,120})\"|“([^”\n]{2,120})”|《([^》\n]{1,60})》|「([^」\n]{1,60})」|『([^』\n]{1,60})』"
)
_JOINTS = re.compile(r"(?:\s?&\s?|\.\s?|-|['’]|\s(?:of|the|de|la|von|van)\s|\s){1,2}")
_WITHIN = ("of", "the", "de", "la", "von", "van")
_ASKING_WORDS = (
    "what when where which who whom whose why how did does do was were are is am be been has have had can could"
    " will would should may might must shall the a an and for show tell list compare find give name describe"
    " explain please if of according as at in on from by with to between during after before since this that these"
    " those it its i we our you your my their his her there here not no yes also using use based answer round"
    " assume calculate compute"
)
_ASKING = frozenset(_ASKING_WORDS.split())
_TIMES_WORDS = (
    "january february march april may june july august september october november december jan feb mar apr jun"
    " jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday q1 q2 q3 q4 h1 h2 fy"
    " cy fiscal year quarter half usd eur gbp gaap"
)
_TIMES = frozenset(_TIMES_WORDS.split())
_TIME = re.compile(r"(?:fy|cy|[qh]\d|[1-4][qh])*\d*(?:[qh]\d)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of a question: its span, whether it has a capital or digit, begins a sentence, or is a possessive."""

    text: str
    start: int
    end: int
    capital: bool
    first: bool
    possessive: bool


def words_of(question: str) -> list[QuestionWord]:
    """The words of a question; the "s" of a possessive belongs to the word before it."""
    found: list[QuestionWord] = []
    first = True
    for match in TOKEN.finditer(question):
        text, start = match[0], match.start()
        if text.lower() == "s" and start and question[start - 1] in "'’" and found and found[-1].end == start - 1:
            last = found.pop()
            found.append(QuestionWord(last.text, last.start, last.end, last.capital, last.first, possessive=True))
            continue
        first = first or bool(re.search(r"[.!?。！？]\s+$|[:：]\s*$", question[max(0, start - 4) : start]))
        capital = any(char.isupper() or char.isdigit() for char in text) or not text.isascii()
        found.append(QuestionWord(text, start, match.end(), capital, first, possessive=False))
        first = False
    return found


def names_in(question: str) -> tuple[str, ...]:
    """The names in a question, each once: quoted ones first, then capitalised runs in order.

    Words that ask, times and numbers are no names, nor is a capital that only begins a sentence, unless more follow.
    """
    quoted = [next(group for group in match.groups() if group).strip() for match in _QUOTED.finditer(question)]
    outside = _QUOTED.sub(lambda match: " " * len(match[0]), question)
    return tuple(dict.fromkeys([*quoted, *_runs(outside)]))


def is_asking(word: str) -> bool:
    """Whether a word with a capital names nobody: one that asks, or a time."""
    return word.lower() in _ASKING or word.lower() in _TIMES or bool(_TIME.fullmatch(word))


def _runs(question: str) -> Iterator[str]:
    run: list[QuestionWord] = []
    for word in [*words_of(question), None]:
        if word is not None and run and _goes_on(question, run[-1], word):
            run.append(word)
            continue
        yield from _name(question, run)
        starts = word is not None and word.text.isascii() and word.capital and not is_asking(word.text)
        run = [word] if word is not None and starts else []


def _goes_on(question: str, last: QuestionWord, word: QuestionWord) -> bool:
    between = question[last.end : word.start]
    joins = not last.possessive and bool(_JOINTS.fullmatch(between)) and word.text.isascii()
    return joins and ((word.capital and not is_asking(word.text)) or word.text in _WITHIN)


def _name(question: str, run: list[QuestionWord]) -> Iterator[str]:
    while run and (run[-1].text in _WITHIN):
        run = run[:-1]
    alone = len(run) == 1 and run[0].first and not run[0].possessive and run[0].text[1:].islower()
    if run and not alone and any(char.isalpha() for word in run for char in word.text):
        yield question[run[0].start : run[-1].end]
