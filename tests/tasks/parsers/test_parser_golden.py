"""One sample of each kind and the record that comes of it, side by side.

`KALENDS_REWRITE_GOLDEN=1 pytest tests/tasks/parsers/test_parser_golden.py` writes the records anew.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read

HERE = Path(__file__).resolve().parent
FOLDERS = (HERE / "office", HERE / "files", HERE.parents[2] / "samples")
"""Samples of formats that the demonstration has none of come first."""
GOLDEN = [
    "reports/northlight-fy2025-q3.pdf",
    "reports/board-memo-capital-plan.docx",
    "reports/incident-2025-06.txt",
    "papers/nitrate-drift.xml",
    "courses/ocean-time-series.txt",
    "vault/Field log.md",
    "vault/Mooring array.md",
    *sorted(path.name for folder in FOLDERS[:2] for path in folder.iterdir()),
]
REWRITE = os.environ.get("KALENDS_REWRITE_GOLDEN") == "1"


@pytest.mark.parametrize("name", GOLDEN)
def test_a_sample_gives_its_golden_record(name: str) -> None:
    path = next(path for folder in FOLDERS if (path := folder / name).is_file())
    record = asdict(read(Raw(path.name, path.read_bytes())))
    record["text"] = record["text"].split("\n")
    shown = json.dumps(record, ensure_ascii=False, indent=1, default=str) + "\n"
    golden = HERE / "golden" / f"{path.stem.replace(' ', '-').lower()}.json"
    if REWRITE:
        golden.write_text(shown, encoding="utf-8")
    assert shown == golden.read_text(encoding="utf-8")


def test_golden_records_are_not_rewritten_by_ci() -> None:
    assert not (REWRITE and os.environ.get("CI"))
