"""Proof of an answer's claims: its numbers, times and quotations, looked up in the passages that it cites and in tools.

A claim is looked up in the passages that its own line cites; where the line cites none, in those of its paragraph, else
in all of the answer. Numbers are compared by value, times as intervals, quotations by their letters. A claim in no
cited passage is looked up in other results of tools than passages (counts, sums, lists, cells, times); it then names
the tool. A number found nowhere counts as proven where it is the difference, sum, mean, ratio, part or growth of two
proven ones of its paragraph, or the sum or mean of all of them: the arithmetic is checked, not whether it answers the
question.

The value of a figure in a text or table ignores scale, sign, unit and format: 1,496.5 below "in millions",
"$1.4965 billion" and "1496.5 million" are one figure; 14.9 % and 14.9 million are two.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import combinations, product

from dashboards.assistant.answer_types import AnswerClaim, AnswerSource, ToolCall
from tasks.ask.passage_units import Span
from tasks.tables.numbers import CHINESE_MONEY, DASHES, MONEY, SCALE, Number, find_scale, parse_number
from tasks.temporal.tagger import tag
from warehouse.records import Grain, Mention, TimexType
from warehouse.store.words import is_unspaced

OPERANDS = 12  # Proven figures before and after a number from which it may be computed.


REPEATING_TOOLS = frozenset({"verify_quote"})  # Tools whose results repeat their arguments, so that they prove nothing.


def check_claims(text: str, sources: Sequence[AnswerSource], calls: Sequence[ToolCall] = ()) -> tuple[AnswerClaim, ...]:
    """Each number, time and quotation of an answer, in order, and whether the sources it cites or tools have it."""
    scopes = ClaimScopes(text, sources)
    tools = [ToolOutput(call) for call in calls if call.result and not call.failed and call.name not in REPEATING_TOOLS]
    plain = MARK.sub(lambda mark: " " * len(mark[0]), text)
    quotations = find_quotations(plain)
    times = [time for time in find_times(plain) if not _is_within(time.start, quotations)]
    other_spans = sorted([*quotations, *((time.start, time.end) for time in times)])
    claims = [_check_claim(start, end, plain[start:end], scopes, tools) for start, end in quotations]
    claims += [
        _check_claim(time.start, time.end, time, scopes, tools) for time in times if time.start_date and time.end_date
    ]
    for lines in scopes.paragraphs:
        numbers = [
            paragraph_figure
            for paragraph_figure in _find_paragraph_figures(plain, lines)
            if not _is_within(paragraph_figure.start, other_spans)
        ]
        claims += _check_number_claims(numbers, scopes, tools)
    return tuple(sorted(claims, key=lambda claim: (claim.start, claim.end)))


def _find_paragraph_figures(text: str, lines: Sequence[Span]) -> Iterator[TextFigure]:
    """The figures of a paragraph, their places those in the whole text."""
    scales = find_scales(text[lines[0][0] : lines[-1][1]])
    for start, end in lines:
        figures = find_figures(text[start:end], scales)
        # "from 92.1 to 108.3 million": the last names the scale of the first.
        powers = {figure.number.power for figure in figures if figure.number.scaled}
        for figure in figures:
            yield replace(figure, start=figure.start + start, end=figure.end + start, scales=figure.scales | powers)


def _check_claim(
    start: int, end: int, claim: TextFigure | Mention | str, scopes: ClaimScopes, tools: Sequence[ToolOutput]
) -> AnswerClaim:
    """A claim that the passages of its place prove, else the first tool whose result has it."""
    proven = any(text.has(claim) for text in scopes.find_texts(start))
    tool = "" if proven else next((tool.name for tool in tools if tool.has(claim)), "")
    return AnswerClaim(start, end, proven or bool(tool), tool)


def _check_number_claims(
    numbers: Sequence[TextFigure], scopes: ClaimScopes, tools: Sequence[ToolOutput]
) -> Iterator[AnswerClaim]:
    claims = [_check_claim(number.start, number.end, number, scopes, tools) for number in numbers]
    operands = [number for number, claim in zip(numbers, claims, strict=True) if claim.proven]
    starts = [operand.start for operand in operands]
    for number, claim in zip(numbers, claims, strict=True):
        place = bisect_right(starts, number.start)
        nearest_operands = operands[max(place - OPERANDS, 0) : place + OPERANDS]
        yield claim if claim.proven else replace(claim, proven=is_computed(number, nearest_operands))


def _is_within(place: int, spans: Sequence[Span]) -> bool:
    """Whether a position is in one of the spans, which are sorted and do not overlap."""
    before = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return before >= 0 and place < spans[before][1]


_QUOTED = re.compile(
    r"“([^“”\n]{1,1000})”|\"([^\"\n]{1,1000})\"|「([^「」\n]{1,1000})」|«([^«»\n]{1,1000})»|„([^„“\n]{1,1000})“"
)
_LEFT_OUT = re.compile(r"\s*(?:\[?(?:…|\.{3,})\]?)\s*")
_MIN_QUOTATION_WORDS = 2  # Words that a quotation has at least; in scripts without spaces twice as many letters.


def find_quotations(text: str) -> list[tuple[int, int]]:
    """The spans of the words quoted, without marks, in order."""
    spans = []
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 1
        words = match[group]
        if len(words.split()) >= _MIN_QUOTATION_WORDS or (is_unspaced(words) and len(words) > 2 * _MIN_QUOTATION_WORDS):
            spans.append(match.span(group))
    return spans


def contains_quotation(passage: str, quotation: str) -> bool:
    """Whether a passage, as `extract_letters` gives it, has a quotation; one with "…" part by part, in order."""
    place = 0
    for part in filter(None, map(extract_letters, _LEFT_OUT.split(quotation))):
        place = passage.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True


def extract_letters(text: str) -> str:
    """Letters and digits alone, in one case and form: quotations differ in spaces, line ends, dashes and marks."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


