"""Corrections of a note's source that have only one right way.

Broken links to a name with exactly one candidate, front matter (spaces for tabs, quotes around values with colons, a
space after the colon, a missing end, empty lines before it), headings without a space, and rules of stars. A second
correction changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from tasks.parsers.notes.properties import split_front_matter
from tasks.quality.note_links import LinkTargets, NoteLink, make_note_digest, without_fences

_KEY = re.compile(r"\A([A-Za-z][\w -]{0,60}):(?=[^\s/:])")
_BLOCK = re.compile(r"[^#]*[:-][ \t]+[|>][-+0-9]{0,2}[ \t]*")
_COLON_IN_VALUE = re.compile(r"(\s*(?:- )?[A-Za-z][\w -]{0,60}: )([^\s'\"\[{|>&*#-][^'\"#]*: [^'\"#]*)")
_PROPERTY = re.compile(r"[A-Za-z][\w -]{0,60}:(?:\s|$)|\s+\S|- \S")
_HEADING = re.compile(r"#{2,6}(?=[^#\s])|#(?=[^#\s]\S* )")
_STARS = re.compile(r"\s{0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_FENCE = "---"

FRONT_MATTER = frozenset({"DOC008", "VLT101", "VLT102"})
LINKS, HEADINGS, RULES = "VLT001", "VLT123", "VLT126"
MENDABLE = FRONT_MATTER | {LINKS, HEADINGS, RULES}  # The rules whose findings can be mended.


def mend_note(raw: str, source: str, codes: Collection[str], links: LinkTargets) -> str:
    """The source of a note with the faults of `codes` corrected if that is safe; `raw` has the line ends of Unix."""
    text = _mend_front_matter(raw) if FRONT_MATTER & set(codes) else raw
    if LINKS in codes:
        text = _mend_links(text, source, links)
    if HEADINGS in codes:
        text = _mend_headings(text)
    return _mend_rules(text) if RULES in codes else text


def _mend_links(text: str, source: str, links: LinkTargets) -> str:
    """Correct links from the last to the first, so that positions stay valid."""
    lines = text.split("\n")
    for link in reversed(make_note_digest(text).links):
        candidates = links.find_nearest(source, link) if links.is_broken(source, link) else ()
        if link.wiki and len(candidates) == 1:
            path = PurePosixPath(candidates[0])
            # The note's own name if that is enough to find it, else its path.
            is_enough = links.find_candidates(source, NoteLink(path.stem, "", link.line, link.column)) == candidates
            name = path.stem if is_enough else path.with_suffix("").as_posix()
            line, index = lines[link.line - 1], link.column - 1
            lines[link.line - 1] = line[:index] + line[index:].replace(link.target, name, 1)
    return "\n".join(lines)


def _mend_front_matter(raw: str) -> str:
    """The source with front matter that can be read; unchanged if it could be before or cannot be corrected."""
    mark = "\ufeff" * raw.startswith("\ufeff")
    text = raw.lstrip("\ufeff\n ")
    if not text.startswith(f"{_FENCE}\n"):
        return raw
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines[1:], 1) if line.strip() in (_FENCE, "...")), 0)
    if end and split_front_matter(text).properties and not split_front_matter(text).problem:
        return mark + text
    stop = end or next((number for number, line in enumerate(lines[1:], 1) if not _PROPERTY.match(line)), len(lines))
    head = list(_mend_properties(lines[1:stop]))
    remaining_lines = lines[stop:] if end else [_FENCE, *lines[stop:]]
    new_text = "\n".join([_FENCE, *head, *remaining_lines])
    front_matter = split_front_matter(new_text)
    return mark + new_text if front_matter.properties and not front_matter.problem else raw


def _mend_properties(lines: Sequence[str]) -> Iterator[str]:
    """The lines of front matter, each corrected by itself; those of a block of text (`|` or `>`) unchanged."""
    block: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if block is not None and (indent > block or not line.strip()):
            yield line
            continue
        mended_line = line[:indent].replace("\t", "  ") + line.lstrip()
        new_line = _KEY.sub(r"\1: ", mended_line)
        if match := _COLON_IN_VALUE.fullmatch(new_line):
            value = match[2].rstrip().replace("\\", "\\\\")
            new_line = f'{match[1]}"{value}"'
        yield new_line
        block = indent if _BLOCK.fullmatch(line) else None


def _mend_headings(text: str) -> str:
    plain_lines = without_fences(text).split("\n")
    lines = text.split("\n")
    return "\n".join(
        _HEADING.sub(r"\g<0> ", line, count=1) if _HEADING.match(plain_line) else line
        for line, plain_line in zip(lines, plain_lines, strict=True)
    )


def _mend_rules(text: str) -> str:
    """Only below text and an empty line: hyphens directly below text make it a heading, at the top properties."""
    plain_lines = without_fences(text).split("\n")
    lines = text.split("\n")
    first = next((index for index, line in enumerate(lines) if line.strip(" \ufeff")), len(lines))
    for index in range(first + 1, len(lines)):
        if _STARS.fullmatch(plain_lines[index]) and plain_lines[index].strip() and not lines[index - 1].strip():
            lines[index] = _FENCE
    return "\n".join(lines)
