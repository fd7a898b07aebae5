"""Statements of scale around the tables of a document.

A filing states its scale in the line above a table, in one of a few short lines above it, at the head of the page or of
the notes, once for all tables ("all amounts in thousands unless otherwise stated"), below the table, or above the first
of several tables that follow each other. If none does, sentences may show it: "Net sales for the quarter increased to
$52.60 billion" beside the row "Net sales $ 52,604" says that the table counts in millions. The row's words must be in
the sentence, and all printed digits must agree.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import islice, takewhile

from tasks.tables.frames import Surroundings
from tasks.tables.headers import count_label_columns, find_headers
from tasks.tables.numbers import MONEY, SCALES, SHORT_SCALES, WORDS, Scale, find_scale
from warehouse.records import Block, BlockKind, Document, Table

_READ_LENGTH = 300  # Characters of the block before a table that are read.
_BLOCKS_ABOVE = 12
"""Blocks above a table that are read; a statement's head has up to five, a page break three more."""
_MAX_REMARK = 160  # The longest line that is a title or remark and not a sentence, in characters.
_NEIGHBOURS = 3  # The distance, in tables, over which a stated scale makes a table without one doubtful.
_TITLE = 250
_SENTENCE = re.compile(r"(?:\b(?:U\.S|Rs)\.|[^.!?。\n])+")
_LEAD_ENDINGS = (":", "：", ")", "）", "]")
_VERBS, _BEFORE, _SINGULAR, _PLURAL, _EXCEPT = ("|".join(words) for words in WORDS["scale_sentences"].values())
_GENERAL = re.compile(
    r"\s*\W{0,2}(?:(?:all|tabular|dollar|monetary|the) )*(?:tabular |dollar |monetary )?"
    r"(?:amounts?|figures|numbers|values|currency|(?:consolidated )?financial statements)\b"
    rf"|\s*\W{{0,2}}(?:{_PLURAL}) (?:{_VERBS})\b",
    re.IGNORECASE,
)
"""The beginning of a sentence that states the scale of a whole document."""
_EXCEPTING = re.compile(
    r"\b(?:unless|except (?:where|as)|if not)\s.{0,40}\b(?:otherwise|stated|noted|indicated)"
    rf"|(?<!\w)(?:{_EXCEPT})",
    re.IGNORECASE,
)
_OF_ONE = re.compile(rf"(?<![^\W\d_])(?:{_SINGULAR})(?![a-z])", re.IGNORECASE)
_VERB = re.compile(rf"(?<![a-zà-ÿ])(?:{_VERBS})(?![a-zà-ÿ])", re.IGNORECASE)
_COUNTED_IN = re.compile(
    rf"(?<=[(（])(?=([^()（）]+)[)）])|(?<![a-zà-ÿ])(?=((?:{_BEFORE})\s?(?!the\b)\S+(?: \S+){{0,3}}))", re.IGNORECASE
)
"""Words that may say in what something is counted: "in thousands of euros", or a text in brackets."""
_NOTES = re.compile(r"\bnotes to\b", re.IGNORECASE)
_BELOW = re.compile(
    r"\W{0,3}(?:notes?\W{1,3})?(?:all |the )?(?:amounts?|figures|dollars|numbers|in|expressed|stated)\b", re.IGNORECASE
)
_CONSOLIDATED = re.compile(
    r"\bconsolidated\b.{0,40}\b(?:statements?|balance sheets?|results|income|earnings|operations)\b", re.IGNORECASE
)
"""Groups of companies do not count in single dollars."""
_SIGN = re.compile(rf"\(?(?:{MONEY})", re.IGNORECASE)
_THOUSANDS = re.compile(rf"\A(?:{MONEY})\s?1[.,\s’']?000\Z", re.IGNORECASE)
"""A corner that is only "€ 1.000" says in what the table counts; above a column it may be an amount."""
_EXCEPTION_CELL = re.compile(r"[(（\[].*\b(?:except|excluding)\b.*[)）\]]$", re.IGNORECASE)
_WORKBOOK = re.compile(r"spreadsheet|ms-excel|application/xml")
"""Types of media of which every first-level section is a sheet."""
_CONTINUED = re.compile(r"continued|cont[’'.]?d|\bcont\.|续", re.IGNORECASE)
_UNSTATED = "the table states no scale, tables near it do"
_SCALE_OF_PREVIOUS = "the scale is that of the table before"
_SCALE_OF_TEXT = "the table states no scale; it is that of its figures in the text"
_NO_SCALE = "no scale is stated of this consolidated statement"
_CONTRADICTING = "the statements around the table differ in scale"


