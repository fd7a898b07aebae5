"""Mailboxes cut into messages, whoever wrote them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.mail.mailbox_file import begins_mailbox, find_message_spans, make_single_item, split_mailbox
from tests.tasks.parsers.raw_mail import mail, mailbox

LINE = b"From x@y Wed Mar 12 13:05:00 2025\n"


def bodies(data: bytes) -> list[bytes]:
    return [item.data.partition(b"\n\n")[2].strip() for item in split_mailbox(data.replace(b"\r\n", b"\n"))]


def test_each_line_of_a_mailbox_begins_a_message() -> None:
    assert bodies(mailbox(mail("one"), mail("two"))) == [b"one", b"two"]


def test_lines_of_every_program_begin_a_message() -> None:
    lines = (
        b"From - Wed Mar 12 14:05:11 2025", b"From 18271@xxx Wed Mar 12 13:05:11 +0000 2025",
        b"From anna at harbour.example  Wed Mar 12 14:05:11 2025", b"From MAILER-DAEMON Fri Jul  8 12:08:34 2011",
        b"From nobody",
    )  # fmt: skip
    data = b"\r\n\r\n".join(line + b"\r\n" + mail("x").replace(b"\n", b"\r\n") for line in lines)
    assert len(find_message_spans(data)) == len(lines)


def test_words_of_a_message_begin_none() -> None:
    body = "From here on it rains.\n\nFrom the harbour: nothing.\n\nFrom 12:00 of 3 March 2025\nNote the rain\n"
    assert len(split_mailbox(LINE + mail(body))) == 1


def test_a_line_without_a_blank_one_above_needs_all_marks() -> None:
    data = LINE + mail("one").rstrip() + b"\n" + LINE + mail("two")
    assert len(split_mailbox(data)) == 2


def test_escaped_lines_are_as_they_were() -> None:
    assert bodies(LINE + mail(">From here\n>>From there")) == [b"From here\n>From there"]


def test_the_date_of_the_line_is_kept() -> None:
    assert split_mailbox(mailbox(mail()))[0].date == "Wed Mar 12 13:05:00 2025"


def test_a_single_message_may_have_a_frame() -> None:
    data = mail("one")
    for framed in (data, b"\xef\xbb\xbf" + data, b"\n\n" + data, LINE + data, b"%d   \n%b<?xml?>" % (len(data), data)):
        assert make_single_item(framed).data == data


@given(st.lists(st.text(alphabet="From abc:\n>1", max_size=40), min_size=1, max_size=5))
def test_messages_of_a_mailbox_are_found_again(texts: list[str]) -> None:
    data = mailbox(*map(mail, texts))
    assert begins_mailbox(data)
    found = split_mailbox(data)
    assert len(found) == len(texts)
    for item, text in zip(found, texts, strict=True):
        assert item.data.rstrip(b"\n") == mail(text).replace(b"\n>From ", b"\nFrom ").rstrip(b"\n")
