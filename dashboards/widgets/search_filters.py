"""Filters and ranking of a search as widgets, made from what a search request declares; the address keeps all of it.

Filters are a line of chips: each opens the choice, shows what is chosen, and can be cleared. The kinds, the documents,
the period and the company have chips of their own; all other filters share one. A period is typed, or picked from the
years that documents mention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import streamlit as st

from dashboards.html.safe_text import format_markdown_label
from dashboards.serializers.catalogue import CHOICES, LibraryCatalogue, list_distinct_values, select_documents
from dashboards.serializers.search_request import parse_filters, parse_ranking
from dashboards.widgets import state
from dashboards.widgets.browser_scripts import draw_field_popover
from dashboards.widgets.resources import cache_query, load_page_context
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Filters, Fusion, Mode, Ranking
from warehouse.records.search_request import FILTER_FIELDS, RANKING_FIELDS, Format, RequestField

COUNTS = (3, 5, 10, 20, 50)
EARLIEST, LATEST = date(1, 1, 1), date(9999, 12, 31)
RERANKERS = ("none", "maxsim")
MAX_CHOICES = 500  # Documents and companies to pick from; a name of any other can be typed.
MAX_CHIP_LENGTH = 26  # Characters of what is chosen that a chip shows.
PICKED_PERIOD = ("period-year", "period-part", "period-days")
"""The fields below the words of a period, which set these words."""
_OWN_CHIPS = ("kinds", "documents", "during")
_MORE = {name: declaration for name, declaration in FILTER_FIELDS.items() if name not in _OWN_CHIPS}
_OFFERED: Mapping[str, Callable[[LibraryCatalogue], Sequence[str]]] = {
    "roots": lambda catalogue: catalogue.roots,
    **{field: partial(LibraryCatalogue.list_choices, field=field) for field in CHOICES},
}
"""The values to choose from, of filters that name one of a few; a filter that nothing can be chosen of is not drawn."""
_YES_NO = {"": "Any", "yes": "Yes", "no": "No"}
_RANKING_NAMES = ("mode", "fusion", "alpha", "reranker", "per_document", "half_life")
_SWITCHES = {name: declaration for name, declaration in RANKING_FIELDS.items() if declaration.format is Format.SWITCH}
RANKING_OPTIONS = tuple(f"rank-{RANKING_FIELDS[name].option}" for name in (*_RANKING_NAMES, *_SWITCHES))
"""The fields of `draw_ranking`."""


def draw_filters(page: str, catalogue: LibraryCatalogue) -> tuple[Filters, int]:
    """Draw the chips; returns filters and number of hits. Raises `BadInput` for words or days that name no time."""
    companies = list_distinct_values(entry.attributes.company for entry in catalogue.entries)
    with st.container(horizontal=True, key=f"{page}-chips", width="content", gap="small"):
        with _draw_chip(page, "Kind", "kind"):
            kinds = _draw_choice(page, "Kind", "kind", catalogue.kinds)
        with _draw_chip(page, "Document", "document"):
            sources = [entry.file.source for entry in catalogue.entries if entry.chunk_count]
            documents = st.multiselect(
                "Document",
                sources[:MAX_CHOICES],
                accept_new_options=True,
                placeholder="Any document",
                help="Choose one, or type words of its title or file name.",
                **state.bind_field(page, "document"),
            )
        with _draw_chip(page, "Period mentioned", "during", *PICKED_PERIOD):
            period = _draw_period(page)
        owners: tuple[str, ...] = ()
        if companies:
            with _draw_chip(page, "Company", "company"):
                owners = _draw_choice(page, "Company", "company", companies)
        with _draw_chip(page, "More filters", *(declaration.option for declaration in _MORE.values()), "k"):
            values = {name: _draw_field(page, name, declaration, catalogue) for name, declaration in _MORE.items()}
            default_index = COUNTS.index(state.get_default(page, "k"))
            count = st.selectbox("Passages shown", COUNTS, default_index, **state.bind_field(page, "k"))
    filters = parse_filters({**values, "kinds": kinds, "during": period}, datetime.now(UTC).date())
    filters = replace(filters, documents=select_documents(catalogue.entries, tuple(documents), owners))
    return filters, count or state.get_default(page, "k")


def draw_ranking(page: str) -> Ranking:
    """Draw what decides how passages are ranked. Raises `BadInput` for choices that contradict each other."""
    options = {
        name: {"help": RANKING_FIELDS[name].help, **state.bind_field(page, f"rank-{RANKING_FIELDS[name].option}")}
        for name in _RANKING_NAMES
    }
    mode = st.segmented_control("Find by", list(Mode), default=Mode.HYBRID, required=True, **options["mode"])
    fusion = st.selectbox("Combine both by", list(Fusion), disabled=mode is not Mode.HYBRID, **options["fusion"])
    is_convex = fusion is Fusion.CONVEX
    alpha = st.number_input("Share of the vectors", 0.0, 1.0, None, disabled=not is_convex, **options["alpha"])
    reranker = st.selectbox("Rerank by", RERANKERS, **options["reranker"])
    per_document = st.number_input(
        "Passages of one document", 1, 1000, None, placeholder="Any number", **options["per_document"]
    )
    half_life = st.number_input(
        "Days after which newness counts half", 1, 36_500, None, placeholder="As usual", **options["half_life"]
    )
    switches = {
        name: st.toggle(
            declaration.help.removesuffix("."), value=True, **state.bind_field(page, f"rank-{declaration.option}")
        )
        for name, declaration in _SWITCHES.items()
    }
    return parse_ranking(
        {
            **switches,
            "mode": mode,
            "fusion": fusion,
            "alpha": alpha if is_convex else None,
            "reranker": None if reranker == RERANKERS[0] else reranker,
            "half_life": half_life,
            "per_document": per_document,
        }
    )


@contextmanager
def _draw_chip(page: str, title: str, *names: str) -> Iterator[None]:
    """A button that opens what is drawn within; it shows what is chosen in these fields, and a second one clears them.

    Where Back or Forward led here, the fields are read from the address as they are drawn, and the page is drawn again.
    """
    state.hold_values(page, names)
    choices = _list_choices(page, names)
    text = format_markdown_label(f"{len(choices)}" if "k" in names else ", ".join(choices), MAX_CHIP_LENGTH)
    key = f"{page}-chip-{'since' if 'k' in names else names[0]}"
    with st.container(horizontal=True, key=key, width="content", gap=None, vertical_alignment="center"):
        with draw_field_popover(f"{title}: **{text}**" if choices else title, page, names, key=f"{key}-open"):
            yield
        if _list_choices(page, names) != choices:
            st.rerun()
        if choices:
            st.button(
                "",
                icon=":material/close:",
                help=f"Clear: {title}",
                key=f"{key}-clear",
                type="tertiary",
                on_click=state.clear_fields,
                args=(page, *names),
            )


def _list_choices(page: str, names: Sequence[str]) -> list[str]:
    """The values chosen in these fields, without their defaults."""
    values = [
        state.get_value(page, name)
        for name in names
        if name not in PICKED_PERIOD and state.get_value(page, name) != state.get_default(page, name)
    ]
    return [
        str(choice) for value in values if value for choice in (value if isinstance(value, list | tuple) else [value])
    ]


def _draw_field(page: str, name: str, declaration: RequestField, catalogue: LibraryCatalogue) -> Any:
    """The widget of a filter without a chip of its own; returns what is chosen, as `parse_filters` reads it."""
    title, options = declaration.label, {"help": declaration.help, **state.bind_field(page, declaration.option)}
    match declaration.format:
        case Format.TEXTS if name in _OFFERED:
            return _draw_choice(page, title, declaration.option, _OFFERED[name](catalogue))
        case Format.TEXTS | Format.NUMBERS:
            texts = st.multiselect(title, [], accept_new_options=True, placeholder="Any", **options)
            return _parse_numbers(title, texts) if declaration.format is Format.NUMBERS else texts
        case Format.FIRST_DAY | Format.LAST_DAY:
            day = st.date_input(title, None, EARLIEST, LATEST, format="YYYY-MM-DD", **options)
            return day if isinstance(day, date) else ""
        case Format.YES_NO:
            choice = st.selectbox(title, list(_YES_NO), format_func=_YES_NO.__getitem__, **options)
            return {"yes": True, "no": False}.get(choice)
        case Format.SHARE:
            return st.number_input(title, 0.0, 1.0, None, placeholder="Any", **options)
    return st.text_input(title, placeholder=declaration.example or "Any", **options).strip()


def _parse_numbers(title: str, texts: Sequence[str]) -> list[int]:
    """Raises `BadInput` for a text that is no whole number."""
    for text in texts:
        if not text.isdecimal() or len(text) > 9:
            raise BadInput(f"{title}: '{text}' is not a whole number", "write a number like 3")
    return [int(text) for text in texts]


def _draw_choice(page: str, title: str, name: str, values: Sequence[str]) -> tuple[str, ...]:
    if not values:
        return ()
    options = {"accept_new_options": len(values) > MAX_CHOICES, **state.bind_field(page, name)}
    return tuple(st.multiselect(title, values[:MAX_CHOICES], placeholder="Any", **options))


def _draw_period(page: str) -> str:
    """Draw the field for the period in words and, below it, what sets it; returns the words, empty for any time.

    What was picked is shown while the words are those that it sets: not after others were typed, or after Back.
    """
    words = st.text_input(
        "Period mentioned",
        placeholder="Q2 2023, last year, May 2021",
        help=FILTER_FIELDS["during"].help,
        **state.bind_field(page, "during"),
    )
    words = (words or "").strip()
    if _format_picked_year(page) not in ("", words):
        state.clear_fields(page, "period-year", "period-part")
    if _format_picked_days(page) not in ("", words):
        state.clear_fields(page, "period-days")
    if years := list_years(load_page_context().warehouse.pin_generation()):
        key, hint = state.make_key(page, "period-year"), "A year that documents mention"
        st.selectbox("Year", years, index=None, key=key, placeholder=hint, on_change=_set_year, args=(page,))
        st.pills(
            "Part of the year",
            YEAR_PARTS,
            default=YEAR_PARTS[0],
            required=True,
            key=state.make_key(page, "period-part"),
            on_change=_set_year,
            args=(page,),
        )
    st.date_input(
        "Or from one day to another", [], EARLIEST, date(9999, 12, 30), key=state.make_key(page, "period-days"),
        format="YYYY-MM-DD", on_change=_set_days, args=(page,),
    )  # fmt: skip
    return words


def _set_year(page: str) -> None:
    if (words := _format_picked_year(page)) and not state.is_outdated(page, "period-year"):
        state.set_value(page, "during", words)


def _set_days(page: str) -> None:
    if (words := _format_picked_days(page)) and not state.is_outdated(page, "period-days"):
        state.set_value(page, "during", words)


def _format_picked_year(page: str) -> str:
    year = state.get_value(page, "period-year")
    return format_picked_period(year, state.get_value(page, "period-part")) if year else ""


def _format_picked_days(page: str) -> str:
    days = state.get_value(page, "period-days")
    return f"{days[0]} to {days[1]}" if len(days) == 2 else ""


_YEARS = """
    SELECT DISTINCT year(start_date) AS year FROM timeline
    WHERE start_date IS NOT NULL AND end_date IS NOT NULL AND grain IN ('year', 'quarter', 'half', 'month', 'day')
    ORDER BY year DESC
"""
YEAR_PARTS = ("Whole year", "H1", "H2", "Q1", "Q2", "Q3", "Q4")  # What of a year can be picked.


@cache_query(4)
def list_years(warehouse: Warehouse) -> list[int]:
    """The years that documents name or name a part of, the latest first."""
    return [int(year) for (year,) in warehouse.snapshot.query_rows(_YEARS)]


def format_picked_period(year: int, part: str) -> str:
    """A picked period in the words of a question: "2023", "Q2 2023"."""
    return str(year) if part == YEAR_PARTS[0] else f"{part} {year}"
