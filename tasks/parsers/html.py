"""Saved web pages: what a reader of the page sees, without scripts, styles, navigation and other boilerplate."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import head
from tasks.parsers.language import language_of
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.trees import MARKUP, PAGE_TAGS, root_tag
from tasks.parsers.web.page_blocks import add_blocks
from tasks.parsers.web.page_metadata import Metadata
from tasks.parsers.web.page_tree import main_part, parse_page, take_out_boilerplate, take_out_machinery
from tasks.parsers.written_dates import WITHIN, datelines
from warehouse.records import Document, Kind

_TAG = re.compile(r"<[!/a-zA-Z]")
_DOCTYPE = re.compile(r"\s*<!doctype\s+html", re.IGNORECASE)


def _is_page(raw: Raw) -> bool:
    beginning = head(raw.data)
    return root_tag(beginning) == "html" or _DOCTYPE.match(beginning) is not None


class Html:
    """The words of the page in the order of its source; boilerplate stays where nothing else is on the page."""

    version = 6
    media_type = "text/html"
    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")
    heavy = False
    signature: Signature | None = Signature(text=MARKUP, confirms=_is_page)

    def likeness(self, raw: Raw) -> float:
        """A piece of a page; with a suffix of its own anything with a tag but XML of another kind."""
        beginning = head(raw.data)
        own = raw.suffix in self.suffixes and _TAG.search(beginning) and not beginning.lstrip().startswith("<?xml")
        return 0.5 if own or root_tag(beginning) in PAGE_TAGS else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where there is no markup at all or it is nested too deeply."""
        document = self._read(raw, bare=True)
        return document if document.text else self._read(raw, bare=False)

    def _read(self, raw: Raw, *, bare: bool) -> Document:
        root = parse_page(raw.data)
        page = Metadata(root)
        title, authors, dates, declared = page.title, page.authors, page.dates, page.language
        take_out_machinery(root)
        if bare:
            take_out_boilerplate(root)
        assembly = Assembly()
        add_blocks(assembly, main_part(root) if bare else root)
        given = [*dates, *datelines(assembly.beginning(WITHIN))]
        document = assembly.finish(Kind.TEXT, self.media_type, title=title, authors=authors, dates=given)
        return replace(document, language=language_of(document.text, declared))


member = Html()
