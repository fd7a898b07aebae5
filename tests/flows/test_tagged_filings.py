"""A filing in inline XBRL on its way through a warehouse: facts, cells, findings and the catalogue."""

from __future__ import annotations

from pathlib import Path

from tests.building import build_warehouse
from tests.tasks.parsers.xbrl.northlight import northlight


def test_what_a_filer_tags_is_found_by_sql(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "northlight.htm").write_text(northlight(), encoding="utf-8")
    (docs / "note.md").write_text("A note without a tag.", encoding="utf-8")
    snapshot = build_warehouse(tmp_path / "house", docs).snapshot
    rows = snapshot.query_rows(
        "SELECT f.concept, f.content, c.value, c.row_header FROM cells c"
        " JOIN facts f ON f.document_id = c.document_id AND f.number = c.fact ORDER BY c.row, c.column"
    )
    assert len(rows) == 13
    assert ("us-gaap:NetIncomeLoss", "-2400000", -2_400_000.0, "Net loss") in rows
    ((hidden, shown),) = snapshot.query_rows("SELECT count(*) FILTER (start IS NULL), count(start) FROM facts")
    assert (hidden, shown) == (5, 21)
    assert snapshot.query_rows("SELECT code FROM findings WHERE code LIKE 'TAB%'") == [("TAB012",)]
    ((company, name, origin),) = snapshot.query_rows(
        "SELECT company, reported_name, date_origin FROM documents WHERE kind = 'report'"
    )
    assert (company, name, origin) == ("Northlight Instruments, Inc.", "Q3 2025", "tag of the cover")
