"""State of the pages: the fields that a reader can choose, in the session's state and in the address.

A page's address is its state. Every key begins with its page's name, so that no page reads a value of another. Each
field that more than one widget uses is declared here once, with its type and its default. Fields of `ADDRESS` are
widgets bound to the address under the same name (`search-q`), which Streamlit keeps equal in both directions.

Fields whose widgets are in a popover need more (`draw_field_popover`). With every run the browser sends the last value
of each widget. It receives another value that the server has set only while the widget is on the page, and the widgets
of a closed popover are not: a value that a button had cleared, or that Back had left, would be set again by the next
run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
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
_IN_POPOVERS, _PENDING = "kalends-in-popovers", "kalends-held"
_MAX_NUMBER = 10**6  # Whole numbers in an address must be smaller.


@dataclass(frozen=True, slots=True)
class StateField:
    """A field of a page: the `type` of its value (None is allowed too), its default, and its scope."""

    type: type
    default: Any = None
    scope: str = ADDRESS


_TEXT, _CHOICE, _CHOICES, _DAY = StateField(str, ""), StateField(str), StateField(list), StateField(date)
_PAGE, _AMOUNT = StateField(int, 1), StateField(float)
_YES, _NO = StateField(bool, default=True), StateField(bool, default=False)
_ROUND, _MEMORY = StateField(int, 0, SESSION), StateField(dict, scope=SESSION)
_BY_FORMAT = {
    **dict.fromkeys((Format.TEXTS, Format.KINDS, Format.NUMBERS), _CHOICES),
    **dict.fromkeys((Format.FIRST_DAY, Format.LAST_DAY), _DAY),
    **dict.fromkeys((Format.PERIOD, Format.YEARS, Format.YES_NO), _TEXT),
    Format.SHARE: _AMOUNT,
    Format.NUMBER: StateField(int),
    Format.SWITCH: _YES,
}
_FILTERS = {
    **{declaration.option: _BY_FORMAT[declaration.format] for declaration in FILTER_FIELDS.values()},
    "k": StateField(int, 5),
    "company": _CHOICES,
    "period-year": StateField(int, scope=PAGE),
    "period-part": StateField(str, "Whole year", PAGE),
    "period-days": StateField(tuple, (), PAGE),
}
_USUAL_RANKING = {"mode": "hybrid", "fusion": "weighed", "reranker": "none"}
_RANKING = {
    f"rank-{field.option}": _BY_FORMAT[field.format] for field in RANKING_FIELDS.values() if field.format in _BY_FORMAT
} | {f"rank-{name}": StateField(str, usual) for name, usual in _USUAL_RANKING.items()}
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
            "text": _TEXT,
            **dict.fromkeys(("kind", "root", "status"), _CHOICES),
            "order": StateField(str, "file"),
            **dict.fromkeys(("files-round", "text-round"), _ROUND),
        },
        "search": {"q": _TEXT, **_FILTERS, "dates": _YES, "names": _YES, "explain": _NO, **_RANKING},
        "chat": {**_FILTERS, **dict.fromkeys(("asked", "draft"), StateField(str, "", SESSION)), "draft-round": _ROUND},
        "quality": {
            "by": StateField(str, "Rules"),
            **dict.fromkeys(("severity", "kind", "folder"), _CHOICE),
            **dict.fromkeys(("findings-page", "documents-page", "passages-page", "pairs-page"), _PAGE),
            "together": StateField(bool, default=False, scope=PAGE),
            "overview": _MEMORY,
        },
        "timeline": {
            "show": StateField(str, "Over time"),
            **dict.fromkeys(("by", "interval", "lines", "coverage-interval"), _CHOICE),
            **dict.fromkeys(("company", "item", "length", "unit"), _CHOICE),
            **dict.fromkeys(("since", "until"), _DAY),
            **dict.fromkeys(("of", "coverage-company"), _CHOICES),
            "coverage-page": _PAGE,
        },
        "tables": {
            "part": StateField(str, "Tables"),
            **dict.fromkeys(("words", "named", "during", "item", "time", "of"), _TEXT),
            **dict.fromkeys(("row", "column", "whose", "at"), _TEXT),
            **dict.fromkeys(("kind", "company", "unit"), _CHOICES),
            **dict.fromkeys(("least", "most"), _AMOUNT),
            **dict.fromkeys(("list-page", "cells-page"), _PAGE),
            "sort": _CHOICE,
            "any": _NO,
        },
        "sql": {"query": _TEXT, "history": _MEMORY},
        "experiments": {
            **dict.fromkeys(("part", "source", "questions", "exclude", "why"), _CHOICE),
            "count": StateField(int),
            "vary": _CHOICES,
        },
        "runs": {},
    }
)


def make_key(page: str, name: str) -> str:
    """The key of a field, also its name in the address. Raises `KeyError` for a field that is not declared."""
    FIELDS[page][name]
    return f"{page}-{name}"


def bind_field(page: str, name: str) -> dict[str, Any]:
    """The arguments of a widget that bind it to a field and to the address."""
    return {"key": make_key(page, name), "bind": "query-params"}


def get_default(page: str, name: str) -> Any:
    """The value of a field before anything is chosen."""
    return FIELDS[page][name].default


def get_value(page: str, name: str) -> Any:
    """The value that was last chosen, or the default.

    Before its widget is drawn, a text, a whole number, a day or a list of texts is read from the address.
    """
    field, key = FIELDS[page][name], make_key(page, name)
    if key in st.session_state:
        current = st.session_state[key]
        return current if current is not None and _has_type(current, field) else field.default
    text = st.query_params.get(key, "") if field.scope is ADDRESS else ""
    if field.type is list and text:
        return st.query_params.get_all(key)
    if field.type is str and text:
        return text
    if field.type is date and text:
        with suppress(ValueError):
            return date.fromisoformat(text)
        return None
    return int(text) if field.type is int and text.isdecimal() and 0 < int(text) < _MAX_NUMBER else field.default


def clear_fields(page: str, *names: str) -> None:
    """Empty these fields: in a callback, or before their widgets are drawn."""
    for name in names:
        field = FIELDS[page][name]
        set_value(page, name, [] if field.type is list else field.default)


def set_value(page: str, name: str, value: Any) -> None:
    """Set a field: in a callback, or before its widget is drawn."""
    key = make_key(page, name)
    if key in st.session_state.get(_IN_POPOVERS, ()) and key in st.session_state:
        _hold_value(key, st.session_state[key], value)
    st.session_state[key] = value


def make_address(page: str, fields: Mapping[str, str | list[str]]) -> dict[str, str | list[str]]:
    """Fields as the parameters of a page's address; those without a widget (`document`, `table`) keep their names."""
    declaration = FIELDS[page]
    return {
        make_key(page, name) if name in declaration and declaration[name].scope is ADDRESS else name: value
        for name, value in fields.items()
    }


