"""Answers from the records: exact counts, short lists, and what there is instead of nothing."""

from __future__ import annotations

import json
from datetime import date

import pytest

from tasks.ask.collection.answers import answer_collection_question
from tasks.ask.collection.records import MAX_LISTED, CollectionAnswer
from tests.building import build_warehouse
from tests.building_papers import course, paper
from warehouse.reader import Warehouse
from warehouse.records import Filters, Kind

TODAY = date(2025, 11, 22)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("collection")
    root = folder / "library"
    root.mkdir()
    topics = {}
    for number in range(12):
        title = f"Tidal mixing in fjord number {number}"
        text = paper(title, number=100 + number, year=2010 + number % 4, authors=["Zoë Åkesson", f"Ivo Marek{number}"])
        (root / f"tide{number}.xml").write_text(text)
        topics[title] = "Ocean Physics"
    others = [
        paper("Cholecalciferol and falls", number=201, keywords=["vitamin D"], authors=["Ada Berg"], year=2021),
        paper(
            "Winter light",
            number=202,
            journal="Annals of Light",
            authors=["Bo Quist"],
            year=2019,
            text="Vitamin A rose.",
        ),
        paper(
            "A reply on winter light",
            number=203,
            journal="Annals of Light",
            authors=["Ada Berg"],
            kind="letter",
            year=2022,
        ),
    ]
    for number, text in enumerate(others):
        (root / f"other{number}.xml").write_text(text)
    (root / "topics.json").write_text(json.dumps(topics))
    for name, title in (("agents", "Protocols: Build Context-Rich Agents"), ("charts", "Reading Charts of the Sea")):
        lessons = {
            number: (f"{name.title()} part {number}", f"In part {number} we speak of {name}.") for number in (0, 1, 5)
        }
        (root / f"{name}.txt").write_text(course(title, "Elsa Norén", lessons, f"https://learn.example.org/{name}"))
    for name, day in (("BRANDTWORKS_2022_10K", "2023-02-01"), ("BRANDTWORKS_2023Q1_EARNINGS", "2023-04-20")):
        (root / f"{name}.md").write_text(
            f"---\ndate: {day}\ntags: [filing]\n---\n# Brandtworks, Inc. results\n\nSales rose.\n"
        )
    build_warehouse(folder / "w", root)
    return Warehouse(folder / "w").pin_generation()


def answer(warehouse: Warehouse, asked: str, filters: Filters | None = None) -> CollectionAnswer | None:
    return answer_collection_question(warehouse, asked, filters or Filters(), TODAY)


def head(warehouse: Warehouse, asked: str) -> str:
    found = answer(warehouse, asked)
    assert found is not None, asked
    return found.head


@pytest.mark.parametrize(
    ("asked", "said", "listed"),
    [
        ("which papers are on tidal mixing?", "12 papers on tidal mixing (title), newest first", 10),
        ("papers about ocean physics", "12 papers on ocean physics (topic), newest first", 10),
        ("how many papers are there?", "15 papers here", 0),
        ("how many papers on ocean physics from 2013?", "3 papers on ocean physics (topic) from 2013, newest first", 3),
        ("Which papers are about vitamin D?", "1 paper on vitamin D (keyword)", 1),
        ("which papers by Berg do you have", "2 papers by Ada Berg, newest first", 2),
        ("papers by Zoe Akesson", "12 papers by Zoë Åkesson, newest first", 10),
        ("which papers by Akeson", "12 papers by Zoë Åkesson, newest first", 10),
        ("what papers are in Annals of Light", "2 papers in Annals of Light, newest first", 2),
        ("papers published before 2011", "3 papers before 2011, newest first", 3),
        ("papers published since 2021", "2 papers since 2021, newest first", 2),
        ("how many letters are there", "1 letter here", 0),
        ("list all courses", "2 courses here", 2),
        ("which courses does Elsa Noren teach?", "2 courses by Elsa Norén", 2),
        ("how many lessons are there", "6 lessons in 2 courses", 2),
        ("which journals are here?", "2 journals here", 2),
        ("which topics are covered?", "1 topic here", 1),
        ("有多少篇论文？", "15 papers here", 0),
        ("有哪些关于vitamin D的论文", "1 paper on vitamin D (keyword)", 1),
        ("Zoë Åkesson写的论文有哪些", "12 papers by Zoë Åkesson, newest first", 10),
    ],
)
def test_documents_are_counted_and_listed(warehouse: Warehouse, asked: str, said: str, listed: int) -> None:
    found = answer(warehouse, asked)
    assert found is not None
    assert (found.head, len(found.entries)) == (said, listed)


