"""Which paths may name a note, before any file is touched.

Whatever a path is made of, it must lead down from the vault's root: nothing absolute, no way up however it is spelt
(Unicode's wide and small dots and slashes, https://unicode.org/reports/tr36/#Canonical_Represenation), no hidden place.
New names must moreover be ones that every system and Obsidian can keep.
"""

from __future__ import annotations

import re
from unicodedata import category, normalize

from flows.discovery import NO_TEXT, TEMPORARY, TURNING
from warehouse.errors import BadInput

NOTE = ".md"
_SEPARATORS = re.compile(r"[/\\]")
_DRIVE = re.compile(r"[A-Za-z]:")
_FORBIDDEN = frozenset('<>:"|?*')
_RESERVED = frozenset(
    {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(10))}
)
"""What Windows keeps for devices, whatever suffix follows."""
_BREAKS = frozenset({"Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")
"""Invisible, and parts of ordinary words and emoji."""
_LONGEST = 200
"""Bytes of a name; systems take 255, and a copy's number or a temporary's mark is added."""


def note_parts(source: str) -> tuple[str, ...]:
    """The folders and, last, the name of a note. Raises `BadInput` for a path that no note of a vault can have."""
    parts = folder_parts(source)
    if not parts or not parts[-1].lower().endswith(NOTE) or len(parts[-1]) == len(NOTE):
        raise BadInput(f"{_shown(source)} names no note", "give its path in the vault, like 'Projects/Plan.md'")
    return parts


def folder_parts(path: str) -> tuple[str, ...]:
    """The folders of a path, none for an empty one. Raises `BadInput` for one that might lead out of the vault."""
    parts = tuple(path.split("/")) if path else ()
    problem = next(filter(None, map(_problem, parts)), "")
    if not problem and parts and _DRIVE.match(normalize("NFKC", parts[0])):
        problem = "begins with a drive"
    if problem:
        raise BadInput(f"{_shown(path)} {problem}", "give a path within the vault, like 'Projects/Plan.md'")
    return parts


def check_new(parts: tuple[str, ...]) -> None:
    """Raise `BadInput` for a name that some system, or Obsidian, could not keep or would show as another."""
    for part in parts:
        problem = _unfit(part)
        if problem:
            raise BadInput(f"{_shown(part)} cannot name a note or folder: {problem}", "choose another name")


def _problem(part: str) -> str:
    plain = "".join(each for each in normalize("NFKC", part) if category(each) != "Cf")
    if not plain.strip():
        return "is absolute or has a folder without a name"
    if any(category(each) in NO_TEXT | _BREAKS or each in TURNING for each in part):
        return "holds characters that are no text"
    if "\\" in part:
        return "has a backslash"
    if any("." in piece and not piece.strip(". ") for piece in _SEPARATORS.split(plain)):
        return "leads up, or looks as if it did"
    return "is hidden" if part.startswith(".") else ""


def _unfit(part: str) -> str:
    stem = part[: -len(NOTE)] if part.lower().endswith(NOTE) else part
    if stem != stem.strip() or stem.endswith("."):
        return "it begins or ends with a space, or ends with a dot"
    if _FORBIDDEN & set(part):
        return f"it has one of {' '.join(sorted(_FORBIDDEN))}"
    if any(category(each) == "Cf" and each not in _JOINERS for each in part):
        return "it has invisible characters"
    if normalize("NFKC", stem).partition(".")[0].strip().upper() in _RESERVED:
        return "Windows keeps it for a device"
    if part.startswith(TEMPORARY) or part.endswith("~"):
        return "it is that of a temporary file"
    return "it is too long" if len(part.encode()) > _LONGEST else ""


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
