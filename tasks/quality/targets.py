"""What the links of notes lead to, as Obsidian finds it (https://help.obsidian.md/links)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from unicodedata import normalize

from tasks.quality.links import NoteLink, plain

_NOTE_SUFFIXES = (".md", ".markdown")


@dataclass(frozen=True)
class Links:
    """The files that links may lead to: paths by the root they are relative to, and the root of each note.

    `notes` maps a source to its root and its path in it. A root is `complete` where all of its notes are looked at;
    `vaults` are the roots that Obsidian has opened.
    """

    files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: dict[str, tuple[str, str]] = field(default_factory=dict)
    complete: frozenset[str] = frozenset()
    vaults: frozenset[str] = frozenset()

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], tuple[str, ...]]:
        found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for root, paths in self.files.items():
            for path in paths:
                for name in _names(PurePosixPath(path).name):
                    found[root, name].append(path)
        return {key: tuple(paths) for key, paths in found.items()}

    @cached_property
    def source_at(self) -> dict[tuple[str, str], str]:
        """The source of a note by its root and its path in it."""
        return {place: source for source, place in self.notes.items()}

    def candidates(self, source: str, link: NoteLink) -> tuple[str, ...]:
        """The files of its root that a link of a note may mean; only a path names one of several of one name."""
        root, path = self.notes[source]
        if not link.target:
            return (path,)
        target = _key(link.target)
        parent = PurePosixPath(path).parent
        named = self._by_name.get((root, PurePosixPath(target).name), ())
        if target.startswith(("./", "../")) or not link.wiki:
            wanted = _normal((parent / target).as_posix())
            direct = tuple(each for each in named if wanted in _names(each))
            if direct or target.startswith("."):
                return direct
        if "/" in target:
            tail = target.strip("/")
            return tuple(each for each in named if any(f"/{name}".endswith(f"/{tail}") for name in _names(each)))
        return named

    def leads_nowhere(self, source: str, link: NoteLink) -> bool:
        """Whether there is no such file; a folder of the root is something too."""
        if self.candidates(source, link):
            return False
        root, _ = self.notes[source]
        return not (link.target.endswith("/") or _key(link.target) in self._folders(root))

    def _folders(self, root: str) -> frozenset[str]:
        return self._folders_of.get(root, frozenset())

    @cached_property
    def _folders_of(self) -> dict[str, frozenset[str]]:
        return {
            root: frozenset(parent.as_posix().casefold() for path in paths for parent in PurePosixPath(path).parents)
            for root, paths in self.files.items()
        }

    def nearest(self, source: str, link: NoteLink) -> tuple[str, ...]:
        """The notes whose names differ from a link's only in case, spaces and punctuation, or by a slip of the pen."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        root, _ = self.notes[source]
        wanted = plain(min(_names(PurePosixPath(link.target).name), key=len))
        slips = len(wanted) // _LETTERS_A_SLIP
        found = process.extract(wanted, self._plain_names(root), scorer=OSA.distance, score_cutoff=slips, limit=None)
        least = min((distance for _, distance, _ in found), default=0)
        return tuple(sorted({self._plain_of[root][name] for name, distance, _ in found if distance == least}))

    def _plain_names(self, root: str) -> tuple[str, ...]:
        return tuple(self._plain_of.get(root, {}))

    @cached_property
    def _plain_of(self) -> dict[str, dict[str, str]]:
        return {
            root: {plain(PurePosixPath(path).stem): path for path in paths if path.lower().endswith(_NOTE_SUFFIXES)}
            for root, paths in self.files.items()
        }


_LETTERS_A_SLIP = 5
"""A letter too many, missing, wrong or out of turn is a slip; longer names may hold more of them."""


def _key(target: str) -> str:
    return normalize("NFC", target.strip()).casefold()


def _names(path: str) -> Iterable[str]:
    """What a link may call a file: its name, for a note also without its suffix."""
    name = _key(path)
    yield name
    suffix = next((suffix for suffix in _NOTE_SUFFIXES if name.endswith(suffix)), "")
    if suffix:
        yield name.removesuffix(suffix)


def _normal(path: str) -> str:
    parts: list[str] = []
    for part in path.casefold().split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/".join(parts)
