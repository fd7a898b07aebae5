"""The state of pages: keys carry the page's name, defaults are declared once, values of another type are dropped."""

from __future__ import annotations

import ast
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from dashboards.widgets import state
from dashboards.widgets.navigation import PAGES

Draw = Callable[..., AppTest]
PACKAGE = Path(state.__file__).parents[1]
PARTS = {
    "timeline": [{"show": "Coverage"}, {"show": "One figure"}],
    "tables": [{"part": "Ask for a figure"}, {"part": "All cells"}],
    "quality": [{"by": by} for by in ("Folders", "Kinds", "Documents", "Passages", "Near duplicates", "Generations")],
    "experiments": [{"part": "New grid"}],
    "search": [{"q": "turbine revenue"}],
}
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.dates(), st.lists(st.text()), st.tuples()
)
ENTERED = "import streamlit as st\nfrom dashboards.widgets import state\nstate.enter_page({!r})"


def widgets(page: AppTest) -> dict[str, object]:
    """The values of a page's widgets by key."""
    kinds = (
        *(page.text_input, page.text_area, page.selectbox, page.multiselect, page.toggle, page.date_input),
        *(page.number_input, page.button_group, page.button, page.chat_input),
    )
    return {str(each.key): each.value for kind in kinds for each in kind if each.key}


@pytest.mark.parametrize("leaf", PAGES, ids=lambda leaf: leaf.name)
def test_every_key_begins_with_its_page_and_every_default_is_the_declared_one(draw: Draw, leaf: object) -> None:
    name = leaf.name  # type: ignore[attr-defined]
    for parameters in ({}, *PARTS.get(name, ())):
        page = draw(name, **parameters)
        assert not page.exception
        found = widgets(page)
        assert found or name == "runs"
        assert [key for key in found if not key.removeprefix("FormSubmitter:").startswith(f"{name}-")] == []
        for field in state.FIELDS[name]:
            declared = state.get_default(name, field)
            if (key := state.make_key(name, field)) in found and field not in parameters and declared is not None:
                assert (key, found[key]) == (key, declared)


def test_what_is_bound_to_the_address_is_declared() -> None:
    calls = [
        (file, call)
        for file in PACKAGE.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
    ]
    # `state.bind_field` names the key of a declared field; a key of another form begins with one.
    assert sum(ast.unparse(call.func) == "state.bind_field" for _, call in calls) > 40
    for file, call in calls:
        if any(each.arg == "bind" for each in call.keywords):
            (key,) = (ast.unparse(each.value) for each in call.keywords if each.arg == "key")
            assert "state.make_key(" in key, f"{file.name}, line {call.lineno}: {key}"


@given(VALUES, st.sampled_from([(page, name) for page, known in state.FIELDS.items() for name in known]))
def test_a_value_of_another_type_is_dropped(chosen: object, place: tuple[str, str]) -> None:
    page, name = place
    app = AppTest.from_string(ENTERED.format(page))
    app.session_state["kalends-page"] = page
    app.session_state[state.make_key(page, name)] = chosen
    app.run()
    assert not app.exception
    kept = app.session_state.get(state.make_key(page, name))
    assert kept is None or kept == chosen
    if chosen is not None and kept is None:
        assert not isinstance(chosen, state.FIELDS[page][name].type) or isinstance(chosen, bool)


def test_on_the_way_in_all_is_as_the_address_says() -> None:
    app = AppTest.from_string(ENTERED.format("search"))
    app.query_params["search-during"] = "2023"
    for name, chosen in {"q": "revenue", "during": "2023", "since": date(2020, 1, 1)}.items():
        app.session_state[f"search-{name}"] = chosen
    app.session_state["sql-history"] = {"SELECT 1": "1 row"}
    app.session_state["kalends-page"] = "library"
    app.run()
    assert "search-q" not in app.session_state
    assert "search-since" not in app.session_state
    assert app.session_state["search-during"] == "2023"
    assert app.session_state["sql-history"] == {"SELECT 1": "1 row"}


def test_links_name_the_fields_of_the_page_they_lead_to() -> None:
    assert state.make_address("search", {"q": "revenue"}) == {"search-q": "revenue"}
    assert state.make_address("tables", {"document": "d", "table": "2"}) == {"document": "d", "table": "2"}
