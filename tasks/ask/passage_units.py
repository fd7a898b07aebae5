"""Units of a passage: spans that can be shown of it (sentences, list items, whole tables), and pieces to quote.

A piece is a sentence, list item or table row, with what stands above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile

from tasks.chunkers.parts.packing import trim_span
from tasks.chunkers.parts.sentences import find_sentences, is_closed
from tasks.parsers.log_lines import parse_speaker, parse_turn
from warehouse.message_notation import find_message
from warehouse.records import Citation, Hit
from warehouse.store.words import is_unspaced, split_words
from warehouse.table_notation import BAR, iter_table_spans, opens_table

Span = tuple[int, int]

_NUMBERED = r"(?:Item|Part|Section|Note|Article|Chapter|Appendix|Exhibit|Rule)[ \t]+(?:\d{1,3}[A-Z]?|[IVX]{1,5})\."
_DATED = r"\d{4}(?:[-/.]\d{1,2}\b|\s*[-–—:])|\d{1,2}[:.]\d\d\b|\d{4}年|\d{1,2}月"
_BREAK = re.compile(rf"\n(?=\s*\n)|\n(?=[ \t]*(?:(?:[-*+•‣▪]|\d{{1,3}}[.)]|{_NUMBERED})\s+\S|{_DATED}))")
"""Where lines end that are no part of a paragraph: before an empty one, a list item, a line with a date or time."""
_LABEL = re.compile(rf"{_NUMBERED}\s+\Z")
_COMPANY = re.compile(r"\b(?:Inc|Corp|Ltd|Co|Cos|Bros|L\.P|N\.V|S\.A)\.\s+\Z")
_MONTH = re.compile(r"(?<![^\W_])(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s+\Z")
_MAX_LABEL_LENGTH = 24
_MAX_ITEM_LENGTH = 240  # Characters of a list item that is one unit: "- 1941 – 1943: Oblt.z.S. Adolf Gundlach".
_ITEM = re.compile(r"\s*(?:[-*+•‣▪]|\d{1,3}[.)])\s+\S")


def split_units(text: str) -> list[Span]:
    """The spans of a passage's units in order, without white space at their ends; together they hold all else."""
    found: list[Span] = []
    end = 0
    for table in iter_table_spans(text):
        found += _iter_sentences(text, end, table[0])
        found.append(table)
        end = table[1]
    return [*found, *_iter_sentences(text, end, len(text))]


def find_sentence_starts(text: str, start: int, end: int) -> list[int]:
    """Where sentences after the first begin; what is numbered stays with its number: "Item 1A. Risk Factors".

    So does the dateline of a release with its day, "--Nov. 2, 2022--", and a company with its symbol, "Inc. (NYSE: …)".
    """
    starts = []
    for place in find_sentences(text, start, end):
        before = text[max(start, place - _MAX_LABEL_LENGTH) : place]
        is_symbol = text[place] == "(" and _COMPANY.search(before)
        is_day = text[place].isdigit() and _MONTH.search(before)
        if not (is_symbol or is_day or _LABEL.search(before)):
            starts.append(place)
    return starts


def _iter_sentences(text: str, start: int, end: int) -> Iterator[Span]:
    breaks = [start, *(found.end() for found in _BREAK.finditer(text, start, end)), end]
    for left, right in pairwise(breaks):
        is_line = _ITEM.match(text, left, right) and right - left <= _MAX_ITEM_LENGTH
        starts = [] if is_line else find_sentence_starts(text, left, right)
        for first, stop in pairwise([left, *starts, right]):
            if span := trim_span(text, first, stop):
                yield span


_PARAGRAPH = re.compile(r"\n\s*\n")
_MOMENT = r"[\[(]?(?:(?:\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}),?[T ])?\d{1,2}:\d\d(?!\d)"
_NEXT_ITEM = re.compile(rf"\n(?=\s*(?:(?:[-*+•‣▪]|\d{{1,3}}[.)])\s+\S|{_MOMENT}))")
"""Where the next item of a list begins, or the next line of a log or chat."""
_PROPERTY = re.compile(r"[\w-]+(?: [\w-]+)?: \S")
_NO_CONTENT = re.compile(
    r"(?:table of )?contents|index(?: to .*)?"
    r"|.*forward[- ]looking (?:statements?|information).*|.*safe harbou?r.*|目录|目錄",
    re.IGNORECASE,
)
"""Sections that answer nothing: lists of contents, terms of forward-looking statements."""
_BOILERPLATE = re.compile(
    r"\bindicate by check ?mark\b|\(exact name of registrant|\bsecurities and exchange commission washington\b"
    r"|\bpursuant to section 1[35]\b.{0,60}\bof the securities exchange act\b|[☐☒].*[☐☒]|^\s*=+ [^=]* =+\s*$|:\s*$"
    r"|\bforward[- ]looking statements?\b|\bprivate securities litigation reform act\b"
    r"|\bactual results (?:could|may|might) differ materially\b|^\s*---\s*$",
    re.IGNORECASE,
)
"""Cover pages, what filings say of forward-looking statements, headings between equals signs, and what only announces
a list or a table."""
_CONTENTS = re.compile(r"(?:\. ?){5,}\s*\d+\s*$", re.MULTILINE)
"""A line of a table of contents: dots that lead to a page."""
_MIN_WORDS = 3
_MAX_HEADING_WORDS = 12
_NOTES = (".md", ".markdown", ".mdx")


