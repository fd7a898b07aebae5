"""Meanings of expressions before they are read against a context: a small algebra of dates, shifts, lengths and spans.

`recurrences` come once in each week, month or year, `numeric_days` are written in numbers alone, `offsets` are counted
from another time, `spans` are lengths, parts and ranges, `clocks` times of day, `company` periods that may be a
company's own.
"""
