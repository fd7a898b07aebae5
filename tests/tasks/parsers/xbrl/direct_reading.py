"""Figures of inline XBRL read straight from the markup, by the standard library and nothing of Kalends.

The yardstick of what `tasks.parsers.xbrl` reads: value from text, scale and sign; days from the context; the unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple
from xml.etree import ElementTree

_DAY = timedelta(days=1)


class DirectFigure(NamedTuple):
    """A figure as the markup has it; the period half-open."""

    name: str
    value: Decimal | None
    unit: str
    start: date
    end: date
    members: tuple[str, ...]


def figures_of(page: str) -> Iterator[DirectFigure]:
    """The figures of a well-formed page in their order; those in words of the format are left out."""
    root = ElementTree.fromstring(page)
    contexts = {node.get("id"): node for node in root.iter() if _local(node) == "context"}
    units = {node.get("id"): node for node in root.iter() if _local(node) == "unit"}
    for node in root.iter():
        if _local(node) != "nonFraction":
            continue
        start, end = _period(contexts[node.get("contextRef")])
        members = tuple(
            f"{part.get('dimension')}={''.join(part.itertext()).strip()}"
            for part in contexts[node.get("contextRef")].iter()
            if _local(part) in ("explicitMember", "typedMember")
        )
        held = (part.text or "" for part in units[node.get("unitRef")].iter() if _local(part) == "measure")
        measures = [text.rpartition(":")[2] for text in held]
        yield DirectFigure(node.get("name") or "", _value(node), "/".join(measures), start, end, members)


def _local(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]


def _value(node: ElementTree.Element) -> Decimal | None:
    if node.get("{http://www.w3.org/2001/XMLSchema-instance}nil") == "true":
        return None
    text = "".join(_text(node)).strip()
    form = (node.get("format") or "").rpartition(":")[2].replace("-", "")
    if form in ("fixedzero", "zerodash"):
        text = "0"
    elif form == "numcommadecimal":
        text = re.sub(r"[.\s]", "", text).replace(",", ".")
    value = Decimal(text.replace(",", "")) * Decimal(10) ** int(node.get("scale") or 0)
    return -value if node.get("sign") == "-" else value


def _text(node: ElementTree.Element) -> Iterator[str]:
    yield node.text or ""
    for child in node:
        if _local(child) != "exclude":
            yield from _text(child)
        yield child.tail or ""


def _period(node: ElementTree.Element) -> tuple[date, date]:
    days = {_local(part): date.fromisoformat(part.text or "") for part in node.iter() if _local(part) in _ENDS}
    if "instant" in days:
        return days["instant"], days["instant"] + _DAY
    return days["startDate"], days["endDate"] + _DAY


_ENDS = ("instant", "startDate", "endDate")
