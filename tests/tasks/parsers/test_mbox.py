"""Mailboxes as documents: threads of messages, each an entry of its own day."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from tasks.chunkers.chunk_builder import make_chunks
from tasks.chunkers.chunker import CHUNKERS
from tasks.document_date import choose_date
from tasks.parsers.parser_contract import PagedParser, Raw
from tasks.parsers.reader import PARSERS, Job, choose_parser, read, read_files
from tasks.temporal.document import find_mentions
from tasks.temporal.entries import find_entries
from tests.tasks.parsers.conftest import SAMPLES
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_mail import (
    answer,
    attached,
    headings,
    mail,
    mailbox,
    mixed,
    part,
    read_mailbox,
    shown,
    texts,
)
from warehouse.errors import UnreadableFile
from warehouse.message_notation import find_message
from warehouse.records import BlockKind, Chunk, DateOrigin, Document, Kind
from warehouse.settings.models import ParseSettings

FIRST = mail("The pump on pier 4 loses pressure again.\n\n-- \nAnna\n+49 40 1204", "Message-ID: <a@x>")
REPLY = answer("I will replace the seal next Friday.", "The pump on pier 4 loses pressure again.", "In-Reply-To: <a@x>")


def chunks_of(document: Document, chunker: str) -> tuple[Chunk, ...]:
    claim = choose_date(document.dates, "a.mbox", document.kind)
    return make_chunks(
        document,
        document_id="d",
        title="a",
        source="a.mbox",
        date_claim=claim,
        mentions=find_mentions(document, claim.date if claim else None),
        entities=(),
        chunker=CHUNKERS[chunker],
    )


def test_messages_stand_in_threads() -> None:
    other = mail("Lunch on Tuesday?", "Message-ID: <b@x>", subject="Lunch", date="Mon, 10 Mar 2025 10:00:00 +0100")
    document = read_mailbox(REPLY, other, FIRST)
    assert headings(document) == [
        (1, "Lunch"), (2, "2025-03-10 10:00, Anna Weber"),
        (1, "Pump"), (2, "2025-03-12 14:05, Anna Weber"), (2, "2025-03-13 09:00, Tom Okafor"),
    ]  # fmt: skip
    assert document.kind is Kind.MESSAGE
    assert document.authors == ("Anna Weber", "Tom Okafor")
    keeps_its_promises(document)


def test_a_quotation_of_a_message_that_is_there_is_set_aside() -> None:
    document = read_mailbox(FIRST, REPLY)
    assert sum("loses pressure" in text for text in shown(document)) == 1
    assert any("loses pressure" in text for text in texts(document, BlockKind.FURNITURE))


def test_a_quotation_that_is_the_only_copy_is_kept_once() -> None:
    again = answer("So will I.", "The pump on pier 4 loses pressure again.", "In-Reply-To: <a@x>", sender="Li <l@x>")
    document = read_mailbox(REPLY, again)
    assert sum("loses pressure" in text for text in shown(document)) == 1
    assert (2, "2025-03-12 14:05, Anna Weber (quoted)") in headings(document)


def test_a_quotation_to_which_words_were_added_is_kept() -> None:
    changed = answer(
        "See inside.", "The pump on pier 4 loses pressure again. It is the upper seal, which I saw myself."
    )
    document = read_mailbox(FIRST, changed.replace(b"MIME-Version", b"In-Reply-To: <a@x>\nMIME-Version"))
    assert any("upper seal" in text for text in shown(document))


def test_a_signature_is_set_aside_when_it_comes_again() -> None:
    second = mail("The seal is new.\n\n-- \nAnna\n+49 40 1204", "Message-ID: <c@x>")
    document = read_mailbox(FIRST, second)
    assert texts(document).count("Anna\n+49 40 1204") == 2
    assert shown(document).count("Anna\n+49 40 1204") == 1


def test_a_mailbox_is_as_new_as_its_newest_message() -> None:
    document = read_mailbox(FIRST, REPLY, mail("x", date="Fri, 1 Jan 2038 00:00:00 +0000"))
    claim = choose_date(document.dates, "2019-01.mbox", document.kind, today=date(2025, 6, 1))
    assert claim is not None
    assert (claim.date, claim.origin) == (date(2025, 3, 13), DateOrigin.MESSAGE)


@pytest.mark.parametrize("chunker", sorted(set(CHUNKERS) - {"semantic"}))  # which loads a model
def test_no_passage_holds_two_messages(chunker: str) -> None:
    lines = [
        mail(f"- item {number}\n- item {number}b", f"Message-ID: <{number}@x>", subject="List") for number in range(6)
    ]
    document = read_mailbox(FIRST, REPLY, *lines)
    entries = find_entries(document)
    assert len(entries) == 8
    for chunk in chunks_of(document, chunker):
        held = [entry for entry in entries if chunk.start < entry.start < chunk.end]
        assert not held
        found = find_message(chunk.section)
        assert found is not None
        assert chunk.passage_date == found[1].day
        assert chunk.passage_date_origin is DateOrigin.MESSAGE
        assert f"From: {found[1].sender}" in chunk.prefix


def test_relative_times_count_from_the_day_of_their_message() -> None:
    later = mail("We meet tomorrow.", date="Tue, 1 Apr 2025 10:00:00 +0200", subject="Meeting")
    document = read_mailbox(FIRST, REPLY, later)
    found = {each.text: each.start_date for each in find_mentions(document, date(2030, 1, 1)) if each.relative}
    assert found["next Friday"] in (date(2025, 3, 14), date(2025, 3, 21))
    assert found["tomorrow"] == date(2025, 4, 2)


def test_what_is_set_aside_names_no_times() -> None:
    first = mail("We meet tomorrow.", "Message-ID: <a@x>", date="Tue, 1 Apr 2025 10:00:00 +0200")
    lead = "On Tue, Apr 1, 2025 at 10:00 AM Anna Weber <anna@harbour.example> wrote:"
    reply = answer("Good.", "We meet tomorrow.", "In-Reply-To: <a@x>", lead=lead, date="Wed, 2 Apr 2025 09:00:00 +0200")
    found = [each.start_date for each in find_mentions(read_mailbox(first, reply), None) if each.relative]
    assert found == [date(2025, 4, 2)]


def test_copies_of_a_message_are_read_once() -> None:
    document = read_mailbox(FIRST, FIRST, REPLY)
    assert len(find_entries(document)) == 2
    assert [finding.message for finding in document.findings] == ["1 messages are in it more than once and read once"]


def test_a_message_that_cannot_be_read_costs_itself() -> None:
    inner = part("x")
    for number in range(40):
        edges = f"--e{number}\n".encode(), f"\n--e{number}--\n".encode()
        inner = part(edges[0] + inner + edges[1], f"multipart/mixed; boundary=e{number}")
    document = read_mailbox(FIRST, b"MIME-Version: 1.0\n" + inner, REPLY)
    assert len(find_entries(document)) == 2
    (finding,) = document.findings
    assert finding.message.startswith("message 2 of the mailbox could not be read: ")


def test_a_mailbox_is_read_the_same_in_several_processes(tmp_path: Path) -> None:
    pdf = attached("q3.pdf", (SAMPLES / "reports/northlight-fy2025-q3.pdf").read_bytes(), "application/pdf")
    data = mailbox(
        FIRST, REPLY, mixed(part("See the file."), pdf), *(mail(f"Message {n}.", subject=str(n)) for n in range(30))
    )
    path = tmp_path / "a.mbox"
    path.write_bytes(data)
    ((_, found, _),) = read_files([Job(path.name, path)], ParseSettings(processes=2))
    assert found == read(Raw("a.mbox", data))
    assert isinstance(PARSERS["mbox"], PagedParser)


@pytest.mark.parametrize("name", ["a.mbox", "a.mbx", "Inbox", "a.txt"])
def test_a_mailbox_is_known_by_its_first_line(name: str) -> None:
    assert choose_parser(Raw(name, mailbox(FIRST))) == "mbox"


def test_a_letter_that_begins_with_from_is_no_mailbox() -> None:
    assert choose_parser(Raw("a.txt", b"From the harbour we saw the ships.\n\nNote: it rained.\n")) != "mbox"


def test_a_mailbox_without_messages_is_refused() -> None:
    with pytest.raises(UnreadableFile):
        read(Raw("a.mbox", b"\x00\x01\x02" * 400))


def test_a_long_thread_says_each_thing_once() -> None:
    """Each message quotes the one before, with all references."""
    mails, ids = [], []
    for number in range(300):
        body = f"Point {number} of the agenda is decided."
        day = f"{date(2024, 1, 1) + timedelta(number):%d %b %Y} 10:00:00 +0000"
        mails.append(
            answer(
                body,
                f"Point {max(number - 1, 0)} of the agenda is decided.",
                f"References: {' '.join(ids[-100:])}",
                date=day,
            )
        )
        mails[-1] = mails[-1].replace(b"MIME-Version", b"Message-ID: <%d@x>\nMIME-Version" % number)
        ids.append(f"<{number}@x>")
    document = read_mailbox(*mails)
    assert len([words for level, words in headings(document) if level == 1]) == 1
    assert sum("of the agenda is decided" in text for text in shown(document)) == 300
