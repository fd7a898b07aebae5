"""Statements around the tables of a document that say what their figures are counted in.

A filing states its scale in the line above a table, in one of a few short lines above it, at the head of the page or of
the notes, once for all tables ("all amounts in thousands unless otherwise stated"), below the table, or above the first
of several tables that follow each other. Where none does, sentences may tell it: "Net sales for the quarter increased
to $52.60 billion" beside the row "Net sales $ 52,604" says that the table counts in millions. The row's words must
stand in the sentence, and all printed digits must agree.
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

_REACH = 300  # How much of the block before a table is looked at, in characters.
_LOOK_BACK = 12
"""How many blocks above a table are looked at; a statement's head takes up to five, a page break three more."""
_REMARK = 160  # The longest line that is a title or remark and no sentence, in characters.
_NEIGHBOURS = 3  # How far, in tables, a stated scale makes a table without one doubtful.
_TITLE = 250
_SENTENCE = re.compile(r"(?:\b(?:U\.S|Rs)\.|[^.!?。\n])+")
_LEADS_TO_TABLE = (":", "：", ")", "）", "]")
_SPEAKS, _BEFORE, _ONE, _ALL, _UNLESS = ("|".join(words) for words in WORDS["scale_sentences"].values())
_GENERAL = re.compile(
    r"\s*\W{0,2}(?:(?:all|tabular|dollar|monetary|the) )*(?:tabular |dollar |monetary )?"
    r"(?:amounts?|figures|numbers|values|currency|(?:consolidated )?financial statements)\b"
    rf"|\s*\W{{0,2}}(?:{_ALL}) (?:{_SPEAKS})\b",
    re.IGNORECASE,
)
"""How a sentence begins that states the scale of a whole document."""
_OTHERWISE = re.compile(
    r"\b(?:unless|except (?:where|as)|if not)\s.{0,40}\b(?:otherwise|stated|noted|indicated)"
    rf"|(?<!\w)(?:{_UNLESS})",
    re.IGNORECASE,
)
_OF_ONE = re.compile(rf"(?<![^\W\d_])(?:{_ONE})(?![a-z])", re.IGNORECASE)
_SPEAKING = re.compile(rf"(?<![a-zà-ÿ])(?:{_SPEAKS})(?![a-zà-ÿ])", re.IGNORECASE)
_COUNTED_IN = re.compile(
    rf"(?<=[(（])(?=([^()（）]+)[)）])|(?<![a-zà-ÿ])(?=((?:{_BEFORE})\s?(?!the\b)\S+(?: \S+){{0,3}}))", re.IGNORECASE
)
"""Where words begin that may say in what something is counted: "in thousands of euros", and what stands in brackets."""
_NOTES = re.compile(r"\bnotes to\b", re.IGNORECASE)
_BELOW = re.compile(
    r"\W{0,3}(?:notes?\W{1,3})?(?:all |the )?(?:amounts?|figures|dollars|numbers|in|expressed|stated)\b", re.IGNORECASE
)
_CONSOLIDATED = re.compile(
    r"\bconsolidated\b.{0,40}\b(?:statements?|balance sheets?|results|income|earnings|operations)\b", re.IGNORECASE
)
"""Groups of companies do not count in single dollars."""
_SIGN = re.compile(rf"\(?(?:{MONEY})", re.IGNORECASE)
_ALONE = re.compile(r"[(（\[].*\b(?:except|excluding)\b.*[)）\]]$", re.IGNORECASE)
_CONTINUED = re.compile(r"continued|cont[’'.]?d|\bcont\.|续", re.IGNORECASE)
_UNSTATED = "the table states no scale, tables near it do"
_TAKEN = "the scale is that of the table before"
_SAID = "the table states no scale; it is that of its figures in the text"
_NOWHERE = "no scale is stated of this consolidated statement"
_DIFFER = "the statements around the table differ in scale"


_POWERS = {word: (SCALES | SHORT_SCALES)[word] for word in ("thousand", "million", "billion", "trillion", "bn", "mn")}
_WORDED = re.compile(
    r"(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF|CAD|AUD)\s)\s?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?-?"
    rf"(?P<power>{'|'.join(_POWERS)})\b"
)
_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+(?=[A-Z])")
_WORD = re.compile(r"[a-z]{3,}")
_EMPTY_WORDS = frozenset(["and", "the", "for", "from", "total", "totals", "with", "less", "other", "our"])
_PRINTED = re.compile(r"[($€£¥\s]*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d{3,})\s*\)?")
_SCALES = (3, 6, 9)
_FEWEST_DIGITS, _SURE_DIGITS = 3, 4
"""Digits that a figure in words must have, and as many as let one figure be enough: "$53 billion" fits many a row."""
_MOST = 300  # Figures in words that are looked at.