_FINE = {Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.DAY}


def find_times(text: str, written_on: date | None = None) -> list[Mention]:
    """The dates that a text names, in order; relative ones count from the day `written_on`, if any."""
    return [mention for mention in tag(text, written_on, "und") if mention.type in {TimexType.DATE, TimexType.TIME}]


def is_time_among(claim: Mention, evidence: Sequence[Mention]) -> bool:
    """Whether a time is among others: a day must be the same, or end a period; a longer time must overlap one.

    Fiscal calendars make longer times differ by months where both say the same quarter.
    """
    start, end = claim.start_date, claim.end_date
    if start is None or end is None:
        return True
    if claim.grain in _FINE:
        return any(start == interval.start_date or end == interval.end_date for interval in evidence)
    return any(
        (interval.start_date or date.min) < end and start < (interval.end_date or date.max) for interval in evidence
    )


MARK = re.compile(r"\[(\d{1,3})\]")
_GAP = re.compile(r"\n[ \t]*\n")
_LINE_END = re.compile(r"\n")


class CitedText:
    """A text that may prove claims, with its figures, letters and times, each computed on first use."""

    def __init__(self, text: str, day: date | None = None) -> None:
        """Relative times are resolved from the `day`."""
        self._text, self._day = text, day

    @classmethod
    def from_source(cls, source: AnswerSource) -> CitedText:
        """A source with its title and section."""
        citation = source.hit.citation
        return cls("\n".join((citation.title, *citation.section, source.hit.headed_text)), citation.date)

    @cached_property
    def figures(self) -> list[TextFigure]:
        """The figures of the text."""
        return find_figures(self._text)

    @cached_property
    def letters(self) -> str:
        """The letters of the text, as `extract_letters` gives them."""
        return extract_letters(self._text)

    @cached_property
    def times(self) -> list[Mention]:
        """The times that the text names."""
        return find_times(f"{self._day or ''}\n{self._text}", self._day)

    def has(self, claim: TextFigure | Mention | str) -> bool:
        """Whether it has a figure by its value, a time, or the words of a quotation."""
        if isinstance(claim, str):
            return contains_quotation(self.letters, claim)
        if isinstance(claim, Mention):
            return is_time_among(claim, self.times)
        return any(has_same_value(claim, evidence) for evidence in self.figures)


class ToolOutput:
    """A tool's result as evidence. What is in its arguments proves nothing: the tool may only have repeated it."""

    def __init__(self, call: ToolCall) -> None:
        arguments = json.dumps(dict(call.arguments), ensure_ascii=False, default=str)
        self.name, self._result, self._arguments = call.name, CitedText(call.result), CitedText(arguments)

    def has(self, claim: TextFigure | Mention | str) -> bool:
        """Whether the result has a time, or a figure or words that the arguments lack."""
        return self._result.has(claim) and (isinstance(claim, Mention) or not self._arguments.has(claim))


