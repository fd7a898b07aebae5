"""An EPUB book as a package: its metadata, the pages in the order of reading, and where its table of contents is.

EPUB 2.0.1 (OPF, OCF) and EPUB 3.3. Names of parts may be percent-encoded, or written in another case than in the
archive, and the entry `mimetype` and the container may be missing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from unicodedata import normalize
from urllib.parse import unquote

from tasks.parsers import refusals
from tasks.parsers.office.office_package import ZipPackage, get_attribute, list_entry_names
from tasks.parsers.trees import collapse_spaces, collect_text, get_tag, recover_xml
from tasks.parsers.written_dates import make_date
from warehouse.records import DateClaim, DateOrigin

if TYPE_CHECKING:
    from lxml.etree import _Element

_CONTAINER, _ENCRYPTION = "meta-inf/container.xml", "meta-inf/encryption.xml"
_PAGE_TYPES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"})
_PAGE_SUFFIXES = (".xhtml", ".html", ".htm", ".xml")
_FONT_SCHEMES = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Schemes that encrypt fonts only (EPUB 3.3, 4.4; Adobe's older form)."""
_DATE = re.compile(r"\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?!\d)")
_SEPARATE_KINDS = frozenset({"cover", "toc"})
"""Pages in the guide of EPUB 2 that are no part of the text."""
_WRITERS = frozenset({"", "aut", "author", "edt", "editor"})
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class BookPage:
    """A page of the book: its part in the archive, which may be missing, and whether it is in the order of reading."""

    part: str
    is_linear: bool = True