@dataclass(frozen=True, slots=True)
class _AmountInWords:
    """The words of its sentence, its value, what its last digit stands for, and its digits."""

    words: frozenset[str]
    value: Decimal
    step: Decimal
    digits: int

    def fits(self, figure: Decimal, power: int) -> bool:
        """Whether a figure counted in a power of ten, rounded as the sentence rounds, is this amount."""
        return abs(figure.scaleb(power) - self.value) <= self.step / 2


class ScaleStatements:
    """The scales that the surroundings of a document's tables state."""

    def __init__(self, document: Document) -> None:
        """Each table is looked at once, in the order of the document."""
        self._document = document
        self._starts = [block.start for block in document.blocks]
        self._titles: dict[int, tuple[str, ...]] = {}
        self._found: dict[int, Surroundings] = {}

    def find_surroundings(self, table: Table) -> Surroundings:
        """What speaks of all figures of a table."""
        if table.number not in self._found:
            self._found[table.number] = self._build_surroundings(table)
        return self._found[table.number]

    def _build_surroundings(self, table: Table) -> Surroundings:
        above, table_before, apart = self._find_above(table)
        header = _list_header_texts(table)
        near = (*header, table.caption, *above, *self._find_below(table))
        scales = _find_scales(near)
        # A title may stand above several tables, as a sentence that leads to one does not.
        self._titles[table.number] = tuple(text for text in (table.caption, *above) if not text.endswith((":", "：")))
        wide = self._list_general_statements(table)
        general = _find_scales(wide)
        stated = {scale.amounts for scale in scales[len(_find_scales(header)) :] if scale.amounts is not None}
        doubt = _DIFFER if len(stated) > 1 else ""
        before = None if _has_amount_scale((*scales, *general)) else self._found.get(table_before)
        if before is not None and _has_amount_scale(before.scales) and not before.doubt:
            titles = self._titles[table.number] = self._titles[table_before]
            doubt = "" if _has_amount_scale(_find_scales(titles)) and not apart else _TAKEN
            near, scales = (*near, *before.texts), (*scales, *before.scales)
        scales = (*scales, *general)
        unstated = ""
        if not _has_amount_scale(scales) and any(_SIGN.match(cell) for row in table.rows for cell in row):
            power = self._infer_power_from_prose(table)
            if power is not None:
                scales, doubt = (*scales, Scale(money=power)), _SAID
            elif self._is_beside_stated(table):
                unstated = _UNSTATED
            elif any(_CONSOLIDATED.search(text) for text in near):
                unstated = _NOWHERE
        texts = (*near, *(text for text in wide if find_scale(text) is not None))
        return Surroundings(tuple(filter(None, texts)), scales, unstated, doubt)

    def _find_above(self, table: Table) -> tuple[tuple[str, ...], int, bool]:
        """The paragraph that leads to a table, and the headings and remarks between or above, the nearest first.

        With them, the number of the table right before them, 0 for none, and whether a heading or remark stands between
        the two tables.
        """
        texts = list[str]()
        place = bisect_left(self._starts, table.start)
        apart = False
        for block in reversed(self._document.blocks[max(0, place - _LOOK_BACK) : place]):
            text = self._get_text(block).strip()
            if block.kind is BlockKind.TABLE:
                return tuple(texts), block.table or 0, apart
            if block.kind is BlockKind.FURNITURE:
                continue
            if block.kind not in (BlockKind.HEADING, BlockKind.PARAGRAPH):
                break
            is_remark = len(text) <= _REMARK and not text.endswith((".", ";", "。"))
            if block.kind is BlockKind.HEADING or is_remark:
                texts.append(text[-_REACH:])
                apart = apart or not _CONTINUED.search(text)
                if block.kind is BlockKind.PARAGRAPH and text.endswith((":", "：")):
                    break
                continue
            if not _has_amount_scale(_find_scales(texts)):
                texts += _find_leading_text(text)
            break
        return tuple(texts), 0, True

    def _find_below(self, table: Table) -> tuple[str, ...]:
        """Notes and the line below, where they begin as statements of a scale do."""
        place = bisect_right(self._starts, table.start)
        prose = (BlockKind.PARAGRAPH, BlockKind.LIST)
        blocks = takewhile(lambda block: block.kind is not BlockKind.HEADING, self._document.blocks[place : place + 2])
        after = [self._get_text(block)[:_REACH] for block in blocks if block.kind in prose]
        return tuple(text for text in (*table.notes, *after[:1]) if len(text) <= _TITLE and _BELOW.match(text))

    def _get_text(self, block: Block) -> str:
        return self._document.text[block.start : block.end]

    def _list_general_statements(self, table: Table) -> tuple[str, ...]:
        """The head of the table's page, its sections' headings, and the last statement for all tables before it."""
        texts = list(self._heads[table.parts[0].page] if table.parts else ())
        place = bisect_left(self._starts, table.start)
        for block in self._document.blocks[place : place + 1]:
            texts += reversed(block.section if block.start == table.start else ())
        last = bisect_left(self._wide, (table.start, ""))
        return (*texts, *(text for _, text in self._wide[:last][-1:]))

    @cached_property
    def _heads(self) -> defaultdict[int | None, list[str]]:
        """The lines set aside on each page that state a scale."""
        found: defaultdict[int | None, list[str]] = defaultdict(list)
        for block in self._document.blocks:
            if block.kind is BlockKind.FURNITURE and block.page is not None:
                text = self._get_text(block)
                if len(text) <= _REACH and find_scale(text) is not None:
                    found[block.page].append(text)
        return found

    @cached_property
    def _wide(self) -> list[tuple[int, str]]:
        """The statements for all tables that follow, with where they stand."""
        found = []
        for block in self._document.blocks:
            if block.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.FURNITURE):
                continue
            text = self._get_text(block)
            if len(text) <= _TITLE and _NOTES.search(text) and find_scale(text) is not None:
                found.append((block.start, text))
                continue
            for sentence in _SENTENCE.finditer(text):
                stated = sentence[0].strip()
                opens = _GENERAL.match(stated) or (_OTHERWISE.search(stated) and len(stated) <= _TITLE)
                is_whole = len(stated) <= 2 * _REACH and not stated.endswith((":", "："))
                if opens and is_whole and not _OF_ONE.search(stated) and find_scale(stated) is not None:
                    found.append((block.start + sentence.start(), stated))
        return found

    def _is_beside_stated(self, table: Table) -> bool:
        """Whether a table near this one states a scale of amounts in its header, its caption or right above."""
        place = table.number - 1
        near = self._document.tables[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS + 1]
        return any(
            any(
                scale.amounts
                for scale in _find_scales((*_list_header_texts(each), each.caption, *self._find_above(each)[0]))
            )
            for each in near
            if each is not table
        )

    def _infer_power_from_prose(self, table: Table) -> int | None:
        """The power of ten that the amounts of a table are counted in, as sentences tell; None where they do not."""
        rows = []
        for row in table.rows:
            label = next(filter(None, row), "")
            words = frozenset(_WORD.findall(label.lower())) - _EMPTY_WORDS
            printed = [Decimal(match[1].replace(",", "")) for cell in row[1:] if (match := _PRINTED.fullmatch(cell))]
            if words and printed:
                rows.append((words, printed))
        votes: Counter[int] = Counter()
        for amount in self._amounts_in_prose:
            near = [figure for words, figures in rows if words <= amount.words for figure in figures]
            if any(amount.fits(figure, 0) for figure in near):
                return None
            fitting = {power for power in _SCALES for figure in near if amount.fits(figure, power)}
            votes.update(dict.fromkeys(fitting, 2 if amount.digits >= _SURE_DIGITS else 1))
        if len(votes) != 1:
            return None
        ((power, count),) = votes.items()
        return power if count > 1 else None

    @cached_property
    def _amounts_in_prose(self) -> tuple[_AmountInWords, ...]:
        return tuple(islice(_iter_amounts(self._document), _MOST))


