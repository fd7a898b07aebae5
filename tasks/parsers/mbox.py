"""Mailboxes (.mbox): messages of many days in one file, in the order of their threads (RFC 4155).

Messages are the pages of this format: several processes read them, and one that cannot be read, or is too slow, is lost
without the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.parsers import refusals
from tasks.parsers.mail.mail_writer import build_mail_document
from tasks.parsers.mail.mailbox_file import begins_mailbox, find_message_spans, make_mailbox_item
from tasks.parsers.mail.message_reader import MailMessage, read_message
from tasks.parsers.parser_contract import Raw, Signature, parse_pages
from warehouse.message_notation import MAILBOX
from warehouse.records import Document, Finding


@dataclass(frozen=True, slots=True)
class LostMessage:
    """A message that could not be read."""

    finding: Finding


class OpenMailbox:
    """The messages of a mailbox as pages."""

    front = None

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._spans = find_message_spans(data)

    @property
    def count(self) -> int:
        """The number of messages."""
        return len(self._spans)

    def read(self, number: int) -> MailMessage:
        """Message `number`, from 1, as stored in the file. Raises `UnreadableFile`."""
        start, end = self._spans[number - 1]
        return read_message(make_mailbox_item(self._data[start:end]))

    def close(self) -> None:
        """Releases the bytes."""
        self._data = b""


class Mbox:
    """Threads of messages; each message is an entry of its day."""

    version = 5
    media_type = MAILBOX
    suffixes: tuple[str, ...] = (".mbox", ".mbx")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\AFrom "), confirms=lambda raw: begins_mailbox(raw.data)
    )

    def open(self, raw: Raw) -> OpenMailbox:
        """Raises `UnreadableFile` where no message is in it."""
        mailbox = OpenMailbox(raw.data)
        if not mailbox.count:
            raise refusals.damaged("mailbox", "no line in it begins a message")
        return mailbox

    def make_lost_page(self, number: int, why: str) -> LostMessage:
        """A message that could not be read."""
        return LostMessage(refusals.report_lost_part(f"message {number} of the mailbox", why))

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where no message can be read."""
        return parse_pages(self, raw)

    def join(self, front: None, pages: Sequence[MailMessage | LostMessage]) -> Document:
        """The document of all messages; copies of a message are left out."""
        messages = dict.fromkeys(page for page in pages if isinstance(page, MailMessage))
        findings = [page.finding for page in pages if isinstance(page, LostMessage)]
        copies = sum(isinstance(page, MailMessage) for page in pages) - len(messages)
        if copies:
            findings.append(refusals.report_copies(copies))
        return build_mail_document(list(messages), self.media_type, findings=findings)


member = Mbox()
