"""Text from outside made harmless."""

from __future__ import annotations

import re
from html import escape

_WEB = re.compile(r"https?://[^\s<>\"'\\^`{|}\x00-\x20]+", re.IGNORECASE)
_SIGN = re.compile(r"[!-/:-@\[-`{-~]")
_ADDRESS = re.compile(r"https?|www|@", re.IGNORECASE)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def text_html(text: str) -> str:
    """Text as HTML that shows exactly it, with its writing direction kept to itself."""
    return f"<bdi>{escape(text)}</bdi>"


def markdown_label(text: str, longest: int = 80) -> str:
    """Text on one line for a label, which Streamlit reads as Markdown: every sign that could mean something is escaped.

    An address gets a word joiner, for Markdown finds addresses after it has read the escapes.
    """
    line = " ".join(text.split())
    cut = line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
    return _ADDRESS.sub("\\g<0>\u2060", _SIGN.sub(r"\\\g<0>", cut)) or "–"


def web_link(url: str) -> str:
    """The address if it leads to the web, else nothing: what a document calls a link may be a script or a file."""
    return url if _WEB.fullmatch(url) else ""


def csv_cell(text: str) -> str:
    """Text that a spreadsheet will not run as a formula (OWASP, CSV Injection)."""
    return f"'{text}" if text.startswith(_FORMULA) else text
