"""Figures in text and tables, compared by value: scale, sign, unit and format aside.

1,496.5 below "in millions", "$1.4965 billion" and "1496.5 million" are one figure; 14.9 % and 14.9 million are two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, product

from tasks.tables.numbers import CHINESE_MONEY, DASHES, MONEY, SCALE, Number, number, worded_scale

_SCALE = rf"{SCALE}|[十百千]?[万萬亿億]{{1,2}}"
_UNIT = (
    r"%|‰|percentage points?\b|percent\b|per cent\b|pct\b|pp(?:ts?)?\b|bps?\b|basis points?\b|x\b|times\b|倍|个百分点"
)
_SIGNS = f"{DASHES}+"
_FIGURE = re.compile(
    rf"(?P<open>\()?(?P<sign>(?<![\w.,)%\]])(?<![\w.,)%\]]\s)[{_SIGNS}]\s?)?(?:(?P<money>{MONEY})\s?(?P<sign2>[(\-−])?)?"
    r"(?P<digits>(?<![0-9.,])(?:\d[\d,'’]*\d|\d)(?:\.\d+)?|(?<![\w.,])\.\d+)(?![0-9])"
    rf"(?P<close>\))?(?:(?:[ \u00a0\u202f]|-(?=[a-z]{{3}}))?(?P<scale>{_SCALE}))?(?:\s?(?P<unit>{_UNIT}))?"
    rf"(?:\s?(?P<money2>{CHINESE_MONEY}))?(?P<close2>\))?",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Za-z_][-‐‑–.]?\Z|[#§]\s?\Z")
_NAMED = re.compile(r"[A-Za-z_]|-[A-Z]\b")
_ITEM = re.compile(r"[ \t]*(?:[-*+•][ \t]+)?\Z")
_FALLING = re.compile(
    r"\b(?:loss(?:es)?|decreas\w+|declin\w+|fell|falls?|falling|drop\w*|down|lower|reduc\w+|negative|minus|less|shr[aiu]nk\w*|"
    r"costs?|expenses?|tax(?:es)?|paid|pay(?:ments?|able)?|purchas\w+|repurchas\w+|dividends?|repay\w*|repaid|outflows?|used|"
    r"deduct\w*|depreciat\w+|amorti[sz]\w+|provisions?|charges?|deficit|impair\w+|write\w*|acquisitions?|distribut\w+)\b"
    r"|亏损|减少|下降|支出|费用|成本",
    re.IGNORECASE,
)
"""Words of a decrease or an outflow, whose amount may be written with a minus or without."""
_AROUND = 120
_ABOUT = re.compile(
    r"(?:\b(?:about|approximately|around|roughly|nearly|almost|some|circa|ca\.|over|more than)|[~≈约])\s?[$€£¥]?\s?\Z",
    re.IGNORECASE,
)
_DECISIVE = 3  # Digits from which on a rounded figure still identifies its value.
_POINTS = {"pp", "bp"}


@dataclass(frozen=True, slots=True)
class TextFigure:
    """A figure in a text: its span, its number, and the properties of its surroundings.

    `scales` are the powers of ten that the surroundings name for figures without a scale; `tabled` says that it is in a
    table that names no scale; `falling` that its words are of a decrease or an outflow; `rough` that it is approximate.
    """

    start: int
    end: int
    number: Number
    scales: frozenset[int] = frozenset({0})
    falling: bool = False
    rough: bool = False
    tabled: bool = False

    @property
    def values(self) -> list[Decimal]:
        """Its possible values: by its own scale, or by each scale of the surroundings."""
        powers = [self.number.power] if self.number.scaled else sorted(self.scales)
        return [self.number.printed.scaleb(power) for power in powers]

    @property
    def share(self) -> bool:
        """Whether it is a percentage or counts points of one."""
        return self.number.unit in {"%", "‰", *_POINTS}


def find_figures(text: str, around: frozenset[int] = frozenset({0})) -> list[TextFigure]:
    """The figures of a text in order, without ordinals, list numbers and names such as NS-7, Q3 or 10-K.

    `around` are scales named outside of the text, as powers of ten; 0 is none.
    """
    scales = around | scales_in(text)
    return [parsed for match in _FIGURE.finditer(text) if (parsed := _figure(text, match, scales))]


def scales_in(text: str) -> frozenset[int]:
    """The scales that lines of a text name for their figures, as "(in millions)", and 0."""
    scales = [scale for line in text.splitlines() if len(line) < 2000 and (scale := worded_scale(line))]
    return frozenset({0}).union(*(scale.powers for scale in scales))


def have_same_value(claimed: TextFigure, evidence: TextFigure) -> bool:
    """Whether a claimed figure has the value of a figure of the evidence.

    It may be rounded where its words say so, or where three digits are left. Signs must agree unless the words of
    either are of a decrease or an outflow. A table without a named scale is read with the claim's scale.
    """
    if not _alike(claimed, evidence):
        return False
    falling = claimed.falling or evidence.falling
    slack = _slack(claimed)
    values = evidence.values
    if claimed.number.scaled and evidence.tabled:
        values.append(evidence.number.printed.scaleb(claimed.number.power))
    return any(
        abs(value_claimed - value) <= slack or (falling and abs(abs(value_claimed) - abs(value)) <= slack)
        for value_claimed, value in product(claimed.values, values)
    )


def _alike(claimed: TextFigure, evidence: TextFigure) -> bool:
    """Whether units, currencies and scales let them be one figure."""
    left, right = claimed.number, evidence.number
    if left.currency and right.currency and left.currency != right.currency:
        return False
    if claimed.share and evidence.share:
        return left.unit == right.unit or {left.unit, right.unit} == {"%", "pp"}
    if claimed.share or evidence.share:
        bare = right if claimed.share else left
        return not (bare.currency or bare.scaled or bare.unit)
    return True


def _slack(claimed: TextFigure) -> Decimal:
    """The tolerance: half of the last digit's unit for a figure that may be rounded, else 0."""
    printed = claimed.number.printed
    digits = printed.normalize().as_tuple()
    if not claimed.rough and len(digits.digits) < _DECISIVE:
        return Decimal(0)
    exponent = digits.exponent if claimed.rough else printed.as_tuple().exponent
    power = claimed.number.power if claimed.number.scaled else 0
    return Decimal(5).scaleb(int(exponent) - 1 + power)


