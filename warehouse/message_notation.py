"""Notation of messages in texts: the headings above each message of a mail or mailbox, written and read.

    Pump pressure                             level 1: the subject of a message, or of a thread of them
    2025-03-12 14:05, Anna Weber              level 2: a message, by its sender's own day and hour
    2025-03-10, Tom Okafor (quoted)           level 2: a message that is only known from a quotation in another one
    undated, Tom Okafor                       level 2: a message without a date

Headings inside messages have deeper levels. The time of a passage and the sender in its citation are read only from
these headings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from enum import StrEnum

MESSAGE = "message/rfc822"
MAILBOX = "application/mbox"
OUTLOOK_MESSAGE = "application/vnd.ms-outlook"
MAIL = frozenset({MESSAGE, MAILBOX, OUTLOOK_MESSAGE})
"""The media types of documents that are made of messages."""
SUBJECT_LEVEL, MESSAGE_LEVEL = 1, 2
_UNDATED, _UNKNOWN_SENDER = "undated", "unknown sender"
_MAX_SENDER_LENGTH = 80  # Characters of a sender in a heading.
_HEADING = re.compile(
    r"(?:(?P<day>\d{4}-\d\d-\d\d)(?: (?P<hour>\d\d:\d\d))?|undated), (?P<sender>.*?)"
    r"(?: \((?P<role>quoted|attached)\))?",
    re.DOTALL,
)


class MessageRole(StrEnum):
    """How a message is contained in its document."""

    OWN = ""
    QUOTED = "quoted"
    ATTACHED = "attached"


@dataclass(frozen=True, slots=True)
class MessageHeading:
    """The content of a message's heading: the sender's local day and hour, as far as they are known, and the sender."""

    day: date | None
    hour: time | None = None
    sender: str = ""
    role: MessageRole = MessageRole.OWN

    @property
    def words(self) -> str:
        """The heading as it is in the text."""
        moment = self.day.isoformat() if self.day else _UNDATED
        if self.day and self.hour:
            moment = f"{moment} {self.hour:%H:%M}"
        sender = " ".join(self.sender.split())
        sender = sender if len(sender) <= _MAX_SENDER_LENGTH else f"{sender[: _MAX_SENDER_LENGTH - 1].rstrip()}…"
        role = f" ({self.role})" if self.role else ""
        return f"{moment}, {sender or _UNKNOWN_SENDER}{role}"


def parse_message_heading(words: str) -> MessageHeading | None:
    """The content of a heading; None if it is not that of a message."""
    match = _HEADING.fullmatch(words)
    if match is None:
        return None
    try:
        day = date.fromisoformat(match["day"]) if match["day"] else None
        hour = time.fromisoformat(match["hour"]) if match["hour"] else None
    except ValueError:
        return None
    return MessageHeading(day, hour, match["sender"], MessageRole(match["role"] or ""))


def find_message(section: Sequence[str]) -> tuple[str, MessageHeading] | None:
    """The subject above a passage and the heading of its message, by its section path; None if there is none."""
    if len(section) < MESSAGE_LEVEL:
        return None
    heading = parse_message_heading(section[MESSAGE_LEVEL - 1])
    return (section[SUBJECT_LEVEL - 1], heading) if heading else None
