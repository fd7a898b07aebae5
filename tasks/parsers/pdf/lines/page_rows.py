"""Lines of words, the pieces into which wide gaps separate them, and kinds of lines and figures by their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from statistics import median

from tasks.parsers.pdf.lines.line_settings import LINES
from tasks.parsers.pdf.lines.text_direction import join_words
from tasks.parsers.pdf.lines.word_builder import PageWord, enclose_words, find_usual_size, is_prose
from tasks.parsers.written_dates import MONTH_WORD
from warehouse.records import Box

_LEADER_DOTS = re.compile(r"[.·…_]{3,}|[.·…]")
_CURRENCY_OR_BRACKET = re.compile(r"[$€£¥]|US\$|HK\$|[CA]\$|\(|\(?[$€£¥]\(?")
_CURRENCY = re.compile(r"\(?(?:[$€£¥]|US\$|HK\$|[CA]\$)\(?")
_LEADING_DIGITS = re.compile(r"(?<!\d)\d{1,3}$")
_THREE_DIGITS = re.compile(r"\d{3}(?!\d)")
_AREA_CODE = re.compile(r"\+?\(?\d{1,4}\)?")
_PHONE = re.compile(r"\d{3}[-.]\d{4}")
_CLOSING_SIGN = re.compile(r"[)\]%]+|\)\s*%|(?:bps?|pp|x)|[*†‡]+|\(\w\)")
_LIST_MARK = re.compile(
    r"[•‣▪●◦·–—*§➢✓\U00100000-\U0010fffd-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\(\w{1,3}\)|\d{1,2}(?:\.\d{1,2}){1,4}\.?|\*+|\[\d+\]"
)
CAPTION = re.compile(
    r"\s*(?:table|tab\.|figure|fig\.|exhibit|chart|graph|box|tableau|tabelle|表|图)\s*[\dA-Z]+(?:[.\-:]\d+)*\b",
    re.IGNORECASE,
)
NOTE = re.compile(
    r"\(?(?:\d{1,2}|[a-z]|NA|\*{1,3})\)\s|[*†‡¹²³⁴-⁹]+\s?[A-Z]|\d{1,2}/\s?[A-Z]|(?-i:\d{1,2}[A-Z][a-z]|[rpe]\s[A-Z])|"
    r"(?:notes?|sources?|n\.b\.?|see footnotes?)(?:\s*[:.]\s|\s(?:at|on)\s)",
    re.IGNORECASE,
)
UNITS = re.compile(r"[(（]?\s*(?:金额|货币|计量|数量)?(?:单位|币种)\s*[:：]")
"""The line that states the unit above a Chinese table, set to the right; no header of a column."""
_EQUATION_NUMBER = re.compile(r"\(\d{1,3}(?:\.\d{1,3})?[a-z]?\)")
_EQUATION = re.compile(r"\s[=≈≤≥≡<>]\s")


@dataclass(frozen=True)
class WordGroup:
    """Neighbouring words of one line without a wide gap between them."""

    words: tuple[PageWord, ...]

    @property
    def x0(self) -> float:
        """The left edge."""
        return self.words[0].x0

    @cached_property
    def x1(self) -> float:
        """The right edge."""
        return max(word.x1 for word in self.words)

    @property
    def center(self) -> float:
        """The horizontal centre."""
        return (self.x0 + self.x1) / 2

    @cached_property
    def text(self) -> str:
        """The words as they are read."""
        return join_words([word.text for word in self.words])

    @cached_property
    def is_figure(self) -> bool:
        """Whether it is a number as tables print them, or stands where one is missing."""
        return is_figure(self.text)


@dataclass(frozen=True)
class PageRow:
    """Words on one line of a page, left to right, and its pieces."""

    words: tuple[PageWord, ...]
    pieces: tuple[WordGroup, ...]

    @cached_property
    def box(self) -> Box:
        """The box around its words."""
        return enclose_words(self.words)

    @cached_property
    def top(self) -> float:
        """The upper edge."""
        return min(word.top for word in self.words)

    @cached_property
    def bottom(self) -> float:
        """The lower edge."""
        return max(word.bottom for word in self.words)

    @property
    def middle(self) -> float:
        """The vertical centre of its first word."""
        return self.words[0].middle

    @cached_property
    def size(self) -> float:
        """The usual font size in points."""
        return find_usual_size(self.words)

    @cached_property
    def text(self) -> str:
        """The words as they are read."""
        return join_words([word.text for word in self.words])


def read_rows(words: Iterable[PageWord]) -> list[PageRow]:
    """The lines that the words form, top to bottom; of two words on one, one has its middle in the other's height."""
    lines: list[list[PageWord]] = []
    for word in sorted(words, key=lambda word: (word.top, word.x0)):
        first = lines[-1][0] if lines else None
        if first and (first.top <= word.middle <= first.bottom or word.top <= first.middle <= word.bottom):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_make_row(line) for line in lines]


