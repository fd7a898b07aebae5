"""The figures of charts as tables, categories by series, as the file stores them with the drawing; texts of diagrams.

Charts of DrawingML (ECMA-376 part 1, 21.2) and the newer kinds, waterfalls, trees and funnels ([MS-ODRAWXML] 2.24.3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tasks.parsers.numerals import parse_count
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.sheets.number_formats import get_number_format
from tasks.parsers.slides.slide_package import parse_integer
from tasks.parsers.trees import get_tag

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_POINTS = 50_000
"""Points of a chart that are read."""
_MAX_NODES = 10_000  # Of a diagram.
_MAX_DEPTH = 8  # The depth of an item of a diagram.
_TEXT_CACHES, _NUMBER_CACHES = ("strCache", "strLit", "multiLvlStrCache"), ("numCache", "numLit")


@dataclass(frozen=True, slots=True)
class ChartTable:
    """Rows of figures below one row of headers, or below none."""

    rows: list[list[str]]
    has_header: bool = True


@dataclass(frozen=True, slots=True)
class ChartData:
    """A chart: its title with that of its value axis, and its series, those of the same categories in one table."""

    title: str
    tables: tuple[ChartTable, ...]

    def __bool__(self) -> bool:
        return bool(self.title or self.tables)


@dataclass(frozen=True, slots=True)
class _Series:
    name: str
    categories: tuple[tuple[str, ...], ...]
    values: dict[int, str]


def read_chart(root: _Element) -> ChartData:
    """The chart of a part."""
    date1904 = get_attribute(next(root.iter("date1904"), None), "val") in ("1", "true")
    plot_area = root.find("chart/plotArea")
    series: list[_Series] = []
    remaining_count = _MAX_POINTS
    for node in () if plot_area is None else plot_area.iter("ser"):
        names = dict(_iter_points(node, "cat", "xVal", date1904=date1904))
        points = list(_iter_points(node, "val", "yVal", date1904=date1904))[: max(remaining_count, 0)]
        remaining_count -= len(points)
        values = {place: words[0] for place, words in points}
        places = sorted({*names, *values})
        categories = tuple(names.get(place, (str(place + 1),)) for place in places)
        point_values = {index: values[place] for index, place in enumerate(places) if place in values}
        series.append(_Series(_read_text(node.find("tx")), categories, point_values))
    axes = {get_tag(axis): axis for axis in (() if plot_area is None else plot_area) if get_tag(axis).endswith("Ax")}
    axis_title = _read_text(axes["valAx"].find("title")) if "valAx" in axes else ""
    title = _read_text(root.find("chart/title")) or (series[0].name if len(series) == 1 else "")
    corner = next((_read_text(axes[kind].find("title")) for kind in ("catAx", "dateAx") if kind in axes), "")
    return ChartData(
        f"{title} ({axis_title})" if title and axis_title else title or axis_title, _group_into_tables(series, corner)
    )


def read_extended_chart(root: _Element) -> ChartData:
    """The chart of a part of the newer kind."""
    data_by_id = {get_attribute(data, "id"): data for data in root.iterfind("chartData/data")}
    series = []
    for node in root.iter("series"):
        dimensions = data_by_id.get(get_attribute(node.find("dataId"), "val"))
        if dimensions is None:
            continue
        names = [level for dimension in dimensions.iterfind("strDim") for level in dimension.iterfind("lvl")]
        figures = next(
            (level for dimension in dimensions.iterfind("numDim") for level in dimension.iterfind("lvl")), None
        )
        texts = [dict(_iter_extended_points(level)) for level in reversed(names)]
        values = {} if figures is None else dict(_iter_extended_points(figures))
        places = sorted({place for points in (*texts, values) for place in points})[:_MAX_POINTS]
        categories = tuple(tuple(points.get(place, "") for points in texts) or (str(place + 1),) for place in places)
        point_values = {index: values[place] for index, place in enumerate(places) if place in values}
        series.append(_Series(_read_text(node.find("tx")), categories, point_values))
    title = _read_text(root.find("chart/title"))
    return ChartData(title, _group_into_tables(series, ""))


def read_diagram(root: _Element, read_text: Callable[[_Element], str]) -> list[tuple[str, int]]:
    """The texts of a diagram (21.4) and their depths, each after the one that it belongs to."""
    texts: dict[str, str] = {}
    roots = []
    for point in root.iterfind("ptLst/pt"):
        kind, name = get_attribute(point, "type") or "node", get_attribute(point, "modelId")
        body = point.find("t")
        if kind in ("node", "asst", "doc"):
            texts[name] = "" if body is None else " ".join(read_text(body).split())
            roots += [name] if kind == "doc" else []
    children: dict[str, list[tuple[int, str]]] = {}
    for link in root.iterfind("cxnLst/cxn"):
        if (get_attribute(link, "type") or "parOf") == "parOf":
            order = parse_integer(get_attribute(link, "srcOrd"))
            children.setdefault(get_attribute(link, "srcId"), []).append((order, get_attribute(link, "destId")))
    items: list[tuple[str, int]] = []
    stack = [(name, -1) for name in reversed(roots or list(texts))]
    seen_names: set[str] = set()
    while stack and len(seen_names) < _MAX_NODES:
        name, level = stack.pop()
        if name in seen_names or name not in texts:
            continue
        seen_names.add(name)
        if texts[name]:
            items.append((texts[name], max(level, 0)))
        stack += [(child, min(level + 1, _MAX_DEPTH)) for _, child in sorted(children.get(name, ()), reverse=True)]
    return items


def _group_into_tables(series: list[_Series], corner: str) -> tuple[ChartTable, ...]:
    """A table for each run of series with the same categories."""
    groups: list[list[_Series]] = []
    for member in series:
        if not member.values:
            continue
        if groups and groups[-1][0].categories == member.categories:
            groups[-1].append(member)
        else:
            groups.append([member])
    tables = []
    for group in groups:
        depth = max(map(len, group[0].categories), default=1)
        head = [corner, *[""] * (depth - 1), *(member.name for member in group)]
        rows = [head] if any(head) else []
        for place, words in enumerate(group[0].categories):
            labels = [*words, *[""] * (depth - len(words))]
            rows.append([*labels, *(member.values.get(place, "") for member in group)])
        tables.append(ChartTable(rows, has_header=any(head)))
    return tuple(tables)


def _iter_points(series: _Element, *tags: str, date1904: bool) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The points of a series: place and words, several where categories have levels."""
    node = next((element for tag in tags if (element := series.find(tag)) is not None), None)
    if node is None:
        return
    cache = next((element for element in node.iter() if get_tag(element) in (*_TEXT_CACHES, *_NUMBER_CACHES)), None)
    if cache is None:
        return
    if get_tag(cache) in _NUMBER_CACHES:
        code = next((code.text or "" for code in cache.iterfind("formatCode")), "General")
        for point in cache.iterfind("pt"):
            point_code = get_attribute(point, "formatCode") or code
            yield _read_place(point), (_format_figure(_read_value(point), point_code, date1904=date1904),)
        return
    levels = list(cache.iterfind("lvl")) or [cache]
    # The innermost level comes first; an outer name holds for the places up to the next one.
    inner = {_read_place(point): _read_value(point) for point in levels[0].iterfind("pt")}
    outer = [
        {_read_place(point): _read_value(point) for point in level.iterfind("pt")} for level in reversed(levels[1:])
    ]
    current = [""] * len(outer)
    for place in sorted(inner)[:_MAX_POINTS]:
        current = [names.get(place, last_name) for names, last_name in zip(outer, current, strict=True)]
        yield place, (*current, inner[place])


def _read_place(point: _Element) -> int:
    return parse_count(get_attribute(point, "idx"))


def _read_value(point: _Element) -> str:
    return " ".join("".join(element.text or "" for element in point.iterfind("v")).split())


def _iter_extended_points(level: _Element) -> Iterator[tuple[int, str]]:
    code = get_attribute(level, "formatCode")
    for point in level.iterfind("pt"):
        text = " ".join((point.text or "").split())
        yield _read_place(point), _format_figure(text, code or "General", date1904=False) if code else text


def _format_figure(text: str, code: str, *, date1904: bool) -> str:
    try:
        value = float(text)
    except ValueError:
        return text
    return get_number_format(code).format_value(value, date1904=date1904)[0] if math.isfinite(value) else text


def _read_text(node: _Element | None) -> str:
    """The words of a title or of a series' name: written, or copied from a cell."""
    if node is None:
        return ""
    texts = [element.text or "" for element in node.iter() if get_tag(element) in ("t", "v")]
    return " ".join("".join(texts).split())
