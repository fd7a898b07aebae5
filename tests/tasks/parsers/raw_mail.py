"""Mails and mailboxes for tests, from their headers and parts."""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Sequence

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from warehouse.records import BlockKind, Document

DAY = "Wed, 12 Mar 2025 14:05:00 +0100"


def mail(
    body: str | bytes = "Hello.",
    *headers: str,
    sender: str = "Anna Weber <anna@harbour.example>",
    subject: str = "Pump",
    date: str = DAY,
    kind: str = "text/plain; charset=utf-8",
) -> bytes:
    """The bytes of a mail."""
    lines = [f"From: {sender}", "To: Tom Okafor <tom@harbour.example>", f"Subject: {subject}", "MIME-Version: 1.0"]
    lines += [f"Date: {date}"] if date else []
    head = "\n".join([*lines, f"Content-Type: {kind}", *headers]).encode()
    return head + b"\n\n" + (body.encode() if isinstance(body, str) else body) + b"\n"


def part(body: str | bytes, kind: str = "text/plain; charset=utf-8", *headers: str) -> bytes:
    """A part of a mail."""
    data = body.encode() if isinstance(body, str) else body
    return "\n".join([f"Content-Type: {kind}", *headers]).encode() + b"\n\n" + data


def attached(name: str, data: bytes, kind: str = "application/octet-stream") -> bytes:
    """An attached file as a part."""
    disposition = f'Content-Disposition: attachment; filename="{name}"'
    return part(encodebytes(data), kind, disposition, "Content-Transfer-Encoding: base64")


def mixed(*parts: bytes, kind: str = "mixed", subject: str = "Pump") -> bytes:
    """A mail of several parts."""
    inner = b"".join(b"--edge\n" + each + b"\n" for each in parts) + b"--edge--"
    return mail(inner, subject=subject, kind=f"multipart/{kind}; boundary=edge")


def mailbox(*mails: bytes) -> bytes:
    """A mailbox of some mails."""
    return b"".join(
        b"From x@y Wed Mar 12 13:05:00 2025\n" + each.replace(b"\nFrom ", b"\n>From ") + b"\n" for each in mails
    )


def read_mail(data: bytes) -> Document:
    """The document of a mail."""
    return parse_as("eml", Raw("a.eml", data))


def read_mailbox(*mails: bytes) -> Document:
    """The document of a mailbox of some mails."""
    return parse_as("mbox", Raw("a.mbox", mailbox(*mails)))


def texts(document: Document, *kinds: BlockKind) -> list[str]:
    """The texts of the blocks, of these kinds if any are named."""
    return [document.text[each.start : each.end] for each in document.blocks if not kinds or each.kind in kinds]


def headings(document: Document) -> list[tuple[int, str]]:
    """The levels and words of the headings."""
    return [(each.level, each.section[-1]) for each in document.blocks if each.kind is BlockKind.HEADING]


def shown(document: Document) -> list[str]:
    """The texts of the blocks that are searched: no headings, and nothing that is set aside."""
    return texts(document, *(set(BlockKind) - {BlockKind.HEADING, BlockKind.FURNITURE}))


def answer(
    body: str, quoted: str, *headers: str, lead: str = "", sender: str = "Tom Okafor <tom@y>", date: str = ""
) -> bytes:
    """A mail that quotes a text below its own words."""
    lead = lead or "On Wed, Mar 12, 2025 at 2:05 PM Anna Weber <anna@harbour.example> wrote:"
    lines = [body, "", lead, *(f"> {line}" for line in quoted.split("\n"))]
    return mail(
        "\n".join(lines), *headers, sender=sender, subject="Re: Pump", date=date or "Thu, 13 Mar 2025 09:00:00 +0100"
    )


def people(names: Sequence[str]) -> str:
    """A header of some people."""
    return ", ".join(f"{name} <{name.lower()}@x.example>" for name in names)
