"""What Obsidian adds to the blocks of Markdown, as rules for markdown-it: comments, formulas, footnotes.

Also CommonMark's link definitions, narrowed: `[2025-08-21]: calm` and `[idea]: buy milk` are no addresses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tasks.parsers.date_headings import is_date_heading

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock

_FOOTNOTE = re.compile(r"\[\^([^\s\]]+)\]:[ \t]*")
_DEFINITION = re.compile(
    r"\[(?!\^)([^\[\]\n]{1,999})\]:[ \t]*"
    r"(?:<[^<>\n]*>|[A-Za-z][\w+.-]*:\S+|(?:\.{1,2})?/\S+|#\S+|[^\s:]+\.[A-Za-z]\w{1,4}(?:[#?]\S*)?)"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*"
)


def install(markdown: MarkdownIt) -> None:
    """Adds the rules. Only those with a clear mark may end a paragraph."""
    ends_paragraph: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    ruler = markdown.block.ruler
    ruler.before("fence", "comment", _comment, ends_paragraph)
    ruler.before("fence", "math", _math, ends_paragraph)
    ruler.before("reference", "footnote", _footnote, ends_paragraph)
    ruler.at("reference", _definition)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _fenced(state: StateBlock, mark: str, first: int, end: int) -> int:
    """The line after a passage that begins with the mark and ends with it at the end of a line, else 0."""
    if state.is_code_block(first) or not (opening := _line(state, first).rstrip()).startswith(mark):
        return 0
    if mark in opening[2:]:
        return first + 1 if opening.find(mark, 2) == len(opening) - 2 else 0
    for line in range(first + 1, end):
        text = _line(state, line).rstrip()
        if mark in text:
            return line + 1 if text.find(mark) == len(text) - 2 else 0
    return 0


def _comment(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    after = _fenced(state, "%%", first, end)
    if after and not silent:
        state.line = after
    return bool(after)


def _math(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    after = _fenced(state, "$$", first, end)
    if after and not silent:
        state.push("math_block", "", 0).content = state.getLines(first, after, state.blkIndent, keepLastLF=False)
        state.line = after
    return bool(after)


def _definition(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    from markdown_it.rules_block import reference

    match = _DEFINITION.fullmatch(_line(state, first))
    return match is not None and not is_date_heading(match[1]) and reference(state, first, end, silent)


def _footnote(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """A footnote's text: its line and the indented ones that follow, as blocks between two tokens of its own."""
    match = None if state.is_code_block(first) else _FOOTNOTE.match(_line(state, first))
    if match is None or silent:
        return match is not None
    state.env.setdefault("footnotes", set()).add(match[1])
    state.push("footnote_block_open", "", 1).content = match[1]
    mark, shift, count = state.bMarks[first], state.tShift[first], state.sCount[first]
    parent, state.parentType = state.parentType, "footnote"
    state.bMarks[first], state.tShift[first] = mark + shift + match.end(), 0
    state.blkIndent += 4
    state.sCount[first] = state.blkIndent
    state.md.block.tokenize(state, first, end)
    state.blkIndent -= 4
    state.bMarks[first], state.tShift[first], state.sCount[first] = mark, shift, count
    state.parentType = parent
    state.push("footnote_block_close", "", -1)
    return True
