"""Senders that a question names."""

from __future__ import annotations

import pytest

from tasks.query.soft_filters import find_senders, find_soft_filters


@pytest.mark.parametrize(
    ("question", "senders"),
    [
        ("What did Tom write last week?", ("Tom",)),
        ("What did Anna Weber say about the pump?", ("Anna Weber",)),
        ("Has Grace Hill already answered?", ("Grace Hill",)),
        ("the mail from Jan Müller about prices", ("Jan Müller",)),
        ("Which emails by Tom mention the diver?", ("Tom",)),
        ("When was Anna's last message?", ("Anna",)),
        ("Tom wrote about seals on Monday", ("Tom",)),
        ("王伟写了什么", ("王伟",)),
        ("What did I write on Monday?", ()),
        ("What happened on 3 March?", ()),
        ("What was the revenue in Q3 2025?", ()),
    ],
)
def test_a_question_names_whose_messages_it_asks_for(question: str, senders: tuple[str, ...]) -> None:
    assert find_senders(question) == senders


def test_a_sender_is_a_section_only_where_there_are_messages() -> None:
    question = "What did Tom write last week?"
    assert find_soft_filters(question, lambda field: ("message",) if field == "kinds" else ()).sections == ("Tom",)
    assert find_soft_filters(question, lambda field: ("note",) if field == "kinds" else ()).sections == ()
