"""Units of a passage: spans that can be shown of it (sentences, list items, whole tables), and pieces to quote.

A piece is a sentence, list item or table row, with its title and section.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile

from tasks.chunkers.parts.document_spans import ends_sentence, find_sentences, trim_span
from tasks.parsers.dated_lines import parse_speaker, parse_turn
from warehouse.message_notation import find_message
from warehouse.records import Citation, Hit
from warehouse.store.words import is_unspaced, split_words
from warehouse.table_notation import BAR, iter_table_spans, opens_table

Span = tuple[int, int]

_NUMBERED_HEADING = (
    r"(?:Item|Part|Section|Note|Article|Chapter|Appendix|Exhibit|Rule)[ \t]+(?:\d{1,3}[A-Z]?|[IVX]{1,5})\."
)
_DATED_LINE = r"\d{4}(?:[-/.]\d{1,2}\b|\s*[-–—:])|\d{1,2}[:.]\d\d\b|\d{4}年|\d{1,2}月"
_PARAGRAPH_BREAK = re.compile(
    rf"\n(?=\s*\n)|\n(?=[ \t]*(?:(?:[-*+•‣▪]|\d{{1,3}}[.)]|{_NUMBERED_HEADING})\s+\S|{_DATED_LINE}))"
)
"""Line ends outside of a paragraph: before an empty line, a list item, a line with a date or time."""
_HEADING_LABEL = re.compile(rf"{_NUMBERED_HEADING}\s+\Z")
_COMPANY_ABBREVIATION = re.compile(r"\b(?:Inc|Corp|Ltd|Co|Cos|Bros|L\.P|N\.V|S\.A)\.\s+\Z")
_MONTH_ABBREVIATION = re.compile(r"(?<![^\W_])(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s+\Z")
_MAX_LABEL_LENGTH = 24
_MAX_ITEM_LENGTH = 240  # Characters of a list item that is one unit: "- 1941 – 1943: Oblt.z.S. Adolf Gundlach".
_ITEM = re.compile(r"\s*(?:[-*+•‣▪]|\d{1,3}[.)])\s+\S")


def split_units(text: str) -> list[Span]:
    """The spans of a passage's units in order, without white space at their ends; together they cover the rest."""
    spans: list[Span] = []
    end = 0
    for table in iter_table_spans(text):
        spans += _iter_sentences(text, end, table[0])
        spans.append(table)
        end = table[1]
    return [*spans, *_iter_sentences(text, end, len(text))]


def find_sentence_starts(text: str, start: int, end: int) -> list[int]:
    """The starts of sentences after the first; numbers stay with what they number: "Item 1A. Risk Factors".

    The dateline of a release stays with its day, "--Nov. 2, 2022--", and a company with its symbol, "Inc. (NYSE: …)".
    """
    starts = []
    for sentence_start in find_sentences(text, start, end):
        text_before = text[max(start, sentence_start - _MAX_LABEL_LENGTH) : sentence_start]
        is_symbol = text[sentence_start] == "(" and _COMPANY_ABBREVIATION.search(text_before)
        is_day = text[sentence_start].isdigit() and _MONTH_ABBREVIATION.search(text_before)
        if not (is_symbol or is_day or _HEADING_LABEL.search(text_before)):
            starts.append(sentence_start)
    return starts


def _iter_sentences(text: str, start: int, end: int) -> Iterator[Span]:
    breaks = [start, *(match.end() for match in _PARAGRAPH_BREAK.finditer(text, start, end)), end]
    for start_of_part, end_of_part in pairwise(breaks):
        is_line = _ITEM.match(text, start_of_part, end_of_part) and end_of_part - start_of_part <= _MAX_ITEM_LENGTH
        starts = [] if is_line else find_sentence_starts(text, start_of_part, end_of_part)
        for first, stop in pairwise([start_of_part, *starts, end_of_part]):
            if span := trim_span(text, first, stop):
                yield span


