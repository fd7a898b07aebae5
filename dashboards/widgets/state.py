"""What a reader has chosen on each page: one owner for the session's state, and for what the address keeps of it.

A page's address is its state. Every key begins with its page's name, so no page meets a value of another. Each field
that is more than one widget's own is declared here once, with its type and its default; those of `ADDRESS` are widgets
bound to the address under the same name (`search-q`), which Streamlit keeps in step in both directions.
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
"""Where a field is kept: in the address, for the whole session, or until the page is left."""
_CURRENT, _ADDRESSES, _VISITS = "kalends-page", "kalends-addresses", "kalends-visits"
_MOST = 10**6


@dataclass(frozen=True, slots=True)
class StateField:
    """The `type` of a field's value (None is allowed beside it), its value before anything is chosen, and its scope."""

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
    """The key of a declared field, which is its name in the address too. Raises `KeyError` for one that is not."""
    FIELDS[page][name]
    return f"{page}-{name}"


def default(page: str, name: str) -> Any:
    """Its value before anything is chosen."""
    return FIELDS[page][name].default


def value(page: str, name: str) -> Any:
    """What was last chosen, or the default.

    Before the widget of a text, a whole number, a day or a list of texts is drawn for the first time it is what the
    address says.
    """
    field, chosen = FIELDS[page][name], key(page, name)
    if chosen in st.session_state:
        found = st.session_state[chosen]
        return found if found is not None and _fits(found, field) else field.default
    said = st.query_params.get(chosen, "") if field.scope is ADDRESS else ""
    if field.type is list and said:
        return st.query_params.get_all(chosen)
    if field.type is str and said:
        return said
    if field.type is date and said:
        return _day(said)
    return int(said) if field.type is int and said.isdecimal() and 0 < int(said) < _MOST else field.default


def _day(said: str) -> date | None:
    try:
        return date.fromisoformat(said)
    except ValueError:
        return None


def clear(page: str, *names: str) -> None:
    """Choose nothing for these fields: in a callback, or before their widgets are drawn."""
    for name in names:
        field = FIELDS[page][name]
        put(page, name, [] if field.type is list else field.default)


def put(page: str, name: str, chosen: Any) -> None:
    """Choose a value: in a callback, or before the field's widget is drawn."""
    st.session_state[key(page, name)] = chosen


def address(page: str, fields: Mapping[str, str | list[str]]) -> dict[str, str | list[str]]:
    """Fields as the parameters of a page's address; what is no widget's (`document`, `table`) goes by its own name."""
    known = FIELDS[page]
    return {
        key(page, name) if name in known and known[name].scope is ADDRESS else name: chosen
        for name, chosen in fields.items()
    }


def choose(page: str, fields: Mapping[str, str | list[str]]) -> None:
    """Choose fields of the page that is drawn, in a callback; what is no widget's goes into the address itself."""
    for name, chosen in fields.items():
        if name in FIELDS[page]:
            put(page, name, chosen)
        else:
            st.query_params[name] = chosen


def current_page() -> str:
    """The page that is drawn; empty before the first."""
    return str(st.session_state.get(_CURRENT, ""))


def own_key(name: str) -> str:
    """The key of a widget that several pages draw, with the name of the page that is drawn."""
    return f"{current_page()}-{name}"


def enter_page(page: str) -> None:
    """Begin to draw a page. On the way in all that its address does not say is as at the first visit.

    A value of another type than its field's is dropped at any time.
    """
    known = FIELDS.get(page, {})
    if st.session_state.get(_CURRENT) != page:
        st.session_state[_CURRENT] = page
        st.session_state[_VISITS] = visits() + 1
        kept = {key(page, name) for name, field in known.items() if field.scope is SESSION}
        for each in list(st.session_state):
            if str(each).startswith(f"{page}-") and each not in kept and each not in st.query_params:
                del st.session_state[each]
    for earlier, name in _EARLIER.items():
        if name in known and (said := st.query_params.get_all(f"{page}-{earlier}")):
            del st.query_params[f"{page}-{earlier}"]
            kind = known[name].type
            put(page, name, said if kind is list else said[0] == "true" if kind is bool else said[0])
    for name, field in known.items():
        if (found := st.session_state.get(key(page, name))) is not None and not _fits(found, field):
            del st.session_state[key(page, name)]


def visits() -> int:
    """How often this reader has come from one page to another: what was shown at another count was left behind."""
    found: int = st.session_state.get(_VISITS, 0)
    return found


def leave_page(page: str) -> None:
    """End drawing a page: what its address says now is where the sidebar leads back to."""
    addresses = st.session_state.setdefault(_ADDRESSES, {})
    addresses[page] = {name: st.query_params.get_all(name) for name in st.query_params}


def last_address(page: str) -> dict[str, list[str]]:
    """The parameters of the address that a page was last left with; none before its first visit."""
    return dict(st.session_state.get(_ADDRESSES, {}).get(page, {}))


def _fits(found: Any, field: StateField) -> bool:
    """Whether a value is of the field's type; an option of an enumeration counts as its text, a bool is no number."""
    if isinstance(found, bool | Enum):
        return field.type is (bool if isinstance(found, bool) else str)
    alike = {list: (list, tuple), tuple: (list, tuple), float: (int, float)}
    return isinstance(found, alike.get(field.type, field.type))
