"""Number formats of spreadsheets and charts (ECMA-376 part 1, 18.8.30 and 18.8.31): a value as Excel shows it.

Decimals have a point and thousands a comma, whatever the machine on which the file was written. Colours, widths of
blanks and fillers are left out. `date_formats` shows what a format makes a date or a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from tasks.parsers.sheets.date_formats import DATE_TOKEN, DatePattern

BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0_);("$"#,##0)', 6: '"$"#,##0_);("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)', 8: '"$"#,##0.00_);("$"#,##0.00)', 9: "0%", 10: "0.00%", 11: "0.00E+00",
    12: "# ?/?", 13: "# ??/??", 14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm", 37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)",
    39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)", 41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
    42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)', 43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
    48: "##0.0E+0", 49: "@",
    # Those of Chinese, Japanese and Korean editions, each in the Chinese form.
    27: 'yyyy"年"m"月"', 28: 'm"月"d"日"', 29: 'm"月"d"日"', 30: "m-d-yy", 31: 'yyyy"年"m"月"d"日"', 32: 'h"时"mm"分"',
    33: 'h"时"mm"分"ss"秒"', 34: "h:mm AM/PM", 35: "h:mm:ss AM/PM", 36: 'yyyy"年"m"月"', 50: 'yyyy"年"m"月"',
    51: 'm"月"d"日"', 52: 'yyyy"年"m"月"', 53: 'm"月"d"日"', 54: 'm"月"d"日"', 55: "h:mm AM/PM", 56: "h:mm:ss AM/PM",
    57: 'yyyy"年"m"月"', 58: 'm"月"d"日"',
}  # fmt: skip
"""What the numbers of formats stand for that files need not define (18.8.30). Excel writes the dates of 14 and 22 in
the order of the machine; dates in numbers are all shown in that of ISO 8601."""
_PIECE = re.compile(
    r'"(?P<quoted>[^"]*)"?|[\\!](?P<escaped>.)|_.?|(?P<fill>\*.?)|\[(?P<bracket>[^\]]*)\]|(?P<general>General)'
    rf"|(?P<exponent>E[+-])|(?P<date>{DATE_TOKEN})|(?P<sign>[0#?.,%/@])|(?P<literal>.)",
    re.IGNORECASE | re.DOTALL,
)
_SECTION_END = re.compile(r'(?:"[^"]*"|[\\!_*].|\[[^\]]*\]|[^;"\\!_*\[])*', re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[0-9.]+(?:E[+-]?[0-9]+)?)", re.IGNORECASE)
_ELAPSED_UNIT = re.compile(r"h+|m+|s+", re.IGNORECASE)
_MAX_CODE_LENGTH = 1_000  # Characters of a format at most; Excel allows 255.
_MAX_DECIMALS = 30  # Digits behind the point.
_MAX_SECTIONS = 4  # Sections of a format: for numbers above, below and at zero, and for texts.
_DIGITS = 15  # Significant digits that Excel keeps.
_CONTEXT = Context(prec=400)
_GENERAL_DIGITS = 10
_GENERAL_LARGEST, _GENERAL_SMALLEST = 1e15, 1e-9
"""From where on a plain number is shown with an exponent. Excel begins at eleven digits, where the cell is too narrow
for more; here all digits of whole numbers are kept, which may be those of an article or an account."""
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda value, bound: value < bound, "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound, ">=": lambda value, bound: value >= bound,
    "=": lambda value, bound: value == bound, "<>": lambda value, bound: value != bound,
}  # fmt: skip


class ValueKind(Enum):
    """What a shown value is."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class FormatPiece:
    """A piece of a section: `kind` is "text", one of the signs `0#?.,%/@`, "exponent", "general" or "date"."""

    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class FormatSection:
    """A section of a format: its pieces, and the condition on the values that it is for, if it has one."""

    pieces: tuple[FormatPiece, ...]
    condition: tuple[str, float] | None = None
    language: int = 0

    def meets_condition(self, value: float) -> bool:
        """Whether the section's own condition is met."""
        return self.condition is not None and _COMPARISONS[self.condition[0]](value, self.condition[1])

    @property
    def is_of_negatives(self) -> bool:
        """Whether its condition is met by negative numbers only."""
        return self.condition is not None and self.condition[0] in ("<", "<=") and self.condition[1] <= 0

    @property
    def is_of_text(self) -> bool:
        """Whether it says how a text is shown."""
        return any(piece.kind == "@" for piece in self.pieces)


