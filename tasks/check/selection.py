"""Which rules count: chosen by their codes, the first letters of their codes, or their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from tasks.quality.contract import Rule
from tasks.quality.rule_pages import FAMILIES, every_rule
from warehouse.errors import BadInput

ALL = "ALL"


@dataclass(frozen=True, slots=True)
class Selection:
    """`select` and `ignore` as given; of two that name a rule the longer counts, and `ignore` of two as long."""

    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises `BadInput` for what names no rule."""
        for wanted in (*self.select, *self.ignore):
            check_selector(wanted)

    def has(self, code: str) -> bool:
        """Whether a rule counts."""
        return _weight(self.select, code) > _weight(self.ignore, code)


def check_selector(wanted: str) -> None:
    """Raises `BadInput` for what names no rule."""
    rules = every_rule()
    if wanted != ALL and not any(_names(wanted, rule) for rule in rules.values()):
        names = [*rules, *FAMILIES, *(rule.name for rule in rules.values())]
        near = get_close_matches(wanted, names, n=1)
        cure = f"did you mean {near[0]}?" if near else "'kalends rules' lists them"
        raise BadInput(f"no rule is named '{wanted}'", cure)


def named_by(selectors: Sequence[str], code: str) -> bool:
    """Whether a rule is among those named."""
    return _weight(selectors, code) > 0


def _weight(selectors: Sequence[str], code: str) -> int:
    """The length of the longest selector that names a rule; 0 without one, 1 for all rules."""
    rule = every_rule()[code]
    lengths = (1 if each == ALL else len(code) if each == rule.name else len(each) for each in selectors)
    named = (each == ALL or _names(each, rule) for each in selectors)
    return max((length for length, names in zip(lengths, named, strict=True) if names), default=0)


def _names(wanted: str, rule: Rule) -> bool:
    return bool(wanted) and (rule.code.startswith(wanted.upper()) or rule.name == wanted)