_POWERS = {word: (SCALES | SHORT_SCALES)[word] for word in ("thousand", "million", "billion", "trillion", "bn", "mn")}
_AMOUNT_IN_WORDS = re.compile(
    r"(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF|CAD|AUD)\s)\s?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?-?"
    rf"(?P<power>{'|'.join(_POWERS)})\b"
)
_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+(?=[A-Z])")
_WORD = re.compile(r"[a-z]{3,}")
_EMPTY_WORDS = frozenset(["and", "the", "for", "from", "total", "totals", "with", "less", "other", "our"])
_PRINTED = re.compile(r"[($€£¥\s]*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d{3,})\s*\)?")
_SCALES = (3, 6, 9)
_MIN_DIGITS, _CERTAIN_DIGITS = 3, 4
"""The digits a figure in words must have, and the digits that make one figure enough: "$53 billion" fits many rows."""
_MAX_AMOUNTS = 300  # The most figures in words that are read.


@dataclass(frozen=True, slots=True)
class _AmountInWords:
    """An amount in a sentence: the words of the sentence, its value, the value of its last digit, and its digits."""

    words: frozenset[str]
    value: Decimal
    step: Decimal
    digits: int

    def fits(self, figure: Decimal, power: int) -> bool:
        """Whether a figure in a power of ten is this amount after the sentence's rounding."""
        return abs(figure.scaleb(power) - self.value) <= self.step / 2


