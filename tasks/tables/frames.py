"""The frame of a figure: what it measures, and its scale, unit and currency by the nearest words that name them.

"(in millions)" above a table applies to its amounts. It does not apply to percentages, amounts per share or ton, years
or employees, though those are in the same columns: what a label measures decides whether a scale applies.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, partial
from pathlib import Path

from tasks.tables.headers import HeaderPath
from tasks.tables.numbers import Number, Scale, find_currency, find_scale
from tasks.temporal.english.lexicon import MONTHS

_WORDS = tomllib.loads(Path(__file__).with_name("measure_words.toml").read_text(encoding="utf-8"))
COLUMN_WORDS: Mapping[str, list[str]] = _WORDS["columns"]
"""Words of headers of columns: of currencies, units, money, readings and days."""


class FigureKind(Enum):
    """The kinds of figures that a scale treats differently."""

    AMOUNT = "amount"
    PERCENT = "percent"
    PER = "amount per something"
    RATIO = "ratio"
    TIME = "time"
    SHARES = "number of shares"
    COUNT = "number of people or things"
    REFERENCE = "number of a note, or a date"


_NOTE = r"(?:\s?[(\[][^)\]]{0,40}[)\]]|[0-9*†‡§¹²³⁴⁵⁶⁷⁸⁹,.:]){0,4}$"
_NOT_MONEY = (
    r"^(?!.*(?:cost|expens|benefit|compensat|payabl|salar|wage|accru|contribut|loan|charg|payment|paid|proceed"
    r"|repurchas|issu|purchas|premium|capital|earnings (?!per)|income|profit|loss|value|liabilit|dividend|tax"
    r"|surrender|withh|exercis|\bdue\b|\$))"
)
_PREFIXES = "|".join(map(re.escape, _WORDS["number"]["before"]))
_SHARE_WORDS, _PER_WORDS = ("|".join(map(re.escape, _WORDS["shares"][name])) for name in ("words", "per"))
_SIGNS, _UNITS = ("|".join(map(re.escape, _WORDS["physical"][name])) for name in ("signs", "words"))
_NOUNS, _FOLLOWERS = (
    "|".join(_WORDS["physical"]["nouns"]),
    "|".join(_WORDS["physical"]["follow"] + _WORDS["things"]["done"]),
)
_SCALE_WORDS = r"(?:(?:thousand|million|billion|tausend|hundred)s?(?: of)?|mio\.?|[’'‘]?000s?|[百千万億亿]+)?\s?"
_PER_TIME = r"(?:\s?/\s?[^)）\s]{1,12}| (?:per|a|pro|je|par|por) [^)）]{1,20})?"
_PHYSICAL = (
    rf"[(（\[](?:in )?{_SCALE_WORDS}(?-i:{_SIGNS}|{_UNITS}){_PER_TIME}[)）\]]|(?:, |\bin )(?-i:{_SIGNS}){_PER_TIME}\Z"
    rf"|(?:^|, ){_SCALE_WORDS}(?:{_NOUNS})(?:\s?[/(（\[,:]|\s(?:{_FOLLOWERS})\b)"
)
_KIND = (
    r"(?:[ -]*(?:weighted|average|total|adjusted|basic|diluted|pro forma|non-gaap|gaap|and|common|ordinary|class [a-c]"
    r"|equity|of|the|in|assumed|dilutive|number|treasury)\b){0,8}[ -]*"
)
_NO_EFFECT = r"^(?!.*\b(?:at|impact|effect|changes?|amount|due|differ\w*|adjustments?)\b)"
_RULES: tuple[tuple[FigureKind, re.Pattern[str]], ...] = tuple(
    (measure, re.compile("|".join(patterns), re.IGNORECASE))
    for measure, patterns in {
        FigureKind.REFERENCE: [
            r"^(?:notes?|ref(?:erence)?s?\.?|pages?|no\.|year|附注|附註|注释|序号|年份)$",
            rf"\b(?:year of|(?<!\bto[ -])(?<!original )maturity|expir(?:y|ation|es))(?: date| year)?s?{_NOTE}",
            rf"\bdue (?:date|year)s?{_NOTE}",
        ],
        FigureKind.PERCENT: [
            r"(?<![0-9])(?<![0-9]\s)[%％]|\bpercent(?:age)?s?\b|\bper cent\b|\bpct\b",
            r"百分比|占比|比例|率(?:[（(]|$)",
        ],
        FigureKind.SHARES: [
            rf"^(?:total )?shares{_NOTE}",
            rf"^{_KIND}(?:weighted|average|number|basic|diluted)\b{_KIND}(?:shares|ADSs)\b(?! (?:price|value))",
            rf"^{_KIND}(?:shares|ADSs) (?:outstanding|in issue)\b",
            _NOT_MONEY + r".*\b(?:shares|ADSs)\b.*\b(?:outstanding|used|granted|vested)\b",
            _NOT_MONEY + r".*\b(?:number of|weighted|basic|diluti?ve|diluted)\b.{0,60}\bshares\b",
            r"\bnumber of (?:\w+ ){0,3}shares\b|^denominator\b|股数|股數|股份数|（股）|万股",
            rf"^(?:{_PREFIXES}) ?(?:\w+ ){{0,3}}(?:{_SHARE_WORDS})\b",
        ],
        FigureKind.PER: [
            r"(?<![0-9] )(?<!as )\bper\b(?! (?:annum|year|cent)\b)|\bEPS\b|每股|元/|\bcents/share\b",
            r"\b(?:exercise|conversion|strike|average|closing|stock|share) prices?\b",
            r"\bgrant[- ]date fair values?\b",
            rf"\b(?:{_PER_WORDS}) (?:{_SHARE_WORDS})\b|\bje (?-i:[A-ZÄÖÜ])\w+",
        ],
        FigureKind.RATIO: [
            _NO_EFFECT + rf".*\b(?:rate|ratio|yield|multiple|volatility|leverage){_NOTE}",
            rf"[(（](?:x|×|times|倍)[)）]|\bto (?:adjusted )?EBITDA{_NOTE}",
            rf"^(?:{'|'.join(_WORDS['ratios']['words'])}|p[- ]?values?){_NOTE}",
        ],
        FigureKind.TIME: [
            r"\((?:in )?(?:years|months|days|weeks)\)|[（(][年天月][)）]",
            rf"\b(?:expected|useful|average) (?:li(?:fe|ves)|terms?)\b|,\s(?:in )?(?:days|months|years){_NOTE}",
            r"^(?:average )?days['’]? (?:(?:of|in) )?(?:sales|payables?|inventor(?:y|ies)|receivables?)\b",
            rf"^D[SPI]O{_NOTE}",
            rf"\b(?:debtors?|creditors?|inventory|stock|receivables?|payables?) (?:collection |turnover )?days{_NOTE}",
        ],
        FigureKind.COUNT: [
            _NOT_MONEY + r".*\b(?:employees|headcount|FTEs?|full[- ]time equivalents?|staff)\b",
            rf"\b(?:number|no\.) of\b|^(?:{_PREFIXES}) ?\w",
            _PHYSICAL,
            r"人数|人數|员工|員工|数量|數量|[（(][人家个个户台][)）]",
        ],
    }.items()
)
_PHYSICAL_UNIT, _RATE = re.compile(_PHYSICAL, re.IGNORECASE), re.compile(r"\s(?:per|je)\s.*", re.IGNORECASE)
_PAR_VALUE = re.compile(r"\bpar value\b[^,;]{0,60}?\bper (?:\w+ ){0,2}share\b", re.IGNORECASE)
_STATED_AMOUNT = re.compile(
    r"[$€£¥]?\s?[0-9][0-9.,/¹²³₀-₉⁄]*\s?(?:¢|cents?|p)?\s*per (?:\w+ ){0,2}(?:share|unit|ADS)\b", re.IGNORECASE
)
"""An amount per share that a label states beside its own subject: "Dividends, $0.92 per share"."""
_PURPOSE = re.compile(
    r"(?<=[a-z)])[,\s]+"
    r"(?:used|for (?:the )?(?:purposes? of|calculat\w+|comput\w+|(?:basic|diluted)\b.*\b(?:per|EPS)))\b.*",
    re.IGNORECASE,
)
"""The purpose of a figure: shares, or income, "used to compute net income per share"."""
_AMOUNT = re.compile(r"\b(?:income|earnings|profit|ebit(?:da)?|revenues?|sales|loss(?:es)?|cash flow)\b", re.IGNORECASE)
_LIST_SEPARATOR = re.compile(r",|;|\b(?:and|or)\b|&")
_WORD = re.compile(r"[^\W\d_]+")
_TIME_WORDS = re.compile(
    r"[0-9\W_]+|\b(?:(?:three|six|nine|twelve|first|second|third|fourth|full|fiscal|calendar|year|quarter|month|week|day|[qh][1-4]|fy[0-9]{2,4}"
    rf"|half|ended|ending|end|as|of|at|for|the|to|date|q|h|fy|unaudited|audited|{'|'.join(MONTHS)})s?\b)|[年月日季度第上下半一二三四]",
    re.IGNORECASE,
)
_MAX_LABEL_LENGTH = 200  # Characters of a label that are read.
_EXCEPT = re.compile(r"\b(?:except|excluding|other than)\b.*|除.*外", re.IGNORECASE)


def classify_measure(label: str) -> FigureKind:
    """The kind of figure that a single label names; amounts if it names no other."""
    text = label[:_MAX_LABEL_LENGTH]
    for pattern in (_EXCEPT, _PAR_VALUE, _STATED_AMOUNT, _PURPOSE):
        text = pattern.sub("", text)
    text = text.strip()
    kind = next((measure for measure, pattern in _RULES if pattern.search(text)), FigureKind.AMOUNT)
    if kind is not FigureKind.PER:
        return kind
    # A count per day or flight is not money: "Barrels per day", "Passengers per flight".
    is_count = _PHYSICAL_UNIT.search(text) or is_counted(_RATE.sub("", text), among_counts=True)
    return FigureKind.COUNT if is_count else FigureKind.AMOUNT if _is_mixed(text) else kind


def _is_mixed(label: str) -> bool:
    """Whether a label lists amounts and amounts per share side by side: "EBITDA, net income and EPS"."""
    parts = [part for part in _LIST_SEPARATOR.split(label[:_MAX_LABEL_LENGTH]) if re.search(r"[^\W\d_]{2}", part)]
    parts_of_amounts = [part for part in parts if not re.search(r"\bEPS\b|\bper (?:\w+ )?share\b", part, re.IGNORECASE)]
    return 0 < len(parts_of_amounts) < len(parts) and all(map(_AMOUNT.search, parts_of_amounts))


_BRACKETS = re.compile(r"[(\[][^)\]]*[)\]]|[\d*†‡§]")
_COUNTABLES, _THINGS, _DONE, _WITH = (
    frozenset(_WORDS[name][words])
    for name, words in (("counted", "words"), ("things", "words"), ("things", "done"), ("with", "words"))
)
_COUNT_SUFFIXES = frozenset(_WORDS["number"]["behind"])
_MONEY_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS['money']['words'])})\b|[$€£¥]", re.IGNORECASE)


def is_counted(label: str, *, among_counts: bool) -> bool:
    """Whether a label names only the people or things that it counts: "Customers at year end", "Vehicles sold".

    Nouns that may also head money, "Stores", count only `among_counts`, in a table with other such rows.
    """
    words = [word for word in _WORD.findall(_BRACKETS.sub(" ", label[:_MAX_LABEL_LENGTH].lower())) if word not in _WITH]
    nouns = [word for word in words if word not in _DONE and word not in _COUNT_SUFFIXES]
    if not nouns or not _COUNTABLES.union(_THINGS).issuperset(nouns):
        return False
    return among_counts or len(nouns) < len(words) or not _COUNTABLES.isdisjoint(nouns)


def is_count(label: str) -> bool:
    """Whether a label by itself says that figures count people or things."""
    return classify_measure(label) is FigureKind.COUNT or is_counted(label, among_counts=False)


def is_time_header(path: HeaderPath) -> bool:
    """Whether a column's headers say nothing but a time."""
    return bool(path) and not any(_TIME_WORDS.sub("", label) for label in path)


