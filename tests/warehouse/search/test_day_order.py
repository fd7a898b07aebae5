"""Diaries: entries of the time asked for first, the newest first where it is asked for, and times without an entry."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tasks.ask.extracts import find_extracts
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.records import Filters, Mode, Ranking, SearchRequest, SearchResult
from warehouse.search.topic import parse_topic

TODAY = date(2025, 11, 22)
ENTRIES = {
    date(2025, 10, 10): "Kestrel: pump flow 410 l/min. Called Tom Baker about the lease.",
    date(2025, 10, 15): "Ran the Kestrel bench, pump flow 395 l/min.",
    date(2025, 10, 21): "Kestrel bench again. The pump flow is 433 l/min now. Planted garlic.",
    date(2025, 11, 11): "Sat down with Tom Baker in the canteen.",
    date(2025, 11, 13): "Repaired the gutter. Called Tom Baker.",
    date(2025, 11, 19): "Tom Baker rang about the lease, the pump can wait.",
}


@pytest.fixture(scope="module", params=["log", "daily", "lines"])
def diary(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The same diary as one log, as a note a day, and as one note of dated lines."""
    folder = tmp_path_factory.mktemp(request.param)
    notes = folder / "notes"
    notes.mkdir()
    if request.param == "daily":
        for day, text in ENTRIES.items():
            (notes / f"{day}.md").write_text(f"{text}\n", encoding="utf-8")
    else:
        head = "## {}\n\n{}\n\n" if request.param == "log" else "**{}:** {}\n\n"
        text = "".join(head.format(day.isoformat(), text) for day, text in ENTRIES.items())
        (notes / "log.md").write_text(f"# Diary\n\n{text}", encoding="utf-8")
    (notes / "Tom Baker.md").write_text("# Tom Baker\n\nMet at school, see the pump and the lease.\n", encoding="utf-8")
    return build_warehouse(folder / "warehouse", notes)


def ask(diary: Warehouse, text: str, **filters: object) -> SearchResult:
    return find(diary, SearchRequest(text, Filters(**filters), Ranking()), open_embedder("hashing"), TODAY)  # type: ignore[arg-type]


def days(found: SearchResult) -> list[date | None]:
    return [hit.citation.date for hit in found.hits]


@pytest.mark.parametrize("question", ["latest Kestrel pump flow", "What is the most recent pump flow of Kestrel?"])
def test_the_newest_comes_first_and_the_older_follow(diary: Warehouse, question: str) -> None:
    assert days(ask(diary, question))[:3] == [date(2025, 10, 21), date(2025, 10, 15), date(2025, 10, 10)]


def test_the_first_comes_first(diary: Warehouse) -> None:
    assert days(ask(diary, "first Kestrel pump flow"))[0] == date(2025, 10, 10)


@pytest.mark.parametrize(
    ("question", "day"),
    [("When did I last meet Tom Baker?", date(2025, 11, 11)), ("last call with Tom Baker", date(2025, 11, 19))],
)
def test_a_meeting_is_no_call(diary: Warehouse, question: str, day: date) -> None:
    assert days(ask(diary, question))[0] == day


def test_entries_of_the_time_come_first_in_their_order(diary: Warehouse) -> None:
    found = ask(diary, "what did I do last week")
    assert days(found)[:2] == [date(2025, 11, 11), date(2025, 11, 13)]
    assert days(ask(diary, "Kestrel pump flow between 2025-10-12 and 2025-10-18"))[0] == date(2025, 10, 15)


def test_scores_fall_and_are_the_sums_of_their_parts(diary: Warehouse) -> None:
    for question in ("latest Kestrel pump flow", "what did I do last week", "Tom Baker in November 2025"):
        hits = ask(diary, question).hits
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert all(hit.score == pytest.approx(sum(part.value for part in hit.parts)) for hit in hits)


def test_a_time_without_an_entry_is_denied_with_the_nearest(diary: Warehouse) -> None:
    notes = ask(diary, "What happened on 2025-10-30?").notes
    assert notes == ("nothing is dated 2025-10-30; the nearest entries are of 2025-10-21 and 2025-11-11",)
    assert ask(diary, "What happened on 2025-10-21?").notes == ()


