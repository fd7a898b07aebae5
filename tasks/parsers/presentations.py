"""Presentations: PowerPoint (ECMA-376), its files since 1997 ([MS-PPT]), OpenDocument; a page for each slide.

Shapes are in reading order, followed by the speaker's notes. A chart is the table of its figures. Dates, footers and
numbers of slides are furniture, each text once; comments are left out. Hidden slides are read, since PowerPoint shows
them in the opened file, and a finding names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers.office.compound_file import COMPOUND, identify_compound
from tasks.parsers.office.office_package import is_office
from tasks.parsers.office.open_package import OpenPackage, is_open_document
from tasks.parsers.parser_contract import Parser, Raw, Signature
from tasks.parsers.slides.old_presentation import OldPresentation
from tasks.parsers.slides.open_slides import OpenSlides
from tasks.parsers.slides.slide_package import MAIN_NAME, SlidePackage, find_placeholder
from tasks.parsers.slides.slide_shapes import ReadSlide, ShapeReader
from tasks.parsers.slides.slide_text import SlideLine, read_lines
from tasks.parsers.slides.slide_writer import SlideWriter
from tasks.parsers.trees import MARKUP
from warehouse.records import Document

if TYPE_CHECKING:
    from lxml.etree import _Element


class Pptx:
    """A slide's title is a heading; the notes to it are a section below that."""

    version = 2
    media_type = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    suffixes: tuple[str, ...] = (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\APK\x03\x04"), confirms=lambda raw: is_office(raw, "ppt", MAIN_NAME, Pptx.suffixes)
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        package = SlidePackage(raw.data)
        reader, writer = ShapeReader(package), SlideWriter()
        for slide in package.iter_slides():
            root = package.read_notes(slide)
            notes = [] if root is None else list(_iter_note_lines(root))
            writer.add_slide(ReadSlide(slide.number, reader.read(slide), notes, slide.is_hidden))
        return package.with_findings(writer.finish(self.media_type, package.read_properties()))


def _iter_note_lines(root: _Element) -> Iterator[SlideLine]:
    """The lines on a page of notes; those of the slide's picture, number and footers are left out."""
    for shape in root.iter("sp"):
        placeholder, body = find_placeholder(shape), shape.find("txBody")
        if body is not None and (placeholder is None or placeholder.kind == "body"):
            yield from read_lines(body)


class Ppt:
    """A slide's title is a heading; the notes to it are a section below that."""

    version = 2
    media_type = "application/vnd.ms-powerpoint"
    suffixes: tuple[str, ...] = (".ppt", ".pps", ".pot")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\A" + re.escape(COMPOUND[:4])), confirms=lambda raw: identify_compound(raw) == "ppt"
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted file, and for one of PowerPoint 95."""
        presentation = OldPresentation(raw.data)
        writer = SlideWriter()
        for slide in presentation.iter_slides():
            writer.add_slide(slide)
        return writer.finish(self.media_type, presentation.properties)


class Odp:
    """A slide's title is a heading; the notes to it are a section below that."""

    version = 2
    media_type = "application/vnd.oasis.opendocument.presentation"
    suffixes: tuple[str, ...] = (".odp", ".otp", ".fodp")
    heavy = True
    signature: Signature | None = Signature(
        re.compile(rb"\APK\x03\x04"), MARKUP, lambda raw: is_open_document(raw, Odp.media_type)
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        package = OpenPackage(raw.data, "OpenDocument presentation")
        writer = SlideWriter()
        for slide in OpenSlides(package).iter_slides():
            writer.add_slide(slide)
        return package.with_findings(writer.finish(self.media_type, package.read_properties()))


members: dict[str, Parser] = {"odp": Odp(), "ppt": Ppt(), "pptx": Pptx()}
