"""State of the pages: the fields that a reader can choose, in the session's state and in the address.

A page's address is its state. Every key begins with its page's name, so that no page reads a value of another. Each
field that more than one widget uses is declared here once, with its type and its default. Fields of `ADDRESS` are
widgets bound to the address under the same name (`search-q`), which Streamlit keeps equal in both directions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from types import MappingProxyType
from typing import Any

import streamlit as st

from warehouse.records.search_request import FILTER_FIELDS, RANKING_FIELDS, Format

ADDRESS, SESSION, PAGE = "address", "session", "page"
"""Scopes of a field: in the address, for the whole session, or until the reader leaves the page."""
_CURRENT, _ADDRESSES, _VISITS = "kalends-page", "kalends-addresses", "kalends-visits"
_LARGEST_NUMBER = 10**6
"""Whole numbers in an address must be smaller."""


@dataclass(frozen=True, slots=True)
class StateField:
    """A field of a page: the `type` of its value (None is allowed too), its default, and its scope."""

    type: type
    default: Any = None
    scope: str = ADDRESS


_BY_FORMAT = {
    **dict.fromkeys((Format.TEXTS, Format.KINDS, Format.NUMBERS), StateField(list)),
    **dict.fromkeys((Format.FIRST_DAY, Format.LAST_DAY), StateField(date)),
    **dict.fromkeys((Format.PERIOD, Format.YEARS, Format.YES_NO), StateField(str, default="")),
    Format.SHARE: StateField(float),
    Format.NUMBER: StateField(int),
    Format.SWITCH: StateField(bool, default=True),
}
_FILTERS = {
    **{declared.option: _BY_FORMAT[declared.format] for declared in FILTER_FIELDS.values()},
    "k": StateField(int, default=5),
    "company": StateField(list),
    "period-year": StateField(int, scope=PAGE),
    "period-part": StateField(str, scope=PAGE),
    "period-days": StateField(tuple, scope=PAGE),
}
_RANKING = {
    **{
        f"rank-{declared.option}": _BY_FORMAT[declared.format]
        for declared in RANKING_FIELDS.values()
        if declared.format in _BY_FORMAT
    },
    "rank-mode": StateField(str, default="hybrid"),
    "rank-fusion": StateField(str, default="weighed"),
    "rank-reranker": StateField(str, default="none"),
}
_EARLIER = {
    "about": "name",
    "type": "paper-type",
    "mode": "rank-mode",
    "fusion": "rank-fusion",
    "rerank": "rank-reranker",
    "distinct": "rank-distinct",
}
"""Names that addresses of the version before have for fields of a search."""
FIELDS: Mapping[str, Mapping[str, StateField]] = MappingProxyType(
    {
        "home": {},
        "library": {
            "text": StateField(str, default=""),
            "kind": StateField(list),
            "root": StateField(list),
            "status": StateField(list),
            "order": StateField(str, default="file"),
            "files-round": StateField(int, default=0, scope=SESSION),
            "text-round": StateField(int, default=0, scope=SESSION),
        },
        "search": {
            "q": StateField(str, default=""),
            **_FILTERS,
            "dates": StateField(bool, default=True),
            "names": StateField(bool, default=True),
            "explain": StateField(bool, default=False),
            **_RANKING,
        },
        "chat": {
            **_FILTERS,
            "asked": StateField(str, default="", scope=SESSION),
            "draft": StateField(str, default="", scope=SESSION),
            "draft-round": StateField(int, default=0, scope=SESSION),
        },
        "quality": {
            "by": StateField(str, default="Rules"),
            "severity": StateField(str),
            "kind": StateField(str),
            "folder": StateField(str),
            "findings-page": StateField(int, default=1),
            "documents-page": StateField(int, default=1),
            "passages-page": StateField(int, default=1),
            "pairs-page": StateField(int, default=1),
            "together": StateField(bool, default=False, scope=PAGE),
            "overview": StateField(dict, scope=SESSION),
        },
        "timeline": {
            "show": StateField(str, default="Over time"),
            "by": StateField(str),
            "interval": StateField(str),
            "since": StateField(date),
            "until": StateField(date),
            "of": StateField(list),
            "lines": StateField(str),
            "coverage-interval": StateField(str),
            "coverage-company": StateField(list),
            "coverage-page": StateField(int, default=1),
            "company": StateField(str),
            "item": StateField(str),
            "length": StateField(str),
            "unit": StateField(str),
        },
        "tables": {
            "part": StateField(str, default="Tables"),
            "words": StateField(str, default=""),
            "named": StateField(str, default=""),
            "during": StateField(str, default=""),
            "kind": StateField(list),
            "company": StateField(list),
            "sort": StateField(str),
            "list-page": StateField(int, default=1),
            "item": StateField(str, default=""),
            "time": StateField(str, default=""),
            "of": StateField(str, default=""),
            "row": StateField(str, default=""),
            "column": StateField(str, default=""),
            "whose": StateField(str, default=""),
            "at": StateField(str, default=""),
            "unit": StateField(list),
            "least": StateField(float),
            "most": StateField(float),
            "any": StateField(bool, default=False),
            "cells-page": StateField(int, default=1),
        },
        "sql": {"query": StateField(str, default=""), "history": StateField(dict, scope=SESSION)},
        "experiments": {
            "part": StateField(str),
            "source": StateField(str),
            "count": StateField(int),
            "questions": StateField(str),
            "vary": StateField(list),
            "exclude": StateField(str),
            "why": StateField(str),
        },
        "runs": {},
    }
)


def key(page: str, name: str) -> str:
    """The key of a field, which is its name in the address too. Raises `KeyError` for one that is not declared."""
    FIELDS[page][name]
    return f"{page}-{name}"


def default(page: str, name: str) -> Any:
    """The value of a field before anything is chosen."""
    return FIELDS[page][name].default


def value(page: str, name: str) -> Any:
    """The value that was last chosen, or the default.

    Until the field's widget is drawn for the first time, a text, a whole number, a day or a list of texts is read from
    the address.
    """
    field, own = FIELDS[page][name], key(page, name)
    if own in st.session_state:
        current = st.session_state[own]
        return current if current is not None and _has_type(current, field) else field.default
    text = st.query_params.get(own, "") if field.scope is ADDRESS else ""
    if field.type is list and text:
        return st.query_params.get_all(own)
    if field.type is str and text:
        return text
    if field.type is date and text:
        return _parse_day(text)
    return int(text) if field.type is int and text.isdecimal() and 0 < int(text) < _LARGEST_NUMBER else field.default


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def clear(page: str, *names: str) -> None:
    """Empty these fields: in a callback, or before their widgets are drawn."""
    for name in names:
        field = FIELDS[page][name]
        put(page, name, [] if field.type is list else field.default)


def put(page: str, name: str, value: Any) -> None:
    """Set a field: in a callback, or before its widget is drawn."""
    st.session_state[key(page, name)] = value


def address(page: str, fields: Mapping[str, str | list[str]]) -> dict[str, str | list[str]]:
    """Fields as the parameters of a page's address; those without a widget (`document`, `table`) keep their names."""
    declared = FIELDS[page]
    return {
        key(page, name) if name in declared and declared[name].scope is ADDRESS else name: value
        for name, value in fields.items()
    }


