"""Presentations of OpenDocument (.odp, .otp, .fodp), read as those of PowerPoint are."""

from __future__ import annotations

import re

from tasks.parsers.office_properties import describe_file
from tasks.parsers.open_package import OpenPackage, is_open_document
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.slides.open_slides import OpenSlides
from tasks.parsers.slides.slide_writer import SlideWriter
from tasks.parsers.trees import MARKUP
from warehouse.records import Document


class Odp:
    """A slide's title is a heading; the notes to it stand in a section below that."""

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
        return writer.finish(self.media_type, describe_file(*package.read_properties()))


member = Odp()
