"""The links of notes, the places in notes that links point to, and the files that they name, as Obsidian resolves them.

https://help.obsidian.md/links. Code and comments in the source are replaced by spaces so that positions stay the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from posixpath import normpath
from unicodedata import normalize
from urllib.parse import unquote

_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})")
_INLINE_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)[^\n]{0,400}?(?<!`)\1(?!`)")
_COMMENTS = (("<!--", "-->"), ("%%", "%%"))
_VISIBLE_CHARACTER = re.compile(r"[^\n]")


def enumerate_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers from 1."""
    return enumerate(text.split("\n"), 1)


def without_code(raw: str) -> str:
    """The source with spaces instead of code and comments; a comment without an end is none."""
    text = without_fences(raw)
    for opening, closing in _COMMENTS:
        parts, position = [], 0
        while (start := text.find(opening, position)) >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
            parts += [text[position:start], _VISIBLE_CHARACTER.sub(" ", text[start : end + len(closing)])]
            position = end + len(closing)
        text = "".join((*parts, text[position:]))
    return without_inline_code(text)


def without_inline_code(text: str) -> str:
    """The source with spaces instead of `code` within lines."""
    return _INLINE_CODE.sub(lambda match: _VISIBLE_CHARACTER.sub(" ", match[0]), text)


def without_fences(raw: str) -> str:
    """The source with spaces instead of fenced code; a fence without an end reaches to the end of the source."""
    lines, fence = [], ""
    for line in raw.split("\n"):
        match = _FENCE.match(line)
        lines.append(" " * len(line) if fence or match else line)
        if match and not fence:
            fence = match[1]
        elif match and match[1].startswith(fence):
            fence = ""
    return "\n".join(lines)