def test_filters_by_date_ask_for_the_day_of_an_entry(diary: Warehouse) -> None:
    assert days(ask(diary, "pump", since=date(2025, 10, 14), until=date(2025, 10, 16))) == [date(2025, 10, 15)]
    assert days(ask(diary, "Tom Baker", since=date(2025, 11, 19))) == [date(2025, 11, 19)]


def test_entries_of_two_days_are_no_duplicates(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for day in (10, 11, 12):
        (notes / f"2025-11-{day}.md").write_text("Walked along the river with the dog.\n", encoding="utf-8")
    found = ask(build_warehouse(tmp_path / "warehouse", notes), "latest walk along the river")
    assert [each.day for each in filter(None, days(found))] == [12, 11, 10]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("did I meet Ada", "Had lunch with Ada at noon"),
        ("call Ada", "Ada rang at noon"),
        ("go to Rome", "Went to Rome by train"),
        ("和李雪梅见面", "与李雪梅开会"),
    ],
)
def test_a_line_says_a_word_in_other_forms(question: str, line: str) -> None:
    topic = parse_topic(question)
    assert len(topic.match_words(line)) == len(topic.words)


def test_a_chinese_word_is_not_known_by_its_first_character() -> None:
    topic = parse_topic("电梯")
    assert topic.match_words("修理电梯")
    assert not topic.match_words("联系电话")


def test_a_question_what_happened_is_about_nothing() -> None:
    for question in ("What happened?", "what did I do", "我做了什么?", "那天发生了什么"):
        assert parse_topic(question).words == ()


def test_the_sentences_that_say_a_topic_are_quoted_together() -> None:
    text = "Fixed the gate.\nKestrel bench again. The pump flow is 433 l/min now. Planted garlic.\n"
    assert (
        text[slice(*parse_topic("Kestrel pump flow").find_span(text))]
        == "Kestrel bench again. The pump flow is 433 l/min now."
    )
    met = "Met Ada; Tom rang. Sat down with Tom."
    assert met[slice(*parse_topic("meet Tom").find_span(met))] == "Sat down with Tom."


def test_quotations_are_in_the_order_of_days(diary: Warehouse) -> None:
    found = ask(diary, "latest Kestrel pump flow")
    quoted = find_extracts(found.question, found.hits, open_embedder("hashing"))
    assert [found.hits[each.hit].citation.date for each in quoted] == days(found)[:3]
    assert "433" in quoted[0].text


def test_the_timeline_and_the_days_of_sql_are_those_of_entries(diary: Warehouse) -> None:
    sql = "SELECT DISTINCT start_date FROM timeline WHERE grain = 'day' ORDER BY start_date"
    assert [day for (day,) in diary.snapshot.query_rows(sql)] == sorted(ENTRIES)
    sql = "SELECT DISTINCT passage_date FROM chunks WHERE passage_date IS NOT NULL ORDER BY passage_date"
    assert [day for (day,) in diary.snapshot.query_rows(sql)] == sorted(ENTRIES)
    found = ask(diary, "pump", during=(date(2025, 10, 14), date(2025, 10, 16)))
    assert days(found) == [date(2025, 10, 15)]


def test_an_encounter_is_a_meeting_a_call_or_a_talk() -> None:
    named = {word.text: word.is_encounter for word in parse_topic("meet or see Ada, call her, buy bread").words}
    assert named == {"meet": True, "see": True, "Ada": False, "call": True, "buy": False, "bread": False}


@pytest.mark.parametrize(
    ("name", "text", "question"),
    [
        ("ships.html", "<h1>Ships</h1><p>A zeppelin is slow.</p>", "What zeppelin flew from 1937 to 2013?"),
        (
            "sales.md",
            "# Sales\n\nRevenue rose in the second quarter of 1990.\n",
            "Revenue in the second quarter of 1990",
        ),
    ],
)
def test_a_time_of_entries_moves_nothing_where_only_others_hold_the_words(
    tmp_path: Path, name: str, text: str, question: str
) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "log.md").write_text("# Diary\n\n## 1990-05-01\n\nRepaired the pump.\n", encoding="utf-8")
    (tmp_path / "files" / name).write_text(text, encoding="utf-8")
    warehouse = build_warehouse(tmp_path / "warehouse", tmp_path / "files")
    request = SearchRequest(question, ranking=Ranking(mode=Mode.KEYWORD))
    found = find(warehouse, request, open_embedder("hashing"), TODAY)
    assert "pump" not in found.hits[0].text
