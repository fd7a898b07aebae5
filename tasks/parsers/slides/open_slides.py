"""The slides of an OpenDocument presentation (ODF 1.3 part 3, 10 and 16): shapes in reading order, charts, notes.

Texts are read as those of OpenDocument texts are. A chart is the table of its figures, a sheet in a slide its cells.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.assembly import enclose_boxes
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.office.open_package import OpenPackage
from tasks.parsers.picture_words import list_description
from tasks.parsers.slides.chart_data import ChartData, ChartTable
from tasks.parsers.slides.slide_package import Placeholder
from tasks.parsers.slides.slide_shapes import ReadSlide, SlideShape, order_by_gaps, order_for_reading
from tasks.parsers.slides.slide_text import SlideLine
from tasks.parsers.table_form import RowPlace
from tasks.parsers.trees import collapse_spaces, get_tag
from tasks.parsers.word.open_text import OpenStyles, OpenTextReader
from warehouse.records import BlockKind, Box

if TYPE_CHECKING:
    from lxml.etree import _Element

_PLACEHOLDER_KINDS = {
    "title": "title", "subtitle": "subTitle", "outline": "body", "footer": "ftr", "header": "hdr",
    "date-time": "dt", "page-number": "sldNum", "notes": "notes",
}  # fmt: skip
"""Classes of shapes by the names of placeholders in PowerPoint files."""
_SHAPE_TAGS = frozenset({
    "frame", "custom-shape", "rect", "ellipse", "circle", "line", "polyline", "polygon", "regular-polygon", "path",
    "connector", "caption", "measure",
})  # fmt: skip
_CONTENT_TAGS = frozenset({"text-box", "table", "object", "object-ole", "image"})
_LENGTH = re.compile(r"(-?\d{1,6}(?:\.\d{0,9})?)(cm|mm|in|pt|pc|px)")
_POINTS_PER_UNIT = {"cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}
_TRANSLATION = re.compile(r"translate\s*\(\s*([^\s,)]+)[\s,]+([^\s)]+)")
_DEFAULT_SIZE = (793.7, 595.3)  # Points of a slide of 28 by 21 cm.
_MAX_DEPTH = 20  # Groups inside each other.


class OpenSlides:
    """Reads the slides of a package."""

    def __init__(self, package: OpenPackage) -> None:
        """Raises `UnreadableFile` where there are no slides in it."""
        self._package = package
        content, styles = package.read_xml_part("content.xml"), package.read_xml_part("styles.xml")
        body = None if content is None else content.find("body/presentation")
        if body is None:
            raise refusals.damaged(package.noun, "there are no slides in it")
        self._body = body
        self._reader = OpenTextReader(OpenStyles(styles, content))
        roots = [root for root in (styles, content) if root is not None]
        self._page_styles = {
            get_attribute(style, "name"): part
            for root in roots
            for style in root.iter("style")
            for part in style.iterfind("drawing-page-properties")
        }
        sizes = (part for root in roots for part in root.iter("page-layout-properties"))
        size = next((part for part in sizes if get_attribute(part, "page-width")), None)
        width, height = (_parse_length(get_attribute(size, name)) for name in ("page-width", "page-height"))
        self._slide_size = Box(0, 0, width or _DEFAULT_SIZE[0], height or _DEFAULT_SIZE[1])

    def iter_slides(self) -> Iterator[ReadSlide]:
        """The slides in the order of the show."""
        declarations = {get_attribute(node, "name"): node for node in self._body if get_tag(node).endswith("-decl")}
        for number, page in enumerate(self._body.iterfind("page"), 1):
            style = self._page_styles.get(get_attribute(page, "style-name"))
            shapes = order_for_reading(list(self._iter_shapes(page, number, 0)))
            for name in ("header", "footer", "date-time"):
                node = declarations.get(get_attribute(page, f"use-{name}-name"))
                if node is not None and node.text and get_attribute(style, f"display-{name}") == "true":
                    shapes.append(
                        SlideShape(self._slide_size, Placeholder("ftr", ""), [SlideLine(collapse_spaces(node.text))])
                    )
            notes = [shape for node in page.iterfind("notes") for shape in self._iter_shapes(node, number, 0)]
            lines = [
                line
                for shape in notes
                if shape.placeholder is None or shape.placeholder.kind == "notes"
                for line in shape.lines
            ]
            is_hidden, has_lost = get_attribute(style, "visibility") == "hidden", page.find(".//object-ole") is not None
            yield ReadSlide(number, shapes, lines, is_hidden, has_lost)

    def _iter_shapes(self, tree: _Element, number: int, depth: int) -> Iterator[SlideShape]:
        """The shapes in a page or a group that have content."""
        for node in tree:
            tag = get_tag(node)
            if tag in ("g", "a") and depth < _MAX_DEPTH:
                inner = list(self._iter_shapes(node, number, depth + 1))
                if inner:
                    yield SlideShape(enclose_boxes([shape.box for shape in inner]), inner=order_by_gaps(inner))
            elif tag in _SHAPE_TAGS and get_attribute(node, "placeholder") != "true":
                shape = self._read_shape(node, number)
                if not shape.is_empty:
                    yield shape

    def _read_shape(self, node: _Element, number: int) -> SlideShape:
        kind = _PLACEHOLDER_KINDS.get(get_attribute(node, "class"), "")
        shape = SlideShape(self._find_box(node), Placeholder(kind, "") if kind else None)
        # The elements of a frame are alternatives; the first one that can be read counts.
        content = (
            node if get_tag(node) != "frame" else next((part for part in node if get_tag(part) in _CONTENT_TAGS), None)
        )
        if content is None:
            return shape
        if get_tag(content) == "object":
            self._read_object(content, shape)
        elif get_tag(content) == "image":
            texts = (collapse_spaces(part.text or "") for part in node if get_tag(part) in ("desc", "title"))
            self._read_text(content, shape, number)
            shape.lines += map(SlideLine, list_description(next(filter(None, texts), "")))
        else:
            self._read_text(node if get_tag(content) == "table" else content, shape, number)
        return shape

    def _read_text(self, node: _Element, shape: SlideShape, number: int) -> None:
        """The lines in an element, or the table."""
        for part in self._reader.iter_pieces(node):
            if part.table is not None:
                shape.table, shape.rows = part.table, [RowPlace(number, shape.box)] * len(part.table.rows)
            elif part.text.strip():
                is_item = part.kind is BlockKind.LIST
                shape.lines.append(SlideLine(part.text, part.level, part.mark) if is_item else SlideLine(part.text))

    def _read_object(self, node: _Element, shape: SlideShape) -> None:
        """The figures of a chart, or the cells of a sheet, which is a separate document in the package."""
        folder = posixpath.normpath(get_attribute(node, "href"))
        root = self._package.read_xml_part(f"{folder}/content.xml")
        body = None if root is None else root.find("body")
        if body is None:
            return
        content = next((part for part in body.iter() if part.find("table") is not None), None)
        tables = [] if content is None else [part.table for part in self._reader.iter_pieces(content) if part.table]
        title = None if content is None else content.find("title")
        words = "" if title is None else collapse_spaces(" ".join(map(str, title.itertext())))
        shape.chart = ChartData(words, tuple(ChartTable(table.rows) for table in tables))

    def _find_box(self, node: _Element) -> Box:
        """The place of a shape, in points."""
        x, y, width, height = (_parse_length(get_attribute(node, name)) for name in ("x", "y", "width", "height"))
        if translation := _TRANSLATION.search(get_attribute(node, "transform")):
            x, y = _parse_length(translation[1]), _parse_length(translation[2])
        if x is None or y is None:
            return self._slide_size
        return Box(x, y, x + abs(width or 0), y + abs(height or 0))


def _parse_length(text: str) -> float | None:
    match = _LENGTH.fullmatch(text)
    return float(match[1]) * _POINTS_PER_UNIT[match[2]] if match else None
