"""Pictures of the pages of a PDF, with the quoted lines boxed.

A page is drawn by `pdf_renderer` in a process of its own; pictures are cached by the file's content.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple
from functools import partial
from hashlib import file_digest
from itertools import chain
from pathlib import Path

import streamlit as st

from dashboards.html.notices import error_html, note_html
from tasks.ask.passage_units import Span
from tasks.quality.phrases import counted
from warehouse.child_process import ChildDied, ChildLate, run_script
from warehouse.errors import UnreadableFile
from warehouse.reader import Warehouse
from warehouse.records import Box, Region

TIMEOUT = 20
"""Seconds in which a page must be drawn."""
LINE_TOLERANCE = 2.0
"""Points by which the tops and bottoms of boxes of one line may differ."""
_CURE = "open the file itself"
_PROGRAM = Path(__file__).with_name("pdf_renderer.py")


def page_picture(file: Path, page: int, boxes: Iterable[Box], around: float | None = None) -> bytes:
    """Page `page`, from 1, of a PDF as PNG with the boxes drawn. Raises `UnreadableFile` where it cannot be drawn.

    With `around` and boxes, only the strip that holds the boxes and `around` points above and below them.
    """
    corners = json.dumps([astuple(box) for box in boxes])
    try:
        picture = run_script(_PROGRAM, [str(file.absolute()), str(page), corners, json.dumps(around)], TIMEOUT)
    except ChildLate:
        raise UnreadableFile(f"page {page} takes longer than {TIMEOUT} s to draw", _CURE) from None
    except ChildDied:
        picture = b""
    if not picture:
        raise UnreadableFile(f"page {page} of the file cannot be drawn", _CURE)
    return picture


def boxes_by_page(regions: Iterable[Region]) -> dict[int, tuple[Box, ...]]:
    """The boxes of each page, in order; neighbours on one line become one box."""
    by_page: dict[int, list[Box]] = {}
    for region in regions:
        boxes = by_page.setdefault(region.page, [])
        if boxes and _on_one_line(boxes[-1], region.box):
            boxes[-1] = _bounding_box(boxes[-1], region.box)
        else:
            boxes.append(region.box)
    return {page: tuple(boxes) for page, boxes in sorted(by_page.items())}


def _on_one_line(one: Box, other: Box) -> bool:
    return abs(one.top - other.top) < LINE_TOLERANCE and abs(one.bottom - other.bottom) < LINE_TOLERANCE


def _bounding_box(one: Box, other: Box) -> Box:
    low, high = min(one.x0, other.x0), max(one.x1, other.x1)
    return Box(low, min(one.top, other.top), high, max(one.bottom, other.bottom))


AROUND = 90.0
"""Points of a page shown above and below the boxes: about seven lines."""

PageBoxes = Mapping[int, tuple[Box, ...]]
"""Boxes by page, from 1; a page without boxes is drawn as it is."""


def span_boxes(warehouse: Warehouse, document_id: str, spans: Iterable[Span]) -> PageBoxes:
    """The boxes of spans of a document's text; empty where it has no pages."""
    regions = chain.from_iterable(warehouse.regions(document_id, start, end) for start, end in spans)
    return boxes_by_page(sorted(regions, key=lambda each: each.start))


def has_page_pictures(warehouse: Warehouse, document_id: str) -> bool:
    """Whether a document has pages that can be drawn: it is a PDF."""
    found = warehouse.file_of(document_id)
    return found is not None and found[1].suffix.lower() == ".pdf"


def draw_page_pictures(
    warehouse: Warehouse, document_id: str, boxed: PageBoxes, *, most: int = 3, close: str = ""
) -> None:
    """Draw the first `most` of the pages. Raises `UnreadableFile` where one cannot be drawn.

    With `close`, a prefix for keys, only the surroundings of the boxes are drawn, with a button for the whole page.
    """
    found = warehouse.file_of(document_id)
    if found is None or found[1].suffix.lower() != ".pdf" or not boxed:
        return
    entry, file = found
    if _digest(file) != entry.file.sha256:
        st.html(
            note_html(
                "The file has changed since it was imported, so its pages are not shown. Import it again to see them."
            )
        )
        return
    for page, boxes in list(boxed.items())[:most]:
        draw = partial(_draw, str(file), entry.file.sha256, page, boxes)
        draw(AROUND if close and boxes else None)
        if close and boxes:
            _draw_whole_page_button(page, f"{close}-{page}", draw)
    if len(boxed) > most:
        st.caption(counted(len(boxed) - most, "more page"))


def _draw_whole_page_button(page: int, key: str, draw: Callable[[None], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Part of page {page}")
        if st.button("Whole page", key=key, type="tertiary", icon=":material/fullscreen:"):
            _draw_whole_page(draw)


@st.dialog("The whole page", width="large")
def _draw_whole_page(draw: Callable[[None], None]) -> None:
    try:
        draw(None)
    except UnreadableFile as error:
        st.html(error_html(error))


def _draw(file: str, sha256: str, page: int, boxes: tuple[Box, ...], around: float | None) -> None:
    with st.spinner(f"Drawing page {page} …"):
        picture = _picture(file, sha256, page, boxes, around)
    shown = f"Page {page}" if around is None else f"Part of page {page}"
    caption = shown if around is None else None
    st.image(
        picture, caption=caption, width="stretch", alt=f"{shown}{' with the quoted lines in boxes' if boxes else ''}"
    )


@st.cache_data(show_spinner=False, max_entries=64)
def _picture(file: str, sha256: str, page: int, boxes: tuple[Box, ...], around: float | None) -> bytes:
    return page_picture(Path(file), page, boxes, around)


def _digest(file: Path) -> str:
    """The SHA-256 of a file, computed again only where its size or time of change differ."""
    try:
        now = file.stat()
        return _read_digest(str(file), now.st_size, now.st_mtime_ns)
    except OSError as error:
        raise UnreadableFile(
            f"{file.name} cannot be opened ({error.strerror})", "put it back, or import again"
        ) from None


@st.cache_data(show_spinner=False, max_entries=256)
def _read_digest(file: str, size: int, changed: int) -> str:
    with Path(file).open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
