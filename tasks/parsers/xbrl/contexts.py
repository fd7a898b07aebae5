"""Contexts and units of XBRL 2.1 (4.7, 4.8) and XBRL Dimensions 1.0: entity, period, part and measure of a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers.trees import collapse_spaces, collect_text, get_tag
from tasks.parsers.written_dates import make_date
from tasks.parsers.xbrl.xhtml_tree import get_attribute, normalize_name
from warehouse.records import Dimension
from warehouse.records.calendars import DAY

if TYPE_CHECKING:
    from lxml.etree import _Element

_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d+)?))?(?:Z|[+-]\d\d:\d\d)?")
_MIDNIGHT = re.compile(r"00:00:00(?:\.0+)?")
_MAX_MEMBER_LENGTH = 200  # Characters of the value of a typed dimension.
_MEASURES = ("xbrli-measure", "xbrli-unitnumerator", "xbrli-unitdenominator")


@dataclass(frozen=True, slots=True)
class FactContext:
    """The entity of a fact, its period, half-open, and its part; `broken`: whether the period cannot be read."""

    entity: str = ""
    start: date | None = None
    end: date | None = None
    dimensions: tuple[Dimension, ...] = ()
    broken: bool = False


@dataclass(frozen=True, slots=True)
class FactUnit:
    """The measure of a figure, and its currency where it is an amount or a price."""

    name: str
    currency: str = ""


def read_context(node: _Element, prefixes: dict[str, str]) -> FactContext:
    """A context. An unlimited period has no days."""
    entity, dimensions = "", list[Dimension]()
    start = end = None
    is_broken = False
    for part in node.iter():
        tag = get_tag(part)
        if tag == "xbrli-identifier":
            entity = collapse_spaces(collect_text(part))
        elif tag == "xbrli-period":
            period = _read_period(part)
            is_broken = period is None
            start, end = period or (None, None)
        elif tag in ("xbrli-segment", "xbrli-scenario"):
            dimensions += (_read_dimension(member, prefixes) for member in part if get_tag(member))
    return FactContext(entity, start, end, tuple(dimensions), is_broken)


def _read_dimension(node: _Element, prefixes: dict[str, str]) -> Dimension:
    """A member of a segment or scenario; an element that is no dimension counts as one with its tag as the name."""
    text = collapse_spaces(collect_text(node))
    if get_tag(node) == "xbrldi-explicitmember":
        return Dimension(normalize_name(get_attribute(node, "dimension"), prefixes), normalize_name(text, prefixes))
    axis = get_attribute(node, "dimension")
    return Dimension(normalize_name(axis, prefixes) if axis else get_tag(node), text[:_MAX_MEMBER_LENGTH], typed=True)


def _read_period(node: _Element) -> tuple[date | None, date | None] | None:
    """The days of a period, half-open; None where it has none that can be read.

    A date without a time at the end of a period is the end of that day, midnight that of the day before (XBRL 4.7.2).
    """
    parts = {get_tag(part): collapse_spaces(collect_text(part)) for part in node}
    if "xbrli-forever" in parts:
        return None, None
    if "xbrli-instant" in parts:
        end_day = _compute_day_after(parts["xbrli-instant"])
        return (end_day - DAY, end_day) if end_day else None
    match = _MOMENT.fullmatch(parts.get("xbrli-startdate", ""))
    start, end = match and _make_day(match), _compute_day_after(parts.get("xbrli-enddate", ""))
    return (start, end) if start and end and start < end else None


def _make_day(match: re.Match[str]) -> date | None:
    return make_date(int(match[1]), int(match[2]), int(match[3]))


def _compute_day_after(text: str) -> date | None:
    """The first day after a period that ends at a moment."""
    match = _MOMENT.fullmatch(text)
    day = _make_day(match) if match else None
    if match is None or day is None or date.max - day < DAY or day - date.min < DAY:
        return None
    return day if match[4] and _MIDNIGHT.fullmatch(match[4]) else day + DAY


def read_unit(node: _Element, prefixes: dict[str, str]) -> FactUnit:
    """A unit: "USD", "USD/shares", "kWh*h"."""
    numerators, denominators = list[str](), list[str]()
    for part in node.iter(_MEASURES[0]):
        is_denominator = any(get_tag(ancestor) == _MEASURES[2] for ancestor in part.iterancestors())
        measures = denominators if is_denominator else numerators
        measures.append(normalize_name(collapse_spaces(collect_text(part)), prefixes))
    names = ["*".join(_iter_measure_names(side)) for side in (numerators, denominators) if side]
    amounts = [measure for measure in numerators if measure.startswith("iso4217:")]
    currency = amounts[0].partition(":")[2].upper() if len(numerators) == len(amounts) == 1 else ""
    return FactUnit("/".join(names) or "pure", currency)


def _iter_measure_names(measures: list[str]) -> Iterator[str]:
    return (measure.rpartition(":")[2] for measure in measures)
