"""Saved web pages: what a reader of the page sees, without scripts, styles, navigation and other boilerplate.

Title, authors, dates and language come from meta elements, schema.org's JSON-LD and `time` elements. A filing in inline
XBRL is shown whole, without its hidden header, and its tags are the facts of the document (`xbrl/`).

Programs export messages, activities and notes as pages. Where most of a page are parts with a moment each, the moment
leads its part, which so is an entry of its day. Bookmarks are a table, and what a wiki keeps in its page are records.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import takewhile
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.data.record_values import Record, Value, format_value
from tasks.parsers.data.record_writer import RecordWriter
from tasks.parsers.datelines import WITHIN, find_datelines
from tasks.parsers.decoder import decode_head
from tasks.parsers.language import detect_document_language
from tasks.parsers.office_pages import restore_structure
from tasks.parsers.page_blocks import (
    add_blocks,
    empty_boilerplate,
    empty_machinery,
    find_main_part,
    get_element_text,
)
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.picture_words import is_described, name_pictures
from tasks.parsers.refusals import report_lost_part
from tasks.parsers.spoken_turns import join_speakers
from tasks.parsers.titles import is_placeholder
from tasks.parsers.trees import (
    HEADING_LEVELS,
    MARKUP,
    PAGE_TAGS,
    collapse_spaces,
    collect_text,
    find_root_tag,
    get_tag,
    iter_own_texts,
    parse_page,
)
from tasks.parsers.written_dates import make_date, parse_entry_date, parse_whole_day
from tasks.parsers.xbrl.cover_facts import read_cover_tags
from tasks.parsers.xbrl.fact_marks import mark_pieces
from tasks.parsers.xbrl.inline_facts import read_inline_facts
from warehouse.records import Attributes, DateClaim, DateOrigin, Document, Finding, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element

_TAG = re.compile(r"<[!/a-zA-Z]")
_DOCTYPE = re.compile(r"\s*<!doctype\s+html", re.IGNORECASE)
_PUBLISHED = (
    "article:published_time", "og:article:published_time", "datepublished", "citation_publication_date",
    "citation_online_date", "citation_date", "parsely-pub-date", "sailthru.date", "pubdate", "publishdate",
    "publish-date", "publish_date", "pub_date",
    "dcterms.issued", "dc.date.issued", "dcterms.date", "dcterms.created", "dc.date.created", "dc.date", "created",
    "date",
)  # fmt: skip
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified")
_AUTHORS = ("citation_author", "author", "dc.creator", "dcterms.creator", "parsely-author", "article:author")
_DATE = re.compile(r"\s*(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?!\d)")
_ALL_FIGURES = re.compile(r"\s*\d{1,2}[-/. ]+\d")  # Which of them is the month nobody knows.
_OF_PUBLICATION = re.compile(r"publish|entry-date|post-date|posted|datestamp|dateline", re.IGNORECASE)
_MAX_JSON_LENGTH = 2**20  # Characters of a script of JSON-LD.
_MAX_MOMENT_LENGTH = 60  # Characters of a text that is a moment.
_HOUR = re.compile(r"\d{1,2}[:.]\d{2}")
_YEAR = re.compile(r"(?:19|20)\d\d|\d[./-]\d{1,2}[./-]\d\d")
_CLOCK = re.compile(r"\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?", re.IGNORECASE)
_MIN_PARTS = 2  # Parts with a moment, or bookmarks, that make a page one of them.
_OF_SITES = ("nav", "header", "footer", "form", "script", "iframe", "main", "article", "noscript")
"""What pages of sites have; a program that exports a note writes none of it."""
_MIN_DATED_SHARE = 0.5  # The share of a page's text that parts with a moment have where it is an export of entries.
_ADDED = ("add_date", "time_added")
"""The attributes by which bookmarks of browsers and of Pocket say when they were made, in seconds since 1970."""
_COMPACT_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d{0,3}")
_STORE = "tiddlywiki-tiddler-store"
_OLD_STORE = "storeArea"
_SYSTEM = "$:/"  # What the names of the wiki's own parts begin with.
_MAX_NODES = 10_000  # Objects of JSON-LD that are looked at.


def _is_page(raw: Raw) -> bool:
    beginning = decode_head(raw.data)
    return find_root_tag(beginning) == "html" or _DOCTYPE.match(beginning) is not None


class Html:
    """The words of the page in the order of its source; boilerplate stays where nothing else is on the page."""

    version = 14
    media_type = "text/html"
    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")
    heavy = False
    signature: Signature | None = Signature(text=MARKUP, confirms=_is_page)

    def measure_confidence(self, raw: Raw) -> float:
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
        if inline is None:
            restore_structure(root)
        page = Metadata(root)
        title, authors, dates, declared = page.title, page.authors, page.dates, page.language
        tags = page.tags
        is_plain = not any(True for _ in root.iter(*_OF_SITES))
        kept, broken = ([], []) if inline else list_wiki_records(root)
        empty_machinery(root)
        if inline is not None:
            mark_pieces(root)
        elif bare:
            empty_boilerplate(root)
            name_pictures(root, is_described)
        assembly = Assembly()
        if kept:
            RecordWriter(assembly).write_value(kept)
        elif inline is None and (bookmarks := list_bookmarks(root)):
            assembly.add_heading(title, 1)
            assembly.add_table(bookmarks, header_rows=1)
        else:
            if inline is None:
                move_moments_first(root)
            add_blocks(assembly, find_main_part(root) if bare and inline is None else root)
            assembly = join_speakers(assembly) if inline is None else assembly
        claims = [*dates, *find_datelines(assembly.list_beginning(WITHIN), assembly.list_first_tables(WITHIN))]
        facts = inline.with_spans(assembly.spans) if inline else ()
        is_note = inline is None and is_plain and _begins_with_moment(assembly.list_beginning(WITHIN))
        if last := read_cover_tags(facts).last:
            claims.append(DateClaim(last, DateOrigin.COVER_TAG))
        document = assembly.finish(
            Kind.REPORT if inline else Kind.NOTE if is_note else Kind.TEXT,
            self.media_type,
            title=title if inline is None or " " in title else "",  # Programs put the file's name there.
            authors=authors,
            dates=claims,
            attributes=Attributes(tags=tags),
            findings=inline.findings if inline else broken,
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
        heading = next(self._root.iter(*(("h1", "p") if self._is_of_onenote else ("h1",))), None)
        return given or ("" if heading is None else get_element_text(heading)) or found

    @property
    def _is_of_onenote(self) -> bool:
        """Whether the page is one of OneNote, which writes its title in the first paragraph."""
        return any(maker.startswith("OneNote") for maker in self._meta.get("progid", []))

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
    def tags(self) -> tuple[str, ...]:
        """What links marked as tags, and the labels of a note, say."""
        marked = (
            element
            for element in self._root.iter("a", "span")
            if element.get("rel") == "tag" or "label-name" in (element.get("class") or "").split()
        )
        return tuple(dict.fromkeys(filter(None, (collapse_spaces(collect_text(each)) for each in marked))))

    @property
    def language(self) -> str:
        """The language that the page declares, as a primary subtag ("en", "zh", "de"), or nothing."""
        declared = self._root.get("lang") or self._root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
        declared = declared or self._root.get("xml:lang") or self._meta.get("content-language", [""])[0]
        return re.split(r"[-_,\s]", declared.strip().lower())[0]


def move_moments_first(root: _Element) -> None:
    """Puts the moment of each part first in it, or behind its heading, where such parts are most of a page.

    A part is an element as large as can be with one moment: a text, or an attribute that shows when one points to its
    element, that is a day with an hour. Rows of tables have their own days.
    """
    body = root.find("body")
    if body is None:
        return
    in_tables = {node for table in body.iter("table") for node in table.iter()}
    free = (node for node in body.iter() if get_tag(node) and node not in in_tables)
    read = {node: found for node in free if (found := _read_moment(node))}
    shown = {above for node, (_, is_text) in read.items() if is_text for above in node.iterancestors()}
    moments = [(node, text, is_text) for node, (text, is_text) in read.items() if is_text or node not in shown]
    if len(moments) < _MIN_PARTS:
        return
    counts: dict[_Element, int] = {}
    for node, _, _ in moments:
        for above in (node, *node.iterancestors()):
            counts[above] = counts.get(above, 0) + 1
    parts: list[tuple[_Element, _Element, str, bool]] = []
    for node, text, is_text in moments:
        whole = takewhile(lambda each: counts[each] == 1, (node, *node.iterancestors()))
        part = deque(whole, maxlen=1).pop() if counts[node] == 1 else body
        if part is not body and sum(get_tag(each) in HEADING_LEVELS for each in part.iter()) <= 1:
            parts.append((part, node, text, is_text))
    dated = sum(len(collapse_spaces(collect_text(part))) for part, *_ in parts)
    if len(parts) < _MIN_PARTS or dated < _MIN_DATED_SHARE * len(collapse_spaces(collect_text(body))):
        return
    for part, node, text, is_text in parts:
        if is_text:
            _take_out(node, text)
        lead = part.makeelement("p")
        lead.text = text
        heading = next((each for each in part.iter() if get_tag(each) in HEADING_LEVELS), None)
        if heading is not None and heading is not part:
            heading.addnext(lead)
            lead.tail, heading.tail = heading.tail, None
        else:
            part.insert(0, lead)
            lead.tail, part.text = part.text, None


def _read_moment(node: _Element) -> tuple[str, bool] | None:
    """The moment that an element shows or hints at, and whether it is in its own text; None for none."""
    own = filter(_HOUR.search, iter_own_texts(node))
    if found := next(filter(_is_moment, map(collapse_spaces, own)), ""):
        return found, True
    hints = (collapse_spaces(node.get(name) or "") for name in ("title", "datetime"))
    found = next(filter(_is_moment, hints), "")
    return (found, False) if found else None


def _begins_with_moment(paragraphs: Sequence[str]) -> bool:
    """Whether a moment is the first of some paragraphs, or a day the first and an hour the second."""
    first, second = (*paragraphs[:2], "", "")[:2]
    return _is_moment(first) or (_CLOCK.fullmatch(second) is not None and _is_moment(f"{first} {second}"))


def _is_moment(text: str) -> bool:
    """Whether a text is a day with an hour and nothing else."""
    if len(text) > _MAX_MOMENT_LENGTH or not (_HOUR.search(text) and _YEAR.search(text)):
        return False
    return parse_whole_day(text) is not None


def _take_out(node: _Element, text: str) -> None:
    """Removes a text of an element that is no child's."""
    if collapse_spaces(node.text or "") == text:
        node.text = None
        return
    child = next(child for child in node if collapse_spaces(child.tail or "") == text)
    child.tail = None


