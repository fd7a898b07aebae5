"""Where the files to read are."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples"
OFFICE = Path(__file__).resolve().parent / "office"
"""A workbook of figures, one with a diary, and a presentation, as Excel's and PowerPoint's users make them."""
SHARED = ROOT / "../shared/data"
REFUSED = frozenset(["broken.pdf", "window-coating-abstract.xml", "simple-jats-doctype-1.1d3.xml"])
"""Files that are there to be refused."""


def files(folder: Path, *patterns: str) -> list[Path]:
    """The files below a folder, none where there is no such folder."""
    return sorted(path for pattern in patterns for path in folder.rglob(pattern))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Gives `sample` each readable sample, and `shared` each file of the shared folder that is quick to read."""
    if "sample" in metafunc.fixturenames:
        found = [path for path in (*files(SAMPLES, "*.*"), *files(OFFICE, "*.*")) if path.name not in REFUSED]
        metafunc.parametrize("sample", found, ids=lambda path: path.name)
    if "shared" in metafunc.fixturenames:
        quick = [
            *files(SHARED / "docx", "*.docx"),
            *files(SHARED / "html", "*.html"),
            *(path for path in files(SHARED / "jats", "*.xml") if path.name not in REFUSED),
            *files(SHARED / "vault", "*.md"),
            *files(SHARED / "tables/icdar2013", "eu-00[235689]*.pdf"),
            *files(SHARED / "chunking/corpora", "*.md"),
        ]
        absent = [pytest.param(SHARED, marks=pytest.mark.skip(reason=f"there is no {SHARED}"))]
        metafunc.parametrize("shared", quick or absent, ids=lambda path: path.name)
