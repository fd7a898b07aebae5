"""The words that the inside of a Markdown block shows, and what they point to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tasks.parsers.notes.html import is_address, plain
from tasks.parsers.notes.wikilinks import SIZE

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

_BARE_ADDRESS = re.compile(r"https?://[^\s<>\"'`|]*[^\s<>\"'`|.,;:!?)\]}*_]")
_FIELD = re.compile(
    r"(?:^|(?P<open>[\[(]))(?P<key>[^\W\d][\w -]{0,60})::[ \t]+(?P<value>(?(open)[^\])\n]+|[^\n]+))", re.MULTILINE
)
_VERBATIM = frozenset(["code_inline", "math", "footnote", "comment", "block_id"])


@dataclass(slots=True)
class InlineMarkup:
    """What a note points to, in order: notes and addresses; its tags, without "#"; its fields; its first heading.

    `fields` are Dataview's `key:: value`, the first of each name. `title` is the heading at level 1 that begins it.
    """

    links: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    title: str = ""

    def note_fields(self, text: str) -> None:
        """Notes the fields in a paragraph."""
        for match in _FIELD.finditer(text):
            self.fields.setdefault(match["key"].strip().lower(), match["value"].strip())


def words_of(node: SyntaxTreeNode, found: InlineMarkup) -> str:
    """The words, without the marks of Markdown, Obsidian and HTML; code and formulas as they are written."""
    kind = node.type
    if kind in ("softbreak", "hardbreak"):
        return "\n"
    if kind in _VERBATIM:
        return node.content
    if kind == "text":
        found.links.extend(match[0] for match in _BARE_ADDRESS.finditer(node.content))
        return node.content
    if kind == "tag":
        found.tags.append(node.content.strip("#/"))
        return node.content
    if kind == "html_inline":
        return plain(node.content, found.links)
    return _link(node, found)


def _link(node: SyntaxTreeNode, found: InlineMarkup) -> str:
    """A link, a picture, or whatever holds other marks."""
    address = node.meta.get("target") or node.attrs.get("href") or node.attrs.get("src")
    if address and is_address(str(address)):
        found.links.append(unquote(str(address)))
    if node.type == "wikilink":
        return node.content
    if node.type == "image":
        return SIZE.sub("", node.content)
    inner = InlineMarkup(tags=found.tags) if address else found
    return "".join(words_of(child, inner) for child in node.children)
