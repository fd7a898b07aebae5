"""Metadata of web pages: title, authors, days, tags and language.

They come from meta elements, schema.org's JSON-LD, `time` elements, and the words of elements named for the date of the
last change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers.document_head import is_placeholder
from tasks.parsers.trees import collapse_spaces, collect_text, get_tag, iter_linked_data
from tasks.parsers.web.page_blocks import get_element_text
from tasks.parsers.written_dates import make_date, parse_entry_date
from warehouse.records import DateClaim, DateOrigin

if TYPE_CHECKING:
    from lxml.etree import _Element

_PUBLICATION_KEYS = (
    "article:published_time", "og:article:published_time", "datepublished", "citation_publication_date",
    "citation_online_date", "citation_date", "parsely-pub-date", "sailthru.date", "pubdate", "publishdate",
    "publish-date", "publish_date", "pub_date",
    "dcterms.issued", "dc.date.issued", "dcterms.date", "dcterms.created", "dc.date.created", "dc.date", "created",
    "date",
)  # fmt: skip
_CHANGE_KEYS = (
    "govuk:public-updated-at", "article:modified_time", "og:updated_time", "datemodified", "dcterms.modified",
    "last-modified",
)  # fmt: skip
_AUTHOR_KEYS = ("citation_author", "author", "dc.creator", "dcterms.creator", "parsely-author", "article:author")
_DATE = re.compile(r"\s*(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?!\d)")
_NUMERIC_DATE = re.compile(r"\s*\d{1,2}[-/. ]+\d")  # Which of the numbers is the month is unknown.
_PUBLICATION_NAME = re.compile(r"publish|entry-date|post-date|posted|datestamp|dateline", re.IGNORECASE)
_CHANGE_NAME = re.compile(r"last-?_?(?:mod|updated?|edited|changed)|date-?modified|updated-at", re.IGNORECASE)
"""Classes and ids of elements with the date of the last change."""
_POST_INFO_NAME = re.compile(
    r"(?:^|\s)(?:post|entry|article|page)[-_]{1,2}(?:meta(?:data)?|info|byline)(?=\s|$)", re.IGNORECASE
)
"""Classes and ids of the element below the title of a post: its day and its author."""
_MAX_CHANGE_LENGTH = 120  # Characters of an element with the date of a change.
_MAX_HEADING_LENGTH = 200  # Characters of a heading that is the title of its page.
_WORD = re.compile(r"\w+")
_TITLE_SEPARATOR = re.compile(r"\s+[-–—|:·•»«/]+\s+")
_WIKI = re.compile(r"mediawiki|dokuwiki|xwiki|moinmoin|foswiki|twiki|bookstack|wiki\.js|pmwiki|tiki", re.IGNORECASE)
"""Programs whose pages are changed continually, so that the day of creation does not date them."""


class Metadata:
    """The metadata of a page as it was saved, including scripts."""

    def __init__(self, root: _Element) -> None:
        self._root = root
        self._meta: dict[str, list[str]] = {}
        for element in root.iter("meta"):
            content = collapse_spaces(element.get("content") or "")
            for key in ("name", "property", "itemprop", "http-equiv"):
                if content and element.get(key):
                    self._meta.setdefault((element.get(key) or "").lower(), []).append(content)
        self._linked_data = list(iter_linked_data(root))

    @property
    def title(self) -> str:
        """The page's title without the name of its site, else that of the work it shows, else its first heading."""
        titles = self._root.iter("title")
        page_titles = (node for node in titles if all(get_tag(ancestor) != "svg" for ancestor in node.iterancestors()))
        element_title = collapse_spaces(collect_text(next(page_titles, None)))
        meta_titles = (self._meta[name][0] for name in ("citation_title", "og:title", "dc.title") if name in self._meta)
        title = next((node for node in (element_title, *meta_titles) if node and not is_placeholder(node)), "")
        heading = next(self._root.iter(*(("h1", "p") if self._is_of_onenote else ("h1",))), None)
        heading_text = "" if heading is None else get_element_text(heading)
        if title:
            title = self._cut_site_name(title)
            return heading_text if self._has_more_words(heading_text, title) else title
        return heading_text or element_title

    def _has_more_words(self, heading: str, title: str) -> bool:
        """Whether the only first-level heading has all words of a title and others, or the title is of a section."""
        if len(list(self._root.iter("h1"))) != 1 or not heading or len(heading) > _MAX_HEADING_LENGTH:
            return False
        words, title_words = (set(_WORD.findall(text.casefold())) for text in (heading, title))
        sections = {get_element_text(node).casefold() for node in self._root.iter("h2", "h3", "h4")}
        return title_words < words or (title.casefold() in sections and title.casefold() != heading.casefold())

    def _cut_site_name(self, title: str) -> str:
        """The beginning or end of a title that is a heading of the page, without the name of the site next to it."""
        heading_nodes = (
            node
            for node in self._root.iter("h1", "h2")
            if not any(ancestor.get("role") == "banner" for ancestor in node.iterancestors())
        )
        headings = {get_element_text(node).rstrip("¶# \u200b") for node in heading_nodes}
        parts = {
            part
            for separator in _TITLE_SEPARATOR.finditer(title)
            for part in (title[: separator.start()], title[separator.end() :])
            if part and part in headings
        }
        return parts.pop() if len(parts) == 1 else title

    @property
    def _is_of_onenote(self) -> bool:
        """Whether the page is from OneNote, which writes its title in the first paragraph."""
        return any(maker.startswith("OneNote") for maker in self._meta.get("progid", []))

    @property
    def authors(self) -> list[str]:
        """The authors from the first kind of element that names any; addresses of profiles are not names."""
        lists = [self._meta.get(name, []) for name in _AUTHOR_KEYS]
        lists.append([name for work in self._linked_data for name in _iter_names(work.get("author"))])
        name_lists = ([name for name in names if not name.startswith("http")] for names in lists)
        return list(dict.fromkeys(next(filter(None, name_lists), [])))

    @property
    def dates(self) -> list[DateClaim]:
        """The days of publication in all elements that state one, then those of changes; only the latter of a wiki."""
        published = [str(work.get("datePublished") or "") for work in self._linked_data]
        published += [text for name in _PUBLICATION_KEYS for text in self._meta.get(name, [])]
        changed_times: list[str] = []
        other_times: list[_Element] = []
        for element in self._root.iter("time"):
            if (element.get("itemprop") or "").lower() == "datemodified":
                changed_times.append(element.get("datetime") or collect_text(element))
            elif element.get("datetime") or _parse_day(collect_text(element)):
                is_in_table = next(element.iterancestors("td", "th"), None) is not None
                other_times += [] if is_in_table else [element]
        # The `time` elements that are marked as the date of publication, or the only one there is.
        marked_times = [
            element
            for element in other_times
            if element.get("pubdate") is not None
            or (element.get("itemprop") or "").lower() == "datepublished"
            or _PUBLICATION_NAME.search(element.get("class") or "")
        ]
        published += [
            element.get("datetime") or collect_text(element)
            for element in marked_times or other_times[: len(other_times) == 1]
        ]
        modified = [text for name in _CHANGE_KEYS for text in self._meta.get(name, [])]
        modified += [str(work.get("dateModified") or "") for work in self._linked_data] + changed_times
        published_days = list(filter(None, map(_parse_day, published)))
        published_days = published_days or self._list_days_of_post()
        changed_days = [*filter(None, map(_parse_day, modified)), *self._iter_shown_days(_CHANGE_NAME)]
        if changed_days and any(map(_WIKI.search, self._meta.get("generator", []))):
            published_days = []
        return [
            *(DateClaim(day, DateOrigin.PUBLICATION) for day in published_days),
            *(DateClaim(day, DateOrigin.PROPERTIES) for day in changed_days),
        ]

    def _list_days_of_post(self) -> list[date]:
        """The day in the line below the title of a post; none where a page lists several posts."""
        days = list(self._iter_shown_days(_POST_INFO_NAME))
        return days if len(days) == 1 else []

    def _iter_shown_days(self, kind: re.Pattern[str]) -> Iterator[date]:
        """The first day in each short element whose class or id is of a kind."""
        for element in self._root.iter("span", "div", "p", "li", "small", "footer", "em", "i", "dd"):
            if kind.search(f"{element.get('class') or ''} {element.get('id') or ''}"):
                words = collapse_spaces(collect_text(element))[:_MAX_CHANGE_LENGTH]
                days = (parse_entry_date(words[word.start() :]) for word in re.finditer(r"(?<!\S)\S", words))
                if day := next(filter(None, days), None):
                    yield day

    @property
    def tags(self) -> tuple[str, ...]:
        """The words of links marked as tags, and of the labels of a note."""
        tag_elements = (
            element
            for element in self._root.iter("a", "span")
            if element.get("rel") == "tag" or "label-name" in (element.get("class") or "").split()
        )
        return tuple(dict.fromkeys(filter(None, (collapse_spaces(collect_text(node)) for node in tag_elements))))

    @property
    def language(self) -> str:
        """The language that the page declares, as a primary subtag ("en", "zh", "de"), or nothing."""
        language = self._root.get("lang") or self._root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
        language = language or self._root.get("xml:lang") or self._meta.get("content-language", [""])[0]
        return re.split(r"[-_,\s]", language.strip().lower())[0]


def _parse_day(text: str) -> date | None:
    """The day at the start of a text, in figures with the year first or with the month's name; None for any other."""
    if match := _DATE.match(text):
        return make_date(*map(int, match.groups()))
    return None if _NUMERIC_DATE.match(text) else parse_entry_date(collapse_spaces(text))


def _iter_names(author: object) -> Iterator[str]:
    for entry in author if isinstance(author, list) else [author]:
        name = entry.get("name") if isinstance(entry, dict) else entry
        if isinstance(name, str):
            yield collapse_spaces(name)
