"""Times as logs and Org mode write them, and the numbers beside them that are no years."""

from __future__ import annotations

import pytest

from tasks.temporal.tagger import tag


def values(text: str) -> list[tuple[str, str]]:
    """The words and the value of each expression."""
    return [(mention.text, mention.value) for mention in tag(text, None, "en")]


@pytest.mark.parametrize(
    ("line", "words", "value"),
    [
        (
            '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /x HTTP/1.0" 200 1871',
            "10/Oct/2000:13:55:36 -0700",
            "2000-10-10T13:55:36-07:00",
        ),
        ("Oct 11 22:14:15 host sshd[2023]: port 2022, 1999 bytes", "Oct 11 22:14:15", "XXXX-10-11T22:14:15"),
        ("<34>Oct 11 22:14:15 host su: took 2019", "Oct 11 22:14:15", "XXXX-10-11T22:14:15"),
        ("2023-05-14T10:00:00.123Z INFO queue of 2024", "2023-05-14T10:00:00.123Z", "2023-05-14T10:00:00Z"),
        ("2023-05-14 10:00:05,123 [main] size 2024", "2023-05-14 10:00:05,123", "2023-05-14T10:00:05"),
        (
            "[Sun May 14 10:00:00.123 2023] [error] size 2019",
            "Sun May 14 10:00:00.123 2023",
            "2023-05-14T10:00:00",
        ),
    ],
)
def test_the_line_of_a_log_has_its_own_time_alone(line: str, words: str, value: str) -> None:
    assert values(line) == [(words, value)]


@pytest.mark.parametrize(
    "line", ["[2023-05-14 10:00:05] Tom: summer 2019 was good", "May 14 10:00:05 Tom: summer 2019 was good"]
)
def test_years_in_chats_stay(line: str) -> None:
    assert ("summer 2019", "2019-SU") in values(line)


@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("<2023-05-14 Sun>", "2023-05-14 Sun", "2023-05-14"),
        ("[2023-05-14 dim.]", "2023-05-14 dim.", "2023-05-14"),
        ("<2023-05-14 So 10:00-11:30 +1w>", "2023-05-14 So 10:00-11:30", "2023-05-14T10:00/2023-05-14T11:30"),
        ("<2023-07-01 Sat>--<2023-07-05 Wed>", "2023-07-01 Sat>--<2023-07-05 Wed", "2023-07-01/2023-07-05"),
        (
            "CLOCK: [2023-05-14 Sun 10:00]--[2023-05-14 Sun 11:30] =>  1:30",
            "2023-05-14 Sun 10:00]--[2023-05-14 Sun 11:30",
            "2023-05-14T10:00/2023-05-14T11:30",
        ),
        ("on 2023-05-14 Sunday", "2023-05-14 Sunday", "2023-05-14"),
        ("since 2023-05-16 Sun Microsystems", "2023-05-16", "2023-05-16"),
    ],
)
def test_timestamps_of_org_mode(text: str, words: str, value: str) -> None:
    assert (words, value) in values(text)
    assert len(values(text)) == 1
