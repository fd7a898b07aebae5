"""A message read from its bytes: headers, text, quotations, signature, attachments, messages inside of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email import message_from_bytes

from tasks import faults
from tasks.parsers import refusals
from tasks.parsers.assembly import BlockContent, clean
from tasks.parsers.decoder import decode
from tasks.parsers.mail.attachments import (
    MESSAGES,
    ReadAttachment,
    ReadingBudget,
    choose_attachment_parser,
    get_attachment_name,
    read_attachment,
)
from tasks.parsers.mail.attributions import Attribution
from tasks.parsers.mail.body_page import read_page_lines
from tasks.parsers.mail.header_fields import (
    NOBODY,
    Address,
    decode_words,
    find_sent_moment,
    get_raw_header,
    iter_raw_headers,
    parse_addresses,
    parse_message_ids,
)
from tasks.parsers.mail.mailbox_file import MailboxItem, make_single_item, split_mailbox
from tasks.parsers.mail.mime_parts import ENCRYPTED, AttachedFile, Body, MessageParts, Part, collect_parts
from tasks.parsers.mail.moments import Moment
from tasks.parsers.mail.outlook_message import read_outlook_file
from tasks.parsers.mail.quotations import BodyLine, split_body
from tasks.parsers.parser_contract import refuse_failures
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Finding, Severity

_MAX_DEPTH = 4  # Messages in messages that are read; deeper ones are findings.
_MAX_INSIDE = 200  # Messages inside of one, as a digest has them.
_ENCRYPTED_TEXT = "The text of this message is encrypted."
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class MailMessage:
    """A message. `quotations` are the stretches of other messages in it, apart from its `own` blocks.

    `notice` is the legal notice that a business adds to all its mails. `references` are the ids of the messages that it
    answers, the latest last. `is_sealed` is true where nothing but its headers can be read.
    """

    message_id: str = ""
    references: tuple[str, ...] = ()
    subject: str = ""
    sender: Address = NOBODY
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    moment: Moment | None = None
    own: tuple[BlockContent, ...] = ()
    quotations: tuple[tuple[Attribution, tuple[BlockContent, ...]], ...] = ()
    signature: str = ""
    notice: str = ""
    attachments: tuple[ReadAttachment, ...] = ()
    inside: tuple[MailMessage, ...] = ()
    findings: tuple[Finding, ...] = ()
    is_sealed: bool = False

    @property
    def has_text(self) -> bool:
        """Whether it, an attachment or a message inside of it has text."""
        has_inner_text = any(attachment.blocks for attachment in self.attachments) or any(
            message.has_text for message in self.inside
        )
        return bool(self.own or self.quotations or self.signature or self.notice) or has_inner_text


def read_message(item: MailboxItem) -> MailMessage:
    """The message. Raises `UnreadableFile` where nothing of it can be read, not even its headers."""
    return _read_item(item, ReadingBudget(), 0)


def read_outlook_message(data: bytes) -> MailMessage:
    """The message of a file that Outlook saved. Raises `UnreadableFile` as well where the file is damaged."""
    return _read_part(read_outlook_file(data), "", ReadingBudget(), 0)


def _read_item(item: MailboxItem, budget: ReadingBudget, depth: int) -> MailMessage:
    return _read_part(message_from_bytes(item.data), item.date, budget, depth)


def _read_part(part: Part, envelope: str, budget: ReadingBudget, depth: int) -> MailMessage:
    parts = collect_parts(part)
    moment = find_sent_moment(part, envelope)
    body = split_body(list(_iter_lines(parts)), moment.day if moment else None)
    sender = parse_addresses(
        [*iter_raw_headers(part, "from"), get_raw_header(part, "sender"), get_raw_header(part, "return-path")]
    )
    message = MailMessage(
        message_id=next(iter(parse_message_ids(iter_raw_headers(part, "message-id"))), ""),
        references=tuple(_iter_references(part)),
        subject=decode_words(get_raw_header(part, "subject")),
        sender=sender[0] if sender else NOBODY,
        to=tuple(parse_addresses(iter_raw_headers(part, "to"))),
        cc=tuple(parse_addresses(iter_raw_headers(part, "cc"))),
        moment=moment,
        own=body.own,
        quotations=body.quotations,
        signature=body.signature,
        notice=body.notice,
    )
    message = _with_files(message, parts, budget, depth)
    if parts.problem == ENCRYPTED:
        return _with_encryption_finding(message)
    if parts.problem and not message.has_text:
        raise refusals.damaged("message", parts.problem)
    if parts.problem:
        message = replace(
            message, findings=(*message.findings, refusals.report_lost_part("a part of it", parts.problem))
        )
    return message


def _with_encryption_finding(message: MailMessage) -> MailMessage:
    """A message of which all or some is encrypted, but for its headers. Raises `UnreadableFile` without those."""
    if not (message.has_text or message.subject or message.moment or message.sender != NOBODY):
        raise refusals.encrypted()
    finding = faults.ENCRYPTED_FILE.make_finding(
        "the text of the message is encrypted; its headers were read: save it decrypted from the mail program",
        severity=Severity.WARNING,
    )
    findings = (*message.findings, finding)
    if message.has_text:
        return replace(message, findings=findings)
    own = (BlockContent(BlockKind.PARAGRAPH, _ENCRYPTED_TEXT),)
    return replace(message, own=own, findings=findings, is_sealed=True)


def _iter_references(part: Part) -> Iterator[str]:
    """The ids of the messages that it answers. Gmail says of each message which conversation it is of."""
    conversation = get_raw_header(part, "x-gm-thrid").strip()
    if conversation:
        yield f"x-gm-thrid {conversation}"
    answered_ids = parse_message_ids(iter_raw_headers(part, "in-reply-to"))
    yield from (
        message_id
        for message_id in parse_message_ids(iter_raw_headers(part, "references"))
        if message_id not in answered_ids[:1]
    )
    yield from answered_ids[:1]


def _iter_lines(parts: MessageParts) -> Iterator[BodyLine]:
    for body in parts.bodies:
        yield from _read_page_lines(body.page) if body.page else read_body_lines(body)
        yield BodyLine(0, "")


def _read_page_lines(page: bytes) -> list[BodyLine]:
    try:
        return read_page_lines(page)
    except UnreadableFile:
        # The page is nested too deeply, or has no markup: its words can still be read.
        return read_body_lines(Body(text=_TAG.sub(" ", decode(page) or "")))


def _with_files(message: MailMessage, parts: MessageParts, budget: ReadingBudget, depth: int) -> MailMessage:
    """The message with its attachments; those that are messages stand inside of it."""
    attachments: list[ReadAttachment] = []
    inside: list[Part] = []
    for file in parts.files:
        entry = ReadAttachment(get_attachment_name(file), file.media_type, len(file.data))
        try:
            messages = _read_messages(file)
        except UnreadableFile as problem:
            finding = refusals.report_lost_part(f"the attachment {entry.name}", str(problem))
            attachments.append(replace(entry, findings=(finding,)))
            continue
        inside += messages
        attachments.append(entry if messages else read_attachment(file, budget))
    inner_messages: list[MailMessage] = []
    findings = [finding for attachment in attachments for finding in attachment.findings]
    for part in (*inside, *parts.messages):
        try:
            if depth == _MAX_DEPTH or len(inner_messages) == _MAX_INSIDE:
                raise UnreadableFile(
                    "there are too many messages inside of one another", "save it as a file of its own"
                )
            with refuse_failures("message"):
                inner_messages.append(_read_part(part, "", budget, depth + 1))
        except UnreadableFile as problem:
            name = decode_words(get_raw_header(part, "subject"))
            findings.append(refusals.report_lost_part(f"the message “{name}” inside of it", str(problem)))
            if len(inner_messages) == _MAX_INSIDE:
                break
    return replace(message, attachments=tuple(attachments), inside=tuple(inner_messages), findings=tuple(findings))


def _read_messages(file: AttachedFile) -> list[Part]:
    """The messages that an attached file consists of; none where it is of another format. Raises `UnreadableFile`."""
    try:
        parser = choose_attachment_parser(file)
    except UnreadableFile:
        return []
    if parser not in MESSAGES:
        return []
    if parser == "msg":
        return [read_outlook_file(file.data)]
    items = split_mailbox(file.data) if parser == "mbox" else [make_single_item(file.data)]
    return [message_from_bytes(item.data) for item in items[: _MAX_INSIDE + 1]]


_QUOTE_MARKS = re.compile(r"(?:>[ \t]?)+|(?:[ \t]>)+(?=[ \t])")
_FLOWED_QUOTE_MARKS = re.compile(r">+")
_SIGNATURE = "-- "
_MAX_QUOTE_DEPTH = 50  # Marks of quotation before a line that are counted.


def read_body_lines(body: Body) -> list[BodyLine]:
    """The lines of a plain body."""
    lines = clean(body.text).split("\n")
    return list(_join_flowed(lines, deletes=body.deletes_space) if body.is_flowed else map(_make_line, lines))


def _make_line(line: str) -> BodyLine:
    match = _QUOTE_MARKS.match(line)
    if match is None:
        return BodyLine(0, line)
    return BodyLine(min(match[0].count(">"), _MAX_QUOTE_DEPTH), line[match.end() :])


def _join_flowed(lines: list[str], *, deletes: bool) -> Iterator[BodyLine]:
    """The paragraphs of a flowed text: a line that ends with a blank goes on below at the same depth."""
    paragraph, depth = "", 0
    continues = False
    for line in lines:
        match = _FLOWED_QUOTE_MARKS.match(line)
        line_depth = len(match[0]) if match else 0
        text = line[line_depth:].removeprefix(" ")
        if continues and (line_depth != depth or text == _SIGNATURE):
            yield BodyLine(min(depth, _MAX_QUOTE_DEPTH), paragraph)
            paragraph, continues = "", False
        paragraph, depth = (paragraph + text if continues else text), line_depth
        continues = text.endswith(" ") and text != _SIGNATURE
        if continues:
            paragraph = paragraph[:-1] if deletes else paragraph
        else:
            yield BodyLine(min(depth, _MAX_QUOTE_DEPTH), paragraph)
            paragraph = ""
    if continues:
        yield BodyLine(min(depth, _MAX_QUOTE_DEPTH), paragraph)