class NumberFormat:
    """A format of cells, which turns numbers (`format_value`) and texts (`format_text`) into what is shown."""

    def __init__(self, code: str) -> None:
        """A code that cannot be parsed shows numbers in the general format."""
        sections = _parse_sections(code[:_MAX_CODE_LENGTH].strip() or "General")
        self._texts = next((section for section in sections[3:] or sections[-1:] if section.is_of_text), None)
        numeric = [section for section in sections[:3] if not section.is_of_text]
        self._sections = numeric or [FormatSection((FormatPiece("general"),))]
        self._patterns = [_make_pattern(section) for section in self._sections]

    def format_text(self, text: str) -> str:
        """The text with what the format puts around it."""
        if self._texts is None:
            return text
        return "".join(text if piece.kind == "@" else piece.text for piece in self._texts.pieces)

    def format_value(self, value: float, *, date1904: bool = False) -> tuple[str, ValueKind]:
        """The value as text, and what it is; nothing where the format hides it."""
        place, negated = self._find_section(value)
        pattern = self._patterns[place]
        if isinstance(pattern, DatePattern):
            date_text = pattern.format_value(value, date1904=date1904)
            if date_text is not None:
                return date_text, ValueKind.DATE if pattern.has_date else ValueKind.TIME
            return format_general(value), ValueKind.NUMBER
        text = pattern(abs(value))
        return (f"-{text}" if negated and text else text), ValueKind.NUMBER

    def _find_section(self, value: float) -> tuple[int, bool]:
        """The place of the section for a value, and whether a minus stands before what it shows."""
        sections = self._sections
        if any(section.condition for section in sections):
            default_place = len(sections) - 1
            place = next(
                (place for place, section in enumerate(sections) if section.meets_condition(value)), default_place
            )
            return place, value < 0 and not sections[place].is_of_negatives
        if value < 0:
            return (1, False) if len(sections) > 1 else (0, True)
        return (2, False) if value == 0 and len(sections) > 2 else (0, False)


@lru_cache(maxsize=1024)
def get_number_format(code: str) -> NumberFormat:
    """The format of a code; equal codes are read once."""
    return NumberFormat(code)


def format_general(value: float) -> str:
    """A number without a format: whole numbers in full, others with ten digits."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= _GENERAL_LARGEST or size < _GENERAL_SMALLEST:
        digits, _, power = f"{value:.5E}".partition("E")
        return f"{digits.rstrip('0').rstrip('.')}E{int(power):+03d}"
    if value == int(value):
        return str(int(value))
    text = f"{Decimal(f'{value:.{_GENERAL_DIGITS}g}'):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _parse_sections(code: str) -> list[FormatSection]:
    sections: list[FormatSection] = []
    place = 0
    while place <= len(code) and len(sections) < _MAX_SECTIONS:
        match = _SECTION_END.match(code, place)
        end = match.end() if match else len(code)
        if end < len(code) and code[end] != ";":
            end = len(code)  # A quote that is never closed.
        sections.append(_parse_section(code[place:end]))
        place = end + 1
    return sections


def _parse_section(code: str) -> FormatSection:
    pieces: list[FormatPiece] = []
    condition, language = None, 0
    for match in _PIECE.finditer(code):
        kind = match.lastgroup
        if kind == "bracket":
            inside = match["bracket"]
            if inside.startswith("$"):
                money, _, locale = inside[1:].partition("-")
                pieces.append(FormatPiece("text", money))
                language = _parse_language(locale) or language
            elif _ELAPSED_UNIT.fullmatch(inside):
                pieces.append(FormatPiece("date", f"[{inside.lower()}]"))
            elif test := _CONDITION.fullmatch(inside.strip()):
                condition = test[1], float(test[2])
        elif kind in ("quoted", "escaped", "literal"):
            pieces.append(FormatPiece("text", match[kind]))
        elif kind == "fill":
            pieces.append(FormatPiece("text", " " if match["fill"] == "* " else ""))
        elif kind == "sign":
            pieces.append(FormatPiece(match["sign"]))
        elif kind == "date":
            pieces.append(FormatPiece("date", match["date"].lower()))
        elif kind in ("general", "exponent"):
            pieces.append(FormatPiece(kind, match[kind].upper()))
    return FormatSection(tuple(piece for piece in pieces if piece.kind != "text" or piece.text), condition, language)


def _parse_language(locale: str) -> int:
    """The primary language of a locale's number ([MS-LCID]), 0 where it says none."""
    try:
        number = int(locale, 16)
    except ValueError:
        return 0
    return number & 0x3FF if number & 0xFFFF < 0xF400 else 0