def test_a_long_list_is_cut_and_says_how_many_more(warehouse: Warehouse) -> None:
    found = answer(warehouse, "list all papers on tidal mixing")
    assert found is not None
    assert (len(found.entries), found.more) == (MAX_LISTED, 2)
    assert found.format_text().endswith("and 2 more")


@pytest.mark.parametrize("kind", [None, *Kind])
def test_counts_are_those_of_sql(warehouse: Warehouse, kind: Kind | None) -> None:
    noun = {None: "documents", Kind.TEXT: "documents"}.get(kind, f"{kind}s")
    filters = Filters(kinds=(Kind.TEXT,)) if kind is Kind.TEXT else Filters()
    found = answer(warehouse, f"how many {noun} are there?", filters)
    condition = f"kind = '{kind}'" if kind else "true"
    ((count,),) = warehouse.snapshot.query_rows(f"SELECT count(*) FROM documents WHERE {condition}")
    if kind in (Kind.NOTE, Kind.REPORT, Kind.MESSAGE) and not count:
        assert found is None
    else:
        assert found is not None
        assert found.head.startswith(f"{count} {noun.removesuffix('s')}" if count else f"There is no {noun[:-1]}")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("which papers are on quantum gravity?", "No paper here is about quantum gravity by its topic"),
        ("which papers are on vitamin A?", "1 paper mentions these words"),
        (
            "which papers are on charts of the sea?",
            "and none mentions these words; 1 document of another kind is",
        ),
        ("papers by Nobody Known", "nobody here is called “Nobody Known”"),
        ("which papers in Nature", "no journal here is called “Nature”; there are Journal of Tests"),
        ("papers by Quist from 2021", "(1 by Bo Quist, 1 from 2021)"),
        ("documents tagged unknown", "no tag here is called “unknown”"),
    ],
)
def test_nothing_is_said_with_what_there_is_instead(warehouse: Warehouse, asked: str, said: str) -> None:
    assert said in head(warehouse, asked)


def test_a_misspelt_subject_is_read_as_the_word_that_is_there(warehouse: Warehouse) -> None:
    found = answer(warehouse, "which papers on tidel mixng")
    assert found is not None
    assert found.head.startswith("12 papers on tidal mixing")
    assert found.notes == ("read as on tidal mixing",)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("what is the newest paper?", "A reply on winter light (2022"),
        ("the oldest paper by Berg", "Cholecalciferol and falls (2021"),
        ("who teaches the agents course?", "Protocols: Build Context-Rich Agents"),
        ("who wrote winter ligth?", "Winter light"),
        (
            "what is in lesson 5 of Build Context-Rich Agents?",
            "Lesson 5: Agents part 5 <https://learn.example.org/agents/lesson/5>",
        ),
        ("agents课程第五课讲了什么", "Lesson 5: Agents part 5 <https://learn.example.org/agents/lesson/5>"),
        ("outline of the charts course", "Lesson 0: Charts part 0 <https://learn.example.org/charts/lesson/0>"),
    ],
)
def test_one_document_answers(warehouse: Warehouse, asked: str, said: str) -> None:
    found = answer(warehouse, asked)
    assert found is not None
    assert found.entries[0].text.startswith(said)


def test_a_lesson_without_a_course_is_that_of_each(warehouse: Warehouse) -> None:
    found = answer(warehouse, "what is in lesson 1?")
    assert found is not None
    assert found.head == "Lesson 1 in 2 courses"
    assert "there are 0, 1, 5" in head(warehouse, "what is in lesson 9 of the charts course?")


def test_a_name_of_several_documents_lists_them(warehouse: Warehouse) -> None:
    found = answer(warehouse, "who wrote tidal mixing?")
    assert found is not None
    assert "may be any of these" in found.head
    assert len(found.entries) + found.more == 12


def test_the_time_that_a_company_covers(warehouse: Warehouse) -> None:
    said = head(warehouse, "which years does Brandtworks cover?")
    assert "dated 2023-02-01 to 2023-04-20" in said


def test_filters_hold(warehouse: Warehouse) -> None:
    found = answer(warehouse, "how many papers are there?", Filters(years=(2010, 2010)))
    assert found is not None
    assert found.head == "3 papers here"
    assert answer(warehouse, "how many papers are there?", Filters(pages=(1,))) is None


@pytest.mark.parametrize(
    "asked",
    [
        "how many sensors were in the fjord?",
        "who wrote the code that failed in the harbour?",
        "what classes of assets are held",
        "which course of treatment works best",
        "how many senior notes are outstanding",
        "what is the date of the board meeting",
        "who teaches swimming",
    ],
)
def test_what_the_records_do_not_know_is_left_to_the_search(warehouse: Warehouse, asked: str) -> None:
    assert answer(warehouse, asked) is None
