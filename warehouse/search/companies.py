"""Whose fiscal calendar a question is to be read with."""

from __future__ import annotations

import re

from warehouse.records import Filters
from warehouse.search.filtering import predicate
from warehouse.store.snapshot import Snapshot

_NAME = re.compile(r"\b[A-Z][A-Za-z0-9]{2,}\b|[\u3400-\u9fff]{2,}")
_ASKING = re.compile(
    "What|When|Where|Which|Who|Whom|Whose|Why|How|Did|Does|Was|Were|Are|Has|Have|Had|Can|Could|Will|Would|Should|The|And|For"
    "|Show|Tell|List|Compare|Find|Give|Revenue|Sales|January|February|March|April|May|June|July|August|September|October"
    "|November|December|Fiscal|Year|Quarter|Half"
)
"""Words with a capital that name nobody."""


def fiscal_year_start(snapshot: Snapshot, question: str, filters: Filters) -> int | None:
    """The month, 1 to 12, in which the fiscal years begin of the documents that a question is about.

    Of those that satisfy the filters, the ones that the question names by a word of their title or source; all, where
    it names none. None where they say nothing of it, or where they differ: nobody can tell then which is meant.
    """
    condition, parameters = predicate(filters)
    sql = (
        "SELECT lower(title || ' ' || source) AS name, fiscal_year_start AS month FROM documents "  # noqa: S608
        f"WHERE fiscal_year_start IS NOT NULL AND {condition}"
    )
    found = snapshot.rows(sql, parameters)
    asked = {name.lower() for name in _NAME.findall(question) if not _ASKING.fullmatch(name)}
    named = [month for name, month in found if any(word in name for word in asked)]
    months = set(named or (month for _, month in found))
    return months.pop() if len(months) == 1 else None
