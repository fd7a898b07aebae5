"""Markdown and Obsidian notes."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.notes.properties import split_front_matter
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, parse_as, read
from tasks.parsers.written_dates import find_day_order, is_date_heading, parse_dates
from warehouse.records import BlockKind, DateOrigin, Document


def note(text: str) -> Document:
    return parse_as("markdown", Raw("note.md", text.encode()))


def shown(document: Document) -> list[tuple[BlockKind, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


@pytest.mark.parametrize(
    ("source", "words", "targets"),
    [
        ("see [[Note]]", "see Note", ("Note",)),
        ("see [[Note|Alias]].", "see Alias.", ("Note",)),
        ("see [[Note#Heading|Alias]]", "see Alias", ("Note",)),
        ("see [[Note#Heading]]", "see Note > Heading", ("Note",)),
        ("see [[Note#^block]]", "see Note > block", ("Note",)),
        ("see [[#Heading]]", "see Heading", ()),
        ("see [[folder/Note]]", "see folder/Note", ("folder/Note",)),
        ("see ![[picture.png|300]]", "see picture.png", ("picture.png",)),
        ("`[[code]]` stays", "[[code]] stays", ()),
        ("a [text](Other%20note.md) b", "a text b", ("Other note.md",)),
        ("**bold** and _it_ and ~~gone~~<br>x", "bold and it and gone\nx", ()),
        ("[[A]] [[B]] [[A]]", "A B A", ("A", "B")),
        ("[[Note#One#Two]]", "Note > One > Two", ("Note",)),
        ("![[picture.png|a cat|300x200]] ![cat|100](c.png)", "a cat cat", ("picture.png", "c.png")),
        ("[x][one] [two]\n\n[one]: https://x.y 'T'\n[two]: ./z.md", "x two", ("https://x.y", "./z.md")),
        ("see https://x.y/a#b, <https://z>", "see https://x.y/a#b, https://z", ("https://x.y/a#b", "https://z")),
        ("![](data:image/png;base64,AA) x", "x", ()),
        ("[idea]: buy milk", "[idea]: buy milk", ()),
    ],
)
def test_links_show_their_words(source: str, words: str, targets: tuple[str, ...]) -> None:
    document = note(source)
    assert document.text == words
    assert document.attributes.links == targets


def test_front_matter_becomes_fields_and_stays_readable() -> None:
    document = note(
        "---\ntitle: A note\ndate: 2024-05-06\ntags: [one, two]\naliases: other\nauthor: '[[Ann B]]'\nempty:\n---\n"
        "Text #three and `#four` [x](#five)\n"
    )
    assert document.title == "A note"
    assert document.authors == ("Ann B",)
    assert document.dates[0].date == date(2024, 5, 6)
    assert document.dates[0].origin is DateOrigin.FRONT_MATTER
    assert document.attributes.tags == ("one", "two", "three")
    assert document.attributes.aliases == ("other",)
    assert document.attributes.links[0] == "Ann B"
    assert "author: Ann B" in document.text
    assert "empty" not in document.text


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("date: 2024-05-06", "2024-05-06"),
        ("date: 2024-05-06T23:30:00+02:00", "2024-05-06"),
        ("date: 2024-05-06 10:30", "2024-05-06"),
        ("date: '2024-05-06'", "2024-05-06"),
        ("date: 20240506", "2024-05-06"),
        ("date: 2024/5/6", "2024-05-06"),
        ("date: May 6th, 2024", "2024-05-06"),
        ("date: Monday, 6 May 2024", "2024-05-06"),
        ("date: 6/5/2024", "2024-05-06"),
        ("date: 5/16/2024", "2024-05-16"),
        ("date: 2024年5月6日", "2024-05-06"),
        ("date: '[[2024-05-06]]'", "2024-05-06"),
        ("date:\n  - 2024-05-06", "2024-05-06"),
        ("date: 2024-05", "2024-05-01"),
        ("Created: 2024-05-06", "2024-05-06"),
        ("updated: 2024-06-07\ncreated: 2024-05-06", "2024-05-06"),
        ("date: 2024-02-30\ncreated: 2024-05-06", "2024-05-06"),
        ("date:\ncreated: 2024-05-06", "2024-05-06"),
    ],
)
def test_dates_of_the_front_matter_in_all_their_forms(written: str, day: str) -> None:
    document = note(f"---\n{written}\n---\nbody")
    assert document.dates[0].date == date.fromisoformat(day)
    assert document.dates[0].origin is DateOrigin.FRONT_MATTER
    assert not document.findings


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("tags: [One, two/three]", ("One", "two/three")),
        ("tags: 'one two, #three'", ("one", "two", "three")),
        ("tags:\n- one\ntag: two", ("one", "two")),
        ("tags: [machine learning, 2024]", ("machine learning", "2024")),
        ("tags: []\n", ()),
    ],
)
def test_tags_of_the_front_matter(written: str, tags: tuple[str, ...]) -> None:
    assert note(f"---\n{written}\n---\nbody #ONE").attributes.tags[: len(tags)] == tags


@pytest.mark.parametrize(
    "broken", ["a: [1", "- just\n- a list", "a: b: c", "created: [{{date}}]", "x: !!python/object:os.system y"]
)
def test_broken_front_matter_is_kept_with_a_finding(broken: str) -> None:
    document = note(f"---\n{broken}\n---\nbody")
    (finding,) = document.findings
    assert (finding.code, finding.name) == ("DOC008", "bad-front-matter")
    assert document.text == f"{broken}\n\nbody"


def test_what_a_template_fills_in_later_is_text() -> None:
    source = "created: {{date}}\ntags:\n  - {{tag}}\nby: <% tp.user('a: b') %>\nx: {a: 1}\n"
    front = split_front_matter(f"---\n{source}---\n")
    filled = {"created": "{{date}}", "tags": ["{{tag}}"], "by": "<% tp.user('a: b') %>", "x": {"a": 1}}
    assert front.properties == filled
    assert not front.problem


def test_of_broken_front_matter_what_can_be_read_is_read() -> None:
    document = note("---\ntitle: One: two\ndate: 2024-05-06\ntags: [a, b]\naliases: [x\n---\nbody")
    assert document.title == "One: two"
    assert document.dates[0].date == date(2024, 5, 6)
    assert document.attributes.tags == ("a", "b")
    assert len(document.findings) == 1


def test_a_rule_between_paragraphs_is_no_front_matter() -> None:
    document = note("---\n\nOne: two.\n\nThree.\n\n---\n\nFour.")
    assert document.text == "One: two.\n\nThree.\n\nFour."
    assert not document.findings


def test_blocks_of_every_kind() -> None:
    document = note(
        "# H\n\npara\nmore\n\n- a\n  - b\n\n3. c\n4. d\n\n```py\n  x = '[[n]]'\n```\n\n| a | b |\n|---|---|\n"
        "| 1 | [[N\\|M]] |\n\n"
        "> quoted\n\n## K\n- [x] done\n"
    )
    assert shown(document) == [
        (BlockKind.HEADING, "H"),
        (BlockKind.PARAGRAPH, "para\nmore"),
        (BlockKind.LIST, "- a\n  - b"),
        (BlockKind.LIST, "3. c\n4. d"),
        (BlockKind.CODE, "```py\n  x = '[[n]]'\n```"),
        (BlockKind.TABLE, "[TABLE 1]\n| a | b |\n| --- | --- |\n| 1 | M |\n[END TABLE]"),
        (BlockKind.PARAGRAPH, "quoted"),
        (BlockKind.HEADING, "K"),
        (BlockKind.LIST, "- [x] done"),
    ]
    assert document.blocks[-1].section == ("H", "K")


@pytest.mark.parametrize(
    "line",
    ["2025-10-11", "**11/10/2025:**", "[2025-10-11]:", "11/10/2025:", "Saturday, October 11, 2025", "11 October 2025",
     "2025年10月11日", "_2025/10/11_", "11.10.2025"],
)  # fmt: skip
def test_a_date_alone_on_a_line_heads_what_follows(line: str) -> None:
    document = note(f"{line}\nwent home\n")
    assert [block.kind for block in document.blocks] == [BlockKind.HEADING, BlockKind.PARAGRAPH]
    assert [claim.date for claim in document.dates] == [date(2025, 10, 11)]
    assert document.dates[0].origin is DateOrigin.HEADING


@pytest.mark.parametrize("line", ["on 2025-10-11 we met", "10/11", "13/13/2025 late", "1.2.3", "chapter 2025"])
def test_other_lines_are_no_date_headings(line: str) -> None:
    assert not is_date_heading(line)


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6])
def test_headings_that_begin_with_a_date_are_dates_too(level: int) -> None:
    document = note(f"{'#' * level} 2025-10-11 Saturday: sprint\nwords")
    assert [claim.date for claim in document.dates] == [date(2025, 10, 11)]
    assert document.blocks[0].level == level


@pytest.mark.parametrize(
    ("lines", "text", "order"),
    [
        (["03/04/2024", "20/04/2024"], "", "day first"),
        (["03/04/2024", "04/20/2024"], "", "month first"),
        (["03/04/2024"], "", "day first (assumed)"),
        (["03/04/2024"], "paid on 12/31/2023", "month first"),
        (["03/04/2024", "04/20/2024"], "on 31/12/2023 and 30.12.2023", "month first"),
        (["2024-02-28", "03/04/2024", "03/11/2024", "2024-03-12"], "", "month first"),
        (["2024-05-01", "03/04/2024", "02/04/2024", "2024-03-12"], "", "day first"),
        ([], "nothing", ""),
        (["2024-05-01"], "", ""),
    ],
)
def test_the_order_of_day_and_month_follows_from_the_file(lines: list[str], text: str, order: str) -> None:
    assert find_day_order(lines, text) == order
    document = note("\n\n".join([*lines, text]))
    assert document.attributes.day_order == order


def test_the_order_of_day_and_month_is_one_for_a_note() -> None:
    assert parse_dates(["03/04/2024", "20/04/2024"]) == [date(2024, 4, 3), date(2024, 4, 20)]
    assert parse_dates(["03/04/2024", "04/20/2024"]) == [date(2024, 3, 4), date(2024, 4, 20)]
    assert parse_dates(["03/04/2024"]) == [date(2024, 4, 3)]


def test_all_that_stands_under_a_date_is_in_its_section() -> None:
    document = note("# Log\nintro\n\n11/10/2025:\na\n## Work\nb\n\n[2025-10-12]:\nc\n# Other\nd")
    sections = {document.text[block.start : block.end]: block.section for block in document.blocks}
    assert sections["b"] == ("Log", "11/10/2025", "Work")
    assert sections["c"] == ("Log", "2025-10-12")
    assert sections["d"] == ("Other",)


def test_a_date_in_the_text_follows_dates_in_headings_at_their_level() -> None:
    document = note("# Log\n## 2025-06-12\na\n### Part\nb\n\n2025-06-13\nc\n## Later\nd")
    sections = {document.text[block.start : block.end]: block.section for block in document.blocks}
    assert sections["b"] == ("Log", "2025-06-12", "Part")
    assert sections["c"] == ("Log", "2025-06-13")
    assert sections["d"] == ("Log", "2025-06-13", "Later")


DATED = {
    f"{form}": interval
    for day in (14, 15, 16)
    for form in (f"2025年10月{day}日", f"October {day}, 2025", f"2025-10-{day} - Standup")
    for interval in [(date(2025, 10, day), date(2025, 10, day + 1))]
} | {
    "2025-W42": (date(2025, 10, 13), date(2025, 10, 20)),
    "2025-W40": (date(2025, 9, 29), date(2025, 10, 6)),
    "October 2025": (date(2025, 10, 1), date(2025, 11, 1)),
    "2024": (date(2024, 1, 1), date(2025, 1, 1)),
}


@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from(sorted(DATED))), min_size=1, max_size=8))
def test_no_date_stands_in_the_section_of_another(headings: list[tuple[int, str]]) -> None:
    lines = [f"{'#' * level} {words}".strip() for level, words in headings]
    document = note("# Diary\n\n" + "\n\ntext\n\n".join(lines) + "\n\n## Other\n\nlast\n")
    for block in document.blocks:
        *_, (first, end) = [DATED[words] for words in block.section if words in DATED] or [(date.min, date.max)]
        for words in block.section:
            start, stop = DATED.get(words, (first, end))
            assert start < end, block.section
            assert first < stop, block.section


def test_a_day_below_another_day_is_an_entry_of_its_own() -> None:
    document = note("## 2025年10月15日\n\na\n\n### Thursday, October 16, 2025\n\nb\n\n#### Work\n\nc\n")
    sections = {document.text[block.start : block.end]: block.section for block in document.blocks}
    assert sections["b"] == ("Thursday, October 16, 2025",)
    assert sections["c"] == ("Thursday, October 16, 2025", "Work")
    document = note("# October 2025\n\n## 2025-W44\n\n### 2025-10-28\n\na\n")
    assert document.blocks[-1].section == ("October 2025", "2025-W44", "2025-10-28")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("# Meeting with Tom – 14 October 2025\n\nWe spoke of 4 May 1998.", [date(2025, 10, 14)]),
        ("# Standup (2025-10-14)\n\nLate.", [date(2025, 10, 14)]),
        ("# Notes, updated 14 October 2025\n\nLate.", [date(2025, 10, 14)]),
        ("# Notes from 14 October 2025\n\nLate.", [date(2025, 10, 14)]),
        ("# Timetable, valid from 4 September 2026\n\nOn Monday.", []),
        ("# Timetable (effective 4 September 2026)\n\nOn Monday.", []),
        ("# Stundenplan, gültig ab 4. September 2026\n\nAm Montag.", []),
        ("# Horario vigente desde el 4 de septiembre de 2026\n\nEl lunes.", []),
        ("# Essay, due 4 September 2026\n\nBy Monday.", []),
        ("# Review\n\n## 2025-W43\n\nGood.", [date(2025, 10, 20)]),
        ("# October 2025\n\nWarm.", [date(2025, 10, 1)]),
        ("# 2025\n\nGood.", []),
        ("# Tom Baker\n\n## The reunion of 4 May 1998\n\nAt the lake.", []),
        ("---\ndate: 2025-W43\n---\nGood.", [date(2025, 10, 20)]),
    ],
)
def test_headings_and_titles_that_date_a_note(text: str, days: list[date]) -> None:
    assert [claim.date for claim in note(text).dates] == days


@given(st.dates(min_value=date(1900, 1, 1)).map(lambda day: day + timedelta(0)))
def test_iso_headings_are_read_back(day: date) -> None:
    assert parse_dates([f"## {day.isoformat()}"]) == [day]


def test_plain_prose_is_a_note_only_by_its_name() -> None:
    prose = b"Just two lines\nof prose."
    assert choose_parser(Raw("a.md", prose)) == "markdown"
    assert choose_parser(Raw("a.txt", prose)) == "text"
    assert choose_parser(Raw("LICENSE", prose)) == "text"
    assert choose_parser(Raw("a.txt", b"# Title\n\n## Part\n\nText with **weight** and [a link](x).")) == "markdown"
    assert choose_parser(Raw("a.sh", b"# comment\necho 1\n")) == "text"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ('<p align="center"><img src="a.svg"></p>\n\n# Fastparse\n\nText.', "Fastparse"),
        ('<h1 align="center">Fastparse</h1>\n\nText.\n\n# Later', "Fastparse"),
        ("Text.\n\n# Later", ""),
        ("## Part\n\n# Later", ""),
        ("# ![Fastparse logo](a.svg) Fastparse\n\nText.", "Fastparse"),
        ("# [![logo](a.svg)](https://x.example)\n\nText.", "logo"),
        ("```python\nimport a\n```\n\n# Rain\n\nText.", "Rain"),
    ],
)
def test_the_first_words_are_the_title_where_they_are_a_heading(source: str, title: str) -> None:
    assert read(Raw("README.md", source.encode())).title == title


BADGE = "https://img.shields.io/pypi/v/a.svg"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", f"# Tool [![PyPI version]({BADGE})](https://x) ![Logo](logo.png)\n\n[![CI](https://a/badge.svg)](x)\n\nWords.",
         "Tool Logo\n\nWords."),
        ("a.md", f'# Tool\n\n<a href="x"><img src="{BADGE}" alt="Downloads"></a>\n\nWords.', "Tool\n\nWords."),
        ("a.md", f"# Tool\n\n![DOI 10.5281/zenodo.1]({BADGE})", "Tool\n\nDOI 10.5281/zenodo.1"),
        ("a.rst", f"Tool\n====\n\n|version| words\n\n.. |version| image:: {BADGE}\n   :alt: PyPI version\n   :target: https://x\n",
         "Tool\n\nwords"),
        ("a.rst", f"Tool\n====\n\n.. image:: {BADGE}\n   :alt: Build\n\nWords.\n", "Tool\n\nWords."),
        ("a.adoc", f"= Tool\n\nimage:{BADGE}[Build] words", "Tool\n\nwords"),
    ],
)  # fmt: skip
def test_badges_say_nothing_of_a_document(name: str, text: str, expected: str) -> None:
    assert read(Raw(name, text.encode())).text == expected


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (":::note\nMind it.\n:::\n\nNext.", ["Mind it.", "Next."]),
        ("::: {.callout-tip collapse=true}\nMind it.\n:::", ["Mind it."]),
        (":::tip[With care]\n\nMind it.\n\n:::", ["With care", "Mind it."]),
        ("::: warning With care\n\nMind it.\n\n:::", ["With care", "Mind it."]),
        ('{% hint style="info" %}\nMind it.\n{% endhint %}', ["Mind it."]),
        ("{% raw %}{% if x %}\nMind it.", ["Mind it."]),
        ("Say {% x %} here.", ["Say {% x %} here."]),
        ("```\n::: x\n{% if %}\n```\n\n:::\nMind it.", ["```\n::: x\n{% if %}\n```", "Mind it."]),
        ("a:::b\n\n::::", ["a:::b"]),
        ('{{< figure src="a.png" title="Daily use" caption="By meter" >}}\n\n{{< toc >}}', ["Daily use. By meter"]),
        ('{{% notice tip "Mind the gap" %}}\nText.\n{{% /notice %}}', ["Mind the gap\nText."]),
        ('See [it]({{< ref "a.md" >}}) and [that]({% post_url 2023-07-01-a %}).', ["See it and that."]),
        ("{% highlight sh %}\nls {{ x }}\n{% endhighlight %}", ["```sh\nls {{ x }}\n```"]),
        ('{{< highlight sh "linenos=table" >}}\nls\n{{< /highlight >}}', ["```sh\nls\n```"]),
        ("Text.\n\n{% comment %}\nNot this.\n{% endcomment %}\n\nMore.", ["Text.", "More."]),
        ("* TOC\n{:toc}\n\nText.\n{: .lead}\n\n[Go](a.md){ .button #go }", ["Text.", "Go"]),
        ('!!! warning "Back up"\n\n    First *this*.\n\n    - then that\n\nNext.',
         ["Back up", "First this.", "- then that", "Next."]),
        ('=== "Linux"\n\n    ```sh\n    ls\n    ```\n\n??? note\n    Folded.',
         ["Linux", "```sh\nls\n```", "Note", "Folded."]),
        ('!!! note\n\n    !!! tip "Inner"\n\n        Deep.\n\n    Outer.', ["Note", "Inner", "Deep.", "Outer."]),
        ("Title\n===\n\nWords !!! here.", ["Title", "Words !!! here."]),
        ('[TOC]\n\n--8<-- "a.md"\n\nText :material-check:.', ["Text."]),
        ('::: {.callout-important title="Read this"}\nText.\n:::', ["Read this\nText."]),
        ('![](a.png){fig-alt="A falling line" width=50%}', ["A falling line"]),
        ("import Tabs from '@theme/Tabs';\n\n<Tabs>\n<Tab label=\"Py\">\n\nText.\n\n</Tab></Tabs>\n\n{/* not it */}",
         ["Py", "Text."]),
        ("A `List<String>` of <Name> and List<String>.", ["A List<String> of <Name> and List<String>."]),
        ("Text.\n\n\\newpage\n\nWrite `{{< x >}}` and `{: .a}` so.", ["Text.", "Write {{< x >}} and {: .a} so."]),
        ("- ((6729f1c2-1f7a-4e55-9d19-0c7b0c8a1a12)) it\n- {{embed [[Lease]]}}", ["- it\n- Lease"]),
    ],
)  # fmt: skip
def test_marks_of_generators_of_sites_are_no_words(source: str, words: list[str]) -> None:
    document = read(Raw("a.md", source.encode()))
    assert [document.text[block.start : block.end] for block in document.blocks] == words


@pytest.mark.parametrize(
    "mark", ["{#install}", "{#sec-one .unnumbered}", '{.big key="a b"}', "{: #install}", "{#a-b.c:d}"]
)
def test_names_and_classes_of_a_heading_are_no_words(mark: str) -> None:
    document = read(
        Raw("a.md", f"# Install it {mark}\n\nRun `make {{x}}`.\n\n## The set {{a, b}}\n\nWords.\n".encode())
    )
    assert document.title == "Install it"
    assert [block.section[-1] for block in document.blocks if block.kind is BlockKind.HEADING] == [
        "Install it", "The set {a, b}"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ('title = "On pumps"\ndate = 2024-03-05T10:00:00Z\ntags = ["a", "b"]\n', "On pumps"),
        ('title = "On pumps"\ndate = 2024-03-05\n[taxonomies]\ntags = ["a"]\n', "On pumps"),
        ("title = On pumps\n", ""),
    ],
)
def test_front_matter_in_toml_is_read_and_nothing_is_lost_where_it_is_broken(front: str, title: str) -> None:
    document = read(Raw("a.md", f"+++\n{front}+++\n\n## Valves\n\nWords.\n".encode()))
    assert document.title == title
    assert [claim.date.isoformat() for claim in document.dates] == (["2024-03-05"] if title else [])
    assert "On pumps" in document.text
    assert document.text.endswith("Words.")


@pytest.mark.parametrize("name", ["date", "Datum", "fecha", "日期"])
def test_the_front_matter_names_the_day_in_its_language(name: str) -> None:
    document = read(Raw("a.md", f"---\n{name}: 2024-05-03\n---\nAm 1. Januar 1999 begann es.\n".encode()))
    assert [claim.date.isoformat() for claim in document.dates] == ["2024-05-03"]


def test_the_title_block_of_pandoc_is_front_matter() -> None:
    document = read(Raw("a.md", b"% On\n  Bees\n% Tom Hill; Ann Day\n% June 5, 2019\n\nBees dance.\n"))
    assert (document.title, document.authors) == ("On Bees", ("Tom Hill", "Ann Day"))
    assert document.dates[0].date.isoformat() == "2019-06-05"
    assert document.text.endswith("Bees dance.")
    assert "%" not in document.text
    assert read(Raw("a.md", b"% 5 of them\n\nWords.\n")).text == "% 5 of them\n\nWords."


def test_a_table_at_the_head_of_a_note_dates_it() -> None:
    document = read(
        Raw("a.md", b"# Minutes\n\n| Date | 12 June 2023 |\n|---|---|\n| Chair | Ann |\n\nOf 1 May 2001.\n")
    )
    assert [claim.date.isoformat() for claim in document.dates] == ["2023-06-12"]
