"""Mails saved as files (.eml, Apple's .emlx): one message with what is attached to it."""

from __future__ import annotations

import re

from tasks.parsers import refusals
from tasks.parsers.decoder import decode_head
from tasks.parsers.mail.mail_writer import build_mail_document
from tasks.parsers.mail.mailbox_file import make_single_item
from tasks.parsers.mail.message_reader import read_message
from tasks.parsers.parser_contract import Raw, Signature
from warehouse.message_notation import MESSAGE
from warehouse.records import Document

_BEGINNING = re.compile(r"\A[\ufeff\s]*(?:\d{1,10}[ \t]*\r?\n)?[!-9;-~]{1,76}:[^\n]*\n(?:[ \t]|[!-9;-~]{1,76}:)")
_NAME = re.compile(r"^([!-9;-~]{1,76}):", re.MULTILINE)
_OF_MAIL = frozenset({"from", "to", "date", "subject", "message-id", "received", "mime-version", "return-path"})
_OF_TRANSPORT = frozenset({"message-id", "received", "mime-version", "return-path", "delivered-to", "dkim-signature"})
"""Headers that programs write, and no person at the head of a note."""
_FEWEST = 3


def _find_header_names(raw: Raw) -> frozenset[str]:
    """The names of the headers that a file begins with."""
    beginning = decode_head(raw.data).replace("\r\n", "\n").lstrip("\ufeff\n")
    return frozenset(name.lower() for name in _NAME.findall(beginning.partition("\n\n")[0]))


class Eml:
    """The message, and those that only it quotes, each with its sender and day."""

    version = 5
    media_type = MESSAGE
    suffixes: tuple[str, ...] = (".eml", ".emlx")
    heavy = True
    signature: Signature | None = Signature(
        text=_BEGINNING,
        confirms=lambda raw: (
            bool(_OF_TRANSPORT & (names := _find_header_names(raw))) and len(_OF_MAIL & names) >= _FEWEST
        ),
    )

    def measure_likeness(self, raw: Raw) -> float:
        """With a suffix of its own any text that begins with a header of mail; other files have the signature."""
        return 1.0 if raw.suffix in self.suffixes and _OF_MAIL & _find_header_names(raw) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where nothing of the message can be read, or the bytes are none."""
        if not _find_header_names(raw) and raw.data[:1] not in (b"F", b"\xef", *(b"%d" % digit for digit in range(10))):
            raise refusals.unknown(raw.data)
        message = read_message(make_single_item(raw.data))
        return build_mail_document([message], self.media_type, title=message.subject)


member = Eml()
