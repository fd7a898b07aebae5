"""What Obsidian adds to a line of Markdown, as rules for markdown-it: tags, comments, formulas, footnotes, highlights.

https://help.obsidian.md/obsidian-flavored-markdown. Each mark becomes a token whose `content` is what a reader sees.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.rules_inline.state_inline import Delimiter

_TAG = re.compile(r"#([\w/\-\u2600-\u27bf\U0001f000-\U0001faff]+)")
_BEFORE_TAG = " \t\n*_~="
_HEX = re.compile(r"(?=[a-fA-F]*\d)[\da-fA-F]+|([a-fA-F])\1+|(?:([a-fA-F])\2){3,4}")
_HEX_LENGTHS = (3, 4, 6, 8)
_MATH = re.compile(r"\$\$[^$]+\$\$|\$(?![\s$])(?:\\[^\n]|[^\\$\n])+(?<!\s)\$(?!\d)")
_FOOTNOTE = re.compile(r"\[\^([^\s\]]+)\]")
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+\s*\Z")
_ENDS_WITH_ID = re.compile(r"\s\^[A-Za-z0-9-]+\Z")
_HIGHLIGHT = ord("=")


def install(markdown: MarkdownIt) -> None:
    """Adds the rules; code comes before all of them."""
    ruler = markdown.inline.ruler
    for name, rule in (("tag", _tag), ("comment", _comment), ("math", _math), ("block_id", _block_id)):
        ruler.before("emphasis", name, rule)
    ruler.before("link", "footnote", _footnote)
    ruler.before("emphasis", "highlight", _highlight)
    markdown.inline.ruler2.before("fragments_join", "highlight", _without_marks)


def tag_at(text: str, position: int) -> re.Match[str] | None:
    """The tag that begins there: after white space, not all digits, no colour such as `#1a2b3c` or `#fff`."""
    match = _TAG.match(text, position)
    if match is None or (position and text[position - 1] not in _BEFORE_TAG):
        return None
    name = match[1].strip("/")
    colour = len(name) in _HEX_LENGTHS and _HEX.fullmatch(name)
    return None if colour or not re.search(r"[^\d/_-]", name) else match


def _tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the signature of markdown-it's rules
    match = tag_at(state.src, state.pos) if state.src[state.pos] == "#" else None
    if match is None or match.end() > state.posMax:
        return False
    return _taken(state, "tag", match[0], match.end(), silent=silent)


def _comment(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    if not state.src.startswith("%%", state.pos):
        return False
    end = state.src.find("%%", state.pos + 2, state.posMax)
    between_words = state.src[state.pos - 1 : state.pos] == state.src[end + 2 : end + 3] == " "
    return end > 0 and _taken(state, "comment", "", end + 2 + between_words, silent=silent)


def _math(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    match = _MATH.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "$" else None
    return match is not None and _taken(state, "math", match[0], match.end(), silent=silent)


def without_block_id(text: str) -> str:
    """The words of a heading without the id behind them, which every block below would repeat."""
    return _ENDS_WITH_ID.sub("", text)


def _block_id(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """`^id` behind a block, which links point to, is kept as it is written."""
    if state.src[state.pos] != "^" or (state.pos and not state.src[state.pos - 1].isspace()):
        return False
    match = _BLOCK_ID.match(state.src, state.pos, state.posMax)
    return match is not None and _taken(state, "block_id", match[0].rstrip(), match.end(), silent=silent)


def _footnote(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """`[^1]` is shown as `[1]` if there is such a footnote."""
    match = _FOOTNOTE.match(state.src, state.pos, state.posMax)
    if match is None or match[1] not in state.env.get("footnotes", ()):
        return False
    return _taken(state, "footnote", f"[{match[1]}]", match.end(), silent=silent)


def _taken(state: StateInline, kind: str, content: str, end: int, *, silent: bool) -> bool:
    if not silent:
        state.push(kind, "", 0).content = content
    state.pos = end
    return True


def _highlight(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Notes a `==`, which goes if another one closes it."""
    from markdown_it.rules_inline.state_inline import Delimiter

    if silent or not state.src.startswith("==", state.pos):
        return False
    run = state.scanDelims(state.pos, canSplitWord=True)
    state.push("text", "", 0).content = "=" * run.length
    if run.length == 2:
        place = len(state.tokens) - 1
        state.delimiters.append(Delimiter(_HIGHLIGHT, 0, place, -1, run.can_open, run.can_close))
    state.pos += run.length
    return True


def _without_marks(state: StateInline) -> None:
    groups = [state.delimiters, *(meta["delimiters"] for meta in state.tokens_meta if meta and "delimiters" in meta)]
    for delimiters in groups:
        for mark in delimiters:
            if mark.marker == _HIGHLIGHT and mark.end >= 0:
                _silence(state, mark)
                _silence(state, delimiters[mark.end])


def _silence(state: StateInline, mark: Delimiter) -> None:
    state.tokens[mark.token].content = ""
