"""What of the page is opened, as its address names it, and the way there and back."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NoReturn

import streamlit as st

from dashboards.drawing.escaping import markdown_label
from dashboards.widgets import state
from dashboards.widgets.navigation import open_page
from tasks.quality.listing import every_rule
from warehouse.reader import Warehouse


@dataclass(frozen=True, slots=True)
class QualityAddress:
    """A rule by its code, a document and a passage by their ids, and what is said twice by the name of its pair."""

    rule: str = ""
    document: str = ""
    chunk: str = ""
    twin: str = ""


_NAMES = tuple(field.name for field in fields(QualityAddress))
_KEPT = ("together",)
"""What the address keeps on the way."""


def read_address() -> QualityAddress:
    """What the address opens."""
    return QualityAddress(**{name: st.query_params.get(name, "") for name in _NAMES})


def remember_overview() -> None:
    """The way back leads to what the address says of all findings now: the side, the filters, the page."""
    state.put("quality", "overview", {name: st.query_params.get_all(name) for name in st.query_params})


def open_address(what: QualityAddress) -> NoReturn:
    """Open it at once, as one step of the browser's history."""
    open_page("quality", **_address(what))


def draw_link(what: QualityAddress, name: str, icon: str | None = None) -> None:
    """A button that opens it. `name` is Markdown: escape what a document says.

    A link to the page that is drawn would leave the address as it is.
    """
    key = "-".join(("quality-go", what.rule, what.document, what.chunk, what.twin))
    if st.button(name, key=key, icon=icon, type="tertiary"):
        open_address(what)


def draw_breadcrumbs(warehouse: Warehouse, what: QualityAddress) -> None:
    """The way back from what is opened, a button for each step above it; nothing at the top."""
    steps = _steps(warehouse, what)
    if not steps:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="quality-trail"):
        draw_link(QualityAddress(), "All findings", ":material/arrow_back:")
        for name, step in steps[:-1]:
            draw_link(step, name, ":material/chevron_right:")
        st.caption(steps[-1][0])


def _address(what: QualityAddress) -> dict[str, str | list[str]]:
    own = {name: getattr(what, name) for name in _NAMES if getattr(what, name)}
    if not own:
        own = {name: value for name, value in (state.value("quality", "overview") or {}).items() if name not in _KEPT}
    return {**own, **{name: st.query_params[name] for name in _KEPT if name in st.query_params}}


def _steps(warehouse: Warehouse, what: QualityAddress) -> list[tuple[str, QualityAddress]]:
    steps = []
    if what.rule:
        rule = every_rule().get(what.rule)
        name = f"{rule.code} {rule.name}" if rule else what.rule
        steps.append((markdown_label(name, 40), QualityAddress(rule=what.rule)))
    if what.document:
        found = warehouse.snapshot.rows(_SOURCE, {"id": what.document})
        source = str(found[0][0]) if found else what.document
        steps.append((markdown_label(source, 60), QualityAddress(rule=what.rule, document=what.document)))
    if what.chunk:
        steps.append(("Passage", what))
    if what.twin:
        steps.append(("Side by side", what))
    return steps


_SOURCE = "SELECT source FROM documents WHERE document_id = $id"