def _figure(text: str, match: re.Match[str], scales: frozenset[int]) -> TextFigure | None:
    start, end = match.start("digits"), match.end()
    line = text.rfind("\n", 0, start) + 1
    if _NAME.search(text[max(start - 2, 0) : start]) and not match["money"]:
        return None
    if _NAMED.match(text, match.end("digits")) and not (match["scale"] or match["unit"]):
        return None
    if text[match.end("digits") : match.end("digits") + 2] in {". ", ") "} and _ITEM.fullmatch(text[line:start]):
        return None
    parsed = _read(match)
    if parsed is None:
        return None
    near = text[max(start - _AROUND, line) : end + _AROUND].partition("\n")[0]
    rough = _ABOUT.search(text[max(line, match.start() - 20) : start]) is not None
    first = match.start("money") if match["money"] else start
    tabled = text.startswith("|", line) and not scales - {0} and not parsed.scaled and not parsed.unit
    return TextFigure(first, end, parsed, scales, _FALLING.search(near) is not None, rough, tabled)


def _read(match: re.Match[str]) -> Number | None:
    """The number as tables parse it; parentheses mean a minus only where they enclose the figure alone."""
    money, digits = match["money"] or "", match["digits"]
    rest = " ".join(filter(None, (match["scale"], match["unit"], match["money2"])))
    alone = bool((match["open"] or match["sign2"] == "(") and (match["close"] or match["close2"]))
    sign = "-" if alone or (match["sign"] or match["sign2"] or "+").strip() not in "+(" else ""
    return number(f"{sign}{money}{digits} {rest}".strip()) or number(f"{sign}{money}{digits}") or number(digits)


def is_computed(claimed: TextFigure, operands: Sequence[TextFigure]) -> bool:
    """Whether a figure is a difference, sum, mean, ratio, part or growth of two others, or the sum or mean of all."""
    last = int(claimed.number.printed.as_tuple().exponent)
    powers = {claimed.number.power} if claimed.number.scaled else claimed.scales
    for power in {0, *powers}:
        value_claimed, slack = abs(claimed.number.printed.scaleb(power)), Decimal(5).scaleb(last - 1 + power)
        if any(abs(abs(result) - value_claimed) <= slack for result in _results(operands, share=claimed.share)):
            return True
    return False


def _results(operands: Sequence[TextFigure], *, share: bool) -> Iterator[Decimal]:
    values = [each.number.printed if each.share else each.values[-1] for each in operands]
    for left, right in combinations(values, 2):
        yield from (left - right, left + right, (left + right) / 2, left * right / 100)
        for one, other in ((left, right), (right, left)):
            if other:
                ratio = one / other
                yield from ((ratio * 100, (ratio - 1) * 100) if share else (ratio,))
    if len(values) > 2:
        yield sum(values, Decimal(0))
        yield sum(values, Decimal(0)) / len(values)
