"""The columns of a generation: what SQL gives over the lake, whatever was published before, and shared in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.store.columns import column_parts
from warehouse.store.columns.column_parts import list_files
from warehouse.store.columns.passage_columns import NO_DAY, NO_END, NO_START, Passages
from warehouse.store.snapshot import Snapshot

SQL = """
    SELECT chunk_id, document_id, start, "end", coalesce(quality_score, 0) AS quality, coalesce(page, -1) AS page,
        coalesce(lesson, -1) AS lesson, has_table, is_references, passage_date IS NOT NULL AS is_entry,
        coalesce(coalesce(passage_date, document_date) - DATE '1970-01-01', $unknown) AS day,
        coalesce(coalesce(passage_end, document_date + 1) - DATE '1970-01-01', $unknown) AS day_end, section
    FROM chunks JOIN documents USING (document_id) ORDER BY document_id, chunk_index
"""
MENTIONS = """
    SELECT document_id, start, "end", coalesce(start_date - DATE '1970-01-01', $long_ago) AS start_date,
        coalesce(end_date - DATE '1970-01-01', $far_off) AS end_date
    FROM mentions WHERE start_date IS NOT NULL OR end_date IS NOT NULL ORDER BY document_id, start, "end", start_date
"""
NAMES = 'SELECT document_id, start, "end", name FROM entities ORDER BY document_id, start, name'
VECTORS = """
    SELECT chunk_id, vector_id, label <> '' AS is_label, coalesce(statement, '') AS statement
    FROM chunk_vectors ORDER BY ALL
"""
TABLE = "| Item | 2023 | 2022 |\n|---|---|---|\n| Total assets | 300 | 290 |\n| Inventories | 20 | 10 |\n"


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that some documents make many parts."""
    monkeypatch.setattr(column_parts, "PART_SIZE", 4)


def write_notes(folder: Path, numbers: range, seed: int = 0) -> None:
    """Dated notes with names, times and tables, and every fourth in entries of a diary."""
    folder.mkdir(exist_ok=True)
    for number in numbers:
        random = Random(number * 1000 + seed)
        day = f"20{random.randint(10, 24)}-0{random.randint(1, 9)}-1{random.randint(0, 9)}"
        head = f"---\ndate: {day}\ntags: [t{number % 3}]\n---\n\n" if number % 3 else ""
        if number % 4 == 0:
            other = f"2024-01-0{number % 9 + 1}"
            body = f"## {day}\n\nMet Alice Miller in March 20{random.randint(10, 24)}.\n\n## {other}\n\nRain."
        else:
            body = (
                f"# Report {number}\n\nBob Stone wrote to Acme Ltd in Q{number % 4 + 1} 2023.\n\n## Assets\n\n{TABLE}"
            )
        (folder / f"n{number}.md").write_text(head + body + "\n", encoding="utf-8")
    (folder / "empty.md").write_text("---\ntitle: nothing\n---\n", encoding="utf-8")


def check_is_what_sql_gives(snapshot: Snapshot) -> None:
    passages, documents = snapshot.passages, snapshot.passages.documents
    rows = snapshot.query_records(SQL, {"unknown": NO_DAY})
    assert [passages.get_chunk_ids(np.arange(len(passages))), [documents[each] for each in passages.document]] == [
        [row[name] for row in rows] for name in ("chunk_id", "document_id")
    ]
    for name in (
        "start",
        "end",
        "quality",
        "page",
        "lesson",
        "has_table",
        "is_references",
        "is_entry",
        "day",
        "day_end",
    ):
        assert getattr(passages, name).tolist() == [row[name] for row in rows], name
    sections = snapshot.columns.read_sections().to_pylist()
    assert [sections[each] for each in passages.section] == [row["section"] for row in rows]
    found = snapshot.mentions
    told = snapshot.query_records(MENTIONS, {"long_ago": NO_START, "far_off": NO_END})
    columns = [getattr(found, name).tolist() for name in ("start", "end", "start_date", "end_date")]
    assert sorted(zip([documents[each] for each in found.document], *columns, strict=True)) == [
        tuple(row.values()) for row in told
    ]
    names = snapshot.names
    columns = [names.start.tolist(), names.end.tolist(), [names.names[each] for each in names.name]]
    assert sorted(zip([documents[each] for each in names.document], *columns, strict=True)) == [
        tuple(row.values()) for row in snapshot.query_records(NAMES)
    ]
    ids, labels, windows = snapshot.vectors.ids, snapshot.row_labels, snapshot.windows
    every = [
        *((p, v, False, "") for p, v in zip(windows.passages, windows.vectors, strict=True)),
        *((p, v, True, s) for p, v, s in zip(labels.passages, labels.vectors, labels.statements, strict=True)),
    ]
    chunks = passages.get_chunk_ids(np.array([passage for passage, *_ in every], np.int64))
    assert sorted((c, ids[v].decode(), label, s) for c, (_, v, label, s) in zip(chunks, every, strict=True)) == [
        tuple(row.values()) for row in snapshot.query_records(VECTORS)
    ]


