"""Names of files for the names of documents."""

from __future__ import annotations

from urllib.parse import quote

from warehouse.identity import digest

LONGEST = 200
"""Bytes: file systems take 255, the suffix and what writes the file need some of them."""


def stem_of(name: str) -> str:
    """A file name without its suffix, another for each name: percent-encoded, a digest where that is too long.

    It begins with no dot, `~` or `#`, which would hide the file from an ingest.
    """
    # A dot is left as it is by percent-encoding; so is the tilde, by which editors mark what is temporary.
    encoded = quote(name, safe="", errors="replace").replace("~", "%7E")
    if encoded.startswith("."):
        encoded = f"%2E{encoded[1:]}"
    return encoded if len(encoded) <= LONGEST else digest(name)