class EpubPackage(ZipPackage):
    """The package of a book. Raises `UnreadableFile` where it is damaged, or protected by encryption."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, "EPUB")
        self._package_part = self._find_package()
        root = self.read_tree(self._package_part)
        if root is None:
            raise refusals.damaged(self.noun, "no package document is in it")
        self._root = root
        self._items = {
            get_attribute(item, "id"): item
            for item in root.iter("item")
            if get_tag(item) == "item" and item.get("href")
        }
        # A small book may name its only page as its cover or list of contents.
        self.pages = tuple(self._iter_pages(self._find_separate_pages())) or tuple(self._iter_pages(frozenset()))
        self._refuse_protected()

    def _find_package(self) -> str:
        root = self.read_tree(_CONTAINER)
        names = (
            [get_attribute(root_file, "full-path") for root_file in root.iter("rootfile")] if root is not None else []
        )
        parts = (self.find_part("", name) for name in names)
        return next(filter(None, parts), "") or next((name for name in self.names if name.endswith(".opf")), "")

    def read_tree(self, part: str) -> _Element | None:
        """The root of a part that is XML, repaired where it is malformed; None where it is missing or no XML at all."""
        data = self.read_part(part) if part else None
        return None if data is None else recover_xml(data)

    def find_part(self, base: str, reference: str) -> str:
        """The name of the part that a reference in the part `base` names, without its fragment; empty for none."""
        path = reference.partition("#")[0]
        for name in dict.fromkeys((unquote(path), path)):
            folder = posixpath.dirname(base)
            target = posixpath.normpath(posixpath.join("/", folder, name.replace("\\", "/"))).lstrip("/").lower()
            for spelling in dict.fromkeys((target, normalize("NFC", target), normalize("NFD", target))):
                if self.has(spelling):
                    return spelling
        return ""

    def _find_separate_pages(self) -> frozenset[str]:
        """The parts that are covers or lists of contents."""
        return frozenset(self.find_part(self._package_part, target) for target in self._iter_guide())

    def _iter_pages(self, separate_pages: frozenset[str]) -> Iterator[BookPage]:
        """The pages of the spine, or of the manifest if the spine is missing; `separate_pages` are left out."""
        seen_parts: set[str] = set()
        spine = [
            (get_attribute(reference, "idref"), get_attribute(reference, "linear") != "no")
            for reference in self._root.iter("itemref")
        ]
        for name, is_linear in spine or [(name, True) for name in self._items]:
            item = self._items.get(name)
            if item is None:
                yield BookPage(name, is_linear)
                continue
            href = get_attribute(item, "href")
            part = self.find_part(self._package_part, href) or href
            is_page = get_attribute(item, "media-type") in _PAGE_TYPES or part.lower().endswith(_PAGE_SUFFIXES)
            is_separate = part in separate_pages or "nav" in get_attribute(item, "properties").split()
            if is_page and not is_separate and part not in seen_parts:
                seen_parts.add(part)
                yield BookPage(part, is_linear)

    def _iter_guide(self) -> Iterator[str]:
        for reference in self._root.iter("reference"):
            if get_attribute(reference, "type").lower() in _SEPARATE_KINDS:
                yield get_attribute(reference, "href")

    @property
    def navigation_part(self) -> str:
        """The part with the table of contents of EPUB 3; empty where there is none."""
        items = (entry for entry in self._items.values() if "nav" in get_attribute(entry, "properties").split())
        return next((self.find_part(self._package_part, get_attribute(entry, "href")) for entry in items), "")

    @property
    def ncx_part(self) -> str:
        """The part with the table of contents of EPUB 2; empty where there is none."""
        spine = next(self._root.iter("spine"), None)
        named_item = self._items.get(get_attribute(spine, "toc"))
        typed_items = (
            entry for entry in self._items.values() if get_attribute(entry, "media-type") == "application/x-dtbncx+xml"
        )
        item = named_item if named_item is not None else next(typed_items, None)
        return self.find_part(self._package_part, get_attribute(item, "href")) if item is not None else ""

    def _refuse_protected(self) -> None:
        """Raises `UnreadableFile` where a page is encrypted; fonts may be encrypted."""
        root = self.read_tree(_ENCRYPTION)
        pages = {page.part for page in self.pages}
        for entry in root.iter("EncryptedData") if root is not None else ():
            method, reference = next(entry.iter("EncryptionMethod"), None), next(entry.iter("CipherReference"), None)
            if get_attribute(method, "Algorithm") in _FONT_SCHEMES:
                continue
            if self.find_part("", get_attribute(reference, "URI")) in pages:
                raise refusals.protected_book()

    def _list_texts(self, name: str) -> list[tuple[str, _Element]]:
        texts = ((collapse_spaces(_TAG.sub(" ", collect_text(element))), element) for element in self._root.iter(name))
        return [(text, element) for text, element in texts if text]

    def _find_first(self, name: str) -> str:
        return next((text for text, _ in self._list_texts(name)), "")

    def _read_refinement(self, element: _Element, name: str) -> str:
        """The value of a `meta` of EPUB 3 about an element of the metadata, else of its attribute of EPUB 2."""
        element_id = get_attribute(element, "id")
        for meta in self._root.iter("meta") if element_id else ():
            if get_attribute(meta, "refines") == f"#{element_id}" and get_attribute(meta, "property") == name:
                return collapse_spaces(collect_text(meta))
        return get_attribute(element, name)

    @property
    def title(self) -> str:
        """The main title, with its subtitle if that is marked as one."""
        titles = self._list_texts("title")
        kinds = {self._read_refinement(element, "title-type"): text for text, element in reversed(titles)}
        main_title = kinds.get("main") or next((text for text, _ in titles), "")
        subtitle = kinds.get("subtitle", "")
        return f"{main_title}: {subtitle}" if main_title and subtitle and subtitle not in main_title else main_title

    @property
    def authors(self) -> list[str]:
        """The creators who wrote or edited the book; others, such as illustrators, only if it has no writer."""
        creators = self._list_texts("creator")
        writers = [text for text, element in creators if self._read_refinement(element, "role").lower() in _WRITERS]
        return list(dict.fromkeys(writers or [text for text, _ in creators]))

    @property
    def language(self) -> str:
        """The primary subtag of the language ("en"), or nothing."""
        return re.split(r"[-_]", self._find_first("language").lower())[0]

    @property
    def subjects(self) -> list[str]:
        """The subjects of the book."""
        return list(dict.fromkeys(text for text, _ in self._list_texts("subject")))

    @property
    def publication_lines(self) -> list[str]:
        """Lines with the publisher, the ISBN and the description of the book."""
        isbn = (text for text, _ in self._list_texts("identifier") if re.search(r"isbn|^97[89]", text, re.IGNORECASE))
        number = next(isbn, "").lower().removeprefix("urn:").removeprefix("isbn:")
        lines = (
            ("Publisher", self._find_first("publisher")),
            ("ISBN", number),
            ("Description", self._find_first("description")),
        )
        return [f"{label}: {text}" for label, text in lines if text]

    @property
    def dates(self) -> list[DateClaim]:
        """The dates of publication, then those of changes of the file."""
        events = [(self._read_refinement(element, "event").lower(), text) for text, element in self._list_texts("date")]
        publication_texts = [
            text for event, text in sorted(events) if event in ("", "publication", "original-publication")
        ]
        change_texts = [text for event, text in events if event == "modification"]
        change_texts += [
            collapse_spaces(collect_text(element)) for element in self._root.iter("meta") if _is_change(element)
        ]
        claims = ((DateOrigin.PUBLICATION, publication_texts), (DateOrigin.PROPERTIES, change_texts))
        days = ((origin, _parse_day(text)) for origin, texts in claims for text in texts)
        return [DateClaim(day, origin) for origin, day in days if day]


def _is_change(meta: _Element) -> bool:
    return get_attribute(meta, "property") == "dcterms:modified"


def _parse_day(text: str) -> date | None:
    """The day in a text; the first of a month or year that is given without one."""
    match = _DATE.match(text)
    return make_date(int(match[1]), int(match[2] or 1), int(match[3] or 1)) if match else None


def is_epub(data: bytes) -> bool:
    """Whether a ZIP archive is a book: by its container or package, or by its type where its directory is lost."""
    names = list_entry_names(data)
    if names is None:
        return b"application/epub+zip" in data[:256]
    return any(name.lower() == _CONTAINER or name.lower().endswith(".opf") for name in names)