def set_fields(page: str, fields: Mapping[str, str | list[str]]) -> None:
    """Set fields of the page that is drawn, in a callback; those without a widget are set in the address itself."""
    for name, value in fields.items():
        if name in FIELDS[page]:
            set_value(page, name, value)
        else:
            st.query_params[name] = value


def get_current_page() -> str:
    """The page that is drawn; empty before the first."""
    return str(st.session_state.get(_CURRENT, ""))


def make_page_key(name: str) -> str:
    """The key of a widget that several pages draw: the current page's name and the widget's."""
    return f"{get_current_page()}-{name}"


def enter_page(page: str) -> None:
    """Begin a page; from another page, fields not in the address are reset, values of another type always dropped."""
    declaration = FIELDS.get(page, {})
    if st.session_state.get(_CURRENT) != page:
        st.session_state[_CURRENT] = page
        st.session_state[_VISITS] = count_visits() + 1
        # The browser drops what the widgets of another page had.
        _get_pending_values().clear()
        kept_keys = {make_key(page, name) for name, field in declaration.items() if field.scope is SESSION}
        for key in list(st.session_state):
            if str(key).startswith(f"{page}-") and key not in kept_keys and key not in st.query_params:
                del st.session_state[key]
    for earlier, name in _EARLIER.items():
        if name in declaration and (texts := st.query_params.get_all(f"{page}-{earlier}")):
            del st.query_params[f"{page}-{earlier}"]
            kind = declaration[name].type
            set_value(page, name, texts if kind is list else texts[0] == "true" if kind is bool else texts[0])
    for name, field in declaration.items():
        if (current := st.session_state.get(make_key(page, name))) is not None and not _has_type(current, field):
            del st.session_state[make_key(page, name)]