_PARAGRAPH = re.compile(r"\n\s*\n")
_MOMENT = r"[\[(]?(?:(?:\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}),?[T ])?\d{1,2}:\d\d(?!\d)"
_NEXT_ITEM = re.compile(rf"\n(?=\s*(?:(?:[-*+•‣▪]|\d{{1,3}}[.)])\s+\S|{_MOMENT}))")
"""The start of the next item of a list, or of the next line of a log or chat."""
_LABELLED_VALUE = re.compile(
    r"^[ \t]*(?:[-*+•‣▪][ \t]+)?[*_]{0,2}(?P<label>[^\W\d_]"
    r"(?:[^\n:：|.!?;]|\.(?!\s)|\.(?=\s[a-z])|\.(?=[*_]{0,2}\s?[:：])){0,40}?)"
    r"[*_]{0,2}[ \t]?[:：][*_]{0,2}(?![:/])(?=[^\S\n]*\S)",
    re.MULTILINE,
)
"""A line with a name and a value: "Invoice no.: 2024-117", "**Phone**: 0664 555 0199"."""
_MAX_LABEL_WORDS = 5
_PROPERTY = re.compile(r"[\w-]+(?: [\w-]+)?: \S")
_SECTIONS_WITHOUT_CONTENT = re.compile(
    r"(?:table of )?contents|index(?: to .*)?"
    r"|.*forward[- ]looking (?:statements?|information).*|.*safe harbou?r.*|目录|目錄",
    re.IGNORECASE,
)
"""Sections without answers: lists of contents, terms of forward-looking statements."""
_BOILERPLATE = re.compile(
    r"\bindicate by check ?mark\b|\(exact name of registrant|\bsecurities and exchange commission washington\b"
    r"|\bpursuant to section 1[35]\b.{0,60}\bof the securities exchange act\b|[☐☒].*[☐☒]|^\s*=+ [^=]* =+\s*$|:\s*$"
    r"|\bforward[- ]looking statements?\b|\bprivate securities litigation reform act\b"
    r"|\bactual results (?:could|may|might) differ materially\b|^\s*---\s*$",
    re.IGNORECASE,
)
"""Cover pages, warnings about forward-looking statements, headings between equals signs, and sentences that only
announce a list or a table."""
_PRONOUN = re.compile(
    r"(?:they|it|he|she|this|these|those|his|her|its|their|er|sie|es|ihre?[mnrs]?|seine?[mnrs]?|diese[mnrs]?|ils?|elles?"
    r"|ce(?:tte|t|s)?|son|sa|ses|leurs?|ella|él|ellos|ellas|est[eao]s?|sus?"
    r"|(?:the|der|die|das|le|la|el) (?:costs?|price|fee|deadline|kosten|preis|gebühr|frist|prix|coût|tarif|precio|coste"
    r"|plazo)"
    r"(?! (?:of|for|der|des|von|für|du|de|del)\b))\b|[该其他她它]",
    re.IGNORECASE,
)
"""The beginning of a sentence about the subject of the previous one: a pronoun, or a cost of something not named."""
_CONTENTS = re.compile(r"(?:\. ?){5,}\s*\d+\s*$", re.MULTILINE)
"""A line of a table of contents: dots before a page number."""
_MIN_WORDS = 3
_MAX_HEADING_WORDS = 12
_NOTE_SUFFIXES = (".md", ".markdown", ".mdx")


@dataclass(frozen=True, slots=True)
class QuotedPiece:
    """A quotation from hit number `hit`. `context` is its title and section.

    Of a table row, `text` is the table's head and the row, and `header` the row's first cell; else `header` is empty.
    `is_listed` says that it is one of the dated rows that a question asks for. `antecedent` is the sentence before one
    that begins with a pronoun.
    """

    text: str
    hit: int
    context: str
    header: str = ""
    is_listed: bool = False
    antecedent: str = ""

    @property
    def statement(self) -> str:
        """The quotation without the head of its table."""
        return self.text.rpartition("\n")[2] if self.header else self.text

    @property
    def label(self) -> str:
        """The name in a line with a name and a value, "Invoice no."; empty for any other quotation."""
        return "" if self.header else parse_label(self.text)

    @property
    def value(self) -> str:
        """The value in a line with a name and a value, "2024-117"; empty for any other quotation."""
        return (self.text.partition(":")[2] or self.text.partition("：")[2]) if self.label else ""

    @property
    def key(self) -> tuple[str, str]:
        """The key that no two quotations may share: head and row header of a table row, else the words."""
        head = self.text.rpartition("\n")[0] if self.header else " ".join(self.text.split())
        return head, self.header


