"""One entry of a reference list as a line of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.parsers.jats_inline import text_of
from tasks.parsers.trees import local, squeezed

if TYPE_CHECKING:
    from lxml.etree import _Element

_PEOPLE = frozenset(["name", "string-name", "collab", "etal"])


def reference(ref: _Element) -> str:
    """The entry as printed where the article keeps its punctuation, else names (year) title. source volume: pages."""
    entry = next((child for child in ref if local(child) not in ("", "label")), None)
    if entry is None:
        return ""
    if _is_printed(entry):
        return text_of(entry)
    pages = "–".join(filter(None, (_first(entry, "fpage"), _first(entry, "lpage"))))
    named = (*_PEOPLE, "person-group", "year", "article-title", "source", "volume", "fpage", "lpage")
    rest = [text_of(child) for child in entry if local(child) not in (*named, "")]
    place = " ".join(filter(None, (_first(entry, "source"), _first(entry, "volume"))))
    year = _first(entry, "year")
    parts = [_people(entry), f"({year})" if year else "", _ended(_first(entry, "article-title"))]
    return squeezed(" ".join([*parts, _ended(": ".join(filter(None, (place, pages)))), " ".join(rest)]))


def _is_printed(entry: _Element) -> bool:
    """Whether there is text between the parts, not only the parts."""
    return bool((entry.text or "").strip() or any((child.tail or "").strip() for child in entry))


def _people(entry: _Element) -> str:
    names = []
    for person in entry.iter(*_PEOPLE):
        parts = (text_of(person.find("surname")), text_of(person.find("given-names")))
        plain = "et al." if local(person) == "etal" else text_of(person)
        names.append(" ".join(filter(None, parts)) or plain)
    return ", ".join(filter(None, names))


def _first(entry: _Element, tag: str) -> str:
    return text_of(entry.find(tag))


def _ended(text: str) -> str:
    return f"{text}." if text and text[-1] not in ".?!" else text
