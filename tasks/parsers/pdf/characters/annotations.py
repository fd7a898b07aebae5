"""Annotations of a page as drawings and text: the filled fields of forms, signatures, typed text and stamps.

They are no part of the page's content stream. Each has a drawing, its appearance (ISO 32000-1, 12.5.5); the value of a
field without one is drawn by the viewer (12.7.3.3), and is laid out here in lines of an estimated width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any
from unicodedata import east_asian_width

from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import PDFObjRef, PDFStream, resolve1
from pdfminer.psparser import PSLiteral
from pdfminer.utils import MATRIX_IDENTITY, Matrix, apply_matrix_rect, decode_text

_VISIBLE_SUBTYPES = frozenset(["Widget", "FreeText", "Stamp"])
_HIDDEN_FLAGS = 0b100010  # The flags Hidden and NoView (table 165).
_PUSHBUTTON = 1 << 16  # A button that holds no value, but has a label (table 226).
_MULTILINE, _PASSWORD = 1 << 12, 1 << 13  # Text fields of several lines, and those that show dots (table 228).
_CHECK_MARK = "☒"
"""The mark in a check box or radio button that is on, drawn as a letter of a symbol font or as a shape."""
_MAX_ANNOTATIONS = 5_000  # Annotations of a page that are looked at.
_MAX_DEPTH = 32  # Fields above a field of which one may inherit.
_MAX_VALUE_LENGTH = 20_000  # Characters.
_FONT_SIZE = re.compile(rb"(\d+(?:\.\d*)?|\.\d+)\s+Tf")
_DEFAULT_SIZE = 12.0  # Points, where a field leaves the size to the viewer.
_LINE_HEIGHT_SHARE = 0.75  # Of a field's height, at most, for letters of one line.
_LEADING = 1.2  # From line to line, in sizes of the font.
_LETTER_WIDTH = 0.5  # Width of a letter in sizes of the font; wide ones take twice as much.

Corners = tuple[float, float, float, float]  # Left, low, right, high in the page's own space, in points.


@dataclass(frozen=True, slots=True)
class Appearance:
    """A drawing, and the matrix that places it on the page."""

    stream: PDFStream
    matrix: Matrix


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line of a field's value without an appearance, with its lower left corner in points on the upright page.

    `size` is that of its letters in points, `narrowness` their relative width, from 0 to 1.
    """

    text: str
    size: float
    narrowness: float
    left: float
    low: float

    @property
    def letters(self) -> Iterator[tuple[str, Corners]]:
        """Each character with its corners."""
        x = self.left
        for char in self.text:
            width = _estimate_width(char) * self.size * self.narrowness
            yield char, (x, self.low, x + width, self.low + self.size)
            x += width


def read_annotations(page: PDFPage, ctm: Matrix) -> Iterator[Appearance | TypedLine]:
    """The drawings and lines that the annotations of a page show, in their order; damaged ones are left out.

    `ctm` leads from the page's own space to the upright page, where values are set out. A drawing comes before
    the value that it shows, unless the form says that its drawings are out of date.
    """
    form = _resolve_mapping(page.doc.catalog.get("AcroForm"))
    is_stale = resolve1(form.get("NeedAppearances")) is True
    annotations = resolve1(page.annots)
    for reference in annotations[:_MAX_ANNOTATIONS] if isinstance(annotations, list) else ():
        annotation = _resolve_mapping(reference)
        rect = _resolve_rectangle(annotation.get("Rect"))
        flags = resolve1(annotation.get("F"))
        if _resolve_name(annotation.get("Subtype")) not in _VISIBLE_SUBTYPES or rect is None:
            continue
        if isinstance(flags, int) and flags & _HIDDEN_FLAGS:
            continue
        fields = _list_ancestors(annotation)
        kind = _resolve_name(_get_inherited(fields, "FT"))
        field_flags = _get_inherited(fields, "Ff")
        field_flags = field_flags if isinstance(field_flags, int) else 0
        appearance = _find_appearance(annotation)
        field_box = apply_matrix_rect(ctm, rect)
        if kind == "Btn" and not field_flags & _PUSHBUTTON:
            if appearance is not None and _resolve_name(annotation.get("AS")) not in ("", "Off"):
                yield from _lay_out_lines([_CHECK_MARK], field_box, 0.0)
            continue
        value = _read_value(fields) if kind in ("Tx", "Ch") and not field_flags & _PASSWORD else ""
        if value and (appearance is None or is_stale):
            size = _parse_font_size(_get_inherited(fields, "DA") or resolve1(form.get("DA")))
            yield from _lay_out_lines(
                _split_value(value, field_box, size, wraps=bool(field_flags & _MULTILINE)), field_box, size
            )
        elif appearance is not None and (matrix := _compute_matrix(appearance, rect)) is not None:
            yield Appearance(appearance, matrix)


