"""Patterns of headings: parts, items, notes, numbers, financial statements; and of short lines that are none."""

from __future__ import annotations

import re
from enum import Enum

from tasks.parsers.pdf.blocks.block_settings import BLOCKS
from tasks.parsers.pdf.lines.text_lines import letters_of

_PART = re.compile(
    r"(?:part|chapter|appendix|annex|schedule)\s+(?:[IVX]{1,5}|\d{1,2}|[A-H])\b(?!\s+(?:of|to|and)\s+[a-z])"
    r"|exhibit\s+\d[\d.]*$|(?:exhibit\s+)?signatures?$|exhibit\s+index$|第[一二三四五六七八九十百\d]+[编篇部章节]",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:item|article)\s*(?:\d{1,2}(?:\.\d{2})?[A-C]?|[IVX]{1,5})\b", re.IGNORECASE)
_NOTE = re.compile(r"(?:note|section)\s+(?:\d{1,2}|[A-H])\b", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+(?=[^\W\d_])")
_ALONE = re.compile(
    r"(?:part|item|note|article|chapter|section|appendix)\s*(?:\d{1,2}(?:\.\d{2})?[A-C]?|[IVX]{1,5}|[A-H])\s*[.:–—-]?",
    re.IGNORECASE,
)
_POINTED = re.compile(
    r"(?:part|item|note|article|chapter|section)\s*(?:\d{1,2}(?:\.\d{2})?[A-C]?|[IVX]{1,5})\s*"
    r"(?:[.:–—]|-\s)\s*(?-i:[A-Z\[])",
    re.IGNORECASE,
)
_EQUITY = (
    r"(?:(?:(?:stock|share)holders|owners|partners|members)[’'`]?|changes|in|total|\s){0,12}(?:equity|deficit|capital)"
)
_STATEMENT = re.compile(
    r"(?:(?:u\.?s\.? ?)?gaap |(?:un)?audited |condensed |consolidated |combined |interim |summary |selected "
    r"|consolidating |pro forma ){0,6}"
    r"(?:statements? of (?:(?:net |comprehensive )?(?:income|earnings|loss(?:es)?|operations|cash ?flows?)"
    r"|profit (?:and|or) loss|financial (?:position|condition)|(?:changes in )?net assets|(?:functional )?expenses"
    rf"|activities|{_EQUITY})(?:,? \(?(?:and|or) [^.;]{{3,60}}|\s?\(loss(?:es)?\)|\s?\(deficit\))?"
    r"|balance sheets?|income statements?|cash flow statements?|profit and loss accounts?"
    r"|notes to (?:the )?(?:unaudited |condensed |consolidated |interim ){0,4}financial statements"
    r"|reconciliations? of (?:u\.?s\.? )?(?:gaap|non-gaap|net (?:income|loss|debt|sales)|ebitda|adjusted|reported"
    r"|organic)\b[^.;]{0,90}"
    r"|(?:gaap to non-gaap|non-gaap(?: financial measures?)?) reconciliations?"
    r"|supplemental (?:financial |operating )?(?:information|data|schedules?)|(?:financial|operating) data)"
    r"(?:\s*[-–—,]?\s*\(?(?:un)?audited\)?|\s*[-–—,(]*\s*(?:continued|cont[’'.]?d)\)?"
    r"|,?\s*\(?(?:dollars|amounts|shares|in|\$)\b[^()]{0,80}\)?){0,3}"
    r"|(?:未经审计的?|未審計)?(?:简明|簡明)?(?:中期)?(?:合并|合併|母公司)?(?:及公司|和公司)?"
    r"(?:资产负债表|資產負債表|利润表|利潤表|损益表|損益表|现金流量表|現金流量表|(?:所有者|股东|股東)?权益变动表"
    r"|财务报表附注)(?:[(（].{1,20}[)）])?",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"financial (?:statements?|information|data|tables?|schedules?|highlights?)\b|\bnotes to\b"
    r"|^(?:appendix|annex|exhibit|schedule|attachment)|财务报告|财务报表|附注",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]{2}")
_CAPTION = re.compile(
    r"(?:table|tab\.|figure|fig\.|chart|graph|box)\s*(?:\d+(?:[.\-:]\d+)*|(?-i:[A-Z]\d*|[IVX]+))(?![^\W_])|[表图]\s*\d",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"[(\[].*[)\]]\.?$|(?:see|sources?|refer to)\b|(?:un)?audited\b"
    r"|(?:[$€£¥]|(?:US )?dollars|amounts|figures|shares)?\s*(?:and shares )?in (?:thousands|millions|billions)\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"(?:as (?:of|at) |for the |(?:the )?(?:three|six|nine|twelve|thirteen|fourteen|\d{1,2}|fiscal|quarters?|years?)\b)"
    r".{0,60}\b(?:ended|ending|and|weeks?|months?|\d{4})\b.{0,60}|[A-Z][a-z]{2,8} \d{1,2}, \d{4}.{0,60}",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*\([^()]*\)$")
_FIGURES = re.compile(r"[$€£¥]\s?\d|(?<![\d.])(?<!\d,)\d[\d,.]*%?\s+[($]*\d[\d,.]*%?(?!\w)")
_CODE = re.compile(r"\d{5}|\d{3}[-. ]\d{4}|@|https?:|www\.|[{}=|\\]|::")
_LEADER = re.compile(r"\.{4}|(?:\. ){3}|…")
_SECTION = re.compile(r"^\d{1,2}(?:\.\d{1,2})*[.)]?\s+")


class Label(Enum):
    """What a heading calls itself."""

    PART = "part"
    ITEM = "item"
    NOTE = "note"


def label_of(text: str) -> Label | None:
    """What the first words say."""
    for form, label in ((_PART, Label.PART), (_ITEM, Label.ITEM), (_NOTE, Label.NOTE)):
        if form.match(text):
            return label
    return None


def is_label_alone(text: str) -> bool:
    """Whether a heading is nothing but its label, whose title stands on the next line: "Item 8."."""
    return _ALONE.fullmatch(text.strip()) is not None


def is_pointed(text: str) -> bool:
    """Whether a label is set off from a title in capitals: "Item 8. Financial statements and data"."""
    return _POINTED.match(text) is not None


def is_statement(text: str) -> bool:
    """Whether words are the title of a financial statement, or of what comes with statements."""
    return len(text) <= BLOCKS.statement_longest and _STATEMENT.fullmatch(" ".join(text.split())) is not None


def is_frame(text: str) -> bool:
    """Whether financial statements may be parts of a section of this name."""
    return _FRAME.search(text) is not None


def section_number(text: str) -> tuple[int, ...]:
    """The number a heading begins with: (2, 1) for "2.1 Methods", nothing where there is none."""
    found = _NUMBER.match(text)
    return tuple(map(int, found[1].split("."))) if found else ()


def is_no_heading(text: str, *, is_labelled: bool) -> bool:
    """Whether a short text can be no heading, however it is set. Labelled are "Item 1." and the like."""
    body = text if is_labelled else _SECTION.sub("", text, count=1)
    letters = letters_of(_BRACKETS.sub("", body))
    if not _WORDS.search(body) or (letters.isascii() and len(letters) < BLOCKS.heading_letters) or body[0].islower():
        return True
    if _CAPTION.match(text) or _REMARK.match(text) or _LEADER.search(text):
        return True
    if _CODE.search(text) or (not is_labelled and _FIGURES.search(body)):
        return True
    return _ends_sentence(text.rstrip(), is_labelled=is_labelled)


def is_remark(text: str) -> bool:
    """Whether a line below a title only says of which period the figures are, in which unit, or whether audited."""
    return _REMARK.match(text) is not None or _PERIOD.fullmatch(text) is not None


def _ends_sentence(text: str, *, is_labelled: bool) -> bool:
    if text.endswith((",", ";", "。", "；", "，")):
        return True
    is_long = len(text.split()) > BLOCKS.sentence_words
    several = text.endswith(".") and ". " in text[3:]
    return not is_labelled and (several or (is_long and text.endswith((".", ":"))))
