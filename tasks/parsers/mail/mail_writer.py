"""The document of some messages: threads, in each the messages with their senders and days as headings.

A message that is quoted comes once. Where the words of a quotation are in another message of the thread, they are
furniture; else the quotation is the only copy, and becomes a message below the one that quotes it, with the day that is
stated. Signatures and legal notices are furniture except for their first occurrence; a notice is a separate passage.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from tasks.parsers.assembly import Assembly, BlockContent, shorten_heading
from tasks.parsers.mail.attachments import ReadAttachment
from tasks.parsers.mail.attributions import Attribution
from tasks.parsers.mail.message_reader import MailMessage
from warehouse.message_notation import MESSAGE_LEVEL, SUBJECT_LEVEL, MessageHeading, MessageRole
from warehouse.printable_text import format_first
from warehouse.records import BlockKind, DateClaim, DateOrigin, Document, Finding, Kind

_PART_LEVEL = MESSAGE_LEVEL + 1
_NO_SUBJECT = "(no subject)"
_MAX_NAMED = 10  # People of one header that are named.
_MAX_LISTED = 30  # Attachments of a message that are listed.
_MAX_AUTHORS = 100  # Senders of a mailbox that are its authors.
_RUN_LENGTH = 5  # Words in a row by which texts are compared.
_MIN_KNOWN_SHARE = 0.8
"""The share of a quotation's runs of words that must be elsewhere: quotations may be shortened in answers."""
_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")


def build_mail_document(
    messages: Sequence[MailMessage], media_type: str, *, title: str = "", findings: Sequence[Finding] = ()
) -> Document:
    """The document of the messages. `findings` are those of messages that could not be read."""
    writer = _MailWriter()
    for thread in group_in_threads(messages):
        writer.write_thread(thread)
    days = {message.moment.day for message in messages if message.moment}
    senders = Counter(message.sender.shown for message in messages if message.sender.shown)
    return writer.assembly.finish(
        Kind.MESSAGE,
        media_type,
        title=title,
        authors=[name for name, _ in senders.most_common(_MAX_AUTHORS)],
        # The newest first: a mailbox is as new as its last message.
        dates=[DateClaim(day, DateOrigin.MESSAGE) for day in sorted(days, reverse=True)],
        findings=[*findings, *writer.findings],
    )


