"""Research papers in JATS, the Journal Article Tag Suite (ANSI/NISO Z39.96), and its NLM ancestors."""

from __future__ import annotations

import re

from tasks.parsers import refusals
from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import head
from tasks.parsers.papers.jats_body import add_article, articles, is_abstract_only
from tasks.parsers.papers.jats_front import publication_dates, read_attributes, read_authors, read_title
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.publisher_xml import vocabulary_of
from tasks.parsers.trees import MARKUP, PAGE_TAGS, local, read_xml, root_tag
from warehouse.records import Document, Kind

_SIGNS = re.compile(r"//DTD (?:JATS|[^\"']*(?:Archiving|Publishing))|<(?:\w+:)?front\b|\b(?:article-type|dtd-version)=")
_WRAPPED = (re.compile(r"<(?:\w+:)?article[\s>]"), re.compile(r"<(?:\w+:)?article-meta[\s>]"))
_BOOKS = frozenset(["book", "book-part-wrapper", "book-part"])


def _is_jats(raw: Raw) -> bool:
    """Whether it is an `article` with a sign of JATS and of no publisher's own vocabulary, perhaps in a wrapper."""
    beginning = head(raw.data)
    root = root_tag(beginning)
    if root == "article":
        return _SIGNS.search(beginning) is not None and vocabulary_of(beginning) is None
    return root not in ("", *PAGE_TAGS) and all(sign.search(beginning) for sign in _WRAPPED)


class Jats:
    """Title, abstracts, nested sections, captions, tables, references; the front matter becomes the record's fields."""

    version = 5
    media_type = "application/jats+xml"
    suffixes: tuple[str, ...] = (".xml", ".nxml")
    heavy = False
    signature: Signature | None = Signature(text=MARKUP, confirms=_is_jats)

    def likeness(self, raw: Raw) -> float:
        """An `article` without a sign of JATS; its books too, to refuse them by name."""
        return 0.6 if root_tag(head(raw.data)) in ("article", *_BOOKS) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` for malformed XML, for books, and for papers of which there is only the abstract."""
        root = read_xml(raw.data)
        found = articles(root)
        if not found:
            raise refusals.foreign_xml(local(root))
        full = [article for article in found if not is_abstract_only(article)]
        if not full:
            raise refusals.abstract_only()
        assembly = Assembly()
        for article in full:
            add_article(assembly, article)
        left_out = [refusals.abstracts_left_out(len(found) - len(full), len(found))] if len(full) < len(found) else []
        if len(full) > 1:
            return assembly.finish(Kind.PAPER, self.media_type, findings=left_out)
        return assembly.finish(
            Kind.PAPER,
            self.media_type,
            title=read_title(full[0]),
            authors=read_authors(full[0]),
            dates=publication_dates(full[0]),
            attributes=read_attributes(full[0]),
            findings=left_out,
        )


member = Jats()
