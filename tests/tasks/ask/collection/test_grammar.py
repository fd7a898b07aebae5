"""Questions about the collection are told from those about what documents say, in wordings composed of parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.ask.collection.grammar import parse_collection_question
from tasks.ask.collection.records import Condition, Intent
from tests.examples import examples
from warehouse.records import Kind

DATA = Path(__file__).parents[5] / "shared" / "data"

NOUNS = {
    "papers": Kind.PAPER,
    "research articles": Kind.PAPER,
    "courses": Kind.COURSE,
    "notes": Kind.NOTE,
    "quarterly reports": Kind.REPORT,
    "filings": Kind.REPORT,
    "documents": None,
}
LISTING = [
    "which",
    "what",
    "list all",
    "show me the",
    "Please list the",
    "give me all",
    "are there any",
    "Could you list",
]
COUNTING = ["how many", "what is the number of", "number of", "Tell me how many"]
CONDITIONS = {
    "about vitamin D": Condition("about", "vitamin D"),
    "that are on ocean currents": Condition("about", "ocean currents"),
    "dealing with how sleep works": Condition("about", "how sleep works"),
    "by Ada Berg": Condition("by", "Ada Berg"),
    "written by O'Neill": Condition("by", "O'Neill"),
    "from 2013": Condition("from", "2013"),
    "published since 2019": Condition("since", "2019"),
    "in Nature Physics": Condition("in", "Nature Physics"),
    "of Acme Corp": Condition("of", "Acme Corp"),
    "tagged #review": Condition("tagged", "#review"),
}
FRAMES = ["", "do you have", "are there", "are in the collection", "are available", "here"]
CLAUSES = [
    "does the author cite",
    "did the committee reject",
    "were included in the analysis",
    "show that sleep matters",
    "cite the trial of 2013",
    "were issued at par",
    "disagree with this",
    "did the company open",
    "are sold each year",
]
CONTENT_NOUNS = ["patients", "stores", "employees", "shares", "sensors", "countries", "senior notes", "asset classes"]


@given(
    opening=st.sampled_from([*LISTING, *COUNTING]),
    noun=st.sampled_from(sorted(NOUNS)),
    conditions=st.lists(st.sampled_from(sorted(CONDITIONS)), max_size=2, unique=True),
    frame=st.sampled_from(FRAMES),
    mark=st.sampled_from(["?", "", " ?", "."]),
)
@examples(12)
def test_documents_are_listed_and_counted_in_every_wording(
    opening: str, noun: str, conditions: list[str], frame: str, mark: str
) -> None:
    asked = " ".join(filter(None, [opening, noun, *conditions, frame])) + mark
    found = parse_collection_question(asked)
    assert found is not None, asked
    assert found.intent is (Intent.COUNT if opening in COUNTING else Intent.LIST)
    assert found.noun.kind is NOUNS[noun]
    assert list(found.conditions) == [CONDITIONS[each] for each in conditions]


@given(
    noun=st.sampled_from(sorted(NOUNS)),
    frame=st.sampled_from(FRAMES[1:]),
    condition=st.sampled_from(sorted(CONDITIONS)),
)
@examples(2)
def test_the_collection_may_be_named_before_the_conditions(noun: str, frame: str, condition: str) -> None:
    found = parse_collection_question(f"Which {noun} {frame.removesuffix(' in the collection')} {condition}?")
    if frame != "are in the collection":
        assert found is not None
        assert found.conditions == (CONDITIONS[condition],)


@pytest.mark.parametrize(
    ("asked", "intent", "count"),
    [
        ("What is the newest paper?", Intent.NEWEST, 0),
        ("the three latest reports of Acme", Intent.NEWEST, 3),
        ("which document is the oldest", Intent.OLDEST, 0),
        ("What are the 2 most recent notes on sleep?", Intent.NEWEST, 2),
        ("最新的论文是哪篇？", Intent.NEWEST, 0),
        ("最早的文档是什么", Intent.OLDEST, 0),
    ],
)
def test_the_newest_and_oldest(asked: str, intent: Intent, count: int) -> None:
    found = parse_collection_question(asked)
    assert found is not None
    assert (found.intent, found.count) == (intent, count)


@pytest.mark.parametrize(
    ("asked", "intent", "name", "lesson"),
    [
        ("Who teaches the MCP course?", Intent.PEOPLE, "the MCP course", None),
        ("who is the instructor of Ocean Series", Intent.PEOPLE, "Ocean Series", None),
        ("Who wrote the nitrate paper?", Intent.PEOPLE, "the nitrate paper", None),
        ("what is in lesson 5 of the MCP course?", Intent.LESSON, "the MCP course", 5),
        ("What does the third lesson of Ocean Series cover?", Intent.LESSON, "Ocean Series", 3),
        ("what's covered in lesson five", Intent.LESSON, "", 5),
        ("list the lessons of Ocean Series", Intent.OUTLINE, "Ocean Series", None),
        ("Outline of Ocean Series with links", Intent.OUTLINE, "Ocean Series", None),
        ("how many lessons does Ocean Series have?", Intent.OUTLINE, "Ocean Series", None),
        ("when was the nitrate paper published?", Intent.FACT, "the nitrate paper", None),
        ("which years does Acme cover?", Intent.YEARS, "Acme", None),
        ("谁教MCP课程？", Intent.PEOPLE, "MCP课程", None),
        ("《海洋》的作者是谁", Intent.PEOPLE, "海洋", None),
        ("MCP课程第五课讲了什么？", Intent.LESSON, "MCP课程", 5),
        ("MCP课程的大纲", Intent.OUTLINE, "MCP课程", None),
        ("北光仪器涵盖哪些年份？", Intent.YEARS, "北光仪器", None),
    ],
)
def test_one_document_is_asked_about(asked: str, intent: Intent, name: str, lesson: int | None) -> None:
    found = parse_collection_question(asked)
    assert found is not None
    assert (found.intent, found.name, found.lesson) == (intent, name, lesson)


@pytest.mark.parametrize(
    ("asked", "intent"),
    [
        ("Can you list the papers that talk about sleep?", Intent.LIST),
        ("What has Jane Smith published?", Intent.LIST),
        ("Which papers came out in 2021?", Intent.LIST),
        ("What was published in 2021?", Intent.LIST),
        ("Anything published in Nutrients?", Intent.LIST),
        ("Which courses can I take?", Intent.LIST),
        ("Which instructor teaches MCP?", Intent.PEOPLE),
        ("What will I learn in lesson 4 of MCP?", Intent.LESSON),
        ("lesson 5 MCP", Intent.LESSON),
        ("What does the MCP course cover?", Intent.OUTLINE),
        ("Which companies do you have reports on?", Intent.VALUES),
        ("What topics are covered by the papers?", Intent.VALUES),
        ("For which years do you have Acme reports?", Intent.VALUES),
        ("What information do you have on Tesla?", Intent.LIST),
        ("How big is the collection?", Intent.LIST),
    ],
)
def test_further_wordings(asked: str, intent: Intent) -> None:
    found = parse_collection_question(asked)
    assert found is not None
    assert found.intent is intent


@pytest.mark.parametrize("values", ["companies", "topics", "tags", "journals", "authors", "instructors", "languages"])
@pytest.mark.parametrize("asked", ["which {} are here?", "list all {}", "What {} do you have", "how many {} are there"])
def test_values_are_asked_for(asked: str, values: str) -> None:
    found = parse_collection_question(asked.format(values))
    assert found is not None
    assert (found.intent, found.field) == (Intent.VALUES, values)


@pytest.mark.parametrize(
    ("asked", "conditions", "count"),
    [
        ("有哪些论文？", (), False),
        ("有哪些关于睡眠的论文？", (Condition("about", "睡眠"),), False),
        ("关于睡眠的论文有哪些", (Condition("about", "睡眠"),), False),
        ("Ada Berg写的论文有哪些", (Condition("by", "Ada Berg"),), False),
        ("有多少篇2013年的论文", (Condition("from", "2013年"),), True),
        ("一共有几篇论文", (), True),
    ],
)
def test_chinese_questions(asked: str, conditions: tuple[Condition, ...], count: bool) -> None:
    found = parse_collection_question(asked)
    assert found is not None
    assert found.noun.kind is Kind.PAPER
    assert (found.conditions, found.intent is Intent.COUNT) == (conditions, count)


@given(
    opening=st.sampled_from([*LISTING[:4], *COUNTING]),
    noun=st.sampled_from([*NOUNS, *CONTENT_NOUNS]),
    clause=st.sampled_from(CLAUSES),
)
@examples(8)
def test_a_sentence_that_goes_on_asks_of_the_content(opening: str, noun: str, clause: str) -> None:
    assert parse_collection_question(f"{opening} {noun} {clause}?") is None


@given(
    opening=st.sampled_from([*LISTING[:3], *COUNTING[:2]]),
    noun=st.sampled_from(CONTENT_NOUNS[:6]),
    condition=st.sampled_from(sorted(CONDITIONS)),
)
@examples(4)
def test_what_is_no_document_is_no_collection(opening: str, noun: str, condition: str) -> None:
    assert parse_collection_question(f"{opening} {noun} {condition} {'are there' if 'how' in opening else ''}") is None


@pytest.mark.parametrize(
    "asked",
    [
        "How many patients were in the trial on vitamin D?",
        "What was the revenue in 2022?",
        "what does the latest report say about margins",
        "What lessons did the team learn from the outage?",
        "what is the average value of packaging materials for 2018",
        "What are the sources of additional liquidity?",
        "Which company acquired Acme?",
        "What is the first item?",
        "What was the last source of funding?",
        "Which topics did the committee discuss?",
        "who teaches it?",
        "这些论文说了什么？",
        "为什么收入下降？",
        "谁是公司的首席执行官？",
    ],
)
def test_questions_on_content_are_left_to_the_search(asked: str) -> None:
    assert parse_collection_question(asked) is None


@given(st.text(max_size=200))
@examples(2)
def test_any_text_is_read(text: str) -> None:
    parse_collection_question(text)


def test_of_published_questions_on_content_hardly_any_is_taken() -> None:
    files = sorted(DATA.glob("*/*/queries.jsonl"))
    if not files:
        pytest.skip(f"{DATA} is not there")
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()[::4]]
    asked = [json.loads(line)["text"] for line in lines]
    taken = [text for text in asked if parse_collection_question(text)]
    assert len(taken) <= 0.002 * len(asked), taken
