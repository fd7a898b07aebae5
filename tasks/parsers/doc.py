"""Old Word documents (Word 97 to 2003, [MS-DOC], and Word 6 and 95), read as newer ones are."""

from __future__ import annotations

import re

from tasks.parsers.compound_file import COMPOUND, identify_compound
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.word.old_package import OldWordPackage
from tasks.parsers.word.story_blocks import build_word_document
from warehouse.records import Document


class Doc:
    """The body with footnotes below what refers to them and endnotes at the end; comments are left out.

    Headers and footers are set aside, each text once. A course transcript is read as one.
    """

    version = 2
    media_type = "application/msword"
    suffixes: tuple[str, ...] = (".doc", ".dot")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\A" + re.escape(COMPOUND[:4])), confirms=lambda raw: identify_compound(raw) == "doc"
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted file."""
        return build_word_document(self.media_type, OldWordPackage(raw.data))


member = Doc()
