"""What every parser promises, on real files and on generated ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import PARSERS, choose_parser, list_versions, parse_as, read
from tests.examples import examples
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.errors import UnreadableFile
from warehouse.records import Document

TEXTUAL = sorted(name for name in PARSERS if not PARSERS[name].heavy)


def attempt(reading: Callable[[], Document]) -> Document | UnreadableFile:
    try:
        return reading()
    except UnreadableFile as problem:
        return problem


def load(path: Path) -> Raw:
    return Raw(path.name, path.read_bytes())


def test_samples_keep_the_contract(sample: Path) -> None:
    document = read(load(sample))
    assert document.blocks
    keeps_its_promises(document)


def test_shared_files_keep_the_contract(shared: Path) -> None:
    keeps_its_promises(read(load(shared)))


def test_the_same_bytes_give_the_same_document(sample: Path) -> None:
    assert read(load(sample)) == read(load(sample))


def test_the_content_and_not_the_name_decides(sample: Path) -> None:
    raw = load(sample)
    kind = choose_parser(raw)
    if kind not in ("text", "markdown"):
        assert choose_parser(Raw("renamed.md", raw.data)) == kind
        assert choose_parser(Raw("renamed", raw.data)) == kind


def test_every_member_says_what_it_is() -> None:
    assert set(list_versions()) == {*PARSERS, "ocr"}
    for name, parser in PARSERS.items():
        assert list_versions()[name] == parser.version >= 1
        assert "/" in parser.media_type
        assert all(suffix.startswith(".") for suffix in parser.suffixes)


LINES = st.sampled_from(
    [
        "# Title", "## Part", "---", "title: x", "tags: [a, b]", "- one", "  - two", "1. three", "| a | b |",
        "| --- | --- |",
        "| c \\| d | e |", "```", "> quote", "> [!note] hm", "[[Note#Part|Alias]]", "![[x.png|300]]", "**11/10/2025:**",
        "[2025-10-11]:", "2025-10-11", "", "", "  ", "\t", "Course Title: C", "Lesson 0: Zero", "Lesson Link: https://l",
        "<p>one<br>two", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "<h2>H</h2>", "</div>", "<article>",
        "<body>", "中文。",
        "a | b", "\u2028", "\x0b", "\ufeff", "&amp;", "\\", "$x^2$", "#tag", "***", "~~~py", "%% hidden %%",
        "<!-- c -->",
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(LINES, st.text(max_size=30)), max_size=25).map("\n".join)


def test_a_control_character_behind_a_script_is_no_failure() -> None:
    document = parse_as("html", Raw("x", b"# Title\n<SCRIPT></SCRIPT>\n\x1f and more"))
    assert "and more" in document.text


@pytest.mark.parametrize("name", TEXTUAL)
@examples(2)
@example(text="| --- | --- |\n" * 3, encoding="utf-8")
@given(text=TEXTS, encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_any_text_keeps_the_contract_in_every_parser(name: str, text: str, encoding: str) -> None:
    outcome = attempt(lambda: parse_as(name, Raw("x", text.encode(encoding, "replace"))))
    if isinstance(outcome, Document):
        keeps_its_promises(outcome)
    else:
        assert "parser failed" not in outcome.problem
        assert "\n" not in str(outcome)


@examples(6)
@given(
    data=st.one_of(st.binary(max_size=300), TEXTS.map(str.encode), st.binary(max_size=60).map(b"%PDF-1.7\n".__add__))
)
def test_any_bytes_give_a_document_or_a_reason(data: bytes) -> None:
    outcome = attempt(lambda: read(Raw("x.txt", data)))
    if isinstance(outcome, Document):
        keeps_its_promises(outcome)
    else:
        assert outcome.cure
        assert outcome.code.startswith("DOC")


@examples(2)
@given(words=st.lists(st.text(alphabet="abcdefghij中文XYZ", min_size=1, max_size=8), min_size=1, max_size=40))
def test_no_word_is_lost_by_parsers_of_markup(words: list[str]) -> None:
    data = " ".join(words).encode()
    for name in ("text", "markdown", "html", "org", "rst", "latex", "clippings"):
        assert parse_as(name, Raw("x", data)).text.split() == words
