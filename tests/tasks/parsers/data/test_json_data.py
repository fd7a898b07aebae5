"""JSON: every value is in the document, lists of records are tables, and what is broken is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.data.record_tables import MAX_CELL_LENGTH
from tasks.parsers.data.record_values import read_day
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tasks.temporal.row_dates import find_row_dates
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import BlockKind, DateOrigin, Document

WORDS = st.text("abc déf 12 東京.,:|", max_size=400)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc_", min_size=1), inner, max_size=4)
)
LONG = "The gauge was read again by two people who did not know of each other. " * 6


def read_json(text: str, name: str = "a.json") -> Document:
    raw = Raw(name, text.encode())
    assert choose_parser(raw) == "json_data"
    document = read(raw)
    keeps_its_promises(document)
    return document


def scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from scalars(each)
    elif value is not None:
        yield value if isinstance(value, str) else json.dumps(value)


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


@given(value=st.lists(VALUES, min_size=1) | st.dictionaries(st.text("abc_", min_size=1), VALUES, min_size=1))
def test_every_value_is_in_the_document(value: Any) -> None:
    document = read_json(json.dumps(value, ensure_ascii=False))
    assert all(bare(text) in bare(document.text) for text in scalars(value))


@given(rows=st.lists(st.tuples(st.dates().map(str), st.text("abc", min_size=1), st.integers()), min_size=2))
def test_records_are_the_same_table_as_an_array_and_as_lines(rows: list[tuple[str, str, int]]) -> None:
    records = [{"day": day, "gauge": gauge, "level": level} for day, gauge, level in rows]
    array, lines = read_json(json.dumps(records)), read_json("\n".join(map(json.dumps, records)), "a.jsonl")
    (table,) = array.tables
    assert table.rows == (("day", "gauge", "level"), *((day, gauge, str(level)) for day, gauge, level in rows))
    assert (table.header_rows, lines.tables) == (1, array.tables)


def test_numbers_stay_as_they_are_written() -> None:
    (table,) = read_json('[{"a": 1.10, "b": 12345678901234567890}, {"a": 1e5, "b": -0}]').tables
    assert table.rows[1:] == (("1.10", "12345678901234567890"), ("1e5", "-0"))


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("ts", "1615543200.000200", "2021-03-12 10:00:00"),
        ("created_at", 1615543200, "2021-03-12 10:00:00"),
        ("createdAt", 1615543200000, "2021-03-12 10:00:00"),
        ("createdTimestampUsec", 1615543200000000, "2021-03-12 10:00:00"),
        ("timestamp_us", 1615543200000000, "2021-03-12 10:00:00"),
        ("amount", 1615543200, "1615543200"),
        ("weight", 1615543200, "1615543200"),
        ("ts", 9999999999, "9999999999"),
    ],
)
def test_seconds_are_moments_only_where_the_name_says_so(name: str, value: object, shown: str) -> None:
    (table,) = read_json(json.dumps([{"who": "Tom", name: value}, {"who": "Ada", name: value}])).tables
    assert table.rows[1] == ("Tom", shown)


def test_records_without_texts_are_tables_whose_rows_have_days() -> None:
    plays = [
        {
            "endTime": "2021-03-12 10:00",
            "artist": "At the caf\u00c3\u00a9",
            "track": "Fog",
            "msPlayed": 1000,
            "tags": [],
        },
        {"endTime": "2021-03-13 10:00", "artist": "The Floats", "track": "Sun", "msPlayed": 2000, "tags": []},
    ]
    document = read_json(
        "window.YTD.part0 = " + json.dumps({"people": [{"name": "Tom"}, {"name": "Ada"}], "plays": plays})
    )
    assert document.text.startswith("people: Tom, Ada")
    assert document.tables[0].rows[1] == ("2021-03-12 10:00", "At the café", "Fog", "1000")
    assert [row.days[0] for row in find_row_dates(document).rows] == [date(2021, 3, 12), date(2021, 3, 13)]


def test_records_that_hold_one_each_are_rows_with_their_kinds() -> None:
    visit, walk = {"place": "Pier", "span": {"start": "2021-03-12"}}, {"metres": 800, "span": {"start": "2021-03-13"}}
    (table,) = read_json(json.dumps([{"visit": visit}, {"walk": walk}])).tables
    assert table.rows == (
        ("kind", "place", "span.start", "metres"), ("visit", "Pier", "2021-03-12", ""), ("walk", "", "2021-03-13",
            "800"),
    )  # fmt: skip


def test_a_long_record_is_a_section_of_its_day() -> None:
    record = {
        "title": "Pump failed",
        "publishedAt": "2021-03-12T10:00:00Z",
        "content": LONG,
        "source": {"name": "Gazette"},
    }
    document = read_json(
        json.dumps({"articles": [record, {**record, "title": "Pump mended", "publishedAt": "3 April 2021"}]})
    )
    headings = [block.section for block in document.blocks if block.kind is BlockKind.HEADING]
    assert headings == [("2021-03-12 Pump failed",), ("2021-04-03 Pump mended",)]
    assert "source.name: Gazette" in document.text
    assert len(LONG) > MAX_CELL_LENGTH


def test_columns_and_named_records_are_tables() -> None:
    series = {f"2021-03-{day}": {"open": day, "close": day + 1} for day in (12, 15, 16)}
    document = read_json(json.dumps({"series": series, "years": {"year": [2019, 2020], "sales": [14, 15]}}))
    first, second = document.tables
    assert (first.caption, first.rows[:2]) == ("series", (("date", "open", "close"), ("2021-03-12", "12", "13")))
    assert (second.caption, second.rows) == ("years", (("year", "sales"), ("2019", "14"), ("2020", "15")))


def test_a_document_says_who_wrote_it_and_when() -> None:
    document = read_json(json.dumps({"title": "Pumps", "author": {"name": "Ada"}, "date": "2021-03-12", "body": LONG}))
    assert (document.title, document.authors) == ("Pumps", ("Ada",))
    assert [(claim.date, claim.origin) for claim in document.dates] == [(date(2021, 3, 12), DateOrigin.PUBLICATION)]


def test_markup_in_a_value_is_read() -> None:
    document = read_json(
        json.dumps({"title": "Pumps", "body": "<p>One &amp; two</p><ul><li>three</li></ul><script>x()</script>"})
    )
    assert [document.text[block.start : block.end] for block in document.blocks] == ["Pumps", "One & two", "- three"]


def test_lines_that_are_no_json_are_kept_and_told() -> None:
    document = read_json(
        '{"day": "2021-03-12", "what": "fog"}\n{"day": "2021-03-13", "what": "sun"}\n{"day": "2021-0', "a.jsonl"
    )
    assert document.tables[0].rows[2] == ("2021-03-13", "sun")
    assert '{"day": "2021-0' in document.text
    assert [finding.message for finding in document.findings] == [
        "of its lines 1 are no JSON, and kept as text: 3: correct or remove them"
    ]


@pytest.mark.parametrize("lost", [1, 2, 20, 60, 75])
def test_a_value_that_the_end_of_the_file_cuts_is_read_as_far_as_it_goes(lost: int) -> None:
    levels = [
        {"day": f"2021-03-{day}", "level": day, "remark": 'with "marks", [brackets] and {braces}'}
        for day in (12, 13, 14)
    ]
    whole = json.dumps({"levels": levels}, indent=1)
    document = read_json(whole[:-lost])
    assert document.tables[0].rows[2] == ("2021-03-13", "13", 'with "marks", [brackets] and {braces}')
    assert [finding.message for finding in document.findings] == [
        "the end of it could not be read: it is cut in the middle of a value; export it again"
    ]


def test_what_is_no_json_at_all_is_plain_text() -> None:
    document = read_json('{\n  // remarks are no JSON\n  "a": 1,\n}\n')
    assert "// remarks are no JSON" in document.text
    assert "read as plain text" in document.findings[0].message


@pytest.mark.parametrize("name", ["a.txt", "a", "a.log"])
def test_records_are_known_under_any_name(name: str) -> None:
    assert choose_parser(Raw(name, b'{"day": "2021-03-12", "what": "fog"}\n')) == "json_data"
    assert choose_parser(Raw(name, b"[2021-03-12] fog\n[2021-03-13] sun\n")) == "text"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2021-03-12", date(2021, 3, 12)),
        ("2021-03-12T23:59:00+02:00", date(2021, 3, 12)),
        ("Fri, 12 Mar 2021 10:00:00 GMT", date(2021, 3, 12)),
        ("20210312T090000Z", date(2021, 3, 12)),
        ("12 March 2021", date(2021, 3, 12)),
        ("March 2021", None),
        ("2021-13-12", None),
        ("10:30", None),
        ("version 2.0", None),
    ],
)
def test_days_of_values(text: str, day: date | None) -> None:
    assert read_day(text) == day
