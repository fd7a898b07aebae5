"""Mailboxes cut into messages (RFC 4155 and its variants): a line "From …" after a blank one begins each.

Programs write ">From" for lines of a message that begin so; some do not, so the line below must be a header, and the
line itself name a date or that header be one of those that mail has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FROM_LINE = re.compile(rb"\nFrom ")
_BEGINNING = re.compile(rb"From (?P<line>[^\r\n]{0,500})\r?\n(?P<below>>?From |[!-9;-~]{1,100}:)")
_DATE_AND_HOUR = re.compile(rb"\d{1,2}:\d{2}(?::\d{2})?.*\b(?:19|20)\d{2}\b|\b(?:19|20)\d{2}\b.*\d{1,2}:\d{2}")
_HEADER = re.compile(
    rb"(?:>?From |(?:return-path|received|date|from|to|subject|message-id|mime-version|content-type|delivered-to|status"
    rb"|x-[!-9;-~]*|envelope-to|reply-to|sender|in-reply-to|references|lines):)",
    re.IGNORECASE,
)
_ESCAPED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_WEEKDAY = re.compile(rb"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*")
_APPLE_LENGTH = re.compile(rb"\A[ \t]*(\d{1,10})[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class MailboxItem:
    """The bytes of a message, and the date of the line above it in a mailbox."""

    data: bytes
    date: str = ""


def find_message_spans(data: bytes) -> list[tuple[int, int]]:
    """Where each message of a mailbox begins, its "From" line included, and ends; none where it is no mailbox."""
    starts = [0] if begins_mailbox(data) else []
    for line_begin in _FROM_LINE.finditer(data):
        start = line_begin.start() + 1
        is_after_blank = data[start - 2 : start - 1] == b"\n" or data[start - 3 : start - 1] == b"\n\r"
        if (match := _BEGINNING.match(data, start)) and _is_beginning(match, is_after_blank=is_after_blank):
            starts.append(start)
    return list(zip(starts, [*starts[1:], len(data)], strict=True))


def _is_beginning(match: re.Match[bytes], *, is_after_blank: bool) -> bool:
    """Whether a line begins a message; without a blank line above it must have all the marks of one."""
    marks = (_DATE_AND_HOUR.search(match["line"]) is not None, _HEADER.match(match["below"]) is not None)
    return any(marks) if is_after_blank else all(marks)


def begins_mailbox(data: bytes) -> bool:
    """Whether a file begins as a mailbox."""
    match = _BEGINNING.match(data)
    return match is not None and _is_beginning(match, is_after_blank=True)


def make_mailbox_item(data: bytes) -> MailboxItem:
    """A message of a mailbox without its "From" line and with its lines as they were."""
    line, _, message_data = data.partition(b"\n")
    if message_data.startswith((b"From ", b">From ")):
        message_data = message_data.partition(b"\n")[2]
    date = _WEEKDAY.search(line)
    return MailboxItem(
        _ESCAPED_FROM.sub(rb"\1", message_data), date[0].decode("ascii", "replace").strip() if date else ""
    )


def make_single_item(data: bytes) -> MailboxItem:
    """The message of a file that holds one: Apple Mail writes its length above it, and its own notes below."""
    data = data.lstrip(b"\xef\xbb\xbf\r\n")
    match = _APPLE_LENGTH.match(data)
    if match is None:
        return make_mailbox_item(data) if data.startswith(b"From ") else MailboxItem(data)
    start = match.end()
    return MailboxItem(data[start : start + int(match[1])])


def split_mailbox(data: bytes) -> list[MailboxItem]:
    """The messages of a mailbox."""
    return [make_mailbox_item(data[start:end]) for start, end in find_message_spans(data)]