def _make_row(words: Iterable[PageWord]) -> PageRow:
    """A row of words; amounts keep their currency sign and closing bracket.

    A wide gap parts pieces; before and after figures a smaller one does, unless the whole line is set that wide.
    """
    ordered = sorted(words, key=lambda word: word.x0)
    size = find_usual_size(ordered)
    gaps = [max(0.0, after.x0 - before.x1) for before, after in pairwise(ordered)]
    if _is_justified(ordered, gaps, size):
        return PageRow(tuple(ordered), (WordGroup(tuple(ordered)),))
    min_figure_gap = max(LINES.figure_gap * size, LINES.justified_factor * median(gaps) if len(gaps) > 3 else 0.0)
    leaders = _find_leaders(ordered)
    pieces: list[list[PageWord]] = []
    for number, word in enumerate(ordered):
        if number == 0:
            pieces.append([word])
            continue
        before, gap = ordered[number - 1], gaps[number - 1]
        after_leaders = leaders[number - 1] and not leaders[number]
        is_wide = gap > LINES.piece_gap * size or gap > _measure_parting_gap(before, word, size, min_figure_gap)
        after = ordered[number + 1].text if number + 1 < len(ordered) else ""
        ends_amount = is_figure(before.text) or _CLOSING_SIGN.fullmatch(before.text)
        next_amount = _CURRENCY.fullmatch(word.text) and ends_amount and is_figure(after)
        if after_leaders or next_amount or (is_wide and not leaders[number]):
            pieces.append([word])
        else:
            pieces[-1].append(word)
    return PageRow(tuple(ordered), tuple(WordGroup(tuple(words)) for words in _join_signs(pieces)))


def _is_justified(words: Sequence[PageWord], gaps: Sequence[float], size: float) -> bool:
    """Whether a line of prose is spread to its column's width: wide gaps, all alike, between words of letters."""
    if len(words) < LINES.justified_min_words or not is_prose(words):
        return False
    usual, widest = median(gaps), max(gaps)
    are_gaps_alike = widest < LINES.justified_max_ratio * usual and widest <= LINES.justified_max_gap * size
    return usual > LINES.justified_gap * size and are_gaps_alike


def _measure_parting_gap(before: PageWord, word: PageWord, size: float, min_figure_gap: float) -> float:
    """The gap in points that parts two words: between two figures less than elsewhere, unless they may be one."""
    if _AREA_CODE.fullmatch(before.text) and _PHONE.match(word.text):
        return 2 * size
    if is_in_date(before.text, word.text):
        return LINES.piece_gap * size
    is_amount_before, is_amount_after = _is_amount_or_sign(before), _is_amount_or_sign(word)
    if is_amount_before and is_amount_after:
        may_be_thousands = _LEADING_DIGITS.search(before.text) and _THREE_DIGITS.match(word.text)
        return (LINES.figure_gap if may_be_thousands else LINES.amounts_gap) * size
    return (
        min(min_figure_gap, LINES.piece_gap * size) if is_amount_before or is_amount_after else LINES.piece_gap * size
    )


def _is_amount_or_sign(word: PageWord) -> bool:
    """Whether a word is a figure, or a sign that opens one."""
    return is_figure(word.text) or _CURRENCY_OR_BRACKET.fullmatch(word.text) is not None


def _find_leaders(words: Sequence[PageWord]) -> list[bool]:
    """Which words are the dots that lead the eye from a label to its figure; they belong to the label."""
    dots = [_LEADER_DOTS.fullmatch(word.text) is not None for word in words]
    has_leaders = (
        sum(len(word.text) for word, is_dots in zip(words, dots, strict=True) if is_dots) >= LINES.min_leader_dots
    )
    return [(has_leaders and is_dots) or word.text.endswith("....") for word, is_dots in zip(words, dots, strict=True)]


def _join_signs(pieces: Sequence[list[PageWord]]) -> list[list[PageWord]]:
    """A currency sign set apart joins the figure on its right, a closing bracket or percent sign that on its left."""
    joined_pieces: list[list[PageWord]] = []
    for piece in pieces:
        text = " ".join(word.text for word in piece)
        if joined_pieces:
            before = " ".join(word.text for word in joined_pieces[-1])
            gap = piece[0].x0 - joined_pieces[-1][-1].x1
            is_opening = (
                _CURRENCY_OR_BRACKET.fullmatch(before)
                and gap < LINES.currency_reach
                and (is_figure(text) or text.endswith(")"))
            )
            is_closing = _CLOSING_SIGN.fullmatch(text) and gap < LINES.closing_reach and is_figure(before)
            if is_opening or is_closing:
                joined_pieces[-1].extend(piece)
                continue
        joined_pieces.append(list(piece))
    return joined_pieces


