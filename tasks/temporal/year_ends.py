"""How sure the kinds of evidence for the end of fiscal years are, in whatever language (`YearEnd.weight`)."""

from __future__ import annotations

STATED, WHOLE_YEAR, QUARTER, PLAIN_YEAR, TO_DATE, ROLLING, LENGTH = 16, 4, 3, 2, 2, 1, 0
"""A rule for every year; a fiscal year, a numbered quarter, a year, the months of a year to a day; twelve months, which
may be any twelve; the weeks of a quarter, which say nothing of the year's end."""
