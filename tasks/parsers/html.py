"""Saved web pages: the visible text, without scripts, styles, navigation and other boilerplate.

Title, authors, dates and language are those that the page states (`page_metadata`). Of a filing in inline XBRL all but
the hidden header is shown, and its tags are the facts of the document (`xbrl/`).

Programs export messages, activities and notes as pages. If most of a page consists of parts with one moment each, the
moment is moved to the beginning of its part, which makes it an entry of its day. Bookmarks are a table, and a wiki's
notes in its page are records.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.data.record_values import Record, Value, format_value
from tasks.parsers.data.record_writer import RecordWriter
from tasks.parsers.decoder import decode_head
from tasks.parsers.document_head import HEAD_LENGTH, find_datelines, is_placeholder
from tasks.parsers.language import detect_document_language
from tasks.parsers.office.office_pages import restore_structure
from tasks.parsers.parser_contract import Raw, Signature
from tasks.parsers.picture_words import is_described, name_pictures
from tasks.parsers.plain_text.spoken_turns import join_speakers
from tasks.parsers.refusals import report_lost_part
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
from tasks.parsers.web.page_blocks import add_blocks, get_element_text
from tasks.parsers.web.page_boilerplate import empty_boilerplate, empty_unread_elements, find_main_part
from tasks.parsers.web.page_metadata import Metadata
from tasks.parsers.written_dates import find_day_order, parse_whole_day
from tasks.parsers.xbrl.cover_facts import read_cover_tags
from tasks.parsers.xbrl.fact_marks import mark_pieces
from tasks.parsers.xbrl.inline_facts import read_inline_facts
from warehouse.records import Attributes, DateClaim, DateOrigin, Document, Finding, Kind

if TYPE_CHECKING:
    from lxml.etree import _Element

_TAG = re.compile(r"<[!/a-zA-Z]")
_DOCTYPE = re.compile(r"\s*<!doctype\s+html", re.IGNORECASE)
_MAX_MOMENT_LENGTH = 60  # Characters of a text that is a moment.
_HOUR = re.compile(r"\d{1,2}[:.]\d{2}")
_YEAR = re.compile(r"(?:19|20)\d\d|\d[./-]\d{1,2}[./-]\d\d")
_CLOCK_TIME = re.compile(r"\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?", re.IGNORECASE)
_MIN_PARTS = 2  # Parts with a moment in a page of entries, or bookmarks in a page of these.
_SITE_ELEMENTS = ("nav", "header", "footer", "form", "script", "iframe", "main", "article", "noscript")
"""Elements of sites' pages; a program that exports a note writes none of them."""
_MIN_DATED_SHARE = 0.5  # The least share of text in parts with a moment if a page is an export of entries.
_BOOKMARK_TIMES = ("add_date", "time_added")
"""The attributes of browsers' and Pocket's bookmarks with their time of creation, in seconds since 1970."""
_COMPACT_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d{0,3}")
_WIKI_STORE_CLASS = "tiddlywiki-tiddler-store"
_OLD_WIKI_STORE_ID = "storeArea"
_SYSTEM_PREFIX = "$:/"  # The beginning of the names of internal parts of the wiki.


def _is_page(raw: Raw) -> bool:
    beginning = decode_head(raw.data)
    return find_root_tag(beginning) == "html" or _DOCTYPE.match(beginning) is not None


