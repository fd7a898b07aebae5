"""Saved web pages: what a reader of the page sees, without scripts, styles, navigation and other boilerplate.

Title, authors, dates and language come from meta elements, schema.org's JSON-LD and `time` elements. A filing in inline
XBRL is shown whole, without its hidden header, and its tags are the facts of the document (`xbrl/`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.decoder import decode_head
from tasks.parsers.language import detect_document_language
from tasks.parsers.page_blocks import add_blocks, empty_boilerplate, empty_machinery, find_main_part, parse_page
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.titles import is_placeholder
from tasks.parsers.trees import MARKUP, PAGE_TAGS, collapse_spaces, collect_text, find_root_tag, get_tag
from tasks.parsers.written_dates import WITHIN, find_datelines, make_date, parse_entry_date
from tasks.parsers.xbrl.cover_facts import read_cover_tags
from tasks.parsers.xbrl.fact_marks import mark_pieces
from tasks.parsers.xbrl.inline_facts import read_inline_facts
from warehouse.records import DateClaim, DateOrigin, Document, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element

_TAG = re.compile(r"<[!/a-zA-Z]")
_DOCTYPE = re.compile(r"\s*<!doctype\s+html", re.IGNORECASE)
_PUBLISHED = (
    "article:published_time", "og:article:published_time", "datepublished", "citation_publication_date",
    "citation_online_date", "citation_date", "parsely-pub-date", "sailthru.date", "pubdate", "publishdate",
    "publish-date", "publish_date", "pub_date",
    "dcterms.issued", "dc.date.issued", "dcterms.date", "dcterms.created", "dc.date.created", "dc.date",
    "date",
)  # fmt: skip
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified")
_AUTHORS = ("citation_author", "author", "dc.creator", "dcterms.creator", "parsely-author", "article:author")
_DATE = re.compile(r"\s*(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?!\d)")
_ALL_FIGURES = re.compile(r"\s*\d{1,2}[-/. ]+\d")  # Which of them is the month nobody knows.
_OF_PUBLICATION = re.compile(r"publish|entry-date|post-date|posted|datestamp|dateline", re.IGNORECASE)
_LONGEST_JSON = 2**20
_MOST_NODES = 10_000


def _is_page(raw: Raw) -> bool:
    beginning = decode_head(raw.data)
    return find_root_tag(beginning) == "html" or _DOCTYPE.match(beginning) is not None


class Html:
    """The words of the page in the order of its source; boilerplate stays where nothing else is on the page."""

    version = 9
    media_type = "text/html"
    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")
    heavy = False
    signature: Signature | None = Signature(text=MARKUP, confirms=_is_page)

    def measure_likeness(self, raw: Raw) -> float:
        """A piece of a page; with a suffix of its own anything with a tag but XML of another kind."""
        beginning = decode_head(raw.data)
        has_own_suffix = (
            raw.suffix in self.suffixes and _TAG.search(beginning) and not beginning.lstrip().startswith("<?xml")
        )
        return 0.5 if has_own_suffix or find_root_tag(beginning) in PAGE_TAGS else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where there is no markup at all or it is nested too deeply."""
        document = self._read_page(raw, bare=True)
        return document if document.text else self._read_page(raw, bare=False)

    def _read_page(self, raw: Raw, *, bare: bool) -> Document:
        root = parse_page(raw.data)
        inline = read_inline_facts(root)
        page = Metadata(root)
        title, authors, dates, declared = page.title, page.authors, page.dates, page.language
        empty_machinery(root)
        if inline is not None:
            mark_pieces(root)
        elif bare:
            empty_boilerplate(root)
        assembly = Assembly()
        add_blocks(assembly, find_main_part(root) if bare and inline is None else root)
        claims = [*dates, *find_datelines(assembly.list_beginning(WITHIN))]
        facts = inline.with_spans(assembly.spans) if inline else ()
        if last := read_cover_tags(facts).last:
            claims.append(DateClaim(last, DateOrigin.COVER_TAG))
        document = assembly.finish(
            Kind.REPORT if inline else Kind.TEXT,
            self.media_type,
            title=title if inline is None or " " in title else "",  # Programs put the file's name there.
            authors=authors,
            dates=claims,
            findings=inline.findings if inline else (),
            facts=facts,
        )
        return replace(document, language=detect_document_language(document.text, document.blocks, declared))


