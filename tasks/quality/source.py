"""The source of a note by lines, with what is no prose blanked out so that every place stays where it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})")
_INLINE_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)[^\n]{0,400}?(?<!`)\1(?!`)")
_COMMENTS = (("<!--", "-->"), ("%%", "%%"))
_VISIBLE = re.compile(r"[^\n]")


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers from 1."""
    return enumerate(text.split("\n"), 1)


def without_code(raw: str) -> str:
    """The source with spaces in place of code and comments."""
    text = without_fences(raw)
    for opening, closing in _COMMENTS:
        text = _without_comments(text, opening, closing)
    return without_inline_code(text)


def without_inline_code(text: str) -> str:
    """The source with spaces in place of `code` within lines."""
    return _INLINE_CODE.sub(_blank, text)


def without_fences(raw: str) -> str:
    """The source with spaces in place of fenced code; a fence that nothing closes reaches to the end."""
    lines, fence = [], ""
    for _, line in lines_of(raw):
        found = _FENCE.match(line)
        opens = found is not None and not fence
        closes = found is not None and bool(fence) and found[1].startswith(fence)
        lines.append(" " * len(line) if fence or opens else line)
        if found is not None and opens:
            fence = found[1]
        elif closes:
            fence = ""
    return "\n".join(lines)


def _without_comments(text: str, opening: str, closing: str) -> str:
    """What nothing closes is no comment."""
    parts, position = [], 0
    while (start := text.find(opening, position)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        parts += [text[position:start], _VISIBLE.sub(" ", text[start : end + len(closing)])]
        position = end + len(closing)
    return "".join((*parts, text[position:]))


def _blank(match: re.Match[str]) -> str:
    return _VISIBLE.sub(" ", match[0])