def list_bookmarks(root: _Element) -> list[list[str]]:
    """The rows of a table of the bookmarks of a page, its header first; none where it is no page of bookmarks.

    Their folders are those of the lists that hold them, or the heading before them.
    """
    links = [node for node in root.iter("a") if node.get("href")]
    added = [(node, next(filter(None, map(node.get, _ADDED)), "")) for node in links]
    if len(links) < _MIN_PARTS or not all(when.isdigit() for _, when in added):
        return []
    rows = [["Added", "Title", "Address", "Folder", "Tags", "Note"]]
    for node, when in added:
        item = node.getparent()
        below = item.getnext() if item is not None and get_tag(item) == "dt" else None
        note = get_element_text(below) if below is not None and get_tag(below) == "dd" else ""
        moment = format_value("time", when)
        address, tags = node.get("href") or "", (node.get("tags") or "").replace(",", ", ")
        rows.append([moment, get_element_text(node), address, _find_folder(node), tags, note])
    return rows


def _find_folder(link: _Element) -> str:
    """The headings before the lists that hold a link, from the outermost on, else the last heading above it."""
    names: list[str] = []
    for above in link.iterancestors("dl"):
        before = next((each for each in above.itersiblings(preceding=True) if get_tag(each) != "p"), None)
        headings = [] if before is None else [each for each in before.iter() if get_tag(each) in HEADING_LEVELS]
        names += map(get_element_text, headings[:1])
    if names:
        return " / ".join(reversed(names))
    above_it = takewhile(lambda each: each is not link, link.getroottree().getroot().iter(*HEADING_LEVELS, "a"))
    return ([""] + [get_element_text(each) for each in above_it if get_tag(each) != "a"])[-1]


