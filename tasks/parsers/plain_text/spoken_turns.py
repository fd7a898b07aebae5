"""Talks with speakers' names on separate lines: earnings calls, interviews, hearings, records of meetings.

The name is put before the words, "Priya Raman: Gross margin was 42.3%", as in subtitles and chats, so that passages and
quotations have their speaker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tasks.parsers.assembly import Assembly, BlockContent
from warehouse.records import BlockKind, Kind

_PARTICLE = r"(?:de|da|di|del|della|der|den|du|la|le|van|von|ter|bin|al|el|y|e)"
_NAME_WORD = r"(?:[A-ZÀ-ÞŐŰŠŽČĆ][\w'’.-]*)"
_NAME = rf"{_NAME_WORD}(?: (?:{_NAME_WORD}|{_PARTICLE})){{0,4}}"
_LABEL = re.compile(rf"(?P<name>{_NAME})(?P<role>,? ?(?:--|[-–—|,(]) ?[^.!?:;]{{2,90}}?\)?)?:?")
"""A name, optionally with the person's role after a dash, comma or bracket."""
_NON_NAME = re.compile(
    r"(?<!\bJr)(?<!\bSr)\.\Z|\b(?:and|of|for|the|to|in|on|with|by|copyright|note|section|chapter|table)\b",
    re.IGNORECASE,
)
"""The end of a sentence, and words of headings."""
_ROLES = frozenset({"operator", "moderator", "interviewer", "host", "chairman", "chairwoman", "unidentified analyst"})
"""Names of speakers that occur only in talks."""
_CALL_PART = re.compile(
    r"(?:questions?[ -]and[ -]answers?|q ?& ?a)(?: session| section)?|prepared remarks|presentation|call participants"
    r"|(?:(?:company|corporate|conference call|meeting|other) )?participants|attendees",
    re.IGNORECASE,
)
_CALL = re.compile(r"\b(?:earnings|results)\b.{0,40}\b(?:call|conference|webcast|transcript)\b", re.IGNORECASE)
_BEGINNING_LENGTH = 600  # Characters of a talk that announce it.
_PART_LEVEL = 2
_MAX_LENGTH = 110  # Characters of a line with a name and a role.
_MIN_TURNS, _MIN_SPEAKERS = 4, 2
_MIN_SPOKEN_SHARE = 0.5  # The share of a talk's characters that are below the first name.
_TEXT_KINDS = (BlockKind.PARAGRAPH, BlockKind.LIST)


def join_speakers(assembly: Assembly) -> Assembly:
    """The content of an assembly with each name before the speaker's words, if it is a talk; else the assembly itself.

    The names of the parts of a call are headings.
    """
    blocks = assembly.contents
    turns = _find_turns(blocks)
    if not turns:
        return assembly
    talk = Assembly()
    for place, block in enumerate(blocks):
        words = block.text.strip()
        if place in turns:
            continue
        if place - 1 in turns:
            talk.add(BlockKind.PARAGRAPH, f"{_parse_name(blocks[place - 1].text)}: {words}")
        elif block.kind is BlockKind.PARAGRAPH and _CALL_PART.fullmatch(words):
            talk.add_heading(words, _PART_LEVEL)
        else:
            talk.add_block_content(block)
    return talk


def choose_talk_kind(assembly: Assembly) -> Kind:
    """A report where the first lines announce a call on results, else a text."""
    return Kind.REPORT if _CALL.search("\n".join(assembly.list_beginning(_BEGINNING_LENGTH))) else Kind.TEXT


def _parse_name(line: str) -> str:
    """The name on a line with only a name and optionally a role; empty for other lines."""
    match = _LABEL.fullmatch(line.strip()) if len(line) <= _MAX_LENGTH and "\n" not in line else None
    return match["name"] if match and not _NON_NAME.search(match["name"]) else ""


def _find_turns(blocks: Sequence[BlockContent]) -> set[int]:
    """The indexes of the blocks that name the speaker of the blocks after them; none if it is no talk."""
    names = [
        ""
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING) or _CALL_PART.fullmatch(block.text.strip())
        else _parse_name(block.text).lower()
        for block in blocks
    ]
    turns = {
        place
        for place in range(len(names) - 1)
        if names[place] and not names[place + 1] and blocks[place + 1].kind in _TEXT_KINDS
    }
    counts = Counter(names[place] for place in turns)
    known_names = counts.keys() if _ROLES & counts.keys() else {name for name, count in counts.items() if count > 1}
    known_turns = {place for place in turns if names[place] in known_names}
    speakers = {names[place] for place in known_turns}
    # Repeated headings of one word, "Details", are no names unless an operator or a host speaks too.
    full_names = speakers if _ROLES & speakers else {name for name in speakers if " " in name}
    if len(known_turns) < _MIN_TURNS or len(full_names) < _MIN_SPEAKERS:
        return set()
    sizes = [len(block.text) for block in blocks]
    return known_turns if sum(sizes[min(known_turns) :]) >= _MIN_SPOKEN_SHARE * sum(sizes) else set()
