"""A search request is declared once: every interface offers every field under one name, and reads the earlier names."""

from __future__ import annotations

from contextlib import suppress
from datetime import MAXYEAR, MINYEAR, date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from typer.testing import CliRunner

from dashboards.api.query import SearchBody
from dashboards.assistant.tools.contract import TOOLS
from dashboards.cli.main import app
from dashboards.serializers.search_request import parse_filters, parse_ranking, parse_years, rename_earlier_fields
from dashboards.widgets import state
from warehouse.errors import BadInput
from warehouse.records import Filters, Fusion, Kind, Ranking
from warehouse.records.search_request import FILTER_FIELDS, LITERAL_TERMS, RANKING_FIELDS, Format

TODAY = date(2026, 3, 1)
YEARS = st.integers(MINYEAR, MAXYEAR)
WRITTEN: dict[Format, tuple[object, object]] = {
    Format.TEXTS: (["a", "b"], ("a", "b")),
    Format.KINDS: ([Kind.NOTE], (Kind.NOTE,)),
    Format.NUMBERS: ([1, 2], (1, 2)),
    Format.FIRST_DAY: ("Q2 2023", date(2023, 4, 1)),
    Format.LAST_DAY: ("Q2 2023", date(2023, 6, 30)),
    Format.PERIOD: ("Q2 2023", (date(2023, 4, 1), date(2023, 7, 1))),
    Format.YEARS: ("2019-2021", (2019, 2021)),
    Format.YES_NO: (False, False),
    Format.SHARE: (0.5, 0.5),
}
"""A value of each format of a filter, as it is written and as it is read."""
EARLIER = [
    (name, earlier)
    for name, declared in {**FILTER_FIELDS, **RANKING_FIELDS, "literal_terms": LITERAL_TERMS}.items()
    for earlier in declared.earlier_names
]


@pytest.mark.parametrize("name", FILTER_FIELDS)
def test_every_filter_is_offered_and_read_everywhere(name: str) -> None:
    declared = FILTER_FIELDS[name]
    written, read = WRITTEN[declared.format]
    assert getattr(parse_filters({name: written}, TODAY), name) == read
    assert f"--{declared.option}" in CliRunner().invoke(app, ["search", "--help"], env={"COLUMNS": "200"}).output
    assert SearchBody.model_json_schema()["properties"][name]["description"] == declared.help
    assert TOOLS["search"].schema["properties"][name]["description"] == declared.help
    assert declared.option in state.FIELDS["search"]
    assert SearchBody.model_validate({"query": "x", name: written}).get_given_values() == {name: written}


@pytest.mark.parametrize("name", RANKING_FIELDS)
def test_every_part_of_the_ranking_is_offered(name: str) -> None:
    declared = RANKING_FIELDS[name]
    assert f"--{declared.option}" in CliRunner().invoke(app, ["search", "--help"], env={"COLUMNS": "200"}).output
    assert SearchBody.model_json_schema()["$defs"]["RankingBody"]["properties"][name]["description"] == declared.help
    assert f"rank-{declared.option}" in state.FIELDS["search"]


@pytest.mark.parametrize(("name", "earlier"), EARLIER)
def test_an_earlier_name_is_read_with_a_notice(name: str, earlier: str) -> None:
    declarations = {**FILTER_FIELDS, **RANKING_FIELDS, "literal_terms": LITERAL_TERMS}
    values, notices = rename_earlier_fields({earlier: 2023}, declarations)
    assert list(values) == [name]
    assert notices == [f"'{earlier}' is called '{name}' now; the earlier name is read until the next version"]
    with pytest.raises(BadInput, match="given twice"):
        rename_earlier_fields({earlier: 2023, name: 2023}, declarations)


def test_bodies_and_tools_read_earlier_names() -> None:
    body = SearchBody.model_validate(
        {"query": "x", "min_year": 2020, "has_table": True, "ranking": {"rerank": "maxsim"}}
    )
    assert body.get_given_values() == {"years": "2020-", "tables": True}
    assert body.ranking.get_given_values() == {"reranker": "maxsim"}
    with pytest.raises(ValidationError, match="given twice"):
        SearchBody.model_validate({"query": "x", "quality": 0.5, "min_quality": 0.5})


@given(YEARS, YEARS)
def test_years_are_read_as_they_are_written(one: int, other: int) -> None:
    first, last = sorted((one, other))
    assert parse_years(f"{first:04d}") == (first, first)
    assert parse_years(f"{first:04d}-{last:04d}") == (first, last)
    assert (parse_years(f"{first:04d}-"), parse_years(f"-{last:04d}")) == ((first, MAXYEAR), (MINYEAR, last))


@given(st.text(max_size=12))
def test_any_text_is_years_in_order_or_refused(text: str) -> None:
    years: tuple[int, int] | None = None
    with suppress(BadInput):
        years = parse_years(text)
    assert years is None or years[0] <= years[1]


@pytest.mark.parametrize(
    ("values", "ranking"),
    [
        ({}, Ranking()),
        ({"alpha": 0.3}, Ranking(fusion=Fusion.CONVEX, alpha=0.3)),
        ({"relevance_feedback": False}, Ranking(relevance_feedback=False)),
    ],
)
def test_a_ranking_is_read(values: dict[str, Any], ranking: Ranking) -> None:
    assert parse_ranking(values) == ranking


@pytest.mark.parametrize("until", ["2024-01-01", "2025-01-01"])
def test_days_that_leave_none_between_them_are_refused(until: str) -> None:
    with pytest.raises(BadInput, match="is not after the start, 2025-01-01"):
        parse_filters({"since": "2025-01-01", "until": until}, TODAY)


def test_nothing_given_asks_for_nothing() -> None:
    assert parse_filters({}, TODAY) == Filters()
    with pytest.raises(BadInput, match="alpha has no effect with fusion 'rrf'"):
        parse_ranking({"alpha": 0.3, "fusion": Fusion.RRF})
