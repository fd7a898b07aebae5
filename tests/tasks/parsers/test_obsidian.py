"""What Obsidian and HTML add to Markdown: callouts, tags, comments, formulas, footnotes, highlights."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, parse_as
from warehouse.records import BlockKind, Document

VAULT = Path(__file__).resolve().parents[3] / "../shared/data/vault/kepano"


def note(text: str) -> Document:
    return parse_as("markdown", Raw("note.md", text.encode()))


@pytest.mark.parametrize(
    ("source", "tags"),
    [
        ("#one #two/three, #四 #a-b_c. *#five*", ("one", "two/three", "四", "a-b_c", "five")),
        ("# heading\n#2024 #12 a#b https://x/y#z [t](#u)", ()),
        ("`#code`\n\n```\n#fence\n```\n\n    #indented", ()),
        ("#fff #FFF #1a2b3c #aabbcc #0f0 #1a2b3c4d", ()),
        ("#facade #decade #dad", ("facade", "decade", "dad")),
        ("\\#escaped <i>x</i> #in %% #hidden %% $#m$", ("in",)),
        ("## Part #inside\n- item #listed\n\n| #cell | b |\n|-|-|\n| 1 | 2 |", ("inside", "listed", "cell")),
        ("#Same #same", ("Same",)),
    ],
)
def test_tags_are_words_and_neither_code_nor_colours(source: str, tags: tuple[str, ...]) -> None:
    assert note(source).attributes.tags == tags


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("> [!note] Title\n> body *it*", "Title\nbody it"),
        ("> [!warning]- \n> body", "Warning\nbody"),
        ("> [!tip|wide] A\n>> [!faq] B", "A\n\nB"),
        ("- x\n  > [!note] A\n  > b", "- x\n  A\n  b"),
        ("a ==b **c** d== e", "a b c d e"),
        ("a == b and c == d, x==y", "a == b and c == d, x==y"),
        ("a %%b [[C]]%% d", "a d"),
        ("a\n\n%%\nb\n\nc\n%%\n\nd", "a\n\nd"),
        ("50 %% is unclosed", "50 %% is unclosed"),
        ("a ^block-id\n\n- b ^c1\n\n^table", "a ^block-id\n\n- b ^c1\n\n^table"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n^t", "[TABLE 1]\n| a | b |\n| --- | --- |\n| 1 | 2 |\n[END TABLE]\n\n^t"),
        ("# Plan ^p1\n\na", "Plan\n\na"),
        ("x ^2 + y", "x ^2 + y"),
        ("$a_1*b*c_2$ costs $5 or $10", "$a_1*b*c_2$ costs $5 or $10"),
        ("a\n$$\nx_1 * y\n\n*z*\n$$\nb", "a\n\n$$\nx_1 * y\n\n*z*\n$$\n\nb"),
        ("a[^1] [^2]\n\n[^1]: one\n    more\n\n    para", "a[1] [^2]\n\n[1] one\nmore\n\npara"),
        ("a <!-- b --> c<br>d", "a  c\nd"),
        ("<!-- a\n\nb -->\n\nc", "c"),
        ("<b>a</b> <your name> List<Int>", "a <your name> List<Int>"),
        ("<div align=center>\n<h2>A</h2>\n<p>b &amp; <i>c</i></p>\n</div>", "A\n\nb & c"),
        ("key:: value", "key:: value"),
    ],
)
def test_the_words_that_a_reader_sees(source: str, text: str) -> None:
    assert note(source).text == text


def test_fields_in_the_text_count_where_the_front_matter_says_nothing() -> None:
    document = note(
        "---\ntags: [a]\naliases:\n---\ndate:: [[2024-05-06]]\nAliases:: b, c\n\n(author:: D) [url:: https://x]"
    )
    assert str(document.dates[0].date) == "2024-05-06"
    assert document.attributes.aliases == ("b", "c")
    assert (document.authors, document.attributes.link) == (("D",), "https://x")


def test_the_state_of_a_task_is_seen() -> None:
    assert note("- [ ] a\n- [x] b\n  - [/] c").text == "- [ ] a\n- [x] b\n  - [/] c"


def test_tables_lose_no_cell_and_no_alignment_shows() -> None:
    (table,) = note("| *a* | b |\n|:-:|--:|\n| x \\| y | [[N|M]] |\n| `1` | 2 | 3 |\n^id").tables
    assert table.rows == (("a", "b", ""), ("x | y", "M", ""), ("1", "2", "3"))


def test_tables_and_code_in_a_list_are_blocks() -> None:
    document = note("- a\n  ```\n    [[x]]\n  ```\n  | q | r |\n  |---|---|\n  | 1 | 2 |\n- b")
    assert [block.kind for block in document.blocks] == [
        BlockKind.LIST, BlockKind.CODE, BlockKind.TABLE, BlockKind.LIST,
    ]  # fmt: skip
    assert "```\n  [[x]]\n```" in document.text


def test_tables_of_html_are_tables() -> None:
    (table,) = note("<table>\n<tr><th colspan=2>H</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>").tables
    assert table.rows == (("H", ""), ("1", "2"))


def test_a_readme_that_begins_with_html_is_markdown() -> None:
    assert choose_parser(Raw("README.md", b"<p align=center><img src=x></p>\n\n# Title\n\n**Bold** text")) == "markdown"
    assert choose_parser(Raw("page.html", b"<p>one</p><p>two **three**</p>")) == "html"


@pytest.mark.skipif(not VAULT.exists(), reason=f"there is no {VAULT}")
def test_a_whole_vault_keeps_every_word_and_link() -> None:
    for path in VAULT.rglob("*.md"):
        source = path.read_text(encoding="utf-8")
        body = re.sub(r"\A---\n.*?^---\n", "", source, flags=re.DOTALL | re.MULTILINE)
        seen = re.sub(r"\[\[[^\]|]*\\?\|([^\]]*)\]\]", r"\1", re.sub(r"\]\([^)]*\)", " ", body))
        document = note(source)
        words = Counter(re.findall(r"\w+", document.text))
        assert not Counter(re.findall(r"\w+", seen)) - words, path.name
        links = {name.strip() for name in re.findall(r"\[\[([^\]|#\n]+)", source)}
        assert links <= set(document.attributes.links), path.name
