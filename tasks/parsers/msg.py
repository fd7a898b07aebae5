"""Messages saved by Outlook (.msg, .oft): one message with its attachments, read like those of mail."""

from __future__ import annotations

import re

from tasks.parsers.mail.mail_writer import build_mail_document
from tasks.parsers.mail.message_reader import read_outlook_message
from tasks.parsers.office.compound_file import COMPOUND, identify_compound
from tasks.parsers.parser_contract import Raw, Signature
from warehouse.message_notation import OUTLOOK_MESSAGE
from warehouse.records import Document


class Msg:
    """The message, attached ones, and quoted ones that are not in the file, each with its sender and day."""

    version = 4
    media_type = OUTLOOK_MESSAGE
    suffixes: tuple[str, ...] = (".msg", ".oft")
    heavy = True
    signature: Signature | None = Signature(
        magic=re.compile(rb"\A" + re.escape(COMPOUND[:4])), confirms=lambda raw: identify_compound(raw) == "msg"
    )

    def parse(self, raw: Raw) -> Document:
        """Raises `UnreadableFile` where the file is cut or damaged."""
        message = read_outlook_message(raw.data)
        return build_mail_document([message], self.media_type, title=message.subject)


member = Msg()