@dataclass(frozen=True, slots=True)
class PendingValue:
    """The `value` of a field in a popover, and another one that the browser still has and sends: `outdated_value`."""

    outdated_value: Any
    value: Any


def hold_values(page: str, names: Sequence[str]) -> dict[str, Any]:
    """Set these fields of a popover to the values held for them, before it is drawn; returns the values of all.

    A field is held until the browser sends a value that is new, or reports that the popover is open (`release_values`).
    """
    keys, pending_values = [make_key(page, name) for name in names], _get_pending_values()
    st.session_state.setdefault(_IN_POPOVERS, set()).update(keys)
    for key in keys:
        if key not in pending_values:
            continue
        if st.session_state.get(key, pending_values[key].value) in (
            pending_values[key].outdated_value,
            pending_values[key].value,
        ):
            st.session_state[key] = pending_values[key].value
        else:
            del pending_values[key]
    return {own: st.session_state[own] for own in keys if own in st.session_state}


def has_pending_values(page: str, names: Sequence[str], before: Mapping[str, Any]) -> bool:
    """Whether the browser may have outdated values of these fields, once their widgets are drawn.

    `before` has the values before: Back and Forward have set those that differ now, from the address.
    """
    for key, earlier in before.items():
        if (now := st.session_state[key]) != earlier:
            _hold_value(key, earlier, now)
    return any(make_key(page, name) in _get_pending_values() for name in names)


def release_values(page: str, names: Sequence[str]) -> None:
    """Accept what the browser sends of these fields: their widgets are on the page and show the held values."""
    for name in names:
        _get_pending_values().pop(make_key(page, name), None)


def is_outdated(page: str, name: str) -> bool:
    """Whether the value of a field, for which the browser called the callback, is only a repeated outdated one."""
    key = make_key(page, name)
    return key in _get_pending_values() and st.session_state.get(key) == _get_pending_values()[key].outdated_value


def _hold_value(key: str, browser_value: Any, value: Any) -> None:
    pending_values = _get_pending_values()
    outdated = pending_values[key].outdated_value if key in pending_values else browser_value
    if outdated == value:
        pending_values.pop(key, None)
    else:
        pending_values[key] = PendingValue(outdated, value)


def _get_pending_values() -> dict[str, PendingValue]:
    pending_values: dict[str, PendingValue] = st.session_state.setdefault(_PENDING, {})
    return pending_values


def count_visits() -> int:
    """The number of times that this reader went from one page to another."""
    count: int = st.session_state.get(_VISITS, 0)
    return count


def leave_page(page: str) -> None:
    """End drawing a page: its address is kept, so that the sidebar opens it again."""
    addresses = st.session_state.setdefault(_ADDRESSES, {})
    addresses[page] = {name: st.query_params.get_all(name) for name in st.query_params}


def get_last_address(page: str) -> dict[str, list[str]]:
    """The parameters of the address that a page was last left with; none before its first visit."""
    return dict(st.session_state.get(_ADDRESSES, {}).get(page, {}))


def _has_type(value: Any, field: StateField) -> bool:
    """Whether a value is of the field's type; a member of an enumeration counts as a text, a bool is no number."""
    if isinstance(value, bool | Enum):
        return field.type is (bool if isinstance(value, bool) else str)
    accepted_types = {list: (list, tuple), tuple: (list, tuple), float: (int, float)}
    return isinstance(value, accepted_types.get(field.type, field.type))
