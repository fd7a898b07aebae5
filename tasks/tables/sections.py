"""Sections of a table: rows of one label that head the rows below them, and the totals that end them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.tables.numbers import is_figure

_TOTAL = re.compile(
    r"^(?:sub-?)?totals?\b|^net cash\b|\btotals?$|^(?:sum|overall)$|^(?:合计|合計|总计|總計|小计|小計)|[合总小]计$",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"^(?:net (?:income|earnings|loss|profit)|(?:income|earnings|loss|profit) (?:\(loss\) )?(?:before|from|for)"
    r"|operating (?:income|profit)|balances?(?: at| as of|,|$)|comprehensive income"
    r"|(?:basic|diluted) (?:earnings|net|income|loss)|净利润|利润总额|营业利润)",
    re.IGNORECASE,
)
"""Rows that stand for the whole statement, not for the section above them, unless that is named for them."""
_NO_SECTION = re.compile(r"^(?:commitments and contingenc|see (?:the )?(?:accompanying )?notes)", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]")
_EMPTY_WORDS = frozenset(
    ["total", "net", "cash", "flows", "from", "of", "the", "in", "and", "provided", "by", "used", "for", "s"]
)
_LONGEST_SECTION = 120
"""In characters; what is longer is a note that somebody put into the table."""


@dataclass(frozen=True, slots=True)
class TableSection:
    """A section by its label."""

    label: str

    @property
    def kind(self) -> tuple[bool, bool]:
        """Sections of one kind follow each other; of different kinds, capitals hold the others."""
        return self.label.isupper(), self.label.rstrip().endswith((":", "："))

    def holds(self, total: str) -> bool:
        """Whether a total's label speaks of this section: "Total current assets" of "Current assets:" or "Assets"."""
        own, named = _content(self.label), _content(total)
        return bool(own and named) and (own <= named or named <= own)

    def ends_with(self, total: str) -> bool:
        """Whether a total's label names all of this section, not only a part: "Total assets" for "Assets"."""
        return self.holds(total) and not _content(self.label) < _content(total)


def is_total(label: str) -> bool:
    """Whether a row's label says that it is a total."""
    return _TOTAL.search(label.strip().rstrip(":：")) is not None


def section_of(row: Sequence[str]) -> TableSection | None:
    """The section that a row opens: it has one text and no figure."""
    filled = [cell for cell in row if cell]
    if len(filled) != 1 or is_figure(filled[0]) or len(filled[0]) > _LONGEST_SECTION or _NO_SECTION.match(filled[0]):
        return None
    return TableSection(filled[0])


def opened(sections: list[TableSection], new: TableSection, *, nested: bool) -> list[TableSection]:
    """The open sections once `new` begins; `nested` says that the row above was a section too."""
    same = next((place for place, each in enumerate(sections) if each.kind == new.kind), None)
    if nested and (same is None or same == len(sections) - 1):
        return [*sections, new]
    if same is not None:
        return [*sections[:same], new]
    return [new] if new.kind[0] else [*(each for each in sections if each.kind[0]), new]


def closed(sections: list[TableSection], label: str) -> tuple[list[TableSection], list[TableSection]]:
    """The sections that a row of this label stands in, and those still open below it."""
    if not label or (is_total(label) and not _content(label)):
        return sections, sections[:-1]
    stands_out = is_total(label) or _RESULT.match(label) is not None
    if not stands_out:
        return sections, sections
    for place in range(len(sections) - 1, -1, -1):
        if sections[place].holds(label):
            return sections[: place + 1], sections[: place if sections[place].ends_with(label) else place + 1]
    return [], []


def _content(label: str) -> frozenset[str]:
    return frozenset(_WORD.findall(label.lower())) - _EMPTY_WORDS - set("合计总小計總")
