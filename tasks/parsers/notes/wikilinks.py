"""Obsidian's `[[Note#Heading|Alias]]` and `![[embed]]` as a rule for markdown-it: they become the words they show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

WIKILINK = re.compile(r"!?\[\[([^\[\]|#\n]*)(#[^\[\]|\n]*)?(?:\\?\|([^\[\]\n]*))?\]\]")
SIZE = re.compile(r"(?:\A|\|)\s*\d+(?:x\d+)?\s*\Z")
"""The width, or width and height, that ends the text of a picture."""


def link_text(match: re.Match[str]) -> str:
    """The alias; without one the note's name, with " > " before a heading, as Obsidian shows it."""
    note, place, alias = match[1].strip(" \\"), (match[2] or "").strip(" \\#^"), (match[3] or "").strip()
    if match[0].startswith("!"):
        alias = SIZE.sub("", alias)
    return alias or " > ".join(filter(None, (note, *(part.strip() for part in re.split(r"#\^?", place)))))


def target(match: re.Match[str]) -> str:
    """The note that is linked to, without the place in it; nothing for a link inside the note itself."""
    return match[1].strip(" \\")


def install(markdown: MarkdownIt) -> None:
    """Adds the rule before Markdown's own links and images."""
    markdown.inline.ruler.before("image", "wikilink", _rule)
    markdown.inline.ruler.before("link", "wikilink_plain", _rule)


def _rule(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the signature of markdown-it's rules
    match = WIKILINK.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.content = link_text(match)
        token.meta = {"target": target(match)}
    state.pos = match.end()
    return True
