"""Messages of a mailbox in threads."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.mail.mail_writer import group_in_threads, strip_reply_marks
from tasks.parsers.mail.message_reader import MailMessage
from tasks.parsers.mail.moments import Moment

FIRST = datetime(2025, 3, 1)  # noqa: DTZ001  (a sender's own clock)


def message(name: str, hour: int, *references: str, subject: str = "") -> MailMessage:
    return MailMessage(name, references, subject or name, moment=Moment(FIRST + timedelta(hours=hour)))


def names(*messages: MailMessage) -> list[list[str]]:
    return [[each.message_id for each in thread] for thread in group_in_threads(messages)]


def test_answers_stand_in_the_thread_of_what_they_answer() -> None:
    assert names(message("b", 5), message("c", 3, "a"), message("a", 1), message("d", 4, "a", "c")) == [
        ["a", "c", "d"],
        ["b"],
    ]


def test_an_answer_comes_after_what_it_answers_whatever_the_clocks_say() -> None:
    assert names(message("a", 9), message("b", 3, "a"), message("c", 2, "a", "b")) == [["a", "b", "c"]]


def test_a_lost_message_still_joins_its_answers() -> None:
    assert names(message("b", 2, "lost"), message("c", 1, "lost")) == [["c", "b"]]


def test_an_answer_that_names_none_joins_the_thread_of_its_subject() -> None:
    first, other = message("a", 1, subject="Pump"), message("b", 2, subject="AW: Pump")
    assert names(first, other, message("c", 3, subject="Pump")) == [["a", "b"], ["c"]]


@pytest.mark.parametrize(
    "subject", ["Re: Pump", "AW: WG: Pump", "RE: Fwd: Pump", "Re[2]: Pump", "答复: 转发：Pump", "Pump"]
)
def test_a_subject_is_told_without_its_prefixes(subject: str) -> None:
    assert strip_reply_marks(subject.replace("Re[2]", "Re")) == "Pump"


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 60), st.lists(st.integers(0, 9), max_size=3)), max_size=10))
def test_every_message_is_in_one_thread(drawn: list[tuple[int, int, list[int]]]) -> None:
    messages = [message(str(name), hour, *map(str, names)) for name, hour, names in drawn]
    found = group_in_threads(messages)
    assert sorted(map(id, messages)) == sorted(id(each) for thread in found for each in thread)
