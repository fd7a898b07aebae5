"""Statements about the present that a later document may replace: sentences with figures, and no period of their own.

"The plan costs 30 dollars a month" is replaced by the same sentence with another figure in a later document, and "The
head of the board is Anna Berg" by that with another name. "Revenue was 3.1 million in 2023" is not: it remains true of
2023. "Revenue was 3.1 million this quarter" is not comparable.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile

from tasks.chunkers.parts.sentences import find_sentences, is_closed
from tasks.quality.checked_document import CheckedDocument, is_back_matter
from warehouse.identity import digest
from warehouse.records import BlockKind, TimexType

_FIGURE = re.compile(r"(?<!\w)\d(?:[\d.,]*\d)?")
_LABEL = re.compile(r"\b[A-Z][a-z]+\.? (?=\d)|[#§] ?(?=\d)")
"""Words whose number is a name: Note 3, Section 12, No. 7."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\d_]+")
_PAST = re.compile(
    r"\b(?:was|were|had|rose|fell|grew|reached|amounted|totall?ed|ended|compared|reported|went|came|made|saw"
    r"|(?:in|de)creased|improved|declined|dropped|gained|earned|paid|sold|generated|recorded|posted)\b|了",
    re.IGNORECASE,
)
"""A sentence about the past stays true when another period is reported."""
_LENGTH = re.compile(
    r"\b\d+(?:[ -](?:calendar|business|working))?[ -](?:day|week|month|year|quarter)s?\b"
    r"|\b(?:a|an|per|each|every|all|working|business|week|of) (?:day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
"""Durations and frequencies, which are no period of a statement's own."""
_HOLDER = re.compile(
    r"((?:The|Our|Its|Their) .{8,200}\b(?:is|are|remains?)) ([A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*){1,3})\s?\."
)
"""The holder of an office: the last words, a name, may change like a figure."""
_NEWLY = re.compile(r"\b(?:now|current(?:ly)?|still|present(?:ly)?|at present)\b ?", re.IGNORECASE)
"""Words that say that a statement is true when it is written, which it is without them as well."""
_MIN_WORDS = 5
_MAX_STATEMENTS = 2_000
_MAX_LENGTH = 400
_NO_STATEMENT = re.compile(
    r"\bdoi\b|https?://|\bet al\b"
    r"|\b(?:quarter|year|month|week|day|period|today|yesterday|to date|fiscal|same time)s?\b|季度|年|月|本期|同期",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence: a digest of its words without figures or name (`subject`), its figures or name, and its span."""

    subject: str
    figures: tuple[str, ...]
    start: int
    end: int


def find_statements(subject: CheckedDocument) -> tuple[Statement, ...]:
    """At most 2,000 statements of a document, in order."""
    statements_with_spans = (
        (parse_statement(subject.document.text[start:end], start), start, end)
        for start, end in _iter_sentences(subject)
    )
    statements = (
        each for each, start, end in statements_with_spans if each is not None and not _is_dated(subject, start, end)
    )
    return tuple(select_single(list(islice(statements, _MAX_STATEMENTS))))


def select_single(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The statements that a document makes only once: one repeated with other figures is a form, such as a caption."""
    figures: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for each in statements:
        figures[each.subject].add(each.figures)
    return (each for each in statements if len(figures[each.subject]) == 1)


def _iter_sentences(subject: CheckedDocument) -> Iterator[tuple[int, int]]:
    text = subject.document.text
    for block in subject.prose:
        if is_back_matter(block):
            continue
        edges = [block.start, *find_sentences(text, block.start, block.end), block.end]
        if block.kind is BlockKind.LIST:
            lines = [match.end() for match in re.finditer("\n", text[block.start : block.end])]
            edges = sorted({*edges, *(block.start + line for line in lines)})
        yield from pairwise(edges)


def parse_statement(sentence: str, start: int) -> Statement | None:
    """The statement of a sentence that begins at `start`; None if it is of a period or the past, or has no figures.

    Whether it names a time is not checked.
    """
    text = sentence.strip()
    if len(text) > _MAX_LENGTH or not is_closed(text) or _LABEL.search(text):
        return None
    # A reference, or a sentence that speaks of a period or of the past.
    if _NO_STATEMENT.search(_LENGTH.sub("", text)) or _PAST.search(text):
        return None
    plain = _NEWLY.sub("", text)
    holder = _HOLDER.fullmatch(plain)
    frame, values = (holder[1], (holder[2],)) if holder else (_FIGURE.sub("0", plain), tuple(_FIGURE.findall(plain)))
    words = _WORD.findall(frame.lower())
    if not values or len(words) < _MIN_WORDS or len(values) * 2 > len(words):
        return None
    return Statement(digest(words), values, start, start + len(text))


def _is_dated(subject: CheckedDocument, start: int, end: int) -> bool:
    """Whether the sentence names a time; a length ("30 days") is none, nor is "now"."""
    first = bisect_left(subject.mentions, start, key=lambda mention: mention.start)
    mentions = takewhile(lambda mention: mention.start < end, subject.mentions[first:])
    dates = (TimexType.DATE, TimexType.TIME)
    return any(mention.type in dates and not _NEWLY.fullmatch(mention.text) for mention in mentions)
