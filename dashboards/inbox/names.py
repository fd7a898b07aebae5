"""Names of files that come from outside, made such that every system can keep them and no path is in them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from unicodedata import category, normalize

from dashboards.assistant.vault.note_paths import check_new
from warehouse.errors import BadInput

NAMELESS = "document"
_SIGNS = re.compile(r'[<>:"|?*]+')
_SPACES = re.compile(r"\s+")
_EDGES = " .~$#-"
_LONGEST = 150
"""Bytes of a name; a copy's number may be added."""


def safe_file_name(given: str) -> str:
    """The nearest name that can be kept: its last part, without signs that some system or a reader would take amiss."""
    last = re.split(r"[/\\]", normalize("NFC", given))[-1]
    seen = "".join(" " if character.isspace() else character for character in last)
    plain = "".join(character for character in seen if category(character)[0] != "C")
    tidy = _SPACES.sub(" ", _SIGNS.sub("-", plain)).strip(_EDGES)
    stem, suffix = _parts(tidy)
    name = _cut(stem, _LONGEST - len(suffix.encode())) + suffix
    return name if _fits(name) else f"{NAMELESS} {name}"


def _parts(name: str) -> tuple[str, str]:
    path = PurePosixPath(name or NAMELESS)
    suffix = path.suffix if len(path.suffix) <= 12 else ""
    return (path.name.removesuffix(suffix).strip(_EDGES) or NAMELESS), suffix


def _cut(text: str, most: int) -> str:
    return text.encode()[:most].decode("utf-8", "ignore").rstrip(_EDGES)


def _fits(name: str) -> bool:
    try:
        check_new((name,))
    except BadInput:
        return False
    return True