def list_wiki_records(root: _Element) -> tuple[list[Value], list[Finding]]:
    """The notes that TiddlyWiki keeps in its page, as records of their fields, and what of them cannot be read.

    Those of the wiki's own parts are left out.
    """
    found, findings = list[Record](), list[Finding]()
    for script in root.iter("script"):
        if script.get("class") == _STORE:
            try:
                stored = json.loads(script.text or "[]")
            except (ValueError, RecursionError) as error:
                findings.append(report_lost_part("notes that the wiki keeps in its page", str(error)))
                continue
            found += [Record(list(each.items())) for each in stored if isinstance(each, dict)]
    for area in root.iter("div"):
        for node in area.iterchildren("div") if area.get("id") == _OLD_STORE else ():
            names = [(str(name), str(value)) for name, value in node.items()]
            found.append(Record([*names, ("text", collect_text(node).strip())]))
    kept = [each for each in found if not str(dict(each.fields).get("title", "")).startswith(_SYSTEM)]
    return [Record([(name, _format_field(value)) for name, value in each.fields if value]) for each in kept], findings


def _format_field(value: Value) -> Value:
    """A field of a wiki's note; its moments, which have no marks, as ISO 8601 writes them."""
    moment = _COMPACT_MOMENT.fullmatch(value) if isinstance(value, str) else None
    return "{}-{}-{} {}:{}:{}".format(*moment.groups()) if moment else value


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
            if is_described and len(text) <= _MAX_JSON_LENGTH:
                found += _list_nodes(json.loads(text, strict=False))
    dated = [thing for thing in found if "datePublished" in thing]
    works = [thing for thing in dated if re.search(r"Article|Posting|Report|Thesis|Book", str(thing.get("@type")))]
    yield from works or [thing for thing in dated if "Page" in str(thing.get("@type"))]


def _list_nodes(value: object) -> list[dict[str, object]]:
    """The objects at the top and in `@graph`."""
    found: list[dict[str, object]] = []
    waiting = [value]
    while waiting and len(found) < _MAX_NODES:
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