class ScaleStatements:
    """The scales that the surroundings of a document's tables state."""

    def __init__(self, document: Document) -> None:
        """Each table is read once, in the order of the document."""
        self._document = document
        self._starts = [block.start for block in document.blocks]
        self._titles: dict[int, tuple[str, ...]] = {}
        self._found: dict[int, Surroundings] = {}

    def find_surroundings(self, table: Table) -> Surroundings:
        """The texts and scales that apply to all figures of a table."""
        if table.number not in self._found:
            self._found[table.number] = self._build_surroundings(table)
        return self._found[table.number]

    def _build_surroundings(self, table: Table) -> Surroundings:
        texts_above, table_before, is_separated = self._find_above(table)
        header = _list_header_texts(table)
        near_texts = (*header, table.caption, *texts_above, *self._find_below(table))
        scales = _find_scales(near_texts)
        # A title may apply to several tables; a sentence that leads to one table does not.
        self._titles[table.number] = tuple(
            text for text in (table.caption, *texts_above) if not text.endswith((":", "："))
        )
        general_texts = self._list_general_statements(table)
        general_scales = _find_scales(general_texts)
        powers = {scale.amounts for scale in scales[len(_find_scales(header)) :] if scale.amounts is not None}
        doubt = _CONTRADICTING if len(powers) > 1 else ""
        earlier = None if _has_amount_scale((*scales, *general_scales)) else self._found.get(table_before)
        if earlier is not None and _has_amount_scale(earlier.scales) and not earlier.doubt:
            titles = self._titles[table.number] = self._titles[table_before]
            doubt = "" if _has_amount_scale(_find_scales(titles)) and not is_separated else _SCALE_OF_PREVIOUS
            near_texts, scales = (*near_texts, *earlier.texts), (*scales, *earlier.scales)
        scales = (*scales, *general_scales)
        doubt_of_scale = ""
        if not _has_amount_scale(scales) and any(_SIGN.match(cell) for row in table.rows for cell in row):
            power = self._infer_power_from_prose(table)
            if power is not None:
                scales, doubt = (*scales, Scale(money=power)), _SCALE_OF_TEXT
            elif self._has_stated_neighbour(table):
                doubt_of_scale = _UNSTATED
            elif any(_CONSOLIDATED.search(text) for text in near_texts):
                doubt_of_scale = _NO_SCALE
        texts = (*near_texts, *(text for text in general_texts if find_scale(text) is not None))
        sections = reversed(self._find_section(table))
        titles = (table.caption, *dict.fromkeys(filter(None, (*texts_above, *sections))))
        return Surroundings(tuple(filter(None, texts)), scales, doubt_of_scale, doubt, titles)

    def _find_above(self, table: Table) -> tuple[tuple[str, ...], int, bool]:
        """The paragraph that leads to a table, and the headings and remarks between or above, the nearest first.

        The other values are the number of the table right before them, 0 for none, and whether a heading or remark is
        between the two tables.
        """
        texts = list[str]()
        end = bisect_left(self._starts, table.start)
        is_separated = False
        for block in reversed(self._document.blocks[max(0, end - _BLOCKS_ABOVE) : end]):
            text = self._get_text(block).strip()
            if block.kind is BlockKind.TABLE:
                return tuple(texts), block.table or 0, is_separated
            if block.kind is BlockKind.FURNITURE:
                continue
            if block.kind not in (BlockKind.HEADING, BlockKind.PARAGRAPH):
                break
            is_remark = len(text) <= _MAX_REMARK and not text.endswith((".", ";", "。"))
            if block.kind is BlockKind.HEADING and block.level == 1 and self._are_sheets:
                return (*texts, text[-_READ_LENGTH:]), 0, True
            if block.kind is BlockKind.HEADING or is_remark:
                texts.append(text[-_READ_LENGTH:])
                is_separated = is_separated or not _CONTINUED.search(text)
                if block.kind is BlockKind.PARAGRAPH and text.endswith((":", "：")):
                    break
                continue
            if not _has_amount_scale(_find_scales(texts)):
                texts += _find_leading_text(text)
            break
        return tuple(texts), 0, True

    @cached_property
    def _are_sheets(self) -> bool:
        """Whether the sections are the sheets of a workbook, whose tables do not share their titles."""
        return bool(_WORKBOOK.search(self._document.media_type))

    def _find_below(self, table: Table) -> tuple[str, ...]:
        """The table's notes and the line below it that begin like statements of a scale."""
        start = bisect_right(self._starts, table.start)
        prose_kinds = (BlockKind.PARAGRAPH, BlockKind.LIST)
        blocks = takewhile(lambda block: block.kind is not BlockKind.HEADING, self._document.blocks[start : start + 2])
        texts_below = [self._get_text(block)[:_READ_LENGTH] for block in blocks if block.kind in prose_kinds]
        return tuple(text for text in (*table.notes, *texts_below[:1]) if len(text) <= _TITLE and _BELOW.match(text))

    def _get_text(self, block: Block) -> str:
        return self._document.text[block.start : block.end]

    def _list_general_statements(self, table: Table) -> tuple[str, ...]:
        """The head of the table's page, its sections' headings, and the last statement for all tables before it."""
        texts = list(self._page_statements[table.parts[0].page] if table.parts else ())
        texts += reversed(self._find_section(table))
        end = bisect_left(self._general_statements, (table.start, ""))
        return (*texts, *(text for _, text in self._general_statements[:end][-1:]))

    def _find_section(self, table: Table) -> tuple[str, ...]:
        """The headings of the sections that a table is in, the innermost last."""
        block = self._document.blocks[min(bisect_left(self._starts, table.start), len(self._starts) - 1)]
        return block.section if block.start == table.start else ()

    @cached_property
    def _page_statements(self) -> defaultdict[int | None, list[str]]:
        """The page headers and footers that state a scale, by page."""
        heads: defaultdict[int | None, list[str]] = defaultdict(list)
        for block in self._document.blocks:
            if block.kind is BlockKind.FURNITURE and block.page is not None:
                text = self._get_text(block)
                if len(text) <= _READ_LENGTH and find_scale(text) is not None:
                    heads[block.page].append(text)
        return heads

    @cached_property
    def _general_statements(self) -> list[tuple[int, str]]:
        """The statements for all tables that follow, with their positions."""
        statements = []
        for block in self._document.blocks:
            if block.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.FURNITURE):
                continue
            text = self._get_text(block)
            if len(text) <= _TITLE and _NOTES.search(text) and find_scale(text) is not None:
                statements.append((block.start, text))
                continue
            for sentence in _SENTENCE.finditer(text):
                statement = sentence[0].strip()
                is_general = _GENERAL.match(statement) or (_EXCEPTING.search(statement) and len(statement) <= _TITLE)
                is_whole = len(statement) <= 2 * _READ_LENGTH and not statement.endswith((":", "："))
                if is_general and is_whole and not _OF_ONE.search(statement) and find_scale(statement) is not None:
                    statements.append((block.start + sentence.start(), statement))
        return statements

    def _has_stated_neighbour(self, table: Table) -> bool:
        """Whether a table near this one states a scale of amounts in its header, its caption or right above."""
        index = table.number - 1
        neighbours = self._document.tables[max(0, index - _NEIGHBOURS) : index + _NEIGHBOURS + 1]
        return any(
            any(
                scale.amounts
                for scale in _find_scales((*_list_header_texts(other), other.caption, *self._find_above(other)[0]))
            )
            for other in neighbours
            if other is not table
        )

    def _infer_power_from_prose(self, table: Table) -> int | None:
        """The power of ten of a table's amounts according to sentences; None if they do not show it."""
        rows = []
        for row in table.rows:
            label = next(filter(None, row), "")
            words = frozenset(_WORD.findall(label.lower())) - _EMPTY_WORDS
            numbers = [Decimal(match[1].replace(",", "")) for cell in row[1:] if (match := _PRINTED.fullmatch(cell))]
            if words and numbers:
                rows.append((words, numbers))
        votes: Counter[int] = Counter()
        for amount in self._amounts_in_prose:
            figures = [figure for words, printed in rows if words <= amount.words for figure in printed]
            if any(amount.fits(figure, 0) for figure in figures):
                return None
            powers = {power for power in _SCALES for figure in figures if amount.fits(figure, power)}
            votes.update(dict.fromkeys(powers, 2 if amount.digits >= _CERTAIN_DIGITS else 1))
        if len(votes) != 1:
            return None
        ((power, count),) = votes.items()
        return power if count > 1 else None

    @cached_property
    def _amounts_in_prose(self) -> tuple[_AmountInWords, ...]:
        return tuple(islice(_iter_amounts(self._document), _MAX_AMOUNTS))


