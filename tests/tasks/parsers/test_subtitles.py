"""Subtitles: what is said, in sentences and paragraphs, and no times."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import Document

VTT = """WEBVTT - Mooring a boat

NOTE made by hand
and not shown

STYLE
::cue { color: red }

intro
00:00:01.000 --> 00:00:04.000 align:start position:0%
<v Tuva Brekke>Today we <i>moor</i> a boat at

00:00:04.000 --> 00:00:06.500
<v Tuva Brekke>the quay &amp; pay its dues.

00:00:09.000 --> 00:00:11.000
<v Tuva Brekke>The tide turns at nine.

00:00:11.000 --> 00:00:13.000
<v.loud Per Dahl>And who keeps the time?
"""
SRT = """1
00:00:01,000 --> 00:00:04,000
{\\an8}The keepers count
the <b>ships</b>

2
00:00:04,100 --> 00:00:06,000
that pass in March 2024.
3
00:00:06,100 --> 00:00:07,000
They write it down.

4
00:01:00,000 --> 00:01:02,000
Then they go home.
"""


def parsed(text: str, name: str = "talk.vtt") -> Document:
    found = read(Raw(name, text.encode()))
    keeps_its_promises(found)
    return found


@pytest.mark.parametrize("name", ["talk.vtt", "talk.txt", "talk"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_webvtt_is_speech_in_paragraphs_by_speaker(name: str, ends: str) -> None:
    assert choose_parser(Raw(name, VTT.replace("\n", ends).encode())) == "subtitles"
    found = parsed(VTT.replace("\n", ends), name)
    assert found.text.split("\n\n") == [
        "Tuva Brekke: Today we moor a boat at the quay & pay its dues.",
        "Tuva Brekke: The tide turns at nine.",
        "Per Dahl: And who keeps the time?",
    ]
    assert (found.title, found.media_type) == ("Mooring a boat", "text/vtt")


@pytest.mark.parametrize(
    ("first", "second"),
    [("0:0:0.0 --> 0:0:3.540", "0:0:5.5 --> 1:2:7.95"), ("00:00:00 --> 00:00:03", "00:00:05 --> 00:00:07")],
)
def test_times_with_few_digits_are_times(first: str, second: str) -> None:
    said = f"{first}\n<v Tuva Brekke>Good morning.</v>\n\n17-0\n{second}\n<v Per Dahl>Morning.</v>"
    for text in (f"WEBVTT\n\n6e2b-12-0\n{said}", said):
        assert parsed(text).text == "Tuva Brekke: Good morning.\n\nPer Dahl: Morning."


def test_subrip_is_speech_without_numbers_and_times() -> None:
    found = parsed("\ufeff" + SRT, "talk.srt")
    assert found.text.split("\n\n") == [
        "The keepers count the ships that pass in March 2024. They write it down.",
        "Then they go home.",
    ]
    assert found.media_type == "application/x-subrip"


def test_captions_that_roll_up_say_a_line_once() -> None:
    lines = ["so the tide", "turns at nine", "and we go", "home again."]
    cues = [
        f"00:00:0{n}.000 --> 00:00:0{n + 1}.000\n{above}\n<00:00:0{n}.500><c>{line}</c>\n"
        for n, (above, line) in enumerate(zip([" ", *lines], lines, strict=False))
    ]
    assert (
        parsed("WEBVTT\nKind: captions\n\n" + "\n".join(cues)).text == "so the tide turns at nine and we go home again."
    )


def test_a_word_that_is_said_again_later_stays() -> None:
    cues = "00:00.000 --> 00:01.000\nNo.\n\n00:01.500 --> 00:02.000\nNo.\n"
    assert parsed(f"WEBVTT\n\n{cues}").text == parsed(f"WEBVTT\n{cues}").text == "No. No."


def test_a_cue_with_a_blank_line_is_whole() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nOne\n\ntwo.\n\n2\n00:00:02,000 --> 00:00:03,000\nThree.\n"
    assert parsed(text, "a.srt").text == "One two. Three."


def test_chinese_has_no_blanks_between_cues() -> None:
    cues = "00:00.000 --> 00:02.000\n今天我们讲\n\n00:02.000 --> 00:04.000\n潮汐的时间。\n"
    assert parsed(f"WEBVTT\n\n{cues}").text == "今天我们讲潮汐的时间。"


@pytest.mark.parametrize(
    "text", ["WEBVTTING is fun\n\nNot subtitles.", "1\nA list\n\n2\nof two", "At 00:01 we met --> there.", "Plain."]
)
def test_other_text_is_none(text: str) -> None:
    assert choose_parser(Raw("a.txt", text.encode())) != "subtitles"


def test_a_file_without_cues_is_empty() -> None:
    found = parsed("WEBVTT\n\nNOTE nothing was said\n")
    assert (found.text, [each.code for each in found.findings]) == ("", ["DOC002"])


WORDS = st.lists(st.sampled_from(["tide", "boat.", "quay", "nine!", "keeper", "home"]), min_size=1, max_size=8)


@given(st.lists(st.tuples(WORDS, st.integers(0, 9)), min_size=1, max_size=30), st.booleans())
def test_every_word_is_said_once_and_in_order(cues: list[tuple[list[str], int]], comma: bool) -> None:
    now, blocks, said = 0, [], []
    for number, (words, pause) in enumerate(cues, start=1):
        now += pause
        line = " ".join([f"cue{number}", *words])
        blocks.append(
            f"{number}\n00:{now // 60:02}:{now % 60:02},000 --> 00:{(now + 2) // 60:02}:{(now + 2) % 60:02},000\n{line}"
        )
        said += line.split()
        now += 2
    text = "\n\n".join(blocks)
    found = parsed(text if comma else f"WEBVTT\n\n{text.replace(',', '.')}", "a.srt")
    assert re.split(r"\s+", found.text) == said
