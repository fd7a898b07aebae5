"""All rules by code, wherever they come from, and their pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from tasks.quality.contract import RULES, Rule
from tasks.quality.vault_lint import VAULT_RULES

FAMILIES = {"DOC": "documents", "TAB": "tables", "CHK": "passages", "TMP": "time", "VLT": "vaults"}
_PART = re.compile(r"^(What|Why it hurts retrieval|Example|Cure): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """A rule's documentation in its parts, each on one line."""

    title: str
    what: str
    why: str
    example: str
    cure: str


@cache
def every_rule() -> dict[str, Rule]:
    """The rules in the order of their codes."""
    found = {rule.code: rule for rule in (*RULES.values(), *VAULT_RULES.values())}
    return dict(sorted(found.items()))


def page_of(rule: Rule) -> Page:
    """A rule's page, taken apart."""
    head, *rest = _PART.split(rule.page.strip())
    parts = {name: " ".join(text.split()) for name, text in zip(rest[::2], rest[1::2], strict=True)}
    title = " ".join(head.partition(": ")[2].split())
    return Page(title, parts["What"], parts["Why it hurts retrieval"], parts["Example"], parts["Cure"])