def _list_header_texts(table: Table) -> tuple[str, ...]:
    """The header cells above the row labels, and lone cells that state what is excepted from a scale."""
    labels = count_label_columns(table)
    paths = find_headers(table, labels).get_paths(0)[:labels]
    corner = [_THOUSANDS.sub(r"in \g<0>", text) for path in paths for text in path]
    rows = [[cell for cell in row if cell] for row in table.rows[: table.header_rows]]
    exceptions = [
        row[0]
        for row in rows
        if len(row) == 1 and (scale := find_scale(row[0])) and (scale.exempt or _EXCEPTION_CELL.match(row[0]))
    ]
    return tuple(dict.fromkeys((*corner, *exceptions)))


def _find_leading_text(text: str) -> list[str]:
    """The end of a paragraph that leads to a table (with a colon or bracket), else its sentences on the scale."""
    end = text[-_READ_LENGTH:].rstrip()
    if end.endswith(_LEAD_ENDINGS):
        return [end]
    return [sentence for match in _SENTENCE.finditer(text) if _states_scale(sentence := match[0].strip())]


def _states_scale(sentence: str) -> bool:
    """Whether a sentence says in what figures are counted, and does not only mention a large amount."""
    if len(sentence) > _READ_LENGTH:
        return False
    has_verb = _VERB.search(sentence) is not None
    return any(
        find_scale(f"({match[1]})" if match[1] else match[2]) is not None
        for match in _COUNTED_IN.finditer(sentence)
        if match[1] or has_verb or not match.start()
    )


def _find_scales(texts: Sequence[str]) -> tuple[Scale, ...]:
    return tuple(scale for text in texts if (scale := find_scale(text)) is not None)


def _has_amount_scale(scales: Sequence[Scale]) -> bool:
    return any(scale.amounts is not None for scale in scales)


def _iter_amounts(document: Document) -> Iterator[_AmountInWords]:
    for block in document.blocks:
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST):
            continue
        for sentence in _SENTENCE_END.split(document.text[block.start : block.end]):
            words = frozenset(_WORD.findall(sentence.lower()))
            for match in _AMOUNT_IN_WORDS.finditer(sentence):
                digits, power = match["digits"].replace(",", ""), _POWERS[match["power"]]
                step = Decimal(1).scaleb(power - len(digits.partition(".")[2]))
                count = len(digits.replace(".", "").lstrip("0"))
                if count >= _MIN_DIGITS:
                    yield _AmountInWords(words, Decimal(digits).scaleb(power), step, count)
