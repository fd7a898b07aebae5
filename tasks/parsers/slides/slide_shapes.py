"""The shapes of a slide in reading order, each with its place: texts, tables, charts, diagrams and pictures.

Order: the title first, then by the largest gaps between the shapes (a recursive X-Y cut, Nagy and Seth, 1984), from
the left and the top. A group stays together. Shapes that are hidden in PowerPoint are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.picture_words import list_description
from tasks.parsers.slides.chart_data import ChartData, read_chart, read_diagram, read_extended_chart
from tasks.parsers.slides.slide_package import (
    POINT,
    Placeholder,
    SlideEntry,
    SlidePackage,
    find_placeholder,
    get_relation_id,
    iter_inherited,
    iter_shown_parts,
    parse_integer,
)
from tasks.parsers.slides.slide_text import SlideLine, read_lines, read_text
from tasks.parsers.table_form import LaidTable, RowPlace, SpanCell, guess_header_rows, lay_out, parse_span
from tasks.parsers.trees import get_tag
from warehouse.records import Box

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_DEPTH = 40  # Groups inside each other, and cuts.
_MAX_OVERLAP = 0.5  # Points by which shapes may overlap and still be separate.


@dataclass(eq=False)
class SlideShape:
    """A shape and its content; that of a group is `inner`. `lines` of a picture are its description."""

    box: Box
    placeholder: Placeholder | None = None
    lines: list[SlideLine] = field(default_factory=list)
    table: LaidTable | None = None
    rows: list[RowPlace] = field(default_factory=list)
    chart: ChartData | None = None
    inner: list[SlideShape] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether it has nothing that can be read."""
        return not (self.lines or self.table or self.chart or self.inner)


@dataclass(frozen=True, slots=True)
class ReadSlide:
    """A slide: its number from 1, its shapes in reading order, and the lines of the notes to it.

    `has_lost`: whether a chart, a sheet or another file in it is of a program whose files are not read.
    """

    number: int
    shapes: list[SlideShape]
    notes: list[SlideLine]
    is_hidden: bool
    has_lost: bool = False