def choose(page: str, fields: Mapping[str, str | list[str]]) -> None:
    """Set fields of the page that is drawn, in a callback; those without a widget are set in the address itself."""
    for name, value in fields.items():
        if name in FIELDS[page]:
            put(page, name, value)
        else:
            st.query_params[name] = value


def current_page() -> str:
    """The page that is drawn; empty before the first."""
    return str(st.session_state.get(_CURRENT, ""))


def own_key(name: str) -> str:
    """The key of a widget that several pages draw: the current page's name and the widget's."""
    return f"{current_page()}-{name}"


def enter_page(page: str) -> None:
    """Begin to draw a page. Coming from another page, fields that the address does not name are reset.

    A value of another type than its field's is always dropped.
    """
    declared = FIELDS.get(page, {})
    if st.session_state.get(_CURRENT) != page:
        st.session_state[_CURRENT] = page
        st.session_state[_VISITS] = visits() + 1
        kept = {key(page, name) for name, field in declared.items() if field.scope is SESSION}
        for each in list(st.session_state):
            if str(each).startswith(f"{page}-") and each not in kept and each not in st.query_params:
                del st.session_state[each]
    for earlier, name in _EARLIER.items():
        if name in declared and (texts := st.query_params.get_all(f"{page}-{earlier}")):
            del st.query_params[f"{page}-{earlier}"]
            kind = declared[name].type
            put(page, name, texts if kind is list else texts[0] == "true" if kind is bool else texts[0])
    for name, field in declared.items():
        if (current := st.session_state.get(key(page, name))) is not None and not _has_type(current, field):
            del st.session_state[key(page, name)]


def visits() -> int:
    """The number of times that this reader went from one page to another."""
    count: int = st.session_state.get(_VISITS, 0)
    return count


def leave_page(page: str) -> None:
    """End drawing a page: its address is kept, so that the sidebar leads back to it."""
    addresses = st.session_state.setdefault(_ADDRESSES, {})
    addresses[page] = {name: st.query_params.get_all(name) for name in st.query_params}


def last_address(page: str) -> dict[str, list[str]]:
    """The parameters of the address that a page was last left with; none before its first visit."""
    return dict(st.session_state.get(_ADDRESSES, {}).get(page, {}))


def _has_type(value: Any, field: StateField) -> bool:
    """Whether a value is of the field's type; a member of an enumeration counts as a text, a bool is no number."""
    if isinstance(value, bool | Enum):
        return field.type is (bool if isinstance(value, bool) else str)
    accepted = {list: (list, tuple), tuple: (list, tuple), float: (int, float)}
    return isinstance(value, accepted.get(field.type, field.type))
