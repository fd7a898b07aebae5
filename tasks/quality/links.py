"""The links of notes, and the places in them that links lead to (https://help.obsidian.md/links)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import unquote

from tasks.parsers.notes.obsidian import WIKILINK
from tasks.quality.source import lines_of, without_code

_MARKDOWN_LINK = re.compile(r"!?\[[^\[\]\n]{0,300}\]\(<?([^()\s<>]{1,300})>?(?:\s+\"[^\"\n]*\")?\)")
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:|//|#")
_TEMPLATE = re.compile(r"\{\{|<%|\$\{")
_HEADING = re.compile(r"^(?:>[ \t]*+)*+#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
_BLOCK_ID = re.compile(r"\s\^([A-Za-z0-9-]+)\s*$", re.MULTILINE)
_NOT_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A link of a note: the name or path it gives, the heading or block (`^id`) in it, and where it stands.

    Without a name it leads to a place of its own note.
    """

    target: str
    heading: str
    line: int
    column: int
    wiki: bool = True


@dataclass(frozen=True, slots=True)
class NoteDigest:
    """What others may link to in a note, and what it links to. `headings` are plain letters and digits."""

    links: tuple[NoteLink, ...]
    headings: frozenset[str]
    blocks: frozenset[str]


def note_digest(raw: str) -> NoteDigest:
    """The links and the places of a note's source; those in code and comments are left out."""
    text = without_code(raw)
    headings = frozenset(plain(WIKILINK.sub(_shown, heading)) for heading in _HEADING.findall(text))
    blocks = frozenset(found.lower() for found in _BLOCK_ID.findall(text))
    return NoteDigest(tuple(_links(text)), headings, blocks)


def plain(text: str) -> str:
    """The letters and digits of a heading: Obsidian compares no others."""
    return _NOT_LETTERS.sub(" ", normalize("NFC", text)).strip().casefold()


def _shown(match: re.Match[str]) -> str:
    return match[3] or match[1]


def _links(text: str) -> Iterator[NoteLink]:
    for number, line in lines_of(text):
        for found in WIKILINK.finditer(line):
            target, heading = found[1].strip(" \\"), (found[2] or "").strip(" \\#")
            if (target or heading) and not _TEMPLATE.search(found[0]):
                yield NoteLink(target, heading, number, found.start() + 1)
        for found in _MARKDOWN_LINK.finditer(line):
            address = unquote(found[1])
            if not _SCHEME.match(address) and not _TEMPLATE.search(address):
                target, _, heading = address.partition("#")
                yield NoteLink(target, heading, number, found.start() + 1, wiki=False)
