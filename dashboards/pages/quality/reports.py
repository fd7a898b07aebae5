"""Download the report of the check, in the forms that `kalends check` prints."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboards.facts.quality.checked import Examination
from tasks.check.forms.contract import FORMS

_FORMS = (
    ("html", "Web page (HTML)", "html", "text/html"),
    ("sarif", "SARIF (for code review tools)", "sarif", "application/sarif+json"),
    ("json", "JSON", "json", "application/json"),
)


def offer_reports(examined: Callable[[], Examination]) -> None:
    """A button that opens the forms; the check is run when one is chosen, if it has not been."""
    with st.popover("Export report", icon=":material/download:", key="quality-report"):
        st.caption("All findings with documents compared, as 'kalends check --warehouse' reports them.")
        for form, name, suffix, media in _FORMS:
            st.download_button(
                name,
                _ReportFile(form, examined),
                f"kalends-quality.{suffix}",
                media,
                on_click="ignore",
                key=f"quality-report-{form}",
                width="stretch",
            )


class _ReportFile:
    """A report as bytes, made when it is asked for."""

    def __init__(self, form: str, examined: Callable[[], Examination]) -> None:
        self._form = form
        self._examined = examined

    def __call__(self) -> bytes:
        report = self._examined().report
        lines = FORMS[self._form](report) if report else ()
        return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
