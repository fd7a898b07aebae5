"""The size that a run of digits and separators means, and how a table writes its decimals."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

_SPACE = r"['’\u00a0\u2009\u202f ]"
_PLAIN = re.compile(r"[0-9]+|[0-9]*\.[0-9]+")
_COMMA_GROUPS = re.compile(
    r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?"
)
_POINT_GROUPS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,}(?:,[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+")
_SPACE_GROUPS = re.compile(rf"[0-9]{{1,3}}(?:{_SPACE}[0-9]{{3}})+(?:[.,][0-9]+)?")
_COMMA_DECIMALS = re.compile(r"[0-9]*,[0-9]+")
_LONE_GROUP = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
_SURE_COMMA = re.compile(
    rf"[0-9]{{1,3}}(?:[.]|{_SPACE})[0-9]{{3}},[0-9]{{1,2}}(?![0-9])|(?<![0-9,.])[0-9]+,[0-9]{{1,2}}(?![0-9,])"
)
_SURE_POINT = re.compile(r"[0-9],[0-9]{3}(?:\.[0-9]|,[0-9]{3})|(?<![0-9.])[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})(?![0-9.])")


def magnitude(digits: str, *, comma: bool = False) -> Decimal | None:
    """The digits without their thousands separators; None where they are no number at all ("1.2.3", "1,2,3").

    A lone comma or point before exactly three digits sets thousands apart if it is the comma of a table with decimal
    points, or, with `comma`, the point of a table with decimal commas.
    """
    if _LONE_GROUP.fullmatch(digits) and ("," in digits) != comma:
        return Decimal(re.sub(r"[.,]", "", digits))
    if _PLAIN.fullmatch(digits):
        return Decimal(digits)
    if _COMMA_GROUPS.fullmatch(digits) and not comma:
        return Decimal(digits.replace(",", ""))
    if _POINT_GROUPS.fullmatch(digits):
        return Decimal(digits.replace(".", "").replace(",", "."))
    if _SPACE_GROUPS.fullmatch(digits):
        return Decimal(re.sub(_SPACE, "", digits).replace(",", "."))
    if _COMMA_DECIMALS.fullmatch(digits):
        return Decimal(digits.replace(",", "."))
    return None


def has_decimal_comma(cells: Iterable[str]) -> bool:
    """Whether a table writes decimals with a comma: some cell can be read in no other way, and none the other way."""
    found = False
    for cell in cells:
        if _SURE_POINT.search(cell):
            return False
        found = found or _SURE_COMMA.search(cell) is not None
    return found
