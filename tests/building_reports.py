"""Quarterly reports of a company, one of them missing, and one that restates what another said."""

from __future__ import annotations

from pathlib import Path

from tests.building import build_warehouse
from warehouse.reader import Warehouse

QUARTERS = {
    "q1": ("March 31, 2024", "April 20, 2024", {"March 31, 2024": "101.5", "March 31, 2023": "90.0"}),
    "q3": ("September 30, 2024", "October 20, 2024", {"September 30, 2024": "120.0", "September 30, 2023": "99.0"}),
    "q5": ("March 31, 2025", "April 20, 2025", {"March 31, 2025": "131.0", "March 31, 2024": "103.2"}),
}
"""By file: the end of its quarter, the day it is dated, and its revenue by the end of three months."""


def build_reports(folder: Path) -> Warehouse:
    """Publish them."""
    (folder / "filings").mkdir()
    for stem, (ended, dated, revenue) in QUARTERS.items():
        heads = "".join(f"<th>Three months ended {end}</th>" for end in revenue)
        figures = "".join(f"<td>{value}</td>" for value in revenue.values())
        costs = "".join(f"<td>{float(value) / 3:.1f}</td>" for value in revenue.values())
        html = (
            f"<p>FORM 10-Q</p><p>For the quarterly period ended {ended}</p><p>QUILL CO., INC.</p>"
            f"<p>(Exact name of registrant as specified in its charter)</p><p>Date: {dated}</p><h2>Results</h2>"
            f"<p>In millions of dollars</p><table><tr><th></th>{heads}</tr><tr><td>Total revenue</td>{figures}</tr>"
            f"<tr><td>Cost of revenue</td>{costs}</tr></table><p>The works went on as before in the quarter.</p>"
        )
        (folder / "filings" / f"{stem}.html").write_text(f"<html><body>{html}</body></html>", encoding="utf-8")
    return build_warehouse(folder / "w", folder / "filings")
