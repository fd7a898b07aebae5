"""Number styles of OpenDocument spreadsheets (ODF 1.3 part 3, 16.27) as the format codes of Excel.

So `number_formats` shows a cell of either format in the same way: decimals with a point whatever the machine, dates in
numbers in the order of ISO 8601. Of conditions on values only those that distinguish signs are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.parsers.numerals import parse_count
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.sheets.number_formats import NumberFormat, get_number_format

if TYPE_CHECKING:
    from lxml.etree import _Element

DATA_STYLES = (
    "number-style", "currency-style", "percentage-style", "date-style", "time-style", "text-style", "boolean-style",
)  # fmt: skip
_LANGUAGES = {"en": "[$-409]", "zh": "[$-804]"}
"""Languages in which names of months stay as they are; any other is one that Kalends does not read."""
_OTHER_LANGUAGE = "[$-407]"
_DATE_TOKENS = {
    "day": ("d", "dd"), "month": ("m", "mm"), "year": ("yy", "yyyy"), "day-of-week": ("ddd", "dddd"),
    "hours": ("h", "hh"), "minutes": ("m", "mm"), "seconds": ("s", "ss"), "am-pm": ("AM/PM", "AM/PM"),
    "era": ("", ""),
}  # fmt: skip
_MAX_PLACES = 30  # Digits of a kind in a style at the most.
_MAX_DEPTH = 10  # Styles that one style is based on.


class OpenDocumentStyles:
    """The styles of a file as far as they say how a value is shown, and which sheets are not."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._data_styles: dict[str, str] = {}
        self._parents: dict[str, str] = {}
        self._formats: dict[str, NumberFormat | None] = {}
        self._hidden_styles: set[str] = set()

    def add(self, element: _Element) -> None:
        """Keeps a style: one of `DATA_STYLES`, or of a cell or a table."""
        tag, name = get_local_name(element), get_attribute(element, "name")
        if tag in DATA_STYLES:
            self._codes[name] = self._build_code(element)
        elif get_attribute(element, "family") == "table-cell":
            self._data_styles[name] = get_attribute(element, "data-style-name")
            self._parents[name] = get_attribute(element, "parent-style-name")
        elif get_attribute(element, "family") == "table" and any(
            get_attribute(child, "display") == "false" for child in element
        ):
            self._hidden_styles.add(name)

    def is_hidden(self, style: str) -> bool:
        """Whether a sheet of this style is hidden."""
        return style in self._hidden_styles

    def get_format(self, style: str) -> NumberFormat | None:
        """How a cell of this style shows its value; None where the style does not say."""
        if style not in self._formats:
            self._formats[style] = self._find_format(style)
        return self._formats[style]

    def _find_format(self, style: str) -> NumberFormat | None:
        for _ in range(_MAX_DEPTH):
            code = self._codes.get(self._data_styles.get(style, ""), "")
            if code:
                return get_number_format(code)
            style = self._parents.get(style, "")
        return None

    def _build_code(self, element: _Element) -> str:
        """The code of a data style, its maps of conditions to other styles as sections for positive and negative."""
        code, by_sign = _build_section(element), dict[str, str]()
        for child in element:
            if get_local_name(child) == "map":
                sign = get_attribute(child, "condition").replace("value()", "").replace(" ", "")
                by_sign[sign] = self._codes.get(get_attribute(child, "apply-style-name"), "General")
        if ">=0" in by_sign:
            return f"{by_sign['>=0']};{code}"
        if ">0" in by_sign and "<0" in by_sign:
            return f"{by_sign['>0']};{by_sign['<0']};{code}"
        return code


def _build_section(element: _Element) -> str:
    """The code of a data style without its conditions."""
    is_elapsed = get_attribute(element, "truncate-on-overflow") == "false"
    pieces = []
    if get_local_name(element) == "date-style":
        language = get_attribute(element, "language")
        pieces.append(_LANGUAGES.get(language, _OTHER_LANGUAGE) if language else "")
    for child in element:
        tag = get_local_name(child)
        if tag in ("text", "currency-symbol"):
            pieces.append(_quote_literal(child.text or "", has_percent=get_local_name(element) == "percentage-style"))
        elif tag == "text-content":
            pieces.append("@")
        elif tag in _DATE_TOKENS:
            token = _build_date_token(child, tag)
            if is_elapsed and tag in ("hours", "minutes", "seconds"):
                token, is_elapsed = f"[{token}]", False
            pieces.append(token)
        elif tag in ("number", "scientific-number", "fraction"):
            pieces.append(_build_number(child, tag))
    return "".join(pieces)


def _quote_literal(text: str, *, has_percent: bool) -> str:
    """A text between quotes; a percent sign of a percentage multiplies the value."""
    if has_percent and "%" in text:
        before, _, after = text.partition("%")
        return f"{_quote_literal(before, has_percent=False)}%{_quote_literal(after, has_percent=False)}"
    quoted = text.replace('"', "")
    return f'"{quoted}"' if quoted else ""


def _build_date_token(element: _Element, tag: str) -> str:
    if tag == "month" and get_attribute(element, "textual") == "true":
        return "mmmm" if get_attribute(element, "style") == "long" else "mmm"
    token = _DATE_TOKENS[tag][get_attribute(element, "style") == "long"]
    places = _read_places(element, "decimal-places") if tag == "seconds" else 0
    return f"{token}.{'0' * places}" if places else token


def _build_number(element: _Element, tag: str) -> str:
    """The places for digits of a number."""
    integer_digits = max(_read_places(element, "min-integer-digits"), 0)
    if tag == "fraction":
        above = "?" * max(_read_places(element, "min-numerator-digits"), 1)
        fixed = get_attribute(element, "denominator-value")
        below = fixed if fixed.isdigit() else "?" * max(_read_places(element, "min-denominator-digits"), 1)
        return f"# {above}/{below}" if get_attribute(element, "min-integer-digits") else f"{above}/{below}"
    grouped = get_attribute(element, "grouping") == "true"
    digits = "0" * integer_digits or "#"
    digits = f"#,{digits.rjust(3, '#')}" if grouped else digits
    digits += "," * _count_thousands(get_attribute(element, "display-factor"))
    if get_attribute(element, "decimal-places"):
        decimals = _read_places(element, "decimal-places")
        given_min_decimals = get_attribute(element, "min-decimal-places")
        min_decimals = min(_read_places(element, "min-decimal-places"), decimals) if given_min_decimals else decimals
        min_decimals = (
            0 if get_attribute(element, "decimal-replacement") == "" and given_min_decimals == "0" else min_decimals
        )
        digits += "." + "0" * min_decimals + "#" * (decimals - min_decimals) if decimals else ""
    elif tag == "number":
        return f"{digits}.{'#' * 10}" if grouped else "General"
    return (
        f"{digits}E+{'0' * max(_read_places(element, 'min-exponent-digits'), 1)}" if tag.startswith("sci") else digits
    )


def _read_places(element: _Element, key: str) -> int:
    return parse_count(get_attribute(element, key), maximum=_MAX_PLACES)


def _count_thousands(factor: str) -> int:
    """How many times a thousand a number is divided by before it is shown."""
    return {"1000": 1, "1000000": 2, "1000000000": 3}.get(factor, 0)


def get_local_name(element: _Element) -> str:
    """The tag without its namespace; nothing for an entity or a comment."""
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""
