"""Saved web pages: what a reader of the page sees, without scripts, styles, navigation and other boilerplate."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import head
from tasks.parsers.language import language_of
from tasks.parsers.parser_contract import Raw
from tasks.parsers.trees import root_tag
from tasks.parsers.web.page_blocks import add_blocks
from tasks.parsers.web.page_metadata import Metadata
from tasks.parsers.web.page_tree import main_part, read_page, take_out_boilerplate, take_out_machinery
from tasks.parsers.written_dates import WITHIN, datelines
from warehouse.records import Document, Kind

_BEGINNINGS = frozenset(["body", "head", "h1", "h2", "h3", "p", "div", "table", "ul", "ol", "main", "header"])
_DOCTYPE = re.compile(r"\s*<!doctype\s+html", re.IGNORECASE)


class Html:
    """The words of the page in the order of its source; boilerplate stays where nothing else is on the page."""

    version = 6
    media_type = "text/html"
    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")
    heavy = False

    def claims(self, raw: Raw) -> float:
        """A doctype or an `html` element; weaker for a piece of a page."""
        beginning = head(raw.data)
        root = root_tag(beginning)
        if root == "html" or _DOCTYPE.match(beginning):
            return 0.95
        return 0.5 if root in _BEGINNINGS else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where there is no markup at all or it is nested too deeply."""
        document = self._read(raw, bare=True)
        return document if document.text else self._read(raw, bare=False)

    def _read(self, raw: Raw, *, bare: bool) -> Document:
        root = read_page(raw.data)
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
