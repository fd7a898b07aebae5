"""Sources that disagree about a document's date are named in the warehouse."""

from __future__ import annotations

from tests.flows.conftest import Bench


def test_a_disputed_date_is_a_finding_and_goes_when_the_file_is_renamed(bench: Bench) -> None:
    bench.write("minutes-2019-05-05.md", "---\ndate: 2024-03-01\n---\nThe lamps were cleaned.")
    bench.ingest()
    query = "SELECT path, message FROM findings JOIN documents USING (document_id) WHERE code = 'DOC015'"
    assert bench.warehouse.snapshot.query_rows(query) == [
        ("minutes-2019-05-05.md", "2024-03-01 (front matter) is taken, but 2019-05-05 (file name)")
    ]
    (bench.docs / "minutes-2019-05-05.md").rename(bench.docs / "minutes.md")
    bench.ingest()
    assert bench.warehouse.snapshot.query_rows(query) == []
