"""Research papers in JATS, the Journal Article Tag Suite (ANSI/NISO Z39.96), and its NLM ancestors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.contract import Raw
from tasks.parsers.decoding import head
from tasks.parsers.jats_body import add_abstracts, add_back, add_content, add_floats, add_replies
from tasks.parsers.jats_front import attributes, authors, dates, title
from tasks.parsers.trees import read_xml, root_tag
from warehouse.records import Document, Finding, Kind, Severity

if TYPE_CHECKING:
    from lxml.etree import _Element

_SIGNS = re.compile(r"//DTD (?:JATS|[^\"']*(?:Archiving|Publishing))|<(?:\w+:)?front\b|\b(?:article-type|dtd-version)=")
_MARK = "abstract only"


class Jats:
    """Title, abstracts, nested sections, captions, tables, references; the front matter becomes the record's fields."""

    version = 2
    media_type = "application/jats+xml"
    suffixes: tuple[str, ...] = (".xml", ".nxml")
    heavy = False

    def claims(self, raw: Raw) -> float:
        """An `article` as the root, surer with a sign of JATS in it."""
        beginning = head(raw.data)
        if root_tag(beginning) != "article":
            return 0.0
        return 0.95 if _SIGNS.search(beginning) else 0.6

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for malformed XML. A paper without full text keeps what it has, with a finding."""
        root = read_xml(raw.data)
        name = title(root)
        assembly = Assembly()
        assembly.heading(name, 1)
        add_abstracts(assembly, root)
        body = root.find("body")
        if body is not None:
            add_content(assembly, body, 2)
        add_floats(assembly, root)
        add_back(assembly, root)
        add_replies(assembly, root)
        return assembly.finish(
            Kind.PAPER,
            self.media_type,
            title=name,
            authors=authors(root),
            dates=dates(root),
            attributes=attributes(root),
            findings=_abstract_only(root, body),
        )


def _abstract_only(root: _Element, body: _Element | None) -> list[Finding]:
    """A publisher's comment, or a body that is missing or empty."""
    from lxml import etree

    before = root.itersiblings(etree.Comment, preceding=True)
    marked = any(_MARK in (comment.text or "") for comment in (*before, *root.iter(etree.Comment)))
    if not marked and body is not None and "".join(map(str, body.itertext(etree.Element))).strip():
        return []
    message = "only the abstract of this paper is here, not its full text"
    return [Finding("DOC007", "abstract-only", Severity.NOTE, message)]


member = Jats()