_UNSCALED = (FigureKind.PERCENT, FigureKind.RATIO, FigureKind.TIME, FigureKind.REFERENCE)
"""The kinds that are neither scaled nor money."""
_NEVER_MONEY = (FigureKind.PERCENT, FigureKind.RATIO, FigureKind.TIME, FigureKind.COUNT, FigureKind.SHARES)
"""The kinds that a figure with its own currency sign cannot have, whatever its headers say."""
_SECTION_KINDS = (FigureKind.PER, FigureKind.SHARES, FigureKind.PERCENT, FigureKind.RATIO, FigureKind.COUNT)
"""The kinds that a section gives to all rows below it; a section named for maturities still holds amounts."""
_FULL_SHARES = 1_000_000  # A number of shares that is printed this large is printed in full.
_FULL_AMOUNT = 1_000_000_000  # An amount that is printed this large is printed in full, where no scale is stated.
_MIXED_DOUBT = "the row names both amounts and amounts per share"  # The doubt where its column says nothing but a time.
_CENTS_POWER = -2  # The power of cents and pence.
_CENTS = re.compile(r"\b(?:cents?|pence|sen)\b|¢|\(p\)|港仙", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The surroundings of a table: texts that apply to all of it, the nearest first, and doubts about its scale.

    `titles` may name its time: the caption, perhaps empty, lines right above, headings of sections. `unstated` says why
    a table without a stated scale may still have one, `doubt` why its scale is not sure.
    """

    texts: tuple[str, ...] = ()
    scales: tuple[Scale, ...] = ()
    unstated: str = ""
    doubt: str = ""
    titles: tuple[str, ...] = ("",)

    def with_scale(self, power: int) -> Surroundings:
        """The same with a person's statement in front that its amounts are counted in a power of ten."""
        return replace(self, scales=(Scale(money=power, other=power), *self.scales), unstated="", doubt="")


@dataclass(frozen=True, slots=True)
class Frame:
    """The properties of a figure according to its headers.

    `amount` is the power of ten of amounts of money, `counted` that of a number of shares or things, None if it is not
    known whether the table's scale applies to them. `minor` says that it is counted in cents. `by_section` says that
    only a section above names the measure. `corrected` is the power that a person gave the table, `currencies` the code
    that was read for most of it and the one that a person gave instead.
    """

    measure: FigureKind
    amount: int
    counted: int | None
    currency: str
    minor: bool = False
    by_section: bool = False
    unstated: str = ""
    amount_doubt: str = ""
    label_doubt: str = ""
    corrected: int | None = None
    currencies: tuple[str, str] = ("", "")

    def get_measure(self, number: Number) -> FigureKind:
        """The measure of a number: one with a currency sign is an amount, and so is a large one under "per share"."""
        is_money = number.currency and self.measure in _NEVER_MONEY
        return FigureKind.AMOUNT if is_money or self._is_too_large(number) else self.measure

    def get_power(self, number: Number) -> int | None:
        """The power of ten that the headers give a number, 0 if it has its own; None if it is not known."""
        measure = self.get_measure(number)
        if number.scaled or number.unit or measure in _UNSCALED:
            return 0
        if measure is FigureKind.AMOUNT:
            return self.amount
        if measure is FigureKind.PER:
            return _CENTS_POWER if self.minor and not number.currency else 0
        if self.counted is None:
            return 0 if abs(number.printed) >= _FULL_SHARES else self.corrected
        return self.counted

    def describe_doubt(self, number: Number) -> str:
        """Why the scale of a number is not sure, or nothing."""
        if number.scaled or number.unit or self.corrected is not None:
            return ""
        measure = self.get_measure(number)
        if self._is_too_large(number):
            return "stands among amounts per share, but looks like an amount"
        if measure is FigureKind.AMOUNT:
            is_scalable = abs(number.printed) < _FULL_AMOUNT
            return self.label_doubt or self.amount_doubt or (self.unstated if is_scalable else "")
        if measure is FigureKind.SHARES and self.get_power(number) is None:
            return "the scale is stated of money, not of shares"
        return self.label_doubt

    def get_unit(self, number: Number) -> str:
        """The number's own unit, or the percent of its headers."""
        return number.unit or ("%" if self.get_measure(number) is FigureKind.PERCENT else "")

    def get_currency(self, number: Number) -> str:
        """The number's own currency, or that of its surroundings where it is an amount."""
        is_amount = self.get_measure(number) in (FigureKind.AMOUNT, FigureKind.PER) and not number.unit
        code = number.currency or (self.currency if is_amount else "")
        read_currency, corrected_currency = self.currencies
        return corrected_currency if corrected_currency and is_amount and code in ("", read_currency) else code

    def _is_too_large(self, number: Number) -> bool:
        """Whether only a section says "per share" of a figure, not its own label, and its thousands are set apart."""
        return self.measure is FigureKind.PER and self.by_section and number.grouped


@dataclass(frozen=True, slots=True, eq=False)
class _HeaderWords:
    """The properties of figures by the labels of their row or column; each tuple has one element a label, last first.

    Headers with the same words share one, which is equal only to itself: most rows of a long table say nothing.
    """

    kinds: tuple[FigureKind, ...]
    path_kind: FigureKind
    scales: tuple[Scale | None, ...]
    counted: tuple[bool, ...]
    is_money: tuple[bool, ...]
    currency: str
    in_cents: bool
    is_mixed: bool
    is_time: bool


class Frames:
    """The frames of one table's cells; equal headers are read once, and those that say the same share their frames."""

    def __init__(self, surroundings: Surroundings, *, yuan: bool, labels: Sequence[str] = ()) -> None:
        """`surroundings` are the table's surroundings, `labels` those of its rows."""
        self._around = surroundings
        self._currency = next((code for text in surroundings.texts if (code := find_currency(text, yuan=yuan))), "")
        self._measure_of = cache(classify_measure)
        self._is_counted = cache(partial(is_counted, among_counts=any(map(is_count, labels))))
        self._scale_of = cache(find_scale)
        self._currency_of = cache(partial(find_currency, yuan=yuan))
        self._words_of = cache(self._read_header)
        self._share_words = cache(_HeaderWords)
        self._share_frame = cache(self._build_frame)

    def get_frame(self, row: HeaderPath, column: HeaderPath) -> Frame:
        """The frame of a cell by its row and column header paths."""
        row_words, column_words = self._words_of(row), self._words_of(column)
        scales = (*row_words.scales, *column_words.scales, *self._around.scales)
        is_exempt = any(scale.exempts(*row, *column) for scale in scales if scale and scale.exempt)
        return self._share_frame(row_words, column_words, is_exempt=is_exempt)

    def _read_header(self, path: HeaderPath) -> _HeaderWords:
        labels = path[::-1]
        return self._share_words(
            kinds=tuple(map(self._measure_of, labels)),
            path_kind=self._measure_of(" ".join(path)),
            scales=tuple(map(self._scale_of, labels)),
            counted=tuple(map(self._is_counted, labels)),
            is_money=tuple(_MONEY_WORD.search(label) is not None for label in labels),
            currency=next(filter(None, map(self._currency_of, labels)), ""),
            in_cents=any(map(_CENTS.search, labels)),
            is_mixed=any(map(_is_mixed, labels[:1])),
            is_time=not any(_TIME_WORDS.sub("", label) for label in labels),
        )

    def _build_frame(self, row: _HeaderWords, column: _HeaderWords, *, is_exempt: bool) -> Frame:
        """The frame of the cells whose headers say this; `is_exempt` says that a stated scale excepts them."""
        measure, by_section = _find_measure(row, column)
        near_scales = [scale for scale in (*row.scales, *column.scales) if scale]
        scales = [*near_scales, *self._around.scales]
        amount_scale = next((scale for scale in scales if scale.amounts is not None), None)
        count_power: int | None = 0
        if measure is FigureKind.COUNT and not is_exempt:  # only a label of their own states the scale of things
            columns = zip(column.kinds[::-1], column.scales[::-1], strict=True)
            own_scales = (*row.scales[::-1], *(scale for kind, scale in columns if kind is FigureKind.COUNT))
            count_power = next((scale.other for scale in own_scales if scale and scale.other is not None), 0)
        elif not is_exempt:
            count_power = next((scale.shares for scale in scales if scale.shares is not None), None)
            if count_power is None and not any(scale.money for scale in scales):
                count_power = 0
        return Frame(
            measure,
            (amount_scale.amounts or 0) if amount_scale and not is_exempt else 0,
            count_power,
            row.currency or column.currency or self._currency,
            minor=measure is FigureKind.PER and (row.in_cents or column.in_cents),
            by_section=by_section,
            unstated=self._around.unstated if amount_scale is None and not is_exempt else "",
            amount_doubt="" if amount_scale is None or amount_scale in near_scales else self._around.doubt,
            label_doubt=_MIXED_DOUBT if measure is FigureKind.AMOUNT and row.is_mixed and column.is_time else "",
        )


def _find_measure(row: _HeaderWords, column: _HeaderWords) -> tuple[FigureKind, bool]:
    """The measure of the column if it is unscaled; else by the row's label, the column, the sections above the row.

    The second value says whether only a section names it.
    """
    # A header may be one label wrapped over several rows: "Number of" above "Shares".
    column_kinds = (column.path_kind, *column.kinds)
    unscaled_kinds = [kind for kind in column_kinds if kind in _UNSCALED]
    named_kinds = (*unscaled_kinds, *row.kinds[:1], *column_kinds)
    if named_kind := next((kind for kind in named_kinds if kind is not FigureKind.AMOUNT), None):
        return named_kind, False
    if any(row.counted[:1]) and not any((*row.is_money[1:], *column.is_money)):
        return FigureKind.COUNT, False
    if any(column.counted) and not any(row.is_money):
        return FigureKind.COUNT, False
    section_kind = next((kind for kind in row.kinds[1:] if kind in _SECTION_KINDS), None)
    return section_kind or FigureKind.AMOUNT, section_kind is not None