def _make_pattern(section: FormatSection) -> DatePattern | Callable[[float], str]:
    kinds = {piece.kind for piece in section.pieces}
    if "date" in kinds and "general" not in kinds and not _has_digits(section.pieces):
        return DatePattern([(piece.kind, piece.text) for piece in section.pieces], section.language)
    pieces = [FormatPiece("text", piece.text) if piece.kind == "date" else piece for piece in section.pieces]
    if "general" in kinds:
        return lambda value: "".join(
            format_general(value) if piece.kind == "general" else piece.text for piece in pieces
        )
    if not kinds & {"0", "#", "?"}:
        fixed_text = "".join("%" if piece.kind == "%" else piece.text for piece in pieces)
        return lambda value: fixed_text
    if "exponent" in kinds:
        return _make_scientific(pieces)
    slash = next((place for place, piece in enumerate(pieces) if piece.kind == "/"), None)
    if slash is not None and any(piece.kind in "0#?" for piece in pieces[:slash]):
        return _make_fraction(pieces, slash)
    return _make_decimal(pieces)


def _has_digits(pieces: Sequence[FormatPiece]) -> bool:
    """Whether there are places for digits beside those of parts of a second (`ss.00`)."""
    last_kind = ""
    for piece in pieces:
        if piece.kind in "#?" or (piece.kind == "0" and last_kind != "."):
            return True
        last_kind = "." if piece.kind == "0" else piece.kind
    return False


def _is_digit(piece: FormatPiece) -> bool:
    return piece.kind in ("0", "#", "?")


def _round_half_up(value: float, decimals: int, power: int = 0) -> Decimal:
    """The value times a power of ten, rounded half up as Excel does, of the digits that it keeps."""
    exact = Decimal(f"{value:.{_DIGITS}g}").scaleb(power)
    if exact.adjusted() + decimals > 300:
        return exact
    return exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _CONTEXT)


def _make_decimal(pieces: Sequence[FormatPiece]) -> Callable[[float], str]:
    """A number with digits before and after a point, thousands set apart, scaled by commas and percent signs."""
    places = [place for place, piece in enumerate(pieces) if _is_digit(piece)]
    point = next((place for place, piece in enumerate(pieces) if piece.kind == "."), None)
    integer_places = [place for place in places if point is None or place < point]
    decimal_places = [place for place in places if point is not None and place > point][:_MAX_DECIMALS]
    last = integer_places[-1] if integer_places else -1
    scaling = 0
    for piece in pieces[last + 1 :] if integer_places else ():
        if piece.kind != ",":
            break
        scaling += 1
    if not scaling and decimal_places:
        tail = pieces[decimal_places[-1] + 1 :]
        scaling = next((place for place, piece in enumerate(tail) if piece.kind != ","), len(tail))
    has_thousands = bool(integer_places) and any(piece.kind == "," for piece in pieces[integer_places[0] : last])
    power = 2 * sum(piece.kind == "%" for piece in pieces) - 3 * scaling
    min_digits = sum(pieces[place].kind == "0" for place in integer_places)
    min_decimals = max(
        (number for number, place in enumerate(decimal_places, 1) if pieces[place].kind == "0"), default=0
    )
    is_plain = not integer_places or all(pieces[place].kind in "0#?," for place in range(integer_places[0], last + 1))
    prefix = "".join(_format_literal(piece) for piece in pieces[: integer_places[0] if integer_places else point])
    end = max([last, *decimal_places, -1 if point is None else point])
    suffix = "".join(_format_literal(piece) for piece in pieces[end + 1 :])
    has_words = bool(decimal_places) and any(
        piece.kind == "text" for piece in pieces[decimal_places[0] : decimal_places[-1]]
    )

    def format_number(value: float) -> str:
        number = _round_half_up(value, len(decimal_places), power)
        digits, _, decimals = f"{number:{',' if has_thousands and min_digits < 4 else ''}f}".partition(".")
        if digits == "0" and not min_digits:
            digits = ""
        decimals = decimals[:min_decimals] + decimals[min_decimals:].rstrip("0")
        if has_words:
            decimals = _insert_texts(pieces[decimal_places[0] : decimal_places[-1] + 1], decimals)
        if is_plain:
            if len(digits) < min_digits:
                digits = digits.rjust(min_digits, "0")
        else:
            digits = _fill_places(pieces[integer_places[0] : last + 1], digits.replace(",", ""))
        joint = "." if point is not None and (decimals or not decimal_places) else ""
        return f"{prefix}{digits}{joint}{decimals}{suffix}"

    return format_number


