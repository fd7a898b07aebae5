"""What a form of the report is: one function from the report to lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tasks.check.report import Report
from warehouse.registry import Family

Form = Callable[[Report], Iterator[str]]

FORMS = Family[Form]("tasks.check.forms", "format")
"""Each form's `member` yields lines without their ends."""
