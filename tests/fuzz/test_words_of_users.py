"""What users and their files say: settings, questions, filters, ids and places. It works, or it is `BadInput`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tasks.evaluate.corpus import read_corpus, with_questions_of
from tests.building import build_warehouse
from tests.examples import examples
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Chunk, Filters, Kind
from warehouse.records.search_request import FILTER_FIELDS, Format
from warehouse.search.filters import mask_allowed
from warehouse.search.hits import cite
from warehouse.settings.loader import load_settings

SAMPLES = Path(__file__).parents[2] / "samples"
TEXTS = st.text(max_size=30) | st.sampled_from(["", "'", "%", "../..", "\0", "$kinds", "a/b", "#x", "e" * 5000])
SEVERAL = st.lists(TEXTS, max_size=3).map(tuple)
WHOLE = st.integers(-(2**70), 2**70)
DAYS = st.dates()
BY_FORMAT: dict[Format, st.SearchStrategy[Any]] = {
    Format.KINDS: st.lists(st.sampled_from(Kind), max_size=2).map(tuple),
    Format.TEXTS: SEVERAL,
    Format.FIRST_DAY: st.none() | DAYS,
    Format.LAST_DAY: st.none() | DAYS,
    Format.YEARS: st.none() | st.tuples(st.integers(-5, 20000), st.integers(-5, 20000)),
    Format.NUMBERS: st.lists(st.integers(-5, 2**31 - 1), max_size=3).map(tuple),
    Format.YES_NO: st.none() | st.booleans(),
    Format.SHARE: st.none() | st.floats(allow_nan=False),
    Format.PERIOD: st.none() | st.tuples(st.none() | DAYS, st.none() | DAYS),
}
FIELDS = {name: BY_FORMAT[declared.format] for name, declared in FILTER_FIELDS.items()}
CHUNK = Chunk(
    "c",
    "d",
    0,
    0,
    4,
    "Oats",
    "",
    "section",
    (),
    3,
    0,
    4,
    1,
    1,
    has_table=False,
    table_count=0,
    has_complete_table=False,
)
JSON = st.recursive(
    st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["id", "question", "answer", "evidence", "document", "page", "text", "start", "end", "x"])
ITEMS = st.dictionaries(KEYS, JSON | st.lists(st.dictionaries(KEYS, JSON, max_size=3), max_size=2), max_size=5)
TOML = st.sampled_from(
    ["warehouse", "[[sources]]", "folder", "[parse]", "seconds", "[chunk]", "size", "[log]", "level", "[lake]", "url"]
)
LINES = st.one_of(
    TOML, st.tuples(TOML, JSON).map(lambda pair: f"{pair[0]} = {json.dumps(pair[1])}"), st.text(max_size=20)
)
ANY = examples(2, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_warehouse(tmp_path_factory.mktemp("words") / "W", SAMPLES)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder, before = tmp_path_factory.mktemp("words"), Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


@ANY
@given(st.fixed_dictionaries({}, optional=FIELDS))
def test_any_filter_allows_passages_or_none(house: Warehouse, given: dict[str, Any]) -> None:
    mask = mask_allowed(house.snapshot, Filters(**given))
    assert mask is None or len(mask) == len(house.snapshot.passages)


@ANY
@given(TEXTS, WHOLE, WHOLE)
def test_any_place_gives_lines_inside_the_text_or_none(house: Warehouse, name: str, start: int, end: int) -> None:
    for document in (name, house.list_documents()[-1].document_id):
        with suppress(BadInput):
            text = house.read_text(document)
            assert all(0 <= line.start < line.end <= len(text) for line in house.read_lines(document, start, end))
    assert house.read_passage(name) is None


@ANY
@given(TEXTS, TEXTS, st.lists(TEXTS, max_size=3).map(tuple), st.dates())
def test_any_name_makes_a_citation_with_one_link(
    house: Warehouse, title: str, number: str, section: tuple[str, ...], day: date
) -> None:
    for entry in house.list_documents():
        said = replace(entry.attributes, pmcid=number, doi=f"10.1/{number}")
        named = replace(entry, title=title, attributes=said, document_date=day)
        made = cite(named, replace(CHUNK, section=section), Path("/docs"), 1.0)
        assert urlsplit(made.url).scheme in {"https", "http", "file", "obsidian"}
        assert not {"\n", " ", "\0"} & set(made.url)


@ANY
@given(st.lists(LINES, max_size=6), st.sampled_from(["utf-8", "utf-16"]))
def test_any_settings_file_is_read_or_refused(place: Path, lines: list[str], encoding: str) -> None:
    (place / "kalends.toml").write_bytes("\n".join(lines).encode(encoding, "surrogatepass"))
    tried(load_settings)
    (place / "kalends.toml").unlink()


@ANY
@given(st.lists(ITEMS.map(json.dumps) | st.text(max_size=20), max_size=4))
def test_any_file_of_questions_is_read_or_refused(place: Path, lines: list[str]) -> None:
    file = place / "questions.jsonl"
    file.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
    tried(lambda: with_questions_of(read_corpus(SAMPLES / "courses"), file))


def tried(reading: Callable[[], object]) -> None:
    """It works, or says in one line why not."""
    try:
        reading()
    except BadInput as problem:
        refusal = problem
    else:
        return
    assert refusal.cure
    assert "\n" not in str(refusal)
