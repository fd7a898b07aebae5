"""Whose fiscal calendar a question is to be read with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warehouse.records import Filters, Subject
from warehouse.search.filtering import allowed_rows
from warehouse.store.snapshot import Snapshot


def fiscal_year_start(snapshot: Snapshot, subjects: Sequence[Subject], filters: Filters) -> int | None:
    """The month, 1 to 12, in which the fiscal years begin of the documents that a question is about.

    Of those that satisfy the filters, the documents of its subjects; all, where these say nothing of it. None where
    they differ: nobody can tell then which is meant.
    """
    months = snapshot.clocks.first_month
    rows = allowed_rows(snapshot, filters)
    allowed = np.zeros(len(months), np.bool_)
    allowed[snapshot.passages.document if rows is None else snapshot.passages.document[rows]] = True
    ordinals = snapshot.passages.ordinal_of
    named = np.zeros(len(months), np.bool_)
    named[[ordinals[document] for each in subjects for document in each.documents if document in ordinals]] = True
    for chosen in (allowed & named, allowed):
        found = set(months[chosen].tolist()) - {0}
        if found:
            return int(found.pop()) if len(found) == 1 else None
    return None