@dataclass(frozen=True, slots=True)
class QuotedPiece:
    """A quotation from hit number `hit`. `context` is what stands above it: title and section.

    Of a table row, `text` is the table's head and the row, and `header` the row's first cell; else `header` is empty.
    """

    text: str
    hit: int
    context: str
    header: str = ""

    @property
    def statement(self) -> str:
        """The quotation without the head of its table."""
        return self.text.rpartition("\n")[2] if self.header else self.text

    @property
    def key(self) -> tuple[str, str]:
        """What no two quotations share: head and row header of a table row, else the words."""
        head = self.text.rpartition("\n")[0] if self.header else " ".join(self.text.split())
        return head, self.header


def split_pieces(hit: Hit, number: int) -> Iterator[QuotedPiece]:
    """The pieces of a passage in order, without headings, titles and a note's front matter."""
    citation = hit.citation
    context = " ".join((citation.title, *citation.section))
    if _NO_CONTENT.fullmatch(" ".join(citation.section[-1:])):
        return
    for place, paragraph in enumerate(_PARAGRAPH.split(hit.headed_text)):
        if opens_table(paragraph):
            yield from _iter_rows(paragraph, number, context)
            continue
        is_front_matter = place == 0 and _is_front_matter(paragraph, citation)
        if is_front_matter or _CONTENTS.search(paragraph) or is_heading(paragraph, citation):
            continue
        for part in _NEXT_ITEM.split(paragraph):
            for start, end in pairwise([0, *find_sentence_starts(part, 0, len(part)), len(part)]):
                text = part[start:end].strip()
                if (len(text.split()) >= _MIN_WORDS or is_unspaced(text)) and not _BOILERPLATE.search(text):
                    yield QuotedPiece(text, number, context)


def mark_spoken(hit: Hit, texts: Iterable[str], names: Iterable[str]) -> list[bool]:
    """Whether one of the named people wrote or said each of the texts, which are pieces of a passage in order.

    The sender of a mail stands above it, who writes in a chat or channel after the moment of a line, who speaks in a
    talk before a colon. What follows a line's first sentence is of the same person.
    """
    asked = [set(split_words(name)) for name in names]
    message = find_message(hit.citation.section)
    speaker = message[1].sender if message else ""
    is_talk = len({parse_turn(line) for line in hit.text.split("\n")} - {""}) > 1
    spoken = []
    for text in texts:
        speaker = parse_speaker(text) or (is_talk and parse_turn(text)) or speaker
        words = set(split_words(speaker))
        spoken.append(bool(words) and any(name <= words for name in asked))
    return spoken


def is_heading(paragraph: str, citation: Citation) -> bool:
    """Whether a paragraph is a heading above the passage, or looks like another: a short line that never ends."""
    words = " ".join(paragraph.split())
    if words in (citation.title, *citation.section):
        return True
    one_line = "\n" not in paragraph.strip() and not _ITEM.match(paragraph)
    plain = not is_unspaced(paragraph) and not any(char.isdigit() for char in words)
    return one_line and plain and len(words.split()) < _MAX_HEADING_WORDS and not is_closed(words)


def _is_front_matter(paragraph: str, citation: Citation) -> bool:
    at_head = citation.chunk_index == 0 and citation.source.lower().endswith(_NOTES)
    lines = paragraph.strip().split("\n")
    fenced = len(lines) > 1 and lines[0].strip() == "---"
    return at_head and (fenced or all(_PROPERTY.match(line) for line in lines))


def _iter_rows(table: str, number: int, context: str) -> Iterator[QuotedPiece]:
    lines = [line for line in table.splitlines() if line.startswith("|")]
    rule = next((place for place, line in enumerate(lines) if not set(line) - set("|-: ")), 0)
    # Rows that are called nothing, right below the header, say more of its columns: dates, units.
    more = list(takewhile(lambda line: not BAR.split(line)[1].strip(), lines[rule + 1 : -1]))
    head = "\n".join(line for line in (*lines[:rule], *more) if set(line) - set("| "))
    for line in lines[rule + 1 + len(more) :]:
        cells = [cell.strip() for cell in BAR.split(line)[1:-1]]
        header = next(filter(None, cells), "")
        # A row of one cell heads others: by itself it says nothing.
        if len(cells) > 1 and sum(map(bool, cells)) < 2:
            continue
        yield QuotedPiece(f"{head}\n{line}" if head else line, number, context, header or line)
