"""The sections of documents that a question names: "in the Results of the paper on", "Item 1A", "under Limitations"."""

from __future__ import annotations

import re
from collections.abc import Iterator

_KNOWN = (
    "abstract|introduction|background|materials and methods|methods|results|discussion|conclusions?|limitations"
    "|risk factors|acknowledge?ments|references|appendix|summary"
)
_DOCUMENT = r"(?:paper|study|article|review|report|filing|10-[KQ]|note|course|memo)"
_IN = r"\b(?:[Ii]n|[Uu]nder|[Ff]rom) (?:the |its |their )?"
_TITLED = r"[A-Z][\w&/’'-]*(?: (?:and|of|the|for|to|[A-Z0-9][\w&/’'-]*)){0,6}"
_PATTERNS = (
    # A word that is a heading as often as not is one only where something says so.
    re.compile(
        rf"\bthe (?P<said>{_KNOWN})(?= section\b| of (?:the|this|that|my|our|\S{{1,30}}['’]s) "
        rf"(?:[\w'’-]{{1,30}} ){{0,5}}?{_DOCUMENT}\b)",
        re.IGNORECASE,
    ),
    re.compile(rf"{_IN}(?P<said>{_TITLED}) (?:section|heading|chapter)\b"),
    re.compile(rf"{_IN}(?P<said>{'|'.join(each.capitalize() for each in _KNOWN.split('|'))}|Risk Factors)\b"),
    re.compile(rf"\b[Uu]nder (?:the heading )?[\"“']?(?P<said>{_TITLED})"),
    re.compile(r"\b(?P<said>Item \d{1,2}[A-C]?)\b"),
    re.compile(r"[「“](?P<said>[^」”\n]{1,30})[」”](?:一节|一節|部分|章节|章節|这章|這章)"),
    re.compile(
        r"(?P<said>摘要|引言|方法|结果|結果|讨论|討論|结论|結論|风险因素|風險因素)(?:部分|一节|一節|章节|章節|里|裡)"
    ),
)


def sections_in(question: str) -> tuple[str, ...]:
    """The headings that a question plainly names, each once."""
    return tuple(dict.fromkeys(_found(question)))


def _found(question: str) -> Iterator[str]:
    taken: list[tuple[int, int]] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(question):
            start, end = match.span("said")
            if not any(start < other_end and other < end for other, other_end in taken):
                taken.append((start, end))
                yield match["said"]
