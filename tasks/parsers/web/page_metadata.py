"""The metadata of a web page: title, authors, dates, language (meta elements, schema.org JSON-LD, `time`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from tasks.parsers.titles import is_placeholder
from tasks.parsers.trees import local, squeezed, words
from tasks.parsers.written_dates import make_date
from warehouse.records import DateClaim, DateOrigin

if TYPE_CHECKING:
    from lxml.etree import _Element

_PUBLISHED = (
    "article:published_time", "og:article:published_time", "datepublished", "citation_publication_date",
    "citation_online_date", "citation_date", "parsely-pub-date", "sailthru.date", "pubdate", "publishdate",
    "publish-date", "dcterms.issued", "dc.date.issued", "dcterms.date", "dcterms.created", "dc.date.created", "dc.date",
    "date",
)  # fmt: skip
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified")
_AUTHORS = ("citation_author", "author", "dc.creator", "dcterms.creator", "parsely-author", "article:author")
_DATE = re.compile(r"\s*(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?!\d)")
_LONGEST_JSON = 2**20
_MOST_NODES = 10_000


class Metadata:
    """The metadata of a page as it was saved, scripts included."""

    def __init__(self, root: _Element) -> None:
        self._root = root
        self._meta: dict[str, list[str]] = {}
        for element in root.iter("meta"):
            content = squeezed(element.get("content") or "")
            for key in ("name", "property", "itemprop", "http-equiv"):
                if content and element.get(key):
                    self._meta.setdefault((element.get(key) or "").lower(), []).append(content)
        self._things = list(_things(root))

    @property
    def title(self) -> str:
        """The page's title, else that of the work it shows, else its first heading."""
        titles = self._root.iter("title")
        own = (title for title in titles if all(local(above) != "svg" for above in title.iterancestors()))
        found = squeezed(words(next(own, None)))
        named = (self._meta[name][0] for name in ("citation_title", "og:title", "dc.title") if name in self._meta)
        given = next((title for title in (found, *named) if title and not is_placeholder(title)), "")
        return given or squeezed(words(self._root.find(".//h1"))) or found

    @property
    def authors(self) -> list[str]:
        """From the first kind of element that names any; addresses of profiles are no names."""
        lists = [self._meta.get(name, []) for name in _AUTHORS]
        lists.append([name for thing in self._things for name in _names(thing.get("author"))])
        named = ([name for name in names if not name.startswith("http")] for names in lists)
        return list(dict.fromkeys(next(filter(None, named), [])))

    @property
    def dates(self) -> list[DateClaim]:
        """When it was published, by all that say so, then when it was changed."""
        published = [str(thing.get("datePublished") or "") for thing in self._things]
        published += [text for name in _PUBLISHED for text in self._meta.get(name, [])]
        published += _times(self._root)
        modified = [text for name in _MODIFIED for text in self._meta.get(name, [])]
        modified += [str(thing.get("dateModified") or "") for thing in self._things]
        return [DateClaim(day, DateOrigin.PUBLICATION) for text in published if (day := _day(text))] + [
            DateClaim(day, DateOrigin.PROPERTIES) for text in modified if (day := _day(text))
        ]

    @property
    def language(self) -> str:
        """The language that the page declares, as a primary subtag ("en", "zh", "de"), or nothing."""
        declared = self._root.get("lang") or self._root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
        declared = declared or self._root.get("xml:lang") or self._meta.get("content-language", [""])[0]
        return re.split(r"[-_,\s]", declared.strip().lower())[0]


def _day(text: str) -> date | None:
    match = _DATE.match(text)
    return make_date(*map(int, match.groups())) if match else None


def _times(root: _Element) -> list[str]:
    """The `time` elements that are marked as the date of publication, or the only one there is."""
    every = [element for element in root.iter("time") if element.get("datetime")]
    marked = [
        element
        for element in every
        if element.get("pubdate") is not None
        or (element.get("itemprop") or "").lower() == "datepublished"
        or re.search(r"publish|entry-date|post-date|posted", element.get("class") or "", re.IGNORECASE)
    ]
    return [element.get("datetime") or "" for element in marked or every[: len(every) == 1]]


def _things(root: _Element) -> Iterator[dict[str, object]]:
    """The things that JSON-LD describes, works before whatever else has a date."""
    found: list[dict[str, object]] = []
    for script in root.iter("script"):
        text = script.text or ""
        if (script.get("type") or "").split(";")[0].strip().lower() != "application/ld+json" or len(
            text
        ) > _LONGEST_JSON:
            continue
        try:
            found += _nodes(json.loads(text, strict=False))
        except (ValueError, RecursionError):
            continue  # the page is whole without it
    dated = [thing for thing in found if "datePublished" in thing]
    works = [thing for thing in dated if re.search(r"Article|Posting|Report|Thesis|Book", str(thing.get("@type")))]
    yield from works or [thing for thing in dated if "Page" in str(thing.get("@type"))]


def _nodes(value: object) -> list[dict[str, object]]:
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


def _names(author: object) -> Iterator[str]:
    for one in author if isinstance(author, list) else [author]:
        name = one.get("name") if isinstance(one, dict) else one
        if isinstance(name, str):
            yield squeezed(name)