def split_pieces(hit: Hit, number: int) -> Iterator[QuotedPiece]:
    """The pieces of a passage in order, without headings, titles and a note's front matter."""
    citation = hit.citation
    context = " ".join((citation.title, *citation.section))
    if _SECTIONS_WITHOUT_CONTENT.fullmatch(" ".join(citation.section[-1:])):
        return
    for index, paragraph in enumerate(_PARAGRAPH.split(hit.headed_text)):
        if opens_table(paragraph):
            yield from _iter_rows(paragraph, number, context)
            continue
        is_front_matter = index == 0 and _is_front_matter(paragraph, citation)
        if is_front_matter or _CONTENTS.search(paragraph) or is_heading(paragraph, citation):
            continue
        for part in (line for item in _NEXT_ITEM.split(paragraph) for line in _split_labelled(item)):
            is_labelled = bool(parse_label(part))
            starts = [] if is_labelled and "\n" not in part.strip() else find_sentence_starts(part, 0, len(part))
            previous_text = ""
            for start, end in pairwise([0, *starts, len(part)]):
                text = part[start:end].strip()
                antecedent, previous_text = previous_text if _PRONOUN.match(text) else "", text
                is_long = len(text.split()) >= _MIN_WORDS - is_labelled or is_unspaced(text)
                if is_long and not _BOILERPLATE.search(text):
                    yield QuotedPiece(text, number, context, antecedent=antecedent)


def parse_label(text: str) -> str:
    """The name of a value in the first line of a text, "Invoice no."; empty if there is none."""
    match = _LABELLED_VALUE.match(text)
    return match["label"].strip() if match and len(match["label"].split()) <= _MAX_LABEL_WORDS else ""


def _split_labelled(item: str) -> list[str]:
    """A text cut before lines with a name and a value, if these are half of its lines, else as it is."""
    lines = item.splitlines(keepends=True)
    is_labelled = [bool(parse_label(line)) for line in lines]
    if sum(is_labelled) < 2 or 2 * sum(is_labelled) < len(lines):
        return [item]
    first = is_labelled.index(True)
    parts = ["".join(lines[:first])] if first else []
    for line, begins_part in zip(lines[first:], is_labelled[first:], strict=True):
        if begins_part:
            parts.append(line)
        else:
            parts[-1] += line
    return parts


def mark_spoken(hit: Hit, texts: Iterable[str], names: Iterable[str]) -> list[bool]:
    """Whether one of the named people wrote or said each of the texts, which are pieces of a passage in order.

    The sender of a mail is named above it, a writer in a chat after the time of a line, a speaker in a talk before a
    colon. The sentences after the first of a line are by the same person.
    """
    asked_names = [set(split_words(name)) for name in names]
    message = find_message(hit.citation.section)
    speaker = message[1].sender if message else ""
    is_talk = len({parse_turn(line) for line in hit.text.split("\n")} - {""}) > 1
    is_spoken = []
    for text in texts:
        speaker = parse_speaker(text) or (is_talk and parse_turn(text)) or speaker
        words = set(split_words(speaker))
        is_spoken.append(bool(words) and any(name <= words for name in asked_names))
    return is_spoken


def is_heading(paragraph: str, citation: Citation) -> bool:
    """Whether a paragraph is a heading above the passage, or looks like one: a short line without an end mark."""
    words = " ".join(paragraph.split())
    if words in (citation.title, *citation.section):
        return True
    is_one_line = "\n" not in paragraph.strip() and not _ITEM.match(paragraph)
    has_only_words = not is_unspaced(paragraph) and not any(char.isdigit() for char in words)
    return is_one_line and has_only_words and len(words.split()) < _MAX_HEADING_WORDS and not ends_sentence(words)


def _is_front_matter(paragraph: str, citation: Citation) -> bool:
    is_at_head = citation.chunk_index == 0 and citation.source.lower().endswith(_NOTE_SUFFIXES)
    lines = paragraph.strip().split("\n")
    is_fenced = len(lines) > 1 and lines[0].strip() == "---"
    return is_at_head and (is_fenced or all(_PROPERTY.match(line) for line in lines))


def _iter_rows(table: str, number: int, context: str) -> Iterator[QuotedPiece]:
    lines = [line for line in table.splitlines() if line.startswith("|")]
    rule = next((index for index, line in enumerate(lines) if not set(line) - set("|-: ")), 0)
    # Rows without a label, right below the header, describe its columns: dates, units.
    header_rows = list(takewhile(lambda line: not BAR.split(line)[1].strip(), lines[rule + 1 : -1]))
    head = "\n".join(line for line in (*lines[:rule], *header_rows) if set(line) - set("| "))
    for line in lines[rule + 1 + len(header_rows) :]:
        cells = [cell.strip() for cell in BAR.split(line)[1:-1]]
        header = next(filter(None, cells), "")
        # A row of one cell is a heading of others and is not quoted.
        if len(cells) > 1 and sum(map(bool, cells)) < 2:
            continue
        yield QuotedPiece(f"{head}\n{line}" if head else line, number, context, header or line)
