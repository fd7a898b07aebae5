"""The entries of a reference list as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers.papers.inline import text_of
from tasks.parsers.trees import local, squeezed

if TYPE_CHECKING:
    from lxml.etree import _Element

_PEOPLE = frozenset(["name", "string-name", "collab", "etal"])
_PLACED = frozenset(["label", "person-group", "year", "article-title", "source", "volume", "fpage", "lpage"]) | _PEOPLE


def references(ref_list: _Element) -> Iterator[str]:
    """The entries of a list, without those of the lists inside it: each after its label, or its number."""
    for number, ref in enumerate(ref_list.iterfind("ref"), start=1):
        label = text_of(ref.find("label")).strip("[]().") or str(number)
        entries = (text for part in ref if local(part) not in ("", "label") and (text := _entry(part)))
        if line := " ".join(entries):
            yield f"{label}. {line}"


def _entry(node: _Element) -> str:
    """The entry as printed where the article keeps its punctuation, else names (year) title. source volume: pages."""
    if local(node) == "citation-alternatives":
        return next((text for form in node if (text := _entry(form))), "")
    if _is_printed(node):
        return text_of(node)
    first = {tag: node.find(tag) for tag in _PLACED}
    found = {tag: text_of(part) for tag, part in first.items()}
    label, pages = found["label"], "–".join(filter(None, (found["fpage"], found["lpage"])))
    rest = [text_of(child) for child in node if child not in first.values() and local(child) not in _PEOPLE | {""}]
    place = " ".join(filter(None, (found["source"], found["volume"])))
    year = f"({found['year']})" if found["year"] else ""
    known = [
        label,
        _people(node),
        year,
        _ended(found["article-title"]),
        _ended(": ".join(filter(None, (place, pages)))),
    ]
    return squeezed(" ".join([*known, *rest]))


def _is_printed(node: _Element) -> bool:
    """Whether there is text between the parts, not only the parts."""
    return bool((node.text or "").strip() or any((child.tail or "").strip() for child in node))


def _people(node: _Element) -> str:
    """Everybody named at the beginning: people outside of groups, and the first group."""
    first = node.find("person-group")
    people = [part for part in node if local(part) in _PEOPLE] + ([] if first is None else list(first.iter(*_PEOPLE)))
    return ", ".join(filter(None, map(_person, people)))


def _person(person: _Element) -> str:
    parts = (text_of(person.find("surname")), text_of(person.find("given-names")), text_of(person.find("suffix")))
    return " ".join(filter(None, parts)) or text_of(person) or ("et al." if local(person) == "etal" else "")


def _ended(text: str) -> str:
    return f"{text}." if text and text[-1] not in ".?!" else text
