"""The rule of boilerplate: words that every document of a sort has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.rule import Violation, index_by_name, make_chunk_violation, make_document_rule
from warehouse.records import Severity

_MIN_SHARE = 0.5
_MIN_LENGTH = 30
_PENALTY = 0.2


def boilerplate(subject: CheckedDocument) -> Iterator[Violation]:
    """CHK008: a passage, or a paragraph of it, of words that stand in every document of its sort.

    What: half or more of it are copyright notices, disclaimers, cautionary statements, navigation, or lines of a table
    of contents. A paragraph costs its share of the passage.
    Why it hurts retrieval: it resembles its like in all other documents, matches many questions a little and answers
    none.
    Example: `All rights reserved. No part of this publication may be reproduced …`
    Cure: leave such parts out of the source, or remove them with the running headers.
    """
    # Chunks without a table, or else the first such paragraph of a chunk. Neighbouring paragraphs of one sort count as
    # one: many files give each line of a table of contents a paragraph of its own.
    for chunk in subject.chunks:
        share, sort = _measure_share(chunk.text)
        if not chunk.has_table and share >= _MIN_SHARE:
            yield make_chunk_violation(chunk, f"{share:.0%} of the passage is {sort}: leave it out of the source")
            continue
        classified_spans = (
            (span, *_measure_share(subject.document.text[slice(*span)])) for span in subject.iter_prose_spans(chunk)
        )
        for sort, group in groupby(classified_spans, key=lambda item: item[2] if item[1] >= _MIN_SHARE else ""):
            spans = [span for span, _, _ in group]
            start, end = spans[0][0], spans[-1][1]
            if sort and end - start >= _MIN_LENGTH:
                penalty = round(_PENALTY * (end - start) / chunk.size, 2)
                message = f"a paragraph of the passage is {sort}: leave it out of the source"
                yield Violation(message, start, end, chunk, penalty=penalty)
                break


_PATTERNS_BY_KIND: dict[str, tuple[str, ...]] = {
    "copyright notice": (
        r"all rights reserved|copyright (?:©|\(c\)|\d{4})|© ?\d{4}|may not be reproduced|no part of this",
        r"reproduced, distributed|registered trademarks?|trademarks? (?:of|are)|(?:is|are) strictly prohibited",
        r"licen[sc]ed under (?:the|a) (?:creative commons|cc)|(?:provided|if) the original (?:work|author)",
        r"\bisbn(?:-1[03])?:? ?[\d-]{9}|cataloguing-in-publication|catalogue record for this book",
        r"printed in (?:the )?(?:united|great|china|germany|italy)|first published (?:in )?\d{4}",
        r"版权所有|版權所有|保留所有权利|未经.{0,8}(?:许可|授权)",
    ),
    "cautionary statement": (
        r"forward-looking statements?|safe harbou?r (?:statement|provision|act)|differ materially",
        r"private securities litigation reform",
        r"actual results (?:may|could|to) differ|undertakes? no (?:obligation|duty)|前瞻性陈述",
        r"not? (?:obligated|obligation) to (?:publicly )?(?:update|revise)",
        r"past performance is (?:no|not)\b|value of (?:your )?investments? (?:may|can) (?:go|fall)",
        r"(?:may|might) not get back the (?:full )?amount",
    ),
    "disclaimer": (
        r"for informational purposes only|without (?:any )?warrant(?:y|ies)|no (?:representation|warranty)",
        r"(?:does|do|should) not (?:constitute|be (?:construed|relied upon) as) .{0,60}(?:advice|offer|recommendation)",
        r"for general (?:information|guidance|purposes)\b.{0,30}only|warranty of any kind|implied warrant(?:y|ies)",
        r"accepts? no (?:liability|responsibility)|(?:not be|is not) liable for any",
        r"intended (?:solely|only) for the use",
        r"views (?:and opinions )?expressed (?:here(?:in)? |in this .{0,20})?are (?:solely )?those of the",
        r"do(?:es)? not necessarily (?:reflect|represent) the (?:views?|opinions?|position)",
        r"if you (?:have )?received this .{0,20}in error|投资有风险|不构成.{0,8}建议",
        r"(?:for )?internal use only|do not (?:distribute|copy or)|e-?mail and any (?:attachments|files)",
        r"(?:intended (?:solely|only) for|is confidential and may be) .{0,40}(?:addressee|addressed|privileged)",
    ),
    "navigation": (
        r"skip to (?:main )?content|back to top|privacy policy|terms of (?:use|service)\b",
        r"cookie (?:policy|settings|preferences)|(?:we|sites?) uses? cookies|accept (?:all )?cookies|use of cookies",
        r"page (?:is )?(?:intentionally )?left blank|view (?:this .{0,10})?in (?:your )?browser|to unsubscribe",
        r"(?:subscribe to|sign up for) our (?:newsletter|mailing list)|you are receiving this",
        r"上一页|下一页|返回顶部|隐私政策",
    ),
}
_PATTERN_BY_KIND = {sort: re.compile("|".join(patterns)) for sort, patterns in _PATTERNS_BY_KIND.items()}
"""For lower-cased text: a pattern that ignores case tries each branch at each letter, in five times the time."""
_LINK_LABELS = re.compile(
    r"\b(?:home|about us|contact(?: us)?|sitemap|sign (?:in|up)|log ?(?:in|out)|register|(?:un)?subscribe|follow us"
    r"|share (?:this|on)|click here|read more|related (?:articles|posts)|advertisement|newsletter|terms and conditions"
    r"|facebook|twitter|linkedin|search|menu|privacy|cookies|login|faqs?|careers)\b"
)
"""For lower-cased text too."""
_MIN_LEADERS = 3
_MIN_LABELS, _LETTERS_PER_LABEL = 3, 25
"""The labels of buttons and links: sentences name one or two of them, but not so many in so few letters."""
_PAGE_NUMBER = re.compile(r"(?:\d{1,4}|[ivxl]{1,6})\Z")
_MAX_PAGE_DIGITS = 6
_MIN_LEADER_LENGTH = 4
_LEADER = re.compile(r"\.[ .]{3,}+|…{2,}+")
_PAGE_AFTER_LEADER = re.compile(r"\s*+\d{1,4}\b")
_SENTENCE_BREAK = re.compile(r"(?<=[.!?。！？])\s+")
_CACHE_SIZE = 1 << 12  # Pieces cached with their sort: those of a paragraph were classified before, with its passage.
_NAVIGATION, _TABLE_OF_CONTENTS = "navigation", "table of contents"


def _measure_share(text: str) -> tuple[float, str]:
    """The share of the text, 0 to 1, in sentences and lines of boilerplate, and the sort of most of it."""
    if _is_row_of_labels(text):
        return 1.0, _NAVIGATION
    sizes = dict.fromkeys((*_PATTERN_BY_KIND, _TABLE_OF_CONTENTS, ""), 0)
    for line in text.split("\n"):
        # A line of a table of contents is one piece, whatever its full stops; in other lines each sentence is one.
        is_contents = _is_run_of_contents(line) or _is_contents(line)
        for piece in [line] if is_contents else _SENTENCE_BREAK.split(line):
            if piece.strip():
                sizes[_classify_piece(piece)] += len(piece)
    total, other = sum(sizes.values()), sizes.pop("")
    main_sort = max(sizes, key=lambda sort: sizes[sort])
    return ((total - other) / total if total else 0.0), main_sort


def _is_run_of_contents(line: str) -> bool:
    """Whether a line has several lines of a table of contents, as in texts with spaces for line ends."""
    if _LEADER.search(line) is None:
        return False
    page_matches = (_PAGE_AFTER_LEADER.match(line, leader.end()) for leader in _LEADER.finditer(line))
    return sum(match is not None for match in page_matches) >= _MIN_LEADERS


def _is_contents(line: str) -> bool:
    """Whether a line ends in a page number after a leader: dots, a tab, or two spaces."""
    text = line.rstrip()
    page = _PAGE_NUMBER.search(text, max(0, len(text) - _MAX_PAGE_DIGITS))
    if page is None:
        return False
    text_before = text[: page.start()]
    title = text_before.rstrip()
    gap = text_before[len(title) :]
    if len(gap) > 1 or gap == "\t" or title.endswith("……"):
        return True
    dots = title[len(title.rstrip(" .")) :].lstrip(" ")
    return bool(dots) and len(dots) + len(gap) >= _MIN_LEADER_LENGTH


@lru_cache(maxsize=_CACHE_SIZE)
def _classify_piece(piece: str) -> str:
    """The sort of boilerplate of a piece, "" for none."""
    if _is_run_of_contents(piece) or (_is_contents(piece) and len(piece) > 8):
        return _TABLE_OF_CONTENTS
    if _is_row_of_labels(piece):
        return _NAVIGATION
    small = piece.lower()
    return next((sort for sort, mark in _PATTERN_BY_KIND.items() if mark.search(small)), "")


def _is_row_of_labels(text: str) -> bool:
    labels = len(set(_LINK_LABELS.findall(text[: _MIN_LABELS * 200].lower())))
    return labels >= _MIN_LABELS and len(text) <= labels * _LETTERS_PER_LABEL


members = index_by_name(make_document_rule(boilerplate, Severity.WARNING, _PENALTY))
