"""Selection of the findings that count: rules chosen by name, and comments that silence rules.

Rules are named by their codes, the first letters of their codes, or their names. The source itself silences findings by
`<!-- kalends: ignore=CHK003,TAB -->` in Markdown and HTML. At the head of a file, before any text, it applies to the
whole file; elsewhere for its own line and the paragraph, list or table after it. Without codes
(`<!-- kalends: ignore -->`) it silences every rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from tasks.quality.note_links import without_fences
from tasks.quality.rule import FAMILIES, Rule, list_rules
from warehouse.errors import BadInput

ALL = "ALL"


@dataclass(frozen=True, slots=True)
class Selection:
    """`select` and `ignore` as given. If both name a rule, the longer selector wins; at equal length, `ignore`."""

    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `BadInput` for a selector that names no rule."""
        for selector in (*self.select, *self.ignore):
            check_selector(selector)

    def has_rule(self, code: str) -> bool:
        """Whether a rule counts."""
        return _measure_match(self.select, code) > _measure_match(self.ignore, code)


def check_selector(selector: str) -> None:
    """Raise `BadInput` for a selector that names no rule."""
    if selector != ALL and not _matches_any_rule(selector):
        rules = list_rules()
        similar_names = get_close_matches(selector, [*rules, *FAMILIES, *(rule.name for rule in rules.values())], n=1)
        cure = f"did you mean {similar_names[0]}?" if similar_names else "'kalends rules' lists them"
        raise BadInput(f"no rule is named '{selector}'", cure)


def _measure_match(selectors: Sequence[str], code: str) -> int:
    """The length of the longest selector that names a rule; 0 without one, 1 for all rules, all of it for its name."""
    rule = list_rules()[code]
    return max(
        (
            1 if selector == ALL else len(code) if selector == rule.name else len(selector)
            for selector in selectors
            if selector == ALL or _matches_rule(selector, rule)
        ),
        default=0,
    )


def _matches_rule(selector: str, rule: Rule) -> bool:
    return bool(selector) and (rule.code.startswith(selector.upper()) or rule.name == selector)


def _matches_any_rule(selector: str) -> bool:
    return any(_matches_rule(selector, rule) for rule in list_rules().values())


_COMMENT = re.compile(r"<!--\s*kalends:\s*ignore(?:\s*=\s*([\w\s,-]*?))?\s*-->", re.IGNORECASE)
_ANY_COMMENT = re.compile(r"<!--[^\n]{0,2000}?-->")
_HEAD_MARKUP = re.compile(
    r"\s+|<!--[^\n]{0,2000}?-->|<!doctype[^>]{0,200}>|</?(?:html|head|body|main|article)\b[^>]{0,400}>", re.IGNORECASE
)
_FRONT_MATTER = re.compile(
    r"\A\s*---[^\S\n]*\n(?:(?!(?:---|\.\.\.)[^\S\n]*$).*\n)*(?:---|\.\.\.)[^\S\n]*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Suppression:
    """Rules that are silenced from line `first` to `last`, or in the whole file if `last` is 0."""

    codes: tuple[str, ...]
    first: int = 0
    last: int = 0

    def covers(self, code: str, first: int | None, last: int | None) -> bool:
        """Whether it silences a finding on these lines; one without a place belongs to the whole file."""
        if not _measure_match(self.codes, code):
            return False
        if not self.last or first is None:
            return True
        return first <= self.last and self.first <= (last or first)


def find_suppressions(raw: str) -> tuple[Suppression, ...]:
    """The suppressions in a source, in order; words that name no rule are ignored."""
    return tuple(_iter_suppressions(without_fences(raw))) if "kalends" in raw else ()


def _iter_suppressions(text: str) -> Iterator[Suppression]:
    # The start of the file's text, after front matter, comments and the opening of a web page.
    front = _FRONT_MATTER.match(text)
    head = front.end() if front else 0
    while (prefix := _HEAD_MARKUP.match(text, head)) and prefix.end() > head:
        head = prefix.end()
    lines = text.split("\n")
    position = 0
    for number, line in enumerate(lines, 1):
        for match in _COMMENT.finditer(line):
            names = match[1]
            codes = (ALL,) if names is None else tuple(filter(_matches_any_rule, re.split(r"[\s,]+", names)))
            is_head = position + match.start() < head
            yield Suppression(codes) if is_head else Suppression(codes, number, _find_last_line(lines, number))
        position += len(line) + 1


def _find_last_line(lines: list[str], number: int) -> int:
    """The last line of the block that has the comment, or of the next block if the comment is alone."""
    line_number = number
    is_alone = not _ANY_COMMENT.sub("", lines[number - 1]).strip()
    while is_alone and line_number < len(lines) and not lines[line_number].strip():
        line_number += 1
    while line_number < len(lines) and lines[line_number].strip():
        line_number += 1
    return line_number