def _format_literal(piece: FormatPiece) -> str:
    if piece.kind == "text":
        return piece.text
    return piece.kind if piece.kind in "%/" else ""


def _insert_texts(pieces: Sequence[FormatPiece], digits: str) -> str:
    """Digits behind a point with the texts of a format that stand between them: 0.000 000."""
    remaining_digits = iter(digits)
    return "".join(
        next(remaining_digits, "") if _is_digit(piece) else _format_literal(piece) for piece in pieces
    ).rstrip()


def _fill_places(pieces: Sequence[FormatPiece], digits: str) -> str:
    """Digits set into the places of a format with other characters between them, such as 000-00-0000."""
    left, texts = list(digits), list[str]()
    first = next(place for place, piece in enumerate(pieces) if _is_digit(piece))
    for place in range(len(pieces) - 1, -1, -1):
        piece = pieces[place]
        if not _is_digit(piece):
            texts.append(_format_literal(piece))
        elif place == first:
            texts.append("".join(left) or ("0" if piece.kind == "0" else ""))
        else:
            texts.append(left.pop() if left else "0" if piece.kind == "0" else "")
    return "".join(reversed(texts))


def _make_scientific(pieces: Sequence[FormatPiece]) -> Callable[[float], str]:
    mark = next(place for place, piece in enumerate(pieces) if piece.kind == "exponent")
    point = next((place for place, piece in enumerate(pieces[:mark]) if piece.kind == "."), mark)
    whole = max(1, sum(map(_is_digit, pieces[:point])))
    decimals = min(sum(map(_is_digit, pieces[point:mark])), _MAX_DECIMALS)
    width = max(1, sum(map(_is_digit, pieces[mark:])))
    signed = pieces[mark].text == "E+"
    behind = "".join(_format_literal(piece) for piece in pieces[mark + 1 :])

    def format_number(value: float) -> str:
        power = 0
        if value:
            power = Decimal(f"{value:.{_DIGITS - 1}E}").adjusted()
            power -= power % whole
        digits = f"{_round_half_up(value, decimals, -power):f}"
        if len(digits.partition(".")[0]) > whole:
            power += whole
            digits = f"{_round_half_up(value, decimals, -power):f}"
        sign = "-" if power < 0 else "+" if signed else ""
        return f"{digits}E{sign}{abs(power):0{width}d}{behind}"

    return format_number


def _make_fraction(pieces: Sequence[FormatPiece], slash: int) -> Callable[[float], str]:
    """A whole number and a fraction, `# ?/?`, or with a fixed denominator, `# ?/8`."""
    above = slash
    while above and (_is_digit(pieces[above - 1])):
        above -= 1
    has_whole = any(map(_is_digit, pieces[:above]))
    below = [piece for piece in pieces[slash + 1 :] if _is_digit(piece) or piece.text.isdigit()]
    fixed = "".join(piece.text if piece.text.isdigit() else "0" for piece in below)
    is_fixed = any(piece.text.isdigit() for piece in below) and fixed.strip("0") != ""
    largest = 10 ** min(max(len(below), 1), 5) - 1
    behind = "".join(piece.text for piece in pieces[slash + 1 :] if piece.kind == "text" and not piece.text.isdigit())
    first = next((place for place, piece in enumerate(pieces) if _is_digit(piece)), slash)
    before = "".join(map(_format_literal, pieces[:first]))

    def format_number(value: float) -> str:
        exact = Fraction(Decimal(f"{value:.{_DIGITS}g}"))
        whole = int(exact) if has_whole else 0
        rest = exact - whole
        if is_fixed:
            part, under = round(rest * int(fixed)), int(fixed)
        else:
            near = rest.limit_denominator(largest)
            part, under = near.numerator, near.denominator
        if has_whole and part == under:
            whole, part = whole + 1, 0
        if has_whole and not part:
            return f"{before}{whole}{behind}"
        words = [str(whole)] if whole or (has_whole and not part) else []
        return before + " ".join([*words, f"{part}/{under}{behind}"])

    return format_number
