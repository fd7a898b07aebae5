"""Tables of contents of books: the navigation document of EPUB 3, the NCX of EPUB 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from tasks.parsers.book.epub_package import EpubPackage
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.trees import collapse_spaces, collect_text, get_tag

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_DEPTH = 6  # The level of the lowest heading.
_MAX_ENTRIES = 20_000  # Lines of a table of contents.


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A line of the table of contents: its words, its depth (from 1), its target part and the place in it."""

    label: str
    depth: int
    part: str
    place: str = ""


def read_contents(package: EpubPackage) -> list[ContentsEntry]:
    """The lines in order; none where the book has no table of contents."""
    for part, read in ((package.navigation_part, _iter_navigation), (package.ncx_part, _iter_ncx)):
        root = package.read_tree(part) if part else None
        if root is not None and (entries := list(islice(read(package, part, root), _MAX_ENTRIES))):
            return entries
    return []


def _iter_navigation(package: EpubPackage, part: str, root: _Element) -> Iterator[ContentsEntry]:
    tables = [navigation for navigation in root.iter("nav") if get_attribute(navigation, "type") == "toc"] or list(
        root.iter("nav")
    )[:1]
    for link in tables[0].iter("a") if tables else ():
        depth = sum(get_tag(ancestor) == "ol" for ancestor in link.iterancestors())
        yield from _iter_entry(package, part, link.get("href") or "", collect_text(link), depth)


def _iter_ncx(package: EpubPackage, part: str, root: _Element) -> Iterator[ContentsEntry]:
    for point in root.iter("navPoint"):
        depth = 1 + sum(get_tag(ancestor) == "navPoint" for ancestor in point.iterancestors())
        label, content = point.find("navLabel"), point.find("content")
        yield from _iter_entry(package, part, get_attribute(content, "src"), collect_text(label), depth)


def _iter_entry(package: EpubPackage, part: str, reference: str, label: str, depth: int) -> Iterator[ContentsEntry]:
    target, text = package.find_part(part, reference), collapse_spaces(label)
    if target and text:
        yield ContentsEntry(text, min(max(depth, 1), _MAX_DEPTH), target, reference.partition("#")[2])