def columns_of(snapshot: Snapshot) -> Iterator[list[object]]:
    """All columns as lists, vectors by their ids."""
    yield from (getattr(snapshot.passages, each.name).tolist() for each in fields(Passages) if each.name != "section")
    sections = snapshot.columns.read_sections().to_pylist()
    yield [sections[each] for each in snapshot.passages.section]
    for group in (snapshot.mentions, snapshot.names, snapshot.row_labels):
        for each in fields(group):
            column = getattr(group, each.name)
            yield list(snapshot.vectors.ids[column]) if each.name == "vectors" else list(column)


def test_columns_are_what_sql_gives_over_the_lake(tmp_path: Path) -> None:
    write_notes(tmp_path / "notes", range(14))
    house = build_warehouse(tmp_path / "house", tmp_path / "notes")
    assert len(list_files(house.snapshot.generation)) > 4
    check_is_what_sql_gives(house.snapshot)


def test_whatever_was_published_before_columns_are_those_of_a_fresh_warehouse(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write_notes(notes, range(9))
    build_warehouse(tmp_path / "house", notes)
    write_notes(notes, range(7, 13), seed=5)
    (notes / "n1.md").unlink()
    build_warehouse(tmp_path / "house", notes)
    (notes / "n2.md").rename(notes / "moved.md")
    (notes / "copy.md").write_bytes((notes / "n3.md").read_bytes())
    grown = build_warehouse(tmp_path / "house", notes)
    fresh = build_warehouse(tmp_path / "fresh", notes)
    assert list(columns_of(grown.snapshot)) == list(columns_of(fresh.snapshot))
    assert grown.snapshot.generation.manifest.columns == fresh.snapshot.generation.manifest.columns
    check_is_what_sql_gives(grown.snapshot)


def test_a_changed_document_costs_its_part_alone(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write_notes(notes, range(12))
    first = list_files(build_warehouse(tmp_path / "house", notes).snapshot.generation)
    (notes / "n5.md").write_text("# Report 5\n\nNothing else.\n", encoding="utf-8")
    second = list_files(build_warehouse(tmp_path / "house", notes).snapshot.generation)
    shared = {file.name for file in first} & {file.name for file in second}
    assert len(shared) == len(first) - 1 == len(second) - 1
    for name in shared:
        inodes = [next(file for file in files if file.name == name).stat().st_ino for files in (first, second)]
        assert inodes[0] == inodes[1]


def test_parts_are_cut_otherwise_once_they_have_grown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = tmp_path / "notes"
    write_notes(notes, range(4))
    monkeypatch.setattr(column_parts, "PART_SIZE", 1000)
    house = build_warehouse(tmp_path / "house", notes)
    assert [file.name[:4] for file in list_files(house.snapshot.generation)] == ["all-"]
    monkeypatch.setattr(column_parts, "PART_SIZE", 2)
    write_notes(notes, range(12))
    grown = build_warehouse(tmp_path / "house", notes)
    assert len(list_files(grown.snapshot.generation)) > 4
    check_is_what_sql_gives(grown.snapshot)


def test_a_warehouse_of_nothing_has_columns(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.pdf").write_bytes(b"%PDF-")
    house = build_warehouse(tmp_path / "house", tmp_path / "notes")
    assert not len(house.snapshot.passages)
    check_is_what_sql_gives(house.snapshot)
    assert len(house.snapshot.passages.find_rows(["0" * 32])) == 1


def test_passages_are_found_by_their_ids(tmp_path: Path) -> None:
    write_notes(tmp_path / "notes", range(6))
    house: Warehouse = build_warehouse(tmp_path / "house", tmp_path / "notes")
    passages = house.snapshot.passages
    rows = np.arange(len(passages))[::-1]
    assert passages.find_rows([*passages.get_chunk_ids(rows), "f" * 32]).tolist() == [*rows.tolist(), -1]
    with pytest.raises(KeyError):
        house.snapshot.read_chunks(["f" * 32])
