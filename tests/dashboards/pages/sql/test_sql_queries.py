"""Results as typed columns and charts, and queries that work on any warehouse."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from uuid import UUID

import pyarrow as pa
import pytest

from dashboards.pages.sql.sql_charts import ChartKind, ChartPlan, chart_result, choose_default_plan
from dashboards.pages.sql.sql_queries import (
    EXAMPLES,
    MAX_CELL_LENGTH,
    build_table,
    quote_name,
    read_warehouse_schema,
    run_query,
    shorten_cells,
)
from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.store.sql_queries import QueryResult, format_error


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    place = tmp_path_factory.mktemp("empty")
    (place / "docs").mkdir()
    (place / "docs" / "a.md").write_text("One line.\n")
    return build_warehouse(place / "w", place / "docs").pin_generation()


def test_examples_run_on_any_warehouse(warehouse: Warehouse, empty: Warehouse) -> None:
    for each in (warehouse, empty):
        for name, query in EXAMPLES.items():
            found = run_query(each, query, 1000, 30).table
            plan = choose_default_plan(found)
            assert plan is None or chart_result(found, plan).to_dict()["mark"], name


def test_every_table_has_a_query_that_runs(warehouse: Warehouse) -> None:
    for table in read_warehouse_schema(warehouse):
        found = run_query(warehouse, table.query, 5, 30).table
        assert found.num_columns


def test_sql_s_own_words_are_quoted(warehouse: Warehouse) -> None:
    names = {name for table in read_warehouse_schema(warehouse) for name, _ in table.columns}
    query = f"SELECT {', '.join(f'1 AS {quote_name(name)}' for name in sorted(names))}"
    assert set(warehouse.run_sql(query).columns) == names
    assert quote_name('a"b') == '"a""b"'


def test_columns_have_types_and_what_arrow_does_not_know_is_text() -> None:
    uuid = UUID(int=1)
    rows = ((1, Decimal("1.5"), uuid, 2**90, [1], {"a": 1}), (None, None, None, None, None, None))
    table = build_table(QueryResult(("n", "n", "u", "h", "l", "s"), rows, truncated=False))
    assert table.column_names == ["n", "n_2", "u", "h", "l", "s"]
    assert pa.types.is_integer(table["n"].type)
    assert pa.types.is_decimal(table["n_2"].type)
    assert table["u"].to_pylist() == [str(uuid), None]
    assert table["h"].to_pylist() == [str(2**90), None]
    assert build_table(QueryResult(("a",), (), truncated=False)).num_rows == 0


def test_long_cells_and_records_are_shown_as_short_text() -> None:
    table = pa.table({"t": ["x" * 9999], "l": [list(range(9999))], "s": [{"a": [1]}], "b": [b"\x00\xff"], "n": [7]})
    seen = shorten_cells(table).to_pylist()[0]
    assert seen["t"] == "x" * MAX_CELL_LENGTH + "…"
    assert seen["l"].startswith("[0, 1, 2")
    assert len(seen["l"]) <= MAX_CELL_LENGTH + 1
    assert (seen["s"], seen["b"], seen["n"]) == ('{"a": [1]}', "00 ff", 7)


DAYS = [date(2024, 1, 1), date(2024, 2, 1)]


@pytest.mark.parametrize(
    ("columns", "plan"),
    [
        ({"day": DAYS, "n": [1, 2]}, ChartPlan(ChartKind.LINE, "day", "n")),
        ({"kind": ["a", "b"], "n": [1, 2]}, ChartPlan(ChartKind.BAR, "kind", "n")),
        ({"kind": ["a", "b"], "year": [2023, 2024], "n": [1, 2]}, ChartPlan(ChartKind.HEAT, "year", "kind", "n")),
        ({"x": [2.0, 1.0], "y": [1.0, 2.0]}, ChartPlan(ChartKind.SCATTER, "x", "y")),
        ({"x": [1.0, 2.0], "y": [1.0, 2.0]}, ChartPlan(ChartKind.LINE, "x", "y")),
        ({"name": ["a", "b"]}, None),
        ({"n": [1]}, None),
    ],
)
def test_the_usual_chart_says_most(columns: dict[str, list[object]], plan: ChartPlan | None) -> None:
    assert choose_default_plan(pa.table(columns)) == plan


@pytest.mark.parametrize(
    ("columns", "formats"),
    [
        ({"y": [2021, 2022], "n": [1500, 2]}, ("d", ",d")),
        ({"year(document_date)": [2021, None], "n": [2021, 2022]}, (None, "d")),
        ({"tons_per_year": [41_000, 3], "n": [5, 2022]}, (",d", ",d")),
        ({"x": [2021.5, 2022.0], "n": [None, 1.5]}, (None, None)),
    ],
)
def test_years_are_written_without_a_comma(
    columns: dict[str, list[object]], formats: tuple[str | None, str | None]
) -> None:
    table = pa.table(columns)
    x, y = columns
    encoding = chart_result(table, ChartPlan(ChartKind.SCATTER, x, y)).to_dict()["encoding"]
    assert tuple((encoding[name].get("axis") or {}).get("format") for name in ("x", "y")) == formats
    assert tuple(tip.get("format") for tip in encoding["tooltip"]) == formats


@pytest.mark.parametrize("kind", ChartKind)
def test_columns_of_any_name_are_drawn(kind: ChartKind) -> None:
    table = pa.table({"a.b[0]": ["x", "y"], "n:Q": [Decimal("1.5"), None], "day": DAYS})
    made = chart_result(
        table, ChartPlan(kind, "a.b[0]", "n:Q", "day" if kind is not ChartKind.HEAT else "n:Q")
    ).to_dict()
    (rows,) = made["datasets"].values()
    assert [row["x"] for row in rows] == ["x", "y"]
    assert "a.b[0]" in str(made["encoding"])


@pytest.mark.parametrize(
    ("message", "query", "said"),
    [
        ("Oh no\n\nLINE 2: from nope\n             ^^^^", "select 1\nfrom nope", "Oh no (line 2, column 6)"),
        ("Oh\nno\n\nLINE 1: ...b, c, d...\n              ^", "select a, b, c, d, e", "Oh no (line 1, column 14)"),
        ("Oh no\n\nLINE 1: '中', x\n              ^", "'中', x", "Oh no (line 1, column 6)"),
        ("Oh no\n\nLINE 1: gone\n        ^", "-- other", "Oh no (line 1)"),
        ("Oh  no", "x", "Oh no"),
    ],
)
def test_a_mistake_is_told_with_its_place(message: str, query: str, said: str) -> None:
    assert format_error(message, query) == said
