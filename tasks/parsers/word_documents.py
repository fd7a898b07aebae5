"""Word documents (ECMA-376), and those of Word 97 to 2003 ([MS-DOC]), Word 6 and 95: all text that Word shows.

It is in the order of the body, with notes, headers and footers.
"""

from __future__ import annotations

import re

from tasks.parsers.office.compound_file import COMPOUND, identify_compound
from tasks.parsers.office.office_package import is_office
from tasks.parsers.parser_contract import Parser, Raw, Signature
from tasks.parsers.word.old_package import OldWordPackage
from tasks.parsers.word.story_blocks import build_word_document
from tasks.parsers.word.word_package import MAIN_NAME, WordPackage
from warehouse.records import Document


class Docx:
    """The body with footnotes below what refers to them and endnotes at the end; comments are left out.

    Headers and footers are furniture, each text once. A course transcript is read as one.
    """

    version = 13
    media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    suffixes: tuple[str, ...] = (".docx", ".docm", ".dotx")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\APK\x03\x04"), confirms=lambda raw: is_office(raw, "word", MAIN_NAME, Docx.suffixes)
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        package = WordPackage(raw.data)
        return package.with_findings(build_word_document(self.media_type, package))


class Doc:
    """The body with footnotes below what refers to them and endnotes at the end; comments are left out.

    Headers and footers are furniture, each text once. A course transcript is read as one.
    """

    version = 6
    media_type = "application/msword"
    suffixes: tuple[str, ...] = (".doc", ".dot")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\A" + re.escape(COMPOUND[:4])), confirms=lambda raw: identify_compound(raw) == "doc"
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for a damaged or encrypted file."""
        return build_word_document(self.media_type, OldWordPackage(raw.data))


members: dict[str, Parser] = {"doc": Doc(), "docx": Docx()}