_MARKDOWN_LINK = re.compile(r"!?\[[^\[\]\n]{0,300}\]\(<?([^()\s<>]{1,300})>?(?:\s+\"[^\"\n]*\")?\)")
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:|//|#")
_TEMPLATE = re.compile(r"\{\{|<%|\$\{")
_HEADING = re.compile(r"^(?:>[ \t]*+)*+#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
_BLOCK_ID = re.compile(r"\s\^([A-Za-z0-9-]+)\s*$", re.MULTILINE)
_NON_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A link of a note: its name or path, the heading or block (`^id`) in it, and its position.

    Without a name it points to a place in the same note.
    """

    target: str
    heading: str
    line: int
    column: int
    wiki: bool = True


@dataclass(frozen=True, slots=True)
class NoteDigest:
    """The places in a note that others may link to, and its links. `headings` are plain letters and digits."""

    links: tuple[NoteLink, ...]
    headings: frozenset[str]
    blocks: frozenset[str]


def make_note_digest(raw: str) -> NoteDigest:
    """The links and the places of a note's source; those in code and comments are left out."""
    from tasks.parsers.notes.obsidian import WIKILINK

    text = without_code(raw)
    headings = frozenset(
        normalize_heading(WIKILINK.sub(lambda link: link[3] or link[1], heading)) for heading in _HEADING.findall(text)
    )
    blocks = frozenset(block_id.lower() for block_id in _BLOCK_ID.findall(text))
    return NoteDigest(tuple(_iter_links(text)), headings, blocks)


def normalize_heading(text: str) -> str:
    """The letters and digits of a heading: Obsidian compares no other characters."""
    return _NON_LETTERS.sub(" ", normalize("NFC", text)).strip().casefold()


def _iter_links(text: str) -> Iterator[NoteLink]:
    from tasks.parsers.notes.obsidian import WIKILINK

    for number, line in enumerate_lines(text):
        for match in WIKILINK.finditer(line):
            target, heading = match[1].strip(" \\"), (match[2] or "").strip(" \\#")
            if (target or heading) and not _TEMPLATE.search(match[0]):
                yield NoteLink(target, heading, number, match.start() + 1)
        for match in _MARKDOWN_LINK.finditer(line):
            address = unquote(match[1])
            if not _SCHEME.match(address) and not _TEMPLATE.search(address):
                target, _, heading = address.partition("#")
                yield NoteLink(target, heading, number, match.start() + 1, wiki=False)


_NOTE_SUFFIXES = (".md", ".markdown")
_LETTERS_PER_TYPO = 5  # One typing error (a letter added, missing, wrong or transposed) is allowed per so many letters.


@dataclass(frozen=True)
class LinkTargets:
    """The files that links may point to: paths by the root they are relative to, and the root of each note.

    `notes` maps a source to its root and its path in it. A root is `complete` if all of its notes are checked;
    `vaults` are the roots that Obsidian has opened.
    """

    files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: dict[str, tuple[str, str]] = field(default_factory=dict)
    complete: frozenset[str] = frozenset()
    vaults: frozenset[str] = frozenset()

    @cached_property
    def _paths_by_name(self) -> dict[tuple[str, str], tuple[str, ...]]:
        paths_by_name: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for root, paths in self.files.items():
            for path in paths:
                for name in _iter_names(PurePosixPath(path).name):
                    paths_by_name[root, name].append(path)
        return {key: tuple(paths) for key, paths in paths_by_name.items()}

    @cached_property
    def sources_by_path(self) -> dict[tuple[str, str], str]:
        """The source of a note by its root and its path in it."""
        return {place: source for source, place in self.notes.items()}

    def find_candidates(self, source: str, link: NoteLink) -> tuple[str, ...]:
        """The files of its root that a link of a note may mean; of files with the same name only a path names one."""
        root, path = self.notes[source]
        if not link.target:
            return (path,)
        target = _normalize_target(link.target)
        parent = PurePosixPath(path).parent
        candidates = self._paths_by_name.get((root, PurePosixPath(target).name), ())
        if target.startswith(("./", "../")) or not link.wiki:
            # From the root, which `..` does not leave.
            path_in_root = normpath(f"/{(parent / target).as_posix().casefold()}").lstrip("/")
            exact = tuple(path for path in candidates if path_in_root in _iter_names(path))
            if exact or target.startswith("."):
                return exact
        if "/" in target:
            tail = target.strip("/")
            return tuple(
                path for path in candidates if any(f"/{name}".endswith(f"/{tail}") for name in _iter_names(path))
            )
        return candidates

    def is_broken(self, source: str, link: NoteLink) -> bool:
        """Whether a link points to no file and no folder of the root."""
        if self.find_candidates(source, link):
            return False
        root, _ = self.notes[source]
        return not (link.target.endswith("/") or _normalize_target(link.target) in self._folders_by_root.get(root, ()))

    @cached_property
    def _folders_by_root(self) -> dict[str, frozenset[str]]:
        return {
            root: frozenset(parent.as_posix().casefold() for path in paths for parent in PurePosixPath(path).parents)
            for root, paths in self.files.items()
        }

    def find_nearest(self, source: str, link: NoteLink) -> tuple[str, ...]:
        """The notes whose names differ from a link's only in case, spaces and punctuation, or by typing errors."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        root, _ = self.notes[source]
        plain_name = normalize_heading(min(_iter_names(PurePosixPath(link.target).name), key=len))
        slips = len(plain_name) // _LETTERS_PER_TYPO
        names = tuple(self._plain_names.get(root, {}))
        matches = process.extract(plain_name, names, scorer=OSA.distance, score_cutoff=slips, limit=None)
        least = min((distance for _, distance, _ in matches), default=0)
        return tuple(sorted({self._plain_names[root][name] for name, distance, _ in matches if distance == least}))

    @cached_property
    def _plain_names(self) -> dict[str, dict[str, str]]:
        return {
            root: {
                normalize_heading(PurePosixPath(path).stem): path
                for path in paths
                if path.lower().endswith(_NOTE_SUFFIXES)
            }
            for root, paths in self.files.items()
        }


def _normalize_target(target: str) -> str:
    return normalize("NFC", target.strip()).casefold()


def _iter_names(path: str) -> Iterable[str]:
    """The names by which a link may call a file: its name, for a note also without its suffix."""
    name = _normalize_target(path)
    yield name
    suffix = next((suffix for suffix in _NOTE_SUFFIXES if name.endswith(suffix)), "")
    if suffix:
        yield name.removesuffix(suffix)