def has_several_pieces(row: PageRow) -> bool:
    """Whether a line has several pieces, a list's mark or a heading's or formula's number not counted."""
    if len(row.pieces) == 2 and _LIST_MARK.fullmatch(row.pieces[0].text):
        return row.pieces[1].is_figure
    if len(row.pieces) == 2 and _EQUATION_NUMBER.fullmatch(row.pieces[1].text) and _EQUATION.search(row.pieces[0].text):
        return False
    return len(row.pieces) > 1


def has_figures(row: PageRow) -> bool:
    """Whether a line has a label, or a figure, and figures beside it."""
    return has_several_pieces(row) and any(piece.is_figure for piece in row.pieces[1:])


def is_mark(text: str) -> bool:
    """Whether a text is a bullet or the number of an item, as lists have them."""
    return _LIST_MARK.fullmatch(text) is not None


def has_item_number(row: PageRow) -> bool:
    """Whether a line has the number of a list's item, which may be a column of a table that has a header."""
    mark = row.pieces[0].text
    return len(row.pieces) > 1 and any(sign.isdigit() for sign in mark) and _LIST_MARK.fullmatch(mark) is not None


_FIGURE = re.compile(
    r"(?:[rpe] )?[(（\[<>~≈±+−–-]*\s*(?:US|HK|[CA])?[$€£¥]?\s*[(（+−–-]?\s*[$€£¥]?\s*"
    r"(?:\d[\d,.'’:/\u00a0 ]*[½¼¾⅓⅔⅛⅜⅝⅞]?|[.,]\d+|[½¼¾⅓⅔⅛⅜⅝⅞])\s*"
    r"(?:%|bps?|pp|pts?|[xX]|[kKmMbB]n?|(?:m|b|tr)illion|thousand|[万亿]?元)?\s*[)）\]]*\s*%?"
    r"(?:\s?(?:[*†‡§#a-z]|\(\w{1,2}\)|\[\w{1,2}\])){0,2}(?:\s?⁽?[¹²³⁴-⁹]{1,2}⁾?,?){0,3}"
)
_RANGE = re.compile(r"[(~]?\d{1,3}(?:\.\d+)?%?(?: ?(?:±|\+/-) ?| ?[-–—] ?)\d{1,3}(?:\.\d+)?\s?%?\)?")
_FIGURE_WITH_INTERVAL = re.compile(
    r"[<>≤≥+−–-]?\d[\d,]*(?:[.·]\d+)?%? ?[(\[][<>+−–-]?\d[\d,]*(?:[.·]\d+)?%?"
    r"(?: ?(?:[-−–—,;/]|to|±) ?[+−–-]?\d[\d,]*(?:[.·]\d+)?%?)?[)\]]"
)
"""A figure with its share, deviation or interval, as studies print it: "149 (72.7%)", "8.1 [5.9–11.0]"."""
_MISSING_FIGURE = re.compile(
    r"[-−–—.:*…xX•✓]{1,3}|[$€£¥]\s?[-−–—]{1,2}|n/?[adm]\.?|\((?:NA|X|D|Z|S|B|L)\)|nil|N/?[AMD]\.?|NM|\(?[a-z]\)",
    re.IGNORECASE,
)

_YEAR = re.compile(
    r"\(?(?:\d{1,2},? )?(?:FY|CY)?\s?(?:19|20)\d\d(?:[-/–]\d{2,4})?[a-z*†)¹²³⁴-⁹]?(?:\s*\(?[a-zA-Z]\)?)?"
)
_NUMERIC_DATE = re.compile(r"\d{1,2}/\d{1,2}/(?:\d\d){1,2}|\d{1,2}\.\d{1,2}\.(?:19|20)\d\d")
_NUMBER_RANGE = re.compile(r"\d{1,3} ?[-–] ?\d{1,3}")
_FINAL_MONTH = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?$|\b[A-Z][a-z]{2,8} \d{1,2},$",
    re.IGNORECASE,
)
_MONTHS = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_MONTH_DAY = re.compile(rf"{_MONTHS}(?: \d{{1,2}},?)?(?: (?:19|20)\d\d)?(?: \((?:un)?audited\))?", re.IGNORECASE)
_MONTH_DAY_COMMA = re.compile(rf"{_MONTHS} \d{{1,2}},", re.IGNORECASE)
_PERIOD = re.compile(
    r"(?:for )?(?:the )?(?:"
    r"(?:three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two|\d{1,2})[- ](?:months?|weeks?)"
    r"|(?:fiscal |first |second |third |fourth )*(?:quarters?|years?|months?|periods?))(?: then)?(?: (?:ended|ending)"
    rf"(?: {_MONTHS}(?: \d{{1,2}},?)?)?)|as (?:of|at)",
    re.IGNORECASE,
)
_PERIOD_END = re.compile(r"\b(?:ended|ending|as (?:of|at))$", re.IGNORECASE)
_SHORT_DATE = re.compile(r"\d{1,2}([/.-])\d{1,2}\1(?:\d\d){1,2}(?!\d)")
_DAY_OR_YEAR = re.compile(r"\d{1,2}(?![,.]?\d)|(?:19|20)\d\d(?!\d)")


