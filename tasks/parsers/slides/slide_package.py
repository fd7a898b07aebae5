"""The parts of a PPTX file: its slides in order, with their layouts, notes, charts, diagrams (ECMA-376 part 1, 19)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.office.office_package import OfficePackage, get_attribute
from tasks.parsers.trees import get_tag
from warehouse.records import Box

if TYPE_CHECKING:
    from lxml.etree import _Element

MAIN_NAME = re.compile(r"(?:ppt/)?presentation\d*\.xml", re.IGNORECASE)
"""The name of the part that lists the slides."""
POINT = 12_700  # English metric units.
_MAX_PLACE = 2**31  # Of a place in such units; what is larger is a fault.
_DEFAULT_SIZE = (12_192_000, 6_858_000)
_CONTENT_TAGS = frozenset({"t", "tbl", "chart", "relIds"})
_TITLE_KINDS = frozenset({"title", "ctrTitle"})
_EQUIVALENT_KINDS = {"ctrTitle": "title", "subTitle": "body", "": "body", "obj": "body"}
"""Kinds of placeholders that inherit from one of another kind (19.7.10)."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """The role of a shape on its slide: `kind` is empty for any content; `key` matches it to one of the layout."""

    kind: str
    key: str

    @property
    def is_title(self) -> bool:
        """Whether it is the title of its slide."""
        return self.kind in _TITLE_KINDS


@dataclass(frozen=True, slots=True)
class SlideEntry:
    """A slide: its number from 1, the root of its part, and the kind and target of its relationships by id."""

    number: int
    root: _Element
    links: dict[str, tuple[str, str]]

    @property
    def is_hidden(self) -> bool:
        """Whether the show leaves it out."""
        return get_attribute(self.root, "show") in ("0", "false")


class SlidePackage(OfficePackage):
    """The package of a PPTX file."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, "PPTX file", "ppt/presentation.xml")
        root = self.read_xml_part(self.main_part)
        if root is None or get_tag(root) != "presentation":
            raise refusals.damaged(self.noun, "there is no presentation part in it")
        self._root = root
        self._layouts: dict[str, tuple[_Element, ...]] = {}

    @cached_property
    def size(self) -> Box:
        """The size of a slide, in points."""
        size = self._root.find("sldSz")
        width, height = (
            parse_integer(get_attribute(size, name)) or default_size
            for name, default_size in zip(("cx", "cy"), _DEFAULT_SIZE, strict=True)
        )
        return Box(0, 0, width / POINT, height / POINT)

    def iter_slides(self) -> Iterator[SlideEntry]:
        """The slides in the order of the show; one whose part is missing is skipped, the numbers of others stay."""
        related = self.read_relations(self.main_part)
        for place, slide_id in enumerate(self._root.iterfind("sldIdLst/sldId"), 1):
            _, part = related.get(get_relation_id(slide_id, "id"), ("", ""))
            root = self.read_xml_part(part) if part else None
            if root is not None:
                yield SlideEntry(place, root, self.read_relations(part))

    def read_notes(self, slide: SlideEntry) -> _Element | None:
        """The page of notes to a slide."""
        part = next((target for kind, target in slide.links.values() if kind == "notesSlide"), "")
        return self.read_xml_part(part) if part else None

    def read_linked_part(self, slide: SlideEntry, name: str) -> _Element | None:
        """The root of the part with this relationship id."""
        _, part = slide.links.get(name, ("", ""))
        return self.read_xml_part(part) if part else None

    def read_layouts(self, slide: SlideEntry) -> tuple[_Element, ...]:
        """The layout of a slide and its master."""
        part = next((target for kind, target in slide.links.values() if kind == "slideLayout"), "")
        if part not in self._layouts:
            layout = self.read_xml_part(part) if part else None
            layout_relations = self.read_relations(part) if layout is not None else {}
            master = next((target for kind, target in layout_relations.values() if kind == "slideMaster"), "")
            roots = (layout, self.read_xml_part(master) if master else None)
            self._layouts[part] = tuple(root for root in roots if root is not None)
        return self._layouts[part]


def find_placeholder(shape: _Element) -> Placeholder | None:
    """The placeholder that a shape fills, if it does."""
    for properties in shape:
        if get_tag(properties) in ("nvSpPr", "nvPicPr", "nvGraphicFramePr"):
            placeholder = properties.find("nvPr/ph")
            return (
                None
                if placeholder is None
                else Placeholder(get_attribute(placeholder, "type"), get_attribute(placeholder, "idx"))
            )
    return None


def iter_inherited(shape: _Element, layouts: tuple[_Element, ...]) -> Iterator[_Element]:
    """The shapes of the layout and the master that a placeholder inherits from, the nearest first."""
    placeholder = find_placeholder(shape)
    for root in layouts if placeholder else ():
        candidates = [
            (candidate, candidate_placeholder)
            for candidate in root.iter("sp")
            if (candidate_placeholder := find_placeholder(candidate)) is not None
        ]
        shapes_of_key = (
            candidate
            for candidate, candidate_placeholder in candidates
            if placeholder and placeholder.key and candidate_placeholder.key == placeholder.key
        )
        shapes_of_kind = (
            candidate
            for candidate, candidate_placeholder in candidates
            if placeholder and _normalize_kind(candidate_placeholder.kind) == _normalize_kind(placeholder.kind)
        )
        source = next(shapes_of_key, None)
        source = next(shapes_of_kind, None) if source is None else source
        if source is not None:
            placeholder = find_placeholder(source)
            yield source


def _normalize_kind(kind: str) -> str:
    return _EQUIVALENT_KINDS.get(kind, kind)


def get_relation_id(node: _Element, name: str) -> str:
    """An attribute of the namespace of relationships; an element may have one of the same name without it."""
    return next((str(value) for key, value in node.attrib.items() if str(key).endswith(f"}}{name}")), "")


def parse_integer(text: str) -> int:
    """A whole number, such as a place or length in English metric units; 0 where it is none."""
    try:
        number = int(float(text)) if len(text) < 20 else 0
    except (ValueError, OverflowError):
        return 0
    return number if abs(number) < _MAX_PLACE else 0


def iter_shown_parts(node: _Element) -> Iterator[_Element]:
    """The children, of several alternatives the first with content."""
    for part in node:
        if get_tag(part) == "AlternateContent":
            options = [option for option in part if any(get_tag(element) in _CONTENT_TAGS for element in option.iter())]
            yield from iter_shown_parts(options[0] if options else part)
        elif get_tag(part):
            yield part
