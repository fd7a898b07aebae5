"""Old PowerPoint presentations (PowerPoint 97 to 2003, [MS-PPT]), read as newer ones are."""

from __future__ import annotations

import re

from tasks.parsers.compound_file import COMPOUND, identify_compound
from tasks.parsers.office_properties import describe_file
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.slides.old_presentation import OldPresentation
from tasks.parsers.slides.slide_writer import SlideWriter
from warehouse.records import Document


class Ppt:
    """A slide's title is a heading; the notes to it stand in a section below that."""

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
        return writer.finish(self.media_type, describe_file(*presentation.properties))


member = Ppt()
