"""Headings of messages, written and read again."""

from __future__ import annotations

from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.message_notation import MessageHeading, MessageRole, find_message, parse_message_heading

SENDERS = (
    st.text(min_size=1, max_size=60)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: text and not text.endswith((")", "…")))
)


@given(
    st.builds(
        MessageHeading,
        st.none() | st.dates(date(1970, 1, 1), date(2100, 1, 1)),
        st.just(time(14, 5)),
        SENDERS,
        st.sampled_from(MessageRole),
    )
)
def test_a_heading_is_read_as_it_was_written(heading: MessageHeading) -> None:
    found = parse_message_heading(heading.words)
    assert found is not None
    assert (found.day, found.sender, found.role) == (heading.day, heading.sender, heading.role)
    assert found.hour == (heading.hour if heading.day else None)


@pytest.mark.parametrize("words", ["Pump pressure", "2025-13-45, Anna", "2025-03-12", "12 March 2025, Anna", ""])
def test_other_headings_are_none_of_a_message(words: str) -> None:
    assert parse_message_heading(words) is None


def test_a_passage_is_of_the_message_that_its_section_names() -> None:
    found = find_message(("Pump", "2025-03-12 14:05, Anna Weber", "Attachment: a.csv"))
    assert found is not None
    assert (found[0], found[1].sender) == ("Pump", "Anna Weber")
    assert find_message(("Pump",)) is None
    assert find_message(("Pump", "Introduction")) is None