class ClaimScopes:
    """The texts for each claim: those cited by its line, else by its paragraph, else by the whole answer."""

    def __init__(self, text: str, sources: Sequence[AnswerSource]) -> None:
        """`sources` are those that the marks of the text name."""
        texts_by_number = {source.number: CitedText.from_source(source) for source in sources}
        self.paragraphs = [
            list(_split_spans(_LINE_END, text, *paragraph)) for paragraph in _split_spans(_GAP, text, 0, len(text))
        ]
        self._starts: list[int] = []
        self._scopes: list[Sequence[CitedText]] = []
        for lines in self.paragraphs:
            marks = [{int(mark) for mark in MARK.findall(text, *line)} for line in lines]
            texts_by_line = [[texts_by_number[n] for n in sorted(mark & texts_by_number.keys())] for mark in marks]
            paragraph_texts = list({id(text): text for texts in texts_by_line for text in texts}.values())
            for (start, _), texts in zip(lines, texts_by_line, strict=True):
                self._starts.append(start)
                self._scopes.append(texts or paragraph_texts or list(texts_by_number.values()))

    def find_texts(self, place: int) -> Sequence[CitedText]:
        """The texts for a claim that begins at a place."""
        return self._scopes[max(bisect_right(self._starts, place) - 1, 0)]


def _split_spans(separator: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Span]:
    for match in separator.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


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
_CONTEXT_LENGTH = 120
_ABOUT = re.compile(
    r"(?:\b(?:about|approximately|around|roughly|nearly|almost|some|circa|ca\.|over|more than)|[~≈约])\s?[$€£¥]?\s?\Z",
    re.IGNORECASE,
)
_DECISIVE = 3  # Digits from which on a rounded figure still identifies its value.
_POINTS = {"pp", "bp"}


@dataclass(frozen=True, slots=True)
class TextFigure:
    """A figure in a text: its span, its number, and the properties of its surroundings.

    `scales` are the powers of ten that the surroundings name for figures without a scale. `is_decrease`: its words are
    of a decrease or an outflow.
    """

    start: int
    end: int
    number: Number
    scales: frozenset[int] = frozenset({0})
    is_decrease: bool = False
    is_approximate: bool = False
    in_unscaled_table: bool = False

    @property
    def values(self) -> list[Decimal]:
        """The possible values of the figure: by its own scale, or by each scale of the surroundings."""
        powers = [self.number.power] if self.number.scaled else sorted(self.scales)
        return [self.number.printed.scaleb(power) for power in powers]

    @property
    def is_share(self) -> bool:
        """Whether it is a percentage or counts points of one."""
        return self.number.unit in {"%", "‰", *_POINTS}


def find_figures(text: str, around: frozenset[int] = frozenset({0})) -> list[TextFigure]:
    """The figures of a text in order, without ordinals, list numbers and names such as NS-7, Q3 or 10-K.

    `around` are scales named outside of the text, as powers of ten; 0 is none.
    """
    scales = around | find_scales(text)
    return [parsed for match in _FIGURE.finditer(text) if (parsed := _parse_figure(text, match, scales))]


def find_scales(text: str) -> frozenset[int]:
    """The scales that lines of a text name for their figures, as "(in millions)", and 0."""
    scales = [scale for line in text.splitlines() if len(line) < 2000 and (scale := find_scale(line))]
    return frozenset({0}).union(*(scale.powers for scale in scales))


def has_same_value(claim: TextFigure, evidence: TextFigure) -> bool:
    """Whether a claimed figure has the value of a figure of the evidence.

    It may be rounded where its words say so, or where three digits are left. Signs must agree unless the words of
    either are of a decrease or an outflow. A table without a named scale is read with the claim's scale.
    """
    if not _can_be_one_figure(claim, evidence):
        return False
    is_decrease = claim.is_decrease or evidence.is_decrease
    slack = _compute_tolerance(claim)
    values = evidence.values
    if claim.number.scaled and evidence.in_unscaled_table:
        values.append(evidence.number.printed.scaleb(claim.number.power))
    return any(
        abs(value_claimed - value) <= slack or (is_decrease and abs(abs(value_claimed) - abs(value)) <= slack)
        for value_claimed, value in product(claim.values, values)
    )


