"""Mails saved as files (.eml, Apple's .emlx): one message with its attachments.

A page that a browser or Word saved with its pictures in one file (MHTML) has the form of a mail and is read as a page.
"""

from __future__ import annotations

import re

from tasks.parsers import refusals
from tasks.parsers.decoder import decode_head
from tasks.parsers.html import member as web_page
from tasks.parsers.mail.mail_writer import build_mail_document
from tasks.parsers.mail.mailbox_file import make_single_item
from tasks.parsers.mail.message_reader import read_message
from tasks.parsers.mail.mime_parts import find_saved_page
from tasks.parsers.parser_contract import Raw, Signature
from warehouse.message_notation import MESSAGE
from warehouse.records import Document

_BEGINNING = re.compile(r"\A[\ufeff\s]*(?:\d{1,10}[ \t]*\r?\n)?[!-9;-~]{1,76}:[^\n]*\n(?:[ \t]|[!-9;-~]{1,76}:)")
_NAME = re.compile(r"^([!-9;-~]{1,76}):", re.MULTILINE)
_MAIL_HEADERS = frozenset({"from", "to", "date", "subject", "message-id", "received", "mime-version", "return-path"})
_SENT_HEADERS = frozenset({"message-id", "received", "mime-version", "return-path", "delivered-to", "dkim-signature"})
"""Headers that programs write, and nobody writes at the beginning of a note."""
_MIN_HEADERS = 3  # Headers of mail that a file begins with.
_PAGE_SUFFIXES = (".mhtml", ".mht")
_SAVED_PAGE = re.compile(r"^(?:snapshot-content-location:|from:[ \t]*\"?<?saved by )", re.IGNORECASE | re.MULTILINE)
"""The header of Chromium, and the sender of other browsers, in a saved page."""


def _get_headers(raw: Raw) -> str:
    """The headers that a file begins with."""
    return decode_head(raw.data).replace("\r\n", "\n").lstrip("\ufeff\n").partition("\n\n")[0]


def _find_header_names(raw: Raw) -> frozenset[str]:
    return frozenset(name.lower() for name in _NAME.findall(_get_headers(raw)))


class Eml:
    """The message, and quoted ones that are not in the file, each with its sender and day."""

    version = 8
    media_type = MESSAGE
    suffixes: tuple[str, ...] = (".eml", ".emlx", *_PAGE_SUFFIXES)
    heavy = True
    signature: Signature | None = Signature(
        text=_BEGINNING,
        confirms=lambda raw: (
            bool(_SENT_HEADERS & (names := _find_header_names(raw))) and len(_MAIL_HEADERS & names) >= _MIN_HEADERS
        ),
    )

    def measure_confidence(self, raw: Raw) -> float:
        """Any text with a suffix of mail that begins with a header of mail; other files have the signature."""
        return 1.0 if raw.suffix in self.suffixes and _MAIL_HEADERS & _find_header_names(raw) else 0.0

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` if nothing of the message can be read, or the bytes are no message."""
        if not _find_header_names(raw) and raw.data[:1] not in (b"F", b"\xef", *(b"%d" % digit for digit in range(10))):
            raise refusals.unknown(raw.data)
        if raw.suffix in _PAGE_SUFFIXES or _SAVED_PAGE.search(_get_headers(raw)):
            page = find_saved_page(raw.data)
            if page is None:
                raise refusals.truncated("saved page")
            if page:
                return web_page.parse(Raw(raw.name, page))
        message = read_message(make_single_item(raw.data))
        return build_mail_document([message], self.media_type, title=message.subject)


member = Eml()