class _MailWriter:
    """Writes threads one after the other."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self.findings: list[Finding] = []
        self._signatures: set[tuple[str, ...]] = set()
        self._known_runs: set[int] = set()
        self._topic = ""

    def write_thread(self, thread: Sequence[MailMessage]) -> None:
        """Adds the messages of a thread in their order."""
        subjects = [message.subject for message in thread if message.subject]
        topic = subjects[0] if len(thread) == 1 and subjects else strip_reply_marks(next(iter(subjects), ""))
        self._topic = shorten_heading(topic) or _NO_SUBJECT
        blocks_of_messages = (
            (*message.own, *(BlockContent(BlockKind.PARAGRAPH, text) for text in (message.signature, message.notice)))
            for message in _iter_messages(thread)
        )
        self._known_runs = {run for blocks in blocks_of_messages for run in _iter_runs(blocks)}
        self.assembly.add_heading(self._topic, SUBJECT_LEVEL)
        for message in thread:
            self._write_message(message, MessageRole.OWN)

    def _write_message(self, message: MailMessage, role: MessageRole) -> None:
        moment = message.moment
        heading = MessageHeading(
            moment.day if moment else None, moment.local.time() if moment else None, message.sender.shown, role
        )
        block = self.assembly.add_heading(heading.words, MESSAGE_LEVEL)
        start = block.start if block else None
        if message.subject and strip_reply_marks(message.subject) not in (self._topic, strip_reply_marks(self._topic)):
            self.assembly.add(BlockKind.PARAGRAPH, f"Subject: {message.subject}")
        self._write_blocks(message.own)
        self.assembly.add(BlockKind.PARAGRAPH, _format_attachments(message.attachments))
        self._write_signature(message.signature)
        # Behind the words: names of all who got a message would make it answer what any of them wrote.
        # Of one that is encrypted they are all that it says.
        kind = BlockKind.PARAGRAPH if message.is_sealed else BlockKind.FURNITURE
        self.assembly.add(kind, "\n".join(_iter_people_lines(message)))
        self._write_signature(message.notice)  # Apart from the words, of which a short message has fewer.
        shown_quotations = [quotation for quotation in message.quotations if not self._add_known_quotation(*quotation)]
        for attachment in message.attachments:
            self._write_attachment(attachment)
        for attribution, blocks in shown_quotations:
            self._write_quotation(attribution, blocks)
        self.findings += (
            replace(finding, message=f"{heading.words}: {finding.message}", start=start) for finding in message.findings
        )
        for inner in message.inside:
            self._write_message(inner, MessageRole.ATTACHED)

    def _write_blocks(self, blocks: Iterable[BlockContent]) -> None:
        """Adds blocks of a message, their headings below that of the message."""
        for block in blocks:
            self.assembly.add_block_content(block, MESSAGE_LEVEL)
        self.assembly.end_sections(_PART_LEVEL)

    def _write_signature(self, signature: str) -> None:
        words = tuple(_WORD.findall(signature.casefold()))
        if not words:
            return
        is_known = words in self._signatures
        self._signatures.add(words)
        self.assembly.add(BlockKind.FURNITURE if is_known else BlockKind.PARAGRAPH, signature)

    def _add_known_quotation(self, attribution: Attribution, blocks: Sequence[BlockContent]) -> bool:
        """Adds a quotation as furniture if its words are elsewhere in the thread; returns whether they are."""
        runs = list(_iter_runs(blocks))
        if not runs or sum(run in self._known_runs for run in runs) < _MIN_KNOWN_SHARE * len(runs):
            self._known_runs.update(runs)
            return False
        attribution_lines = filter(None, (attribution.words,))
        self.assembly.add(BlockKind.FURNITURE, "\n".join([*attribution_lines, *(block.text for block in blocks)]))
        return True

    def _write_quotation(self, attribution: Attribution, blocks: Sequence[BlockContent]) -> None:
        """Adds a quotation that is the only copy of what it says: as a message where its day is known."""
        if attribution.day is None:
            self.assembly.add_heading(shorten_heading(_describe_source(attribution)), _PART_LEVEL)
        else:
            heading = MessageHeading(attribution.day, attribution.hour, attribution.sender, MessageRole.QUOTED)
            self.assembly.add_heading(heading.words, MESSAGE_LEVEL)
        if attribution.subject and strip_reply_marks(attribution.subject) != self._topic:
            self.assembly.add(BlockKind.PARAGRAPH, f"Subject: {attribution.subject}")
        self._write_blocks(blocks)
        self.assembly.add(BlockKind.FURNITURE, attribution.words)

    def _write_attachment(self, attachment: ReadAttachment) -> None:
        if not attachment.blocks:
            return
        self.assembly.add_heading(shorten_heading(f"Attachment: {attachment.name}"), _PART_LEVEL)
        for block in attachment.blocks:
            self.assembly.add_block_content(block, _PART_LEVEL)
        self.assembly.end_sections(_PART_LEVEL)


def _iter_messages(messages: Iterable[MailMessage]) -> Iterator[MailMessage]:
    """The messages and those inside of them."""
    for message in messages:
        yield message
        yield from _iter_messages(message.inside)


def _iter_runs(blocks: Iterable[BlockContent]) -> Iterator[int]:
    """Each run of five words of some blocks, as a number; all of them as one run where they are fewer."""
    words = [word for block in blocks for word in _WORD.findall(block.text.casefold())]
    for place in range(max(1, len(words) - _RUN_LENGTH + 1) if words else 0):
        yield hash(tuple(words[place : place + _RUN_LENGTH]))


def _describe_source(attribution: Attribution) -> str:
    parts = [attribution.sender, str(attribution.day or "")]
    return " ".join(filter(None, ("Quoted:", *parts))) if any(parts) else "Quoted"


def _format_attachments(attachments: Sequence[ReadAttachment]) -> str:
    """Names, types and sizes of what is attached; nothing where nothing is."""
    names = "; ".join(attachment.shown for attachment in attachments[:_MAX_LISTED])
    unlisted_count = len(attachments) - _MAX_LISTED
    return f"Attachments: {names}{f'; and {unlisted_count} more' if unlisted_count > 0 else ''}" if attachments else ""


def _iter_people_lines(message: MailMessage) -> Iterator[str]:
    """Who sent it and who got it."""
    for label, people in (("From", (message.sender,)), ("To", message.to), ("Cc", message.cc)):
        if any(person.shown for person in people):
            yield f"{label}: {format_first([person.full for person in people], _MAX_NAMED)}"


_UNKNOWN_INSTANT = datetime(1, 1, 1, tzinfo=UTC)
_REPLY_MARK = re.compile(
    r"\s*(?:re|aw|antw|sv|vs|ref|rif|fwd?|wg|tr|rv|enc|odp|ynt|ilt|vl|pd|отв|пер|回复|回覆|答复|答覆|转发|轉寄|轉發)\s*(?:\[\d+\])?\s*[:：]\s*",
    re.IGNORECASE,
)


def strip_reply_marks(subject: str) -> str:
    """A subject without what programs put before it in answers and forwarded messages."""
    while match := _REPLY_MARK.match(subject):
        subject = subject[match.end() :]
    return subject.strip()


def group_in_threads(messages: Sequence[MailMessage]) -> list[list[MailMessage]]:
    """The messages thread by thread. An answer that names no message joins the last thread of its subject."""
    groups = _DisjointSets(len(messages))
    by_id: dict[str, int] = {}
    by_subject: dict[str, int] = {}
    for place, message in enumerate(messages):
        for name in filter(None, (message.message_id, *message.references)):
            groups.join(by_id.setdefault(name, place), place)
        base = strip_reply_marks(message.subject).casefold()
        if base and not message.references and base != message.subject.strip().casefold() and base in by_subject:
            groups.join(by_subject[base], place)
        if base:
            by_subject[base] = place
    members: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(messages)):
        members[groups.find_first(place)].append(place)
    threads = [_sort_thread([messages[place] for place in places]) for places in members.values()]
    return sorted(threads, key=lambda thread: _get_instant(thread[0]))


def _get_instant(message: MailMessage) -> datetime:
    return message.moment.instant if message.moment else _UNKNOWN_INSTANT


def _sort_thread(thread: Sequence[MailMessage]) -> list[MailMessage]:
    """The messages of a thread, each after those that it answers."""
    places_by_id = {message.message_id: place for place, message in enumerate(thread) if message.message_id}
    answered_places = [
        [places_by_id[name] for name in message.references if name in places_by_id and places_by_id[name] != place]
        for place, message in enumerate(thread)
    ]
    # The moment of a message, no earlier than those of what it answers, and how many it answers at that moment.
    moments: dict[int, tuple[datetime, int]] = {}
    pending = sorted(range(len(thread)), key=lambda place: (_get_instant(thread[place]), place), reverse=True)
    seen_places: set[int] = set()
    while pending:
        place = pending[-1]
        unseen_places = [answered for answered in answered_places[place] if answered not in seen_places]
        seen_places.add(place)
        if unseen_places:
            pending += unseen_places
            continue
        pending.pop()
        earlier_moments = (moments[answered] for answered in answered_places[place] if answered in moments)
        moments.setdefault(
            place, max([(_get_instant(thread[place]), 0), *((moment, depth + 1) for moment, depth in earlier_moments)])
        )
    return [thread[place] for place in sorted(moments, key=lambda place: (*moments[place], place))]


class _DisjointSets:
    """Numbers joined to disjoint sets (union by the smaller number, path halving)."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def find_first(self, number: int) -> int:
        """The number that stands for the group."""
        while self._parents[number] != number:
            self._parents[number] = self._parents[self._parents[number]]
            number = self._parents[number]
        return number

    def join(self, first_member: int, second_member: int) -> None:
        """Makes one group of two."""
        first, second = sorted((self.find_first(first_member), self.find_first(second_member)))
        self._parents[second] = first