@dataclass(frozen=True, slots=True)
class _Frame:
    """How places inside a group are mapped to the slide: scaled, then moved."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    offset_x: float = 0.0
    offset_y: float = 0.0

    def to_box(self, place: _Element | None) -> Box | None:
        """The box of an `xfrm`, in points."""
        off, ext = (None, None) if place is None else (place.find("off"), place.find("ext"))
        if off is None or ext is None:
            return None
        x, y = parse_integer(get_attribute(off, "x")), parse_integer(get_attribute(off, "y"))
        left, top = (self.scale_x * x + self.offset_x) / POINT, (self.scale_y * y + self.offset_y) / POINT
        width = abs(self.scale_x * parse_integer(get_attribute(ext, "cx"))) / POINT
        return Box(left, top, left + width, top + abs(self.scale_y * parse_integer(get_attribute(ext, "cy"))) / POINT)

    def enter_group(self, place: _Element | None) -> _Frame:
        """The mapping inside a group with this `xfrm`."""
        if place is None:
            return self
        parts = [place.find(name) for name in ("off", "ext", "chOff", "chExt")]
        x, y, left, top = (parse_integer(get_attribute(parts[index], name)) for index in (0, 2) for name in ("x", "y"))
        width, height, inner_width, inner_height = (
            parse_integer(get_attribute(parts[index], name)) for index in (1, 3) for name in ("cx", "cy")
        )
        scale_x = width / inner_width if inner_width else 1.0
        scale_y = height / inner_height if inner_height else 1.0
        return _Frame(
            self.scale_x * scale_x,
            self.scale_y * scale_y,
            self.scale_x * (x - scale_x * left) + self.offset_x,
            self.scale_y * (y - scale_y * top) + self.offset_y,
        )


class ShapeReader:
    """Reads the shapes of the slides of one package."""

    def __init__(self, package: SlidePackage) -> None:
        self._package = package

    def read(self, slide: SlideEntry) -> list[SlideShape]:
        """The shapes of a slide with content, in reading order; footers and numbers come last."""
        tree = slide.root.find("cSld/spTree")
        shapes = [] if tree is None else list(self._iter_shapes(tree, slide, _Frame(), 0))
        return order_for_reading(shapes)

    def _iter_shapes(self, tree: _Element, slide: SlideEntry, frame: _Frame, depth: int) -> Iterator[SlideShape]:
        for node in iter_shown_parts(tree):
            tag = get_tag(node)
            if tag not in ("sp", "grpSp", "graphicFrame", "pic") or _is_hidden(node):
                continue
            if tag == "grpSp":
                place = node.find("grpSpPr/xfrm")
                inner = (
                    list(self._iter_shapes(node, slide, frame.enter_group(place), depth + 1))
                    if depth < _MAX_DEPTH
                    else []
                )
                shape = SlideShape(frame.to_box(place) or self._package.size, inner=order_by_gaps(inner))
            else:
                shape = self._read_shape(node, tag, slide, frame)
            if not shape.is_empty:
                yield shape

    def _read_shape(self, node: _Element, tag: str, slide: SlideEntry, frame: _Frame) -> SlideShape:
        layouts = self._package.read_layouts(slide)
        inherited_shapes = list(iter_inherited(node, layouts))
        places = [node.find("xfrm") if tag == "graphicFrame" else node.find("spPr/xfrm")]
        places += [inherited.find("spPr/xfrm") for inherited in inherited_shapes]
        boxes = (frame.to_box(place) for place in places)
        shape = SlideShape(next(filter(None, boxes), None) or self._package.size, find_placeholder(node))
        body = node.find("txBody")
        if tag == "pic":
            words = list_description(get_attribute(node.find("nvPicPr/cNvPr"), "descr"))
            shape.lines = list(map(SlideLine, words))
        elif tag == "graphicFrame":
            self._read_frame(node, slide, shape)
        elif body is not None:
            shape.lines = read_lines(body, list(_iter_list_styles(inherited_shapes, layouts, shape.placeholder)))
        return shape

    def _read_frame(self, node: _Element, slide: SlideEntry, shape: SlideShape) -> None:
        """Reads the content of a frame: a table, a chart, a diagram."""
        data = node.find("graphic/graphicData")
        for part in () if data is None else iter_shown_parts(data):
            if get_tag(part) == "tbl":
                shape.table, shape.rows = _read_table(part, slide.number, shape.box)
            elif get_tag(part) == "chart":
                root = self._package.read_linked_part(slide, get_relation_id(part, "id"))
                if root is not None:
                    is_extended = root.find("chartData") is not None
                    shape.chart = read_extended_chart(root) if is_extended else read_chart(root)
            elif get_tag(part) == "relIds":
                root = self._package.read_linked_part(slide, get_relation_id(part, "dm"))
                texts = [] if root is None else read_diagram(root, read_text)
                shape.lines = [SlideLine(text, level, "-") for text, level in texts]


def order_for_reading(shapes: Sequence[SlideShape]) -> list[SlideShape]:
    """The shapes of a slide in reading order, groups as their shapes; footers and numbers come last."""
    titles = [shape for shape in shapes if shape.placeholder and shape.placeholder.is_title]
    furniture = [shape for shape in shapes if is_furniture(shape)]
    content = [shape for shape in shapes if shape not in titles and shape not in furniture]
    return [*titles, *_flatten_groups(order_by_gaps(content)), *furniture]


def is_furniture(shape: SlideShape) -> bool:
    """Whether a shape is the date, the footer, the header or the number of its slide."""
    return shape.placeholder is not None and shape.placeholder.kind in ("dt", "ftr", "sldNum", "hdr")


def order_by_gaps(shapes: Sequence[SlideShape], depth: int = 0) -> list[SlideShape]:
    """The shapes as they are read: cut at the widest gap between them, from the left and the top."""
    if len(shapes) < 2:
        return list(shapes)
    top_cut, vertical_gap = _find_widest_gap([(shape.box.top, shape.box.bottom) for shape in shapes])
    left_cut, horizontal_gap = _find_widest_gap([(shape.box.x0, shape.box.x1) for shape in shapes])
    if depth == _MAX_DEPTH or (vertical_gap < 0 and horizontal_gap < 0):
        return sorted(shapes, key=lambda shape: (shape.box.top, shape.box.x0))
    if horizontal_gap > vertical_gap:
        first_shapes = [shape for shape in shapes if shape.box.x0 < left_cut]
        second_shapes = [shape for shape in shapes if shape.box.x0 >= left_cut]
    else:
        first_shapes = [shape for shape in shapes if shape.box.top < top_cut]
        second_shapes = [shape for shape in shapes if shape.box.top >= top_cut]
    return [*order_by_gaps(first_shapes, depth + 1), *order_by_gaps(second_shapes, depth + 1)]


def _find_widest_gap(spans: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where the widest gap between spans ends, and how wide it is, below 0 where there is none."""
    best, width = 0.0, -1.0
    end: float | None = None
    for start, span_end in sorted(spans):
        if end is not None and start >= end - _MAX_OVERLAP and start - end > width:
            best, width = start, max(start - end, 0.0)
        end = span_end if end is None else max(end, span_end)
    return best, width


