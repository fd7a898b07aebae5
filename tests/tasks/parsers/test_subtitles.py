"""Subtitles: what is said, in sentences and paragraphs, and no times."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.fuzz.targets import held
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import BlockKind, Document

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


SAID = "Tuva Brekke: Today we moor a boat at the quay."
OTHERS = {
    "talk.sbv": "0:00:01.000,0:00:03.000\n>> Today we moor a boat\n\n0:00:03.000,0:00:06.500\nat the quay.\n",
    "talk.ass": (
        "[Script Info]\nTitle: Mooring\n\n[Events]\n"
        "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        "Dialogue: 0,0:00:03.00,0:00:06.50,Default,Tuva Brekke,0,0,0,,at the\\Nquay.\n"
        "Comment: 0,0:00:03.00,0:00:06.50,Default,,0,0,0,,not said\n"
        "Dialogue: 0,0:00:01.00,0:00:03.00,Default,Tuva Brekke,0,0,0,,{\\i1}Today{\\i0} we moor a boat\n"
    ),
    "talk.lrc": "[ti:Mooring]\n[ar:Tuva Brekke]\n[00:01.00]Today we <00:02.10>moor a boat\n[00:03.00]at the quay.\n",
    "whisper.txt": "[00:01.000 --> 00:03.000]  Today we moor a boat\n[00:03.000 --> 00:06.500]  at the quay.\n",
    "whisper.tsv": "start\tend\ttext\n1000\t3000\tToday we moor a boat\n3000\t6500\tat the quay.\n",
    "talk.ttml": (
        '<?xml version="1.0" encoding="UTF-8"?><tt xmlns="http://www.w3.org/ns/ttml"'
        ' xmlns:ttm="http://www.w3.org/ns/ttml#metadata"><head><metadata><ttm:title>Mooring</ttm:title>'
        '<ttm:agent xml:id="t" type="person"><ttm:name type="full">Tuva Brekke</ttm:name></ttm:agent></metadata></head>'
        '<body><div><p begin="00:00:01.000" end="3s" ttm:agent="t">Today we<br/>moor a boat</p>'
        '<p begin="00:00:03.000" dur="3500ms" ttm:agent="t">at the quay.</p></div></body></tt>'
    ),
    "whisper.json": (
        '{"text": " Today we moor a boat at the quay.", "segments": [{"id": 0, "start": 1.0, "end": 3.0, '
        '"text": " Today we moor a boat"}, {"id": 1, "start": 3.0, "end": 6.5, "text": " at the quay."}]}'
    ),
    "cpp.json": (
        '{"transcription": [{"offsets": {"from": 1000, "to": 3000}, "text": "Today we moor a boat"},'
        ' {"offsets": {"from": 3000, "to": 6500}, "text": "at the quay."}]}'
    ),
    "youtube.json": (
        '[{"text": "Today we moor a boat", "start": 1.0, "duration": 2.0},'
        ' {"text": "at the quay.", "start": 3.0, "duration": 3.5}]'
    ),
    "podcast.json": (
        '{"version": "1.0.0", "segments": [{"speaker": "Tuva Brekke", "startTime": 1.0, "endTime": 3.0, '
        '"body": "Today we moor a boat"}, {"speaker": "Tuva Brekke", "startTime": 3.0, "endTime": 6.5, '
        '"body": "at the quay."}]}'
    ),
    "talk.json3": (
        '{"wireMagic": "pb3", "pens": [{}], "events": [{"tStartMs": 0, "dDurationMs": 9000, "id": 1},'
        ' {"tStartMs": 1000, "dDurationMs": 2000, "segs": [{"utf8": "Today we"}, {"utf8": " moor a boat"}]},'
        ' {"tStartMs": 2500, "aAppend": 1, "segs": [{"utf8": "\\n"}]},'
        ' {"tStartMs": 3000, "dDurationMs": 3500, "segs": [{"utf8": "at the quay."}]}]}'
    ),
    "talk.srv1": (
        '<?xml version="1.0" encoding="utf-8" ?><transcript><text start="1.0" dur="2">Today we moor a boat</text>'
        '<text start="3.0" dur="3.5">at the quay.</text></transcript>'
    ),
    "talk.xml": (
        '<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><ws id="0"/></head><body><w t="0" id="1"/>'
        '<p t="1000" d="2000" w="1"><s ac="0">Today we</s><s t="300"> moor a boat</s></p><p t="2900" d="9" a="1">\n</p>'
        '<p t="3000" d="3500" w="1">at the quay.</p></body></timedtext>'
    ),
    "copied.txt": "0:01\nToday we moor a boat\n0:03\nat the quay.\n",
    "utterances.json": (
        '{"utterances": [{"speaker": "Tuva Brekke", "start": 1000, "end": 3000, "text": "Today we moor a boat"},'
        ' {"speaker": "Tuva Brekke", "start": 3000, "end": 6500, "text": "at the quay."}]}'
    ),
}


def test_names_before_lines_are_speakers() -> None:
    times = ["00:00:01.000 --> 00:00:04.000", "00:00:04.000 --> 00:00:06.000", "00:00:06.000 --> 00:00:08.000"]
    meeting = ["Tuva Brekke: Today we moor", "Tuva Brekke: a boat.", "Per Dahl: When?"]
    text = "WEBVTT\n\n" + "\n\n".join(f"{time}\n{line}" for time, line in zip(times, meeting, strict=True))
    assert parsed(text).text == "Tuva Brekke: Today we moor a boat.\n\nPer Dahl: When?"
    lesson = [
        "PROFESSOR: The derivative is",
        "2x. Note: for all x.",
        "AUDIENCE: Why?",
        "PROFESSOR: A limit.",
        "So",
        "it is.",
    ]
    cues = (f"0:00:{place:02}.000,0:00:{place + 1:02}.000\n{line}" for place, line in enumerate(lesson))
    assert parsed("\n\n".join(cues), "lesson.sbv").text.split("\n\n") == [
        "PROFESSOR: The derivative is 2x. Note: for all x.",
        "AUDIENCE: Why?",
        "PROFESSOR: A limit. So it is.",
    ]


def test_times_of_a_day_are_no_captions() -> None:
    assert choose_parser(Raw("day.txt", b"9:00\nBreakfast\n10:15\nMeeting with Tom\n")) == "text"


@pytest.mark.parametrize("name", OTHERS)
def test_other_notations_say_the_same(name: str) -> None:
    found = parsed(OTHERS[name], name)
    has_speaker = name in ("talk.ass", "talk.ttml", "utterances.json", "podcast.json")
    assert found.text == (SAID if has_speaker else SAID.removeprefix("Tuva Brekke: "))
    assert found.title == ("Mooring" if name in ("talk.ass", "talk.lrc", "talk.ttml") else "")
    assert found.authors == (("Tuva Brekke",) if name == "talk.lrc" else ())


_RECOGNIZED = [("Today", 1.0, 1), ("we", 1.5, 1), ("moor", 2.0, 1), (".", 2.0, 1), ("When", 3.0, 2), ("?", 3.0, 2)]


def _tokens(mark: str = "punctuation", word: str = "pronunciation", *, label: str = "") -> list[dict[str, object]]:
    """Words and marks as services list them."""
    return [
        {"type": mark, "alternatives": [{"content": text}]}
        if not text.isalpha()
        else {"type": word, "start_time": str(at), "end_time": str(at + 0.4), "alternatives": [{"content": text}]}
        | ({label: f"spk_{who}"} if label else {})
        for text, at, who in _RECOGNIZED
    ]


_WORDS_SAID = [
    {"word": text.lower(), "punctuated_word": f"{text}{after if not after.isalpha() else ''}", "start": at,
     "end": at + 0.4, "confidence": 0.9, "speaker": who}
    for (text, at, who), (after, _, _) in zip(_RECOGNIZED, [*_RECOGNIZED[1:], ("", 0, 0)], strict=True)
    if text.isalpha()
]  # fmt: skip
_SENTENCES = [
    {"sentences": [{"text": "Today we moor.", "start": 1.0, "end": 2.4}], "speaker": 1, "start": 1.0, "end": 2.4},
    {"sentences": [{"text": "When?", "start": 3.0, "end": 3.4}], "speaker": 2, "start": 3.0, "end": 3.4},
]
RECOGNIZED: dict[str, object] = {
    "paragraphs": {"metadata": {"channels": 1}, "results": {"channels": [{"alternatives": [
        {"transcript": "Today we moor. When?", "words": _WORDS_SAID, "paragraphs": {"paragraphs": _SENTENCES}}]}]}},
    "words": {"results": {"channels": [{"alternatives": [{"transcript": "Today", "words": _WORDS_SAID}]}]}},
    "channels": {"results": {"channels": [{"alternatives": [{"words": _WORDS_SAID[:3]}, {"words": _WORDS_SAID[:1]}]},
                                          {"alternatives": [{"words": _WORDS_SAID[3:]}]}]}},
    "items": {"jobName": "moor", "results": {"transcripts": [{"transcript": "Today we moor. When?"}],
              "items": _tokens(label="speaker_label")}},
    "tokens": {"format": "2.9", "results": [each | {"speaker": f"Speaker {who}"} for each, (_, _, who)
               in zip(_tokens(word="word"), _RECOGNIZED, strict=True)]},
    "monologues": {"monologues": [
        {"speaker": 1, "elements": [{"type": "text", "value": "Today", "ts": 1.0, "end_ts": 1.4},
                                    {"type": "punct", "value": " we moor."}]},
        {"speaker": 2, "elements": [{"type": "text", "value": "When", "ts": 3.0, "end_ts": 3.4},
                                    {"type": "punct", "value": "?"}]}]},
    "phrases": {"recognizedPhrases": [
        {"speaker": 2, "offsetInTicks": 3e7, "durationInTicks": 4e6, "nBest": [{"display": "When?"}]},
        {"speaker": 1, "offsetInTicks": 1e7, "durationInTicks": 4e6, "nBest": [{"display": "Today we moor."}]}]},
}  # fmt: skip


@pytest.mark.parametrize("name", RECOGNIZED)
def test_what_services_recognize_is_read_as_what_each_speaker_says(name: str) -> None:
    found = parsed(json.dumps(RECOGNIZED[name]), "call.json")
    assert found.text == "Speaker 1: Today we moor.\n\nSpeaker 2: When?"


def test_results_that_say_when_they_end_follow_each_other() -> None:
    results = [{"alternatives": [{"transcript": text}], "resultEndTime": f"{end}s"} for text, end in
               (("Today we moor", 2), (" a boat.", 4.5))]  # fmt: skip
    assert parsed(json.dumps({"results": results}), "call.json").text == "Today we moor a boat."


@pytest.mark.parametrize("name", OTHERS)
@given(share=st.floats(0, 1))
def test_captions_that_are_cut_are_read_or_refused(name: str, share: float) -> None:
    text = OTHERS[name]
    held(partial(read, Raw(name, text[: int(len(text) * share)].encode() or b"x")), text.encode())


def test_timed_text_that_is_cut_says_so() -> None:
    found = parsed(OTHERS["talk.ttml"].partition("at the quay")[0], "talk.ttml")
    assert found.text == "Tuva Brekke: Today we moor a boat"
    assert ["the end of it could not be read" in finding.message for finding in found.findings] == [True]


NO_CUES = {
    "spans": '[{"text": "Anna", "start": 0, "end": 4, "label": "PERSON"}]',
    "events": '[{"text": "Fair", "start": "2024-03-04", "end": "2024-03-05"}]',
    "backwards": '[{"text": "a b", "start": 9.0, "end": 10.0}, {"text": "c d", "start": 1.0, "end": 2.0}]',
    "places": '[{"paragraphs": [{"text": "Anna", "start": 0, "end": 4}, {"text": "came", "start": 5, "end": 9}]}]',
    "chat": "[12:05] Anna: hello\n[12:06] Ben: hi\n",
}


@pytest.mark.parametrize("text", NO_CUES.values(), ids=NO_CUES)
def test_other_data_are_no_captions(text: str) -> None:
    raw = Raw("data.json" if text.startswith("[{") else "chat.txt", text.encode())
    assert choose_parser(raw) != "subtitles"
    found = read(raw)
    assert found.tables or found.blocks[0].kind is not BlockKind.PARAGRAPH or "12:05" in found.text
