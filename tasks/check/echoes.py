"""Findings that only say again what another finding of the same file says better."""

from __future__ import annotations

from collections.abc import Iterable

from tasks.check.located import Located

_SAID_BY = {"DOC015": "DOC020", "DOC019": "DOC020"}
"""A date in the future is not believed, so that another is taken in its stead, or none is left."""


def without_echoes(found: Iterable[Located]) -> list[Located]:
    """The findings of a file, in their order, but for those that follow from others of it."""
    every = list(found)
    codes = {each.finding.code for each in every}
    return [each for each in every if _SAID_BY.get(each.finding.code) not in codes]
