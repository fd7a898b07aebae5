"""Printed lines as cells separated by two or more blanks, tabs or leading dots, and words that line ends split."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

LEADERS = re.compile(r"(?:\.[ ]?){4,}|(?: \.){3,}")
_CELL = re.compile(r"[$€£¥](?=\s)|\S+(?: (?![$€£¥](?:\s|\Z))\S+)*")
"""Words up to two blanks, or to a currency sign of the next column."""
_RULE = re.compile(r"[\s|+]*+(?:[-=_─━]{2,}+[\s|+]*+)++")
_DASHES = re.compile(r"[-=_─━]{2,}")
_LONG_DASHES = re.compile(r"[-=_─━]{4,}")
"""Dashes below a cell of the header, in a line that has words for other columns."""
_FIGURE = r"[<>≤≥~≈(+−–-]{0,2}\s?[$€£¥]?\s?(?:\d{1,3}(?: \d{3})+|\d[\d.,]*|\.\d+)\s?[)%xX万亿]{0,2}"
_RULE_CHARACTERS = frozenset("-=_─━|+")
_NUMBER = re.compile(
    rf"(?:US|C|A|HK)?[$€£¥]?\s?{_FIGURE}(?:\s?(?:[(/±–-]|to)\s?{_FIGURE}\)?)?\s?(?:[*†‡]+|\([a-z0-9]{{1,2}}\))?"
)
_DAY = re.compile(
    r"[12]\d{3}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.](?:[12]\d{3}|\d\d)|\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?", re.IGNORECASE
)
_NO_VALUE = re.compile(r"[-–—]{1,3}|n/?[am]|nil|n\.[am]\.", re.IGNORECASE)
_SIGN_BEFORE = re.compile(r"(?:US|C|A|HK)?[$€£¥]\(?|\(")
_SIGN_AFTER = re.compile(r"\)?%|\)")
_SENTENCE_END = re.compile(r"[a-z]{2}[.!?]\s[A-Z]|[。！？；]")
_WIDE_CHARACTER = re.compile(
    "([\u1100-\u115f\u2e80-\u2fff\u3001-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6])"
)
"""The characters that take two places of a line (UAX #11); the blank among them is two blanks."""
_FILLER = "\0"
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_SPLIT_WORD_START = re.compile(r"(?<![^\W\d_])(?P<chained>(?<=\w-))?(?P<first>[^\W\d_]+)[-\u00ad\u2010]\Z")
_SPLIT_WORD_END = re.compile(r"(?P<second>[^\W_]+)(?P<chained>-(?=\w))?")
_COMPOUND_STARTS = frozenset((
    "all", "anti", "co", "cross", "end", "ex", "full", "half", "high", "in", "inter", "left", "long", "low",
    "mid", "multi", "near", "non", "off", "on", "one", "over", "part", "per", "peut", "post", "pre", "quelques",
    "rendez", "right", "self", "semi", "short", "single", "sub", "third", "three", "top", "two", "under", "up",
    "well", "year",
))  # fmt: skip
"""First parts of words that are written with a hyphen, not only at the end of a line."""
_SUSPENDED_WORDS = frozenset(["and", "or", "und", "oder", "sowie", "bzw", "bis", "et", "ou"])
"""Words after a hyphen that stands for the end of a compound: "short- and long-term"."""
_TAB_WIDTH = 8
_MAX_LINE_LENGTH = 400  # Characters.
_MAX_GAP = 6  # Characters between cells of one column: a dash is centred below wide numbers.


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """Words separated by single blanks, and where they begin and end in the line, in characters."""

    text: str
    start: int
    end: int

    @property
    def middle(self) -> float:
        """The place of its middle in the line."""
        return (self.start + self.end) / 2

    @property
    def is_number(self) -> bool:
        """Whether it is a number, a day or an hour, or a sign for none."""
        return any(kind.fullmatch(self.text) for kind in (_NUMBER, _DAY, _NO_VALUE))


@dataclass(slots=True)
class PrintedLine:
    """A line with its cells; `rule` are the spans of the dashes of a line of only dashes."""

    text: str
    cells: list[PrintedCell] = field(default_factory=list)
    rule: list[tuple[int, int]] = field(default_factory=list)

    @property
    def is_row(self) -> bool:
        """Whether a number follows the first cell, or the line has only numbers."""
        return any(cell.is_number for cell in self.cells[1:])

    @property
    def is_prose(self) -> bool:
        """Whether a sentence ends in it."""
        return bool(_SENTENCE_END.search(self.text))

    @property
    def is_blank(self) -> bool:
        """Whether it is empty."""
        return not self.cells and not self.rule


def collect_words(lines: Iterable[str]) -> frozenset[str]:
    """Every word of the lines in small letters, compounds with their hyphen."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line))


def split_word(line: str, next_line: str, known_words: Collection[str]) -> str | None:
    """The line before a continued word, without the hyphen unless it is that of a compound; None if none continues.

    It is a compound if the document writes it with a hyphen elsewhere, if the first part often begins one ("long-term")
    and the document never writes it as one word, if both parts have another hyphen ("state-of-the-art"), or if the
    second part begins with a capital or a digit.
    """
    start, end = _SPLIT_WORD_START.search(line), _SPLIT_WORD_END.match(next_line)
    if start is None or end is None:
        return None
    first, second = start["first"].lower(), end["second"]
    is_known = f"{first}{second}" in known_words
    if not line.endswith("-"):
        return line[:-1]
    if second in _SUSPENDED_WORDS and not is_known:
        return None
    is_compound = not second[0].islower() or f"{first}-{second}" in known_words
    is_compound = is_compound or (not is_known and first in _COMPOUND_STARTS)
    return line if is_compound or (start["chained"] is not None and end["chained"]) else line[:-1]


def parse_line(line: str) -> PrintedLine:
    """The line with its cells, separated by two blanks, a tab or leading dots; tabs reach to the next eighth column."""
    words = line.strip()
    if not words:
        return PrintedLine(line)
    if len(line) > _MAX_LINE_LENGTH:
        return PrintedLine(line, [PrintedCell(words, 0, len(line))])
    expanded_line = _WIDE_CHARACTER.sub(rf"\1{_FILLER}", line).replace("\u3000", "  ").expandtabs(_TAB_WIDTH).rstrip()
    if words[0] in _RULE_CHARACTERS and _RULE.fullmatch(expanded_line):
        return PrintedLine(line, rule=[match.span() for match in _DASHES.finditer(expanded_line)])
    if "..." in words or ". ." in words:
        expanded_line = LEADERS.sub(lambda match: " " * len(match[0]), expanded_line)
    cells = (PrintedCell(match[0].replace(_FILLER, ""), *match.span()) for match in _CELL.finditer(expanded_line))
    return PrintedLine(line, _join_signs([cell for cell in cells if not _LONG_DASHES.fullmatch(cell.text)]))


def _join_signs(cells: Sequence[PrintedCell]) -> list[PrintedCell]:
    """Currency signs joined to the number after them, percent signs and parentheses to the one before."""
    joined: list[PrintedCell] = []
    for cell in cells:
        last = joined[-1] if joined else None
        if last and _SIGN_BEFORE.fullmatch(last.text) and cell.is_number:
            joined[-1] = PrintedCell(f"{last.text} {cell.text}", last.start, cell.end)
        elif last and _SIGN_AFTER.fullmatch(cell.text) and re.search(r"\d\Z", last.text):
            joined[-1] = PrintedCell(last.text + cell.text, last.start, cell.end)
        else:
            joined.append(cell)
    return joined


def find_column_spans(cells: Sequence[PrintedCell], max_cells: int) -> list[tuple[int, int]]:
    """The stretches of the lines that more than `max_cells` cells cover."""
    edges = sorted([(cell.start, 1) for cell in cells] + [(cell.end, -1) for cell in cells])
    spans: list[tuple[int, int]] = []
    count = start = 0
    for place, step in edges:
        previous_count, count = count, count + step
        if previous_count <= max_cells < count:
            start = place
        elif count <= max_cells < previous_count:
            spans.append((start, place))
    return spans


def merge_adjacent_columns(
    columns: Sequence[tuple[int, int]], row_columns: Sequence[set[int]], header_cells: Sequence[PrintedCell]
) -> list[tuple[int, int]]:
    """The columns, with those merged that are close together and have no row with a cell in both.

    Columns of debits and credits have none either, but each is below a cell of its own among the `header_cells`.
    """
    merged: list[tuple[int, int]] = []
    last: set[int] = set()
    for number, (start, end) in enumerate(columns):
        is_mergeable = bool(merged) and start - merged[-1][1] <= _MAX_GAP
        cells_above = [
            {index for index, cell in enumerate(header_cells) if cell.start < right and left < cell.end}
            for left, right in (*merged[-1:], (start, end))
        ]
        is_mergeable = is_mergeable and not (all(cells_above) and cells_above[0].isdisjoint(cells_above[-1]))
        if is_mergeable and not any(number in numbers and numbers & last for numbers in row_columns):
            merged[-1] = merged[-1][0], end
            last.add(number)
        else:
            merged.append((start, end))
            last = {number}
    return merged


def find_column(cell: PrintedCell, columns: Sequence[tuple[int, int]]) -> int:
    """The column with most of a cell, else the nearest."""

    def measure_distance(number: int) -> tuple[float, float]:
        start, end = columns[number]
        overlap = min(cell.end, end) - max(cell.start, start)
        return (-overlap if overlap > 0 else 0, abs(cell.middle - (start + end) / 2) if overlap <= 0 else 0)

    return min(range(len(columns)), key=measure_distance)