class Html:
    """The words of the page in the order of its source; boilerplate is kept if nothing else is on the page."""

    version = 16
    media_type = "text/html"
    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")
    heavy = False
    signature: Signature | None = Signature(text=MARKUP, confirms=_is_page)

    def measure_confidence(self, raw: Raw) -> float:
        """The confidence for a piece of a page; with a page's suffix, for all with a tag except other kinds of XML."""
        beginning = decode_head(raw.data)
        has_page_suffix = (
            raw.suffix in self.suffixes and _TAG.search(beginning) and not beginning.lstrip().startswith("<?xml")
        )
        return 0.5 if has_page_suffix or find_root_tag(beginning) in PAGE_TAGS else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` if there is no markup or it is nested too deeply."""
        document = self._read_page(raw, drops_boilerplate=True)
        return document if document.text else self._read_page(raw, drops_boilerplate=False)

    def _read_page(self, raw: Raw, *, drops_boilerplate: bool) -> Document:
        root = parse_page(raw.data)
        inline = read_inline_facts(root)
        if inline is None:
            restore_structure(root)
        page = Metadata(root)
        title, authors, dates, declared_language = page.title, page.authors, page.dates, page.language
        page_tags = page.tags
        has_no_site_elements = not any(True for _ in root.iter(*_SITE_ELEMENTS))
        records, findings = ([], []) if inline else list_wiki_records(root)
        empty_unread_elements(root)
        if inline is not None:
            mark_pieces(root)
        elif drops_boilerplate:
            empty_boilerplate(root)
            name_pictures(root, is_described)
        assembly, moments = Assembly(), list[str]()
        if records:
            RecordWriter(assembly).write_value(records)
        elif inline is None and (bookmarks := list_bookmarks(root)):
            assembly.add_heading(title, 1)
            assembly.add_table(bookmarks, header_rows=1)
        else:
            moments = move_moments_first(root) if inline is None else []
            add_blocks(assembly, find_main_part(root) if drops_boilerplate and inline is None else root)
            assembly = join_speakers(assembly) if inline is None else assembly
        beginning = assembly.list_beginning(HEAD_LENGTH)
        datelines = find_datelines(beginning, assembly.list_first_tables(HEAD_LENGTH)) if not moments else []
        order = find_day_order(moments)
        if moments and is_placeholder(title) and beginning and not _is_moment(beginning[0]):
            title = beginning[0] if len(beginning[0]) <= _MAX_MOMENT_LENGTH else title
        days = (parse_whole_day(moment, order) for moment in moments)
        claims = [*dates, *datelines, *(DateClaim(day, DateOrigin.HEADING) for day in days if day)]
        facts = inline.with_spans(assembly.spans) if inline else ()
        is_note = inline is None and has_no_site_elements and _begins_with_moment(beginning)
        if last_date := read_cover_tags(facts).last:
            claims.append(DateClaim(last_date, DateOrigin.COVER_TAG))
        document = assembly.finish(
            Kind.REPORT if inline else Kind.NOTE if is_note else Kind.TEXT,
            self.media_type,
            title=title if inline is None or " " in title else "",  # Programs put the file's name there.
            authors=authors,
            dates=claims,
            attributes=Attributes(tags=page_tags),
            findings=inline.findings if inline else findings,
            facts=facts,
        )
        return replace(document, language=detect_document_language(document.text, document.blocks, declared_language))


def move_moments_first(root: _Element) -> list[str]:
    """Moves the moment of each part to its beginning, or after its heading, if most of a page is such parts.

    A part is the largest element with one moment: a text, or an attribute that is shown as a tooltip, with a day and an
    hour. Rows of tables have their own days.
    """
    body = root.find("body")
    if body is None:
        return []
    in_tables = {node for table in body.iter("table") for node in table.iter()}
    nodes_outside = (node for node in body.iter() if get_tag(node) and node not in in_tables)
    node_moments = {node: moment for node in nodes_outside if (moment := _read_moment(node))}
    time_nodes = {node: moment for node, moment in node_moments.items() if get_tag(node) == "time"}
    # A site that marks its moments marks all of them.
    node_moments = time_nodes if len(time_nodes) >= _MIN_PARTS else node_moments
    parents = {ancestor for node, (_, is_text) in node_moments.items() if is_text for ancestor in node.iterancestors()}
    moments = [
        (node, text, is_text) for node, (text, is_text) in node_moments.items() if is_text or node not in parents
    ]
    if len(moments) < _MIN_PARTS:
        return []
    counts: dict[_Element, int] = {}
    for node, _, _ in moments:
        for ancestor in (node, *node.iterancestors()):
            counts[ancestor] = counts.get(ancestor, 0) + 1
    parts: list[tuple[_Element, _Element, str, bool]] = []
    for node, text, is_text in moments:
        ancestors = takewhile(lambda element: counts[element] == 1, (node, *node.iterancestors()))
        part = deque(ancestors, maxlen=1).pop() if counts[node] == 1 else body
        if part is not body and sum(get_tag(element) in HEADING_LEVELS for element in part.iter()) <= 1:
            parts.append((part, node, text, is_text))
    dated_length = sum(len(collapse_spaces(collect_text(part))) for part, *_ in parts)
    if len(parts) < _MIN_PARTS or dated_length < _MIN_DATED_SHARE * len(collapse_spaces(collect_text(body))):
        return []
    for part, node, text, is_text in parts:
        if is_text:
            _remove_text(node, text)
        moment_node = part.makeelement("p")
        moment_node.text = text
        heading = next((element for element in part.iter() if get_tag(element) in HEADING_LEVELS), None)
        if heading is not None and heading is not part:
            heading.addnext(moment_node)
            moment_node.tail, heading.tail = heading.tail, None
        else:
            part.insert(0, moment_node)
            moment_node.tail, part.text = part.text, None
    return [text for _, _, text, _ in parts]


def _read_moment(node: _Element) -> tuple[str, bool] | None:
    """The moment in an element's text or attributes, and whether it is in its own text; None for none."""
    own_texts = filter(_HOUR.search, iter_own_texts(node))
    if moment := next(filter(_is_moment, map(collapse_spaces, own_texts)), ""):
        return moment, True
    hints = (collapse_spaces(node.get(name) or "") for name in ("title", "datetime"))
    moment = next(filter(_is_moment, hints), "")
    return (moment, False) if moment else None


def _begins_with_moment(paragraphs: Sequence[str]) -> bool:
    """Whether a moment is the first of some paragraphs, or a day the first and an hour the second."""
    first, second = (*paragraphs[:2], "", "")[:2]
    return _is_moment(first) or (_CLOCK_TIME.fullmatch(second) is not None and _is_moment(f"{first} {second}"))


def _is_moment(text: str) -> bool:
    """Whether a text is a day with an hour and nothing else."""
    if len(text) > _MAX_MOMENT_LENGTH or not (_HOUR.search(text) and _YEAR.search(text)):
        return False
    return parse_whole_day(text) is not None


def _remove_text(node: _Element, text: str) -> None:
    """Removes an element's own text, which is not a child's."""
    if collapse_spaces(node.text or "") == text:
        node.text = None
        return
    child = next(child for child in node if collapse_spaces(child.tail or "") == text)
    child.tail = None


def list_bookmarks(root: _Element) -> list[list[str]]:
    """The rows of a table of the bookmarks of a page, its header first; none if it is not a page of bookmarks.

    Their folders are those of the lists that contain them, or the heading before them.
    """
    links = [node for node in root.iter("a") if node.get("href")]
    link_times = [(node, next(filter(None, map(node.get, _BOOKMARK_TIMES)), "")) for node in links]
    if len(links) < _MIN_PARTS or not all(timestamp.isdigit() for _, timestamp in link_times):
        return []
    rows = [["Added", "Title", "Address", "Folder", "Tags", "Note"]]
    for node, timestamp in link_times:
        item = node.getparent()
        following = item.getnext() if item is not None and get_tag(item) == "dt" else None
        note = get_element_text(following) if following is not None and get_tag(following) == "dd" else ""
        moment = format_value("time", timestamp)
        address, tags = node.get("href") or "", (node.get("tags") or "").replace(",", ", ")
        rows.append([moment, get_element_text(node), address, _find_folder(node), tags, note])
    return rows


def _find_folder(link: _Element) -> str:
    """The headings before the lists that contain a link, from the outermost on, else the last heading above it."""
    fields: list[str] = []
    for folder in link.iterancestors("dl"):
        previous = next((node for node in folder.itersiblings(preceding=True) if get_tag(node) != "p"), None)
        headings = [] if previous is None else [node for node in previous.iter() if get_tag(node) in HEADING_LEVELS]
        fields += map(get_element_text, headings[:1])
    if fields:
        return " / ".join(reversed(fields))
    preceding = takewhile(lambda node: node is not link, link.getroottree().getroot().iter(*HEADING_LEVELS, "a"))
    return ([""] + [get_element_text(node) for node in preceding if get_tag(node) != "a"])[-1]


def list_wiki_records(root: _Element) -> tuple[list[Value], list[Finding]]:
    """The notes that TiddlyWiki stores in its page, as records of their fields, and findings for unreadable ones.

    Internal parts of the wiki are left out.
    """
    records, findings = list[Record](), list[Finding]()
    for script in root.iter("script"):
        if script.get("class") == _WIKI_STORE_CLASS:
            try:
                stored_notes = json.loads(script.text or "[]")
            except (ValueError, RecursionError) as error:
                findings.append(report_lost_part("notes that the wiki keeps in its page", str(error)))
                continue
            records += [Record(list(note.items())) for note in stored_notes if isinstance(note, dict)]
    for area in root.iter("div"):
        for node in area.iterchildren("div") if area.get("id") == _OLD_WIKI_STORE_ID else ():
            fields = [(str(name), str(value)) for name, value in node.items()]
            records.append(Record([*fields, ("text", collect_text(node).strip())]))
    notes = [note for note in records if not str(dict(note.fields).get("title", "")).startswith(_SYSTEM_PREFIX)]
    return [Record([(name, _format_field(value)) for name, value in note.fields if value]) for note in notes], findings


def _format_field(value: Value) -> Value:
    """A field of a wiki's note; its moments, which have no separators, in the form of ISO 8601."""
    moment = _COMPACT_MOMENT.fullmatch(value) if isinstance(value, str) else None
    return "{}-{}-{} {}:{}:{}".format(*moment.groups()) if moment else value


member = Html()