@lru_cache(maxsize=8192)
def is_figure(text: str) -> bool:
    """Whether a text is a number as tables print them, or a sign that one is missing ("-", "n/a", ":")."""
    return (
        len(text) < 40
        and not text.endswith(",")
        and any(form.fullmatch(text) for form in (_FIGURE, _RANGE, _FIGURE_WITH_INTERVAL, _MISSING_FIGURE))
    )


@lru_cache(maxsize=8192)
def is_amount(text: str) -> bool:
    """Whether a text is a figure other than a year, a date or a bracket of years or ages, which head columns."""
    heads = (_YEAR, _NUMERIC_DATE, _NUMBER_RANGE)
    return is_figure(text) and not any(form.fullmatch(text) for form in heads)


def is_year(text: str) -> bool:
    """Whether a text is a year, which may head several columns."""
    return _YEAR.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Whether a text is a day, a month with its day, or a year, with nothing else: what stands below "Weeks Ended"."""
    return any(form.fullmatch(text.strip()) for form in (_YEAR, _NUMERIC_DATE, _MONTH_DAY))


def ends_on_dates(text: str) -> bool:
    """Whether a header leaves the end of a time to the dates below: "Three Months Ended", "April 30,"."""
    return any(form.fullmatch(text.strip()) for form in (_PERIOD, _MONTH_DAY_COMMA))


def are_column_numbers(texts: Sequence[str]) -> bool:
    """Whether texts number or letter columns: 1, 2, 3 or (a), (b), (c)."""
    labels = [text.strip("()[] ") for text in texts]
    if len(labels) < LINES.min_numbered_columns:
        return False
    if all(text.isdecimal() and len(text) < LINES.min_numbered_columns for text in labels):
        numbers = [int(text) for text in labels]
    elif all(len(text) == 1 and text.isascii() and text.isalpha() for text in labels):
        numbers = [ord(text.lower()) - ord("a") + 1 for text in labels]
    else:
        return False
    return numbers[0] in (1, 2) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


_PART_WORDS = (
    r"halb\w+|half\w*|halves|semest\w+|quart\w+|kwart\w+|trimest\w+"
    r"|(?:fiscal |financial |geschäfts|wirtschafts|boek)(?:years?|jahr\w*|jaar)|exercice|ejercicio|esercizio|exercício"
)
_PART_OF_YEAR = re.compile(rf"(?:{_PART_WORDS})(?![^\W\d_])", re.IGNORECASE)
_FINAL_PART = re.compile(
    rf"(?<![^\W_])(?:{_PART_WORDS}|[HQST][1-4]|[1-4][HQST]|\d{{1,2}}M|FY|CY|GJ|Hj\.?|YTD|{MONTH_WORD})"
    r"(?:\s(?:to|of|de|del|do|di))?$",
    re.IGNORECASE,
)
_FINAL_ORDINAL = re.compile(
    r"(?:(?<![\w.,])[1-4](?:\.|st|nd|rd|th|er?|ère|ème|[ºª°o])?|first|second|third|fourth|erstes|zweites|drittes|viertes"
    r"|premier|deuxième|troisième|quatrième|prime?r[oa]?|segundo|tercero?|cuarto|primo|secondo|terzo|quarto|eerste"
    r"|tweede|derde|vierde)$",
    re.IGNORECASE,
)
_YEAR_START = re.compile(r"(?:19|20)\d\d(?!\d)")


def is_in_date(before: str, after: str) -> bool:
    """Whether neighbours are parts of one date: a month and its day or year, a day and its year, "ended" and a date.

    Or of a part of a year: its number and name, "1. Halbjahr", or its name and year, "Halbjahr 2024", "H1 2024".
    """
    if _PERIOD_END.search(before) is not None:
        return _SHORT_DATE.match(after) is not None
    if _FINAL_ORDINAL.search(before) and _PART_OF_YEAR.match(after):
        return True
    if _FINAL_PART.search(before) and _YEAR_START.match(after):
        return True
    return _FINAL_MONTH.search(before) is not None and _DAY_OR_YEAR.match(after) is not None