class Metadata:
    """The metadata of a page as it was saved, scripts included."""

    def __init__(self, root: _Element) -> None:
        self._root = root
        self._meta: dict[str, list[str]] = {}
        for element in root.iter("meta"):
            content = collapse_spaces(element.get("content") or "")
            for key in ("name", "property", "itemprop", "http-equiv"):
                if content and element.get(key):
                    self._meta.setdefault((element.get(key) or "").lower(), []).append(content)
        self._linked_data = list(_iter_linked_data(root))

    @property
    def title(self) -> str:
        """The page's title, else that of the work it shows, else its first heading."""
        titles = self._root.iter("title")
        own = (title for title in titles if all(get_tag(above) != "svg" for above in title.iterancestors()))
        found = collapse_spaces(collect_text(next(own, None)))
        named = (self._meta[name][0] for name in ("citation_title", "og:title", "dc.title") if name in self._meta)
        given = next((title for title in (found, *named) if title and not is_placeholder(title)), "")
        return given or collapse_spaces(collect_text(self._root.find(".//h1"))) or found

    @property
    def authors(self) -> list[str]:
        """From the first kind of element that names any; addresses of profiles are no names."""
        lists = [self._meta.get(name, []) for name in _AUTHORS]
        lists.append([name for thing in self._linked_data for name in _iter_names(thing.get("author"))])
        named = ([name for name in names if not name.startswith("http")] for names in lists)
        return list(dict.fromkeys(next(filter(None, named), [])))

    @property
    def dates(self) -> list[DateClaim]:
        """When it was published, by all that say so, then when it was changed."""
        published = [str(thing.get("datePublished") or "") for thing in self._linked_data]
        published += [text for name in _PUBLISHED for text in self._meta.get(name, [])]
        # The `time` elements that are marked as the date of publication, or the only one there is.
        times = [
            element
            for element in self._root.iter("time")
            if element.get("datetime") or _parse_day(collect_text(element))
        ]
        marked = [
            element
            for element in times
            if element.get("pubdate") is not None
            or (element.get("itemprop") or "").lower() == "datepublished"
            or _OF_PUBLICATION.search(element.get("class") or "")
        ]
        published += [
            element.get("datetime") or collect_text(element) for element in marked or times[: len(times) == 1]
        ]
        modified = [text for name in _MODIFIED for text in self._meta.get(name, [])]
        modified += [str(thing.get("dateModified") or "") for thing in self._linked_data]
        claims = ((DateOrigin.PUBLICATION, published), (DateOrigin.PROPERTIES, modified))
        days = ((origin, _parse_day(text)) for origin, texts in claims for text in texts)
        return [DateClaim(day, origin) for origin, day in days if day]

    @property
    def language(self) -> str:
        """The language that the page declares, as a primary subtag ("en", "zh", "de"), or nothing."""
        declared = self._root.get("lang") or self._root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
        declared = declared or self._root.get("xml:lang") or self._meta.get("content-language", [""])[0]
        return re.split(r"[-_,\s]", declared.strip().lower())[0]


def _parse_day(text: str) -> date | None:
    """The day that a text begins with, in figures from the year on or with the month's name; None for any other."""
    if found := _DATE.match(text):
        return make_date(*map(int, found.groups()))
    return None if _ALL_FIGURES.match(text) else parse_entry_date(collapse_spaces(text))


def _iter_linked_data(root: _Element) -> Iterator[dict[str, object]]:
    """The things that JSON-LD describes, works before whatever else has a date."""
    found: list[dict[str, object]] = []
    for script in root.iter("script"):
        text = script.text or ""
        is_described = (script.get("type") or "").split(";")[0].strip().lower() == "application/ld+json"
        # The page is whole without what cannot be read.
        with suppress(ValueError, RecursionError):
            if is_described and len(text) <= _LONGEST_JSON:
                found += _list_nodes(json.loads(text, strict=False))
    dated = [thing for thing in found if "datePublished" in thing]
    works = [thing for thing in dated if re.search(r"Article|Posting|Report|Thesis|Book", str(thing.get("@type")))]
    yield from works or [thing for thing in dated if "Page" in str(thing.get("@type"))]


def _list_nodes(value: object) -> list[dict[str, object]]:
    """The objects at the top and in `@graph`."""
    found: list[dict[str, object]] = []
    waiting = [value]
    while waiting and len(found) < _MOST_NODES:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node))
        elif isinstance(node, dict):
            found.append(node)
            waiting.append(node.get("@graph"))
    return found


def _iter_names(author: object) -> Iterator[str]:
    for one in author if isinstance(author, list) else [author]:
        name = one.get("name") if isinstance(one, dict) else one
        if isinstance(name, str):
            yield collapse_spaces(name)


member = Html()
