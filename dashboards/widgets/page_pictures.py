"""Pictures of the pages of a PDF, by `pdf_program`, with the quoted lines or a table's cell boxed; they are cached."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from hashlib import file_digest
from itertools import chain
from pathlib import Path

import streamlit as st

from dashboards.html.safe_text import render_error, render_note
from tasks.ask.passage_units import Span
from tasks.quality.phrases import format_count
from warehouse.child_process import ChildExited, ChildTimeout, run_script
from warehouse.errors import KalendsError, UnreadableFile
from warehouse.reader import Warehouse
from warehouse.records import Box, Region

TIMEOUT = 20  # Seconds in which a page must be drawn.
CELL_TIMEOUT = 10  # Seconds that the search for a cell may take; after that the box of the row is drawn.
LINE_TOLERANCE = 2.0  # Points by which the tops and bottoms of boxes of one line may differ.
_CURE = "open the file itself"


def render_page_picture(file: Path, page: int, boxes: Iterable[Box], around: float | None = None) -> bytes:
    """Page `page`, from 1, of a PDF as PNG with the boxes drawn. Raises `UnreadableFile` where it cannot be drawn.

    With `around` and boxes, only the strip with the boxes and `around` points above and below them.
    """
    try:
        picture = _run_program("picture", file, page, [astuple(box) for box in boxes], around, seconds=TIMEOUT)
    except ChildTimeout:
        raise UnreadableFile(f"page {page} takes longer than {TIMEOUT} s to draw", _CURE) from None
    if not picture:
        raise UnreadableFile(f"page {page} of the file cannot be drawn", _CURE)
    return picture


def find_cell_box(file: Path, row: Region, cells: Sequence[str], column: int) -> Box:
    """The box of one of a row's `cells` in a PDF; that of the whole row where the cell is not found."""
    try:
        output = _run_program("cell", file, row.page, astuple(row.box), list(cells), column, seconds=CELL_TIMEOUT)
    except ChildTimeout:
        return row.box
    corners = json.loads(output or "null")
    return Box(*corners) if corners else row.box


def _run_program(command: str, file: Path, page: int, *arguments: object, seconds: float) -> bytes:
    """The output of `pdf_program`; empty where it fails. Raises `ChildTimeout` after so many seconds."""
    program = Path(__file__).with_name("pdf_program.py")
    try:
        return run_script(program, [command, str(file.absolute()), str(page), *map(json.dumps, arguments)], seconds)
    except ChildExited:
        return b""


def group_boxes_by_page(regions: Iterable[Region]) -> dict[int, tuple[Box, ...]]:
    """The boxes of each page, in order; adjacent ones on one line become one box."""
    by_page: dict[int, list[Box]] = {}
    for region in regions:
        boxes = by_page.setdefault(region.page, [])
        one, last = region.box, boxes[-1] if boxes else None
        if last and max(abs(last.top - one.top), abs(last.bottom - one.bottom)) < LINE_TOLERANCE:
            top, bottom = min(last.top, one.top), max(last.bottom, one.bottom)
            boxes[-1] = Box(min(last.x0, one.x0), top, max(last.x1, one.x1), bottom)
        else:
            boxes.append(one)
    return {page: tuple(boxes) for page, boxes in sorted(by_page.items())}


MARGIN_POINTS = 90.0  # Points of a page shown above and below the boxes: about seven lines.
PageBoxes = Mapping[int, tuple[Box, ...]]  # Boxes by page, from 1; a page without boxes is drawn as it is.


def has_page_pictures(warehouse: Warehouse, document_id: str) -> bool:
    """Whether a document has pages that can be drawn: it is a PDF."""
    entry_and_file = warehouse.find_file(document_id)
    return entry_and_file is not None and entry_and_file[1].suffix.lower() == ".pdf"


def draw_page_pictures(
    warehouse: Warehouse, document_id: str, boxes_by_page: PageBoxes, *, max_pages: int = 3, close: str = ""
) -> None:
    """Draw the first `max_pages` of the pages. Raises `UnreadableFile` where one cannot be drawn.

    With `close`, a prefix for keys, only the surroundings of the boxes are drawn, with a button for the whole page.
    """
    entry_and_file = warehouse.find_file(document_id)
    if entry_and_file is None or entry_and_file[1].suffix.lower() != ".pdf" or not boxes_by_page:
        return
    entry, file = entry_and_file
    if _compute_digest(file) != entry.file.sha256:
        note = "The file has changed since it was imported, so its pages are not shown. Import it again to see them."
        st.html(render_note(note))
        return
    for page, boxes in list(boxes_by_page.items())[:max_pages]:
        draw = partial(_draw_page_picture, str(file), entry.file.sha256, page, boxes)
        draw(MARGIN_POINTS if close and boxes else None)
        if close and boxes:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(f"Part of page {page}")
                if st.button("Whole page", key=f"{close}-{page}", type="tertiary", icon=":material/fullscreen:"):
                    _draw_whole_page(draw)
    if len(boxes_by_page) > max_pages:
        st.caption(format_count(len(boxes_by_page) - max_pages, "more page"))


def draw_span_pages(
    warehouse: Warehouse, document_id: str, spans: Iterable[Span], page: int | None, *, close: str = ""
) -> None:
    """Draw the pages with spans of a document's text boxed, or `page` where they have no boxes; an error is drawn."""
    try:
        regions = chain.from_iterable(warehouse.read_regions(document_id, start, end) for start, end in spans)
        boxes = group_boxes_by_page(sorted(regions, key=lambda region: region.start))
        draw_page_pictures(warehouse, document_id, boxes or ({page: ()} if page else {}), close=close)
    except KalendsError as error:
        st.html(render_error(error))


@st.dialog("The whole page", width="large")
def _draw_whole_page(draw: Callable[[None], None]) -> None:
    try:
        draw(None)
    except UnreadableFile as error:
        st.html(render_error(error))


def _draw_page_picture(file: str, sha256: str, page: int, boxes: tuple[Box, ...], around: float | None) -> None:
    with st.spinner(f"Drawing page {page} …"):
        picture = _render_cached_picture(file, sha256, page, boxes, around)
    caption = f"Page {page}" if around is None else None
    alt = f"{caption or f'Part of page {page}'}{' with the quoted lines in boxes' if boxes else ''}"
    st.image(picture, caption=caption, width="stretch", alt=alt)


@st.cache_data(show_spinner=False, max_entries=64)
def _render_cached_picture(file: str, sha256: str, page: int, boxes: tuple[Box, ...], around: float | None) -> bytes:
    return render_page_picture(Path(file), page, boxes, around)


def _compute_digest(file: Path) -> str:
    """The SHA-256 of a file, computed again only where its size or time of change differ."""
    try:
        now = file.stat()
        return _read_digest(str(file), now.st_size, now.st_mtime_ns)
    except OSError as error:
        problem = f"{file.name} cannot be opened ({error.strerror})"
        raise UnreadableFile(problem, "put it back, or import again") from None


@st.cache_data(show_spinner=False, max_entries=256)
def _read_digest(file: str, size: int, modified_ns: int) -> str:
    with Path(file).open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
