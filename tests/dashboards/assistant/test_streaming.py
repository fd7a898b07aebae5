"""Answers as they are written: marks, numbers and pieces, however the stream is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.answer_types import AnswerEvent, AnswerSource, StreamRestart, TextPiece
from dashboards.assistant.citable_passages import (
    MAX_PASSAGE_LENGTH,
    MAX_TOTAL_LENGTH,
    CitableMaterial,
    without_passage_lines,
)
from dashboards.assistant.streaming import AnswerWriter, without_marks
from warehouse.records import Citation, Hit

TABLE = "[TABLE 1]\n| (in millions) | Q2 |\n| --- | --- |\n| Sales | 41 |\n| Costs | 7 |\n[END TABLE]"
PIECES = st.lists(
    st.sampled_from(["[", "]", "1", "2", "9", ",", " ", "\n", "word", ".", "【", "】", "-", "(", "[1]", "[2, 3]"])
)


def hit(number: int, text: str = "Some words. More words.", start: int = 100) -> Hit:
    citation = Citation("d", "T", "a.md", None, number, None, (), 1.0, None, "T", "")
    return Hit(f"c{number}", "d", start, text, 1.0, None, None, citation)


def written(pieces: list[str], *, marks: bool) -> tuple[str, list[AnswerEvent], tuple[AnswerSource, ...]]:
    events: list[AnswerEvent] = []
    material = CitableMaterial()
    material.add([hit(1), hit(2), hit(3)])
    writer = AnswerWriter(material, events.append, marks=marks)
    for piece in pieces:
        writer.write(piece)
    writer.end_block()
    writer.keep()
    return writer.text, events, writer.sources


@given(PIECES)
def test_it_does_not_matter_how_the_stream_is_cut(pieces: list[str]) -> None:
    whole = "".join(pieces)
    for marks in (True, False):
        text, events, sources = written(pieces, marks=marks)
        assert (text, sources) == written([whole], marks=marks)[::2] == written(list(whole), marks=marks)[::2]
        assert "".join(event.text for event in events if isinstance(event, TextPiece)) == text


@given(PIECES)
def test_every_mark_names_a_source_that_was_told_before_it(pieces: list[str]) -> None:
    _, events, sources = written(pieces, marks=True)
    assert [source.number for source in sources] == list(range(1, len(sources) + 1))
    assert [event for event in events if isinstance(event, AnswerSource)] == list(sources)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So [2]. And [1].", "So [1]. And [2]."),
        ("So [3][1], [3]", "So [1][2], [1]"),
        ("So [1, 3]", "So [1][2]"),
        ("So [1-3] it is", "So [1][2][3] it is"),
        ("So【2】it is", "So[1]it is"),
        ("So [4] it is", "So it is"),
        ("In [2023] it was [n] [a] [1", "In [2023] it was [n] [a] [1"),
    ],
)
def test_marks_become_numbers_of_sources(text: str, expected: str) -> None:
    assert written([text], marks=True)[0] == expected


def test_numbers_that_a_citing_service_writes_itself_are_left_out() -> None:
    assert written(["So [1] it was [2, 3]. [2023] [x]"], marks=False)[0] == "So it was. [2023] [x]"
    assert without_marks("It was 41 [1][2], so [3].") == "It was 41, so."


def test_what_is_void_is_forgotten_and_the_rest_told_again() -> None:
    events: list[AnswerEvent] = []
    material = CitableMaterial()
    material.add([hit(1), hit(2)])
    writer = AnswerWriter(material, events.append, marks=True)
    writer.write("First [2].")
    writer.end_block()
    writer.keep()
    writer.write("Second [1].")
    writer.restart("the line broke")
    writer.write("Third [1]!")
    writer.end_block()
    assert writer.text == "First [1].\n\nThird [2]!"
    after = events[events.index(StreamRestart("the line broke")) + 1 :]
    assert "".join(event.text for event in after if isinstance(event, TextPiece)) == writer.text
    assert [event.number for event in after if isinstance(event, AnswerSource)] == [1, 2]


def test_rows_of_a_table_are_cited_one_by_one() -> None:
    (passage,) = CitableMaterial().add([hit(1, f"Above.\n\n{TABLE}\n\nBelow.")])
    assert "".join(passage.blocks) == passage.hit.text
    place = next(n for n, block in enumerate(passage.blocks) if "Costs" in block)
    start, end = passage.get_span(place, place + 1)
    assert passage.hit.text[start - 100 : end - 100] == "| Costs | 7 |"


@given(st.text(st.sampled_from("ab. \n|-[]1"), max_size=200), st.booleans())
def test_blocks_are_the_passage_and_none_is_blank(text: str, table: bool) -> None:
    shown = CitableMaterial().add([hit(1, f"{text}\n\n{TABLE}" if table else text)])
    assert bool(shown) == bool(text.strip() or table)
    for passage in shown:
        assert "".join(passage.blocks) == passage.hit.text.strip()
        assert all(block.strip() for block in passage.blocks)


def test_long_passages_are_shown_around_their_excerpt() -> None:
    text = " ".join(f"This is sentence number {n} of many." for n in range(1000))
    place = text.index("This is sentence number 700 ")
    shown = CitableMaterial().add([Hit(**{**vars_of(hit(1, text)), "excerpt": (100 + place, 120 + place)})] * 4)
    for passage in shown:
        assert "number 700 " in "".join(passage.blocks)
        assert len("".join(passage.blocks)) <= min(MAX_TOTAL_LENGTH // 4, MAX_PASSAGE_LENGTH)


def test_what_stands_in_the_passages_is_not_said_twice() -> None:
    (passage,) = CitableMaterial().add([hit(1)])
    text = "[4] T (Chunk 2) | Passage: c1\nSome words. More words.\n\nopen_passage reads on."
    assert without_passage_lines(text, [passage]) == "4. T (Chunk 2) | Passage: c1\n\nopen_passage reads on."
    assert without_passage_lines(text, [passage], 8).startswith("4. T (Chunk 2) | Passage: c1 = [8]\n")


def vars_of(one: Hit) -> dict[str, object]:
    return {name: getattr(one, name) for name in one.__slots__}
