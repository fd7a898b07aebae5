"""What the words of a heading say of its place: a part, an item, a note, a section's number, a financial statement."""

from __future__ import annotations

import re
from enum import Enum

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
_LONGEST_STATEMENT = 200
_FRAME = re.compile(
    r"financial (?:statements?|information|data|tables?|schedules?|highlights?)\b|\bnotes to\b"
    r"|^(?:appendix|annex|exhibit|schedule|attachment)|财务报告|财务报表|附注",
    re.IGNORECASE,
)


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
    return len(text) <= _LONGEST_STATEMENT and _STATEMENT.fullmatch(" ".join(text.split())) is not None


def is_frame(text: str) -> bool:
    """Whether financial statements may be parts of a section of this name."""
    return _FRAME.search(text) is not None


def section_number(text: str) -> tuple[int, ...]:
    """The number a heading begins with: (2, 1) for "2.1 Methods", nothing where there is none."""
    found = _NUMBER.match(text)
    return tuple(map(int, found[1].split("."))) if found else ()