def _resolve_mapping(value: object) -> Mapping[str, Any]:
    value = resolve1(value)
    return value if isinstance(value, dict) else {}


def _resolve_name(value: object) -> str:
    value = resolve1(value)
    return str(value.name) if isinstance(value, PSLiteral) else ""


def _resolve_numbers(value: object, count: int) -> tuple[float, ...] | None:
    value = resolve1(value)
    numbers = [resolve1(element) for element in value] if isinstance(value, list) else []
    is_valid = len(numbers) == count and all(isinstance(element, (int, float)) for element in numbers)
    return tuple(float(element) for element in numbers) if is_valid else None


def _resolve_rectangle(value: object) -> Corners | None:
    """A rectangle of any two opposite corners; None where it has no area or is none."""
    box = _resolve_numbers(value, 4)
    if box is None:
        return None
    x0, y0, x1, y1 = box
    return None if x0 == x1 or y0 == y1 else (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _list_ancestors(annotation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The field of a widget and those above it, from which it inherits."""
    fields, seen_ids = [annotation], set[int]()
    while len(fields) < _MAX_DEPTH:
        parent = fields[-1].get("Parent")
        if not isinstance(parent, PDFObjRef) or parent.objid in seen_ids or not (field := _resolve_mapping(parent)):
            break
        seen_ids.add(parent.objid)
        fields.append(field)
    return fields


def _get_inherited(fields: list[Mapping[str, Any]], key: str) -> Any:
    return next((resolve1(field[key]) for field in fields if key in field), None)


def _read_value(fields: list[Mapping[str, Any]]) -> str:
    """The text that was typed, or the options that were chosen, one a line."""
    value = _get_inherited(fields, "V")
    if isinstance(value, PDFStream):
        value = value.get_data()
    values = [resolve1(element) for element in value] if isinstance(value, list) else [value]
    return "\n".join(decode_text(element) for element in values if isinstance(element, bytes))[:_MAX_VALUE_LENGTH]


def _find_appearance(annotation: Mapping[str, Any]) -> PDFStream | None:
    """The drawing for the state that a check box or radio button is in, or the only one."""
    normal = resolve1(_resolve_mapping(annotation.get("AP")).get("N"))
    if isinstance(normal, dict):
        normal = resolve1(normal.get(_resolve_name(annotation.get("AS"))))
    return normal if isinstance(normal, PDFStream) else None


def _compute_matrix(appearance: PDFStream, rect: Corners) -> Matrix | None:
    """The matrix that fits what the drawing's own matrix makes of its box into the rectangle (12.5.5)."""
    box = _resolve_rectangle(appearance.get("BBox"))
    matrix: Any = _resolve_numbers(appearance.get("Matrix"), 6) or MATRIX_IDENTITY
    if box is None:
        return None
    left, low, right, high = apply_matrix_rect(matrix, box)
    if left == right or low == high:
        return None
    scale_x, scale_y = (rect[2] - rect[0]) / (right - left), (rect[3] - rect[1]) / (high - low)
    return (scale_x, 0.0, 0.0, scale_y, rect[0] - left * scale_x, rect[1] - low * scale_y)


def _parse_font_size(default_appearance: object) -> float:
    """The size in points that a field asks for; 0 where the viewer chooses it."""
    match = _FONT_SIZE.search(default_appearance) if isinstance(default_appearance, bytes) else None
    return float(match[1]) if match else 0.0


def _split_value(value: str, rect: Corners, size: float, *, wraps: bool) -> list[str]:
    """The lines of a value, which a field of several lines breaks at its edge."""
    parts = re.split(r"\r\n?|\n", value)
    if not wraps:
        return parts
    line_length = max(int((rect[2] - rect[0]) / (_LETTER_WIDTH * (size or _DEFAULT_SIZE))), 1)
    return [line for part in parts for line in wrap(part, line_length) or [""]]


def _lay_out_lines(lines: list[str], rect: Corners, size: float) -> Iterator[TypedLine]:
    """Lines from the top of a field, one alone in the middle of its height; letters are narrow where it is short."""
    x0, y0, x1, y1 = rect
    size = size or min(_DEFAULT_SIZE, _LINE_HEIGHT_SHARE * (y1 - y0))
    low = y1 - _LEADING * size if len(lines) > 1 else (y0 + y1 - size) / 2
    for line in lines:
        if line:
            width = sum(map(_estimate_width, line)) * size
            yield TypedLine(line, size, min(1.0, (x1 - x0) / width), x0, low)
        low -= _LEADING * size


def _estimate_width(char: str) -> float:
    """The width of a character, in sizes of the font."""
    return 2 * _LETTER_WIDTH if east_asian_width(char) in "WF" else _LETTER_WIDTH