def _flatten_groups(shapes: Sequence[SlideShape]) -> Iterator[SlideShape]:
    for shape in shapes:
        if shape.inner:
            yield from _flatten_groups(shape.inner)
        else:
            yield shape


def _is_hidden(node: _Element) -> bool:
    """Whether a shape is hidden in the list of shapes."""
    names = (part.find("cNvPr") for part in node if get_tag(part).startswith("nv"))
    return any(get_attribute(name, "hidden") in ("1", "true") for name in names)


def _iter_list_styles(
    inherited_shapes: Sequence[_Element], layouts: Sequence[_Element], placeholder: Placeholder | None
) -> Iterator[_Element]:
    """The list styles that a placeholder inherits: of its counterparts on layout and master, then the master's."""
    for inherited in inherited_shapes:
        yield from inherited.iterfind("txBody/lstStyle")
    if placeholder is not None:
        name = "titleStyle" if placeholder.is_title else "bodyStyle"
        for root in layouts:
            yield from root.iterfind(f"txStyles/{name}")


def _read_table(table: _Element, page: int, box: Box) -> tuple[LaidTable, list[RowPlace]]:
    """A table on its grid, and the place of each row."""
    rows, heights = [], []
    for row in table.iterfind("tr"):
        cells = []
        for cell in row.iterfind("tc"):
            if "1" in (get_attribute(cell, "hMerge"), get_attribute(cell, "vMerge")):
                continue
            body = cell.find("txBody")
            text = "" if body is None else read_text(body)
            cells.append(
                SpanCell(text, parse_span(get_attribute(cell, "rowSpan")), parse_span(get_attribute(cell, "gridSpan")))
            )
        rows.append(cells)
        heights.append(max(parse_integer(get_attribute(row, "h")), 0) / POINT)
    layout = lay_out(rows)
    if get_attribute(table.find("tblPr"), "firstRow") in ("1", "true"):
        layout = LaidTable(layout.rows, max(guess_header_rows(layout.rows), 1) if layout.rows else 1, layout.merges)
    scale = (box.bottom - box.top) / sum(heights) if sum(heights) else 0.0
    places, top = [], box.top
    for height in heights:
        bottom = min(top + scale * height, box.bottom)
        places.append(RowPlace(page, Box(box.x0, top, box.x1, bottom)))
        top = bottom
    return layout, places