def _list_header_texts(table: Table) -> tuple[str, ...]:
    """The header cells above the labels of rows, and a lone one that states what is excepted from a scale."""
    labels = count_label_columns(table)
    corner = [text for path in find_headers(table, labels).get_paths(0)[:labels] for text in path]
    rows = [[cell for cell in row if cell] for row in table.rows[: table.header_rows]]
    lone = [
        row[0]
        for row in rows
        if len(row) == 1 and (scale := find_scale(row[0])) and (scale.exempt or _ALONE.match(row[0]))
    ]
    return tuple(dict.fromkeys((*corner, *lone)))


def _find_leading_text(text: str) -> list[str]:
    """The end of a paragraph that leads to a table, as a colon or bracket shows, else its sentences on the scale."""
    end = text[-_REACH:].rstrip()
    if end.endswith(_LEADS_TO_TABLE):
        return [end]
    return [sentence for found in _SENTENCE.finditer(text) if _states_scale(sentence := found[0].strip())]


def _states_scale(sentence: str) -> bool:
    """Whether a sentence says in what figures are counted, and does not only tell of a large amount."""
    if len(sentence) > _REACH:
        return False
    speaks = _SPEAKING.search(sentence) is not None
    return any(
        find_scale(f"({found[1]})" if found[1] else found[2]) is not None
        for found in _COUNTED_IN.finditer(sentence)
        if found[1] or speaks or not found.start()
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
            for found in _WORDED.finditer(sentence):
                digits, power = found["digits"].replace(",", ""), _POWERS[found["power"]]
                step = Decimal(1).scaleb(power - len(digits.partition(".")[2]))
                count = len(digits.replace(".", "").lstrip("0"))
                if count >= _FEWEST_DIGITS:
                    yield _AmountInWords(words, Decimal(digits).scaleb(power), step, count)
