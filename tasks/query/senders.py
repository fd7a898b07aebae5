"""Senders of messages that a question names: "What did Anna Weber write about the pump?", "the mail from Tom".

A message stands below a heading with its sender (`warehouse.message_notation`), so a sender is a section to search in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAME = r"(?P<name>[A-Z][\w'’.-]*(?: (?:(?:van|von|de|da|der|den|al|bin) )?[A-Z][\w'’.-]*){0,3})"
_MAIL = r"(?:e-?mails?|mails?|messages?|letters?|repl(?:y|ies)|answers?)"
_SAY = (
    r"(?:write|say|send|ask|answer|reply|respond|promise|suggest|propose|offer|report|tell|announce|agree|confirm|mail"
    r"|e-?mail|forward|attach|request|complain|mention|think|decide)"
)
_SAID = (
    r"(?:wrote|said|sent|asked|answered|replied|responded|promised|suggested|proposed|offered|reported|told|announced"
    r"|agreed|confirmed|mailed|e-?mailed|forwarded|attached|requested|complained|mentioned|decided)"
)
_ENGLISH = (
    re.compile(rf"\b(?:[Dd]id|[Dd]oes|[Hh]as|[Hh]ad) {_NAME} (?:ever |already |last )?(?:{_SAY}|{_SAID}|written)\b"),
    re.compile(rf"\b{_NAME} (?:last |first |once )?{_SAID}\b"),
    re.compile(rf"\b{_MAIL}(?: (?:that (?:came|is|was)|sent|written|I got))? (?:from|by|of) {_NAME}"),
    re.compile(rf"\b{_NAME}['’]s? (?:\w+ ){{0,2}}{_MAIL}\b"),
)
_CHINESE = re.compile(
    r"(?P<name>[\u4e00-\u9fff]{2,4}?)(?:在[^，。？]{1,12}?)?(?:写了|写过|写的|發了|发了|发来|发的|说了|說了|回复了|来信|的(?:邮件|郵件|信))"
)
_NO_NAMES = frozenset(
    ["What", "When", "Where", "Who", "Whom", "Which", "Why", "How", "Did", "Does", "Has", "Had", "The", "A", "An", "I"]
)
_NOBODY = frozenset(["我们", "你们", "他们", "什么", "哪些", "最新", "最近", "那天", "当天", "关于", "收到"])


def find_senders(question: str) -> tuple[str, ...]:
    """The names of people whose messages a question asks for, each once."""
    return tuple(dict.fromkeys(_iter_names(question)))


def _iter_names(question: str) -> Iterator[str]:
    for form in _ENGLISH:
        for match in form.finditer(question):
            words = match["name"].removesuffix("'s").removesuffix("’s").split()
            while words and words[0] in _NO_NAMES:
                del words[0]
            if words:
                yield " ".join(words)
    yield from (match["name"] for match in _CHINESE.finditer(question) if match["name"] not in _NOBODY)