def _can_be_one_figure(claim: TextFigure, evidence: TextFigure) -> bool:
    """Whether units, currencies and scales let them be one figure."""
    first, second = claim.number, evidence.number
    if first.currency and second.currency and first.currency != second.currency:
        return False
    if claim.is_share and evidence.is_share:
        return first.unit == second.unit or {first.unit, second.unit} == {"%", "pp"}
    if claim.is_share or evidence.is_share:
        amount = second if claim.is_share else first
        return not (amount.currency or amount.scaled or amount.unit)
    return True


def _compute_tolerance(claim: TextFigure) -> Decimal:
    """The tolerance: half of the last digit's unit for a figure that may be rounded, else 0."""
    printed = claim.number.printed
    digits = printed.normalize().as_tuple()
    if not claim.is_approximate and len(digits.digits) < _DECISIVE:
        return Decimal(0)
    exponent = digits.exponent if claim.is_approximate else printed.as_tuple().exponent
    power = claim.number.power if claim.number.scaled else 0
    return Decimal(5).scaleb(int(exponent) - 1 + power)


def _parse_figure(text: str, match: re.Match[str], scales: frozenset[int]) -> TextFigure | None:
    start, end = match.start("digits"), match.end()
    line = text.rfind("\n", 0, start) + 1
    if _NAME.search(text[max(start - 2, 0) : start]) and not match["money"]:
        return None
    if _NAMED.match(text, match.end("digits")) and not (match["scale"] or match["unit"]):
        return None
    if text[match.end("digits") : match.end("digits") + 2] in {". ", ") "} and _ITEM.fullmatch(text[line:start]):
        return None
    number = _parse_number(match)
    if number is None:
        return None
    nearby_text = text[max(start - _CONTEXT_LENGTH, line) : end + _CONTEXT_LENGTH].partition("\n")[0]
    is_approximate = _ABOUT.search(text[max(line, match.start() - 20) : start]) is not None
    first = match.start("money") if match["money"] else start
    in_unscaled_table = text.startswith("|", line) and not scales - {0} and not number.scaled and not number.unit
    return TextFigure(
        first, end, number, scales, _FALLING.search(nearby_text) is not None, is_approximate, in_unscaled_table
    )


def _parse_number(match: re.Match[str]) -> Number | None:
    """The number as tables parse it; parentheses mean a minus only where they enclose the figure alone."""
    money, digits = match["money"] or "", match["digits"]
    unit_text = " ".join(filter(None, (match["scale"], match["unit"], match["money2"])))
    alone = bool((match["open"] or match["sign2"] == "(") and (match["close"] or match["close2"]))
    sign = "-" if alone or (match["sign"] or match["sign2"] or "+").strip() not in "+(" else ""
    return (
        parse_number(f"{sign}{money}{digits} {unit_text}".strip())
        or parse_number(f"{sign}{money}{digits}")
        or parse_number(digits)
    )


def is_computed(claim: TextFigure, operands: Sequence[TextFigure]) -> bool:
    """Whether a figure is a difference, sum, mean, ratio, part or growth of two others, or the sum or mean of all."""
    last = int(claim.number.printed.as_tuple().exponent)
    powers = {claim.number.power} if claim.number.scaled else claim.scales
    for power in {0, *powers}:
        value_claimed, slack = abs(claim.number.printed.scaleb(power)), Decimal(5).scaleb(last - 1 + power)
        if any(
            abs(abs(result) - value_claimed) <= slack for result in _compute_results(operands, share=claim.is_share)
        ):
            return True
    return False


def _compute_results(operands: Sequence[TextFigure], *, share: bool) -> Iterator[Decimal]:
    values = [operand.number.printed if operand.is_share else operand.values[-1] for operand in operands]
    for first, second in combinations(values, 2):
        yield from (first - second, first + second, (first + second) / 2, first * second / 100)
        for one, other in ((first, second), (second, first)):
            if other:
                ratio = one / other
                yield from ((ratio * 100, (ratio - 1) * 100) if share else (ratio,))
    if len(values) > 2:
        yield sum(values, Decimal(0))
        yield sum(values, Decimal(0)) / len(values)
